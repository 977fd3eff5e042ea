//! Plans made of other plans: each step becomes an op that carries its plan, with the barriers between them.
//!
//! ```mlir
//!   tile.copy %r to %q scope(warp)
//!     ──▶   %s = tile.alloc : !tile.buffer<4x32x32xf32, shared, …>      a tile for each warp
//!           tile.planned_copy %r to %s[%warp] scope(warp) plan<…>
//!           nvvm.bar.warp.sync
//!           tile.planned_copy %s[%warp] to %q scope(warp) plan<…>
//!           nvvm.bar.warp.sync                                          before the tile is written again
//! ```
//! Passes that order accesses and plan memory run before copies are planned. For them [`split`] writes the same steps as
//! copies.

use melior::ir::{OperationRef, Value};
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::{CopyOp, WrittenRegion};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_layout::counted;
use tile_ops::{Builder, tile};
use tile_plan::families::composite::{Composite, Endpoint, PlanStep, TILE_ALIGN_BYTES, Tile};
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::{Cost, CostComparison};
use tile_plan::problem::role::Role;

use super::carry::{PlannedSide, carry_between};
use super::{Family, MALFORMED, Staged};
use crate::emit::{Emit, scope_barrier, scope_number};
use crate::read::run_time::RunTime;
use crate::report::{self, COPIES, passed};

/// The family.
pub struct Composites;

impl Family for Composites {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Composite]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &CopyPlan,
    ) -> Option<OperationRef<'c, 'a>> {
        let CopyPlan::Composite(plan) = plan else { return None };
        write(builder, copy, plan, &carry_step)
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::Composite(plan) = plan else { return };
        if let Some(tile) = &plan.tile {
            took_scratch(op, tile, &plan.weighed);
        }
        for step in &plan.steps {
            COPIES.declined(op, &step.declines);
            if let Some(family) = super::family(&step.plan) {
                family.remark_chosen(op, &step.plan);
            }
            if let CopyPlan::Scalar(plan) = &step.plan {
                report::fell_back(op, plan, &step.declines);
            }
        }
    }

    fn expand<'c, 'a>(
        &self,
        _emit: &mut Emit<'c, 'a, '_>,
        _staged: &Staged<'_, '_, 'c, 'a>,
        _plan: &CopyPlan,
    ) -> Result<(), String> {
        Err(MALFORMED.to_owned())
    }
}

/// Writes the steps as copies, for which variants are chosen later, and returns the last op.
pub fn split<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Composite,
) -> Option<OperationRef<'c, 'a>> {
    write(builder, copy, plan, &copy_step)
}

/// The *passed* remark of a copy through shared memory.
pub fn took_scratch(op: OperationRef<'_, '_>, tile: &Tile, weighed: &CostComparison) {
    let bytes = counted(tile.bytes(), "byte").to_string();
    let args = vec![
        ("Variant", "scratch".to_owned()),
        ("Scratch", bytes.clone()),
        ("Layout", tile.layout.to_string()),
        ("Cost", costs(weighed)),
    ];
    passed(op, "scratch", &format!("copied by scratch: through {bytes} of shared memory"), &args);
}

/// `shuffle 24 instructions, 8 wavefronts; scratch 12 instructions, 24 wavefronts`.
pub(super) fn costs(weighed: &CostComparison) -> String {
    let way = |name: &str, cost: Option<Cost>| cost.map(|cost| format!("{name} {cost}"));
    let ways = [way("shuffle", weighed.shuffle), way("scratch", weighed.scratch)];
    ways.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The tile of a plan in the IR.
struct Made<'p, 'c, 'a> {
    tile: &'p Tile,
    buffer: Value<'c, 'a>,
    /// The index of the scope in its block, where there are several.
    number: Option<Value<'c, 'a>>,
}

/// Writes one step: a copy between operands of `copy` and the tile.
type WriteStep<'c, 'a> =
    dyn Fn(Builder<'c, 'a>, CopyOp<'c, 'a>, &PlanStep, Option<&Made<'_, 'c, 'a>>) -> Option<OperationRef<'c, 'a>>;

/// Makes the ops and returns the last.
fn write<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Composite,
    step: &WriteStep<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let made = match &plan.tile {
        Some(tile) => Some(alloc(builder, copy, tile)?),
        None => None,
    };
    let mut last = None;
    for next in &plan.steps {
        last = Some(step(builder, copy, next, made.as_ref())?);
        if next.barrier {
            last = Some(scope_barrier(builder, copy.scope(), made.as_ref().and_then(Made::instance)));
        }
    }
    last
}

/// Allocates the tile, which has the element type of the side that is narrower.
fn alloc<'p, 'c: 'a, 'a>(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, tile: &'p Tile) -> Option<Made<'p, 'c, 'a>> {
    let elements = [copy.dst()?, copy.src()?].map(|side| side.buffer.element());
    let fits = |element: &melior::ir::Type<'c>| tile_dialect::memref::bit_width(*element) == Some(tile.element_bits);
    let element = elements.into_iter().find(fits)?;
    let layout = LayoutAttr::new(builder.location, &tile.layout)?;
    let buffer = BufferType::new(builder.location, &tile.buffer_shape(), element, Space::Shared, layout)?;
    let number = (tile.instances > 1).then(|| scope_number(builder, copy.0, copy.scope())).flatten();
    if tile.instances > 1 && number.is_none() {
        return None;
    }
    let buffer = tile::alloc(builder, buffer.as_type()).alignment(TILE_ALIGN_BYTES).value();
    Some(Made { tile, buffer, number })
}

/// A step as an op that carries its plan.
fn carry_step<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    step: &PlanStep,
    made: Option<&Made<'_, 'c, 'a>>,
) -> Option<OperationRef<'c, 'a>> {
    let operands = copy.sides()?;
    let side = |role: Role, operand| {
        let side = match step.endpoint(role) {
            Endpoint::Operand => PlannedSide::Operand(operand),
            Endpoint::Tile => {
                let Made { buffer, number, .. } = made?;
                PlannedSide::Buffer { buffer: *buffer, values: number.iter().copied().map(RunTime::Value).collect() }
            }
        };
        Some((role, side))
    };
    let sides = operands.iter().map(|(role, operand)| side(*role, operand)).collect::<Option<Vec<_>>>()?;
    carry_between(builder, copy, sides, step.plan.clone())
}

/// A step as a copy.
fn copy_step<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    step: &PlanStep,
    made: Option<&Made<'_, 'c, 'a>>,
) -> Option<OperationRef<'c, 'a>> {
    let region = |endpoint, role| match endpoint {
        Endpoint::Operand => copy.written(role),
        Endpoint::Tile => made.map(Made::region),
    };
    let (from, to) = (region(step.from, Role::Src)?, region(step.to, Role::Dst)?);
    let word = copy.convert().filter(|_| step.conversion.is_some());
    let made = tile::copy(
        builder,
        from.buffer,
        &from.values,
        to.buffer,
        &to.values,
        &from.offsets,
        &from.sizes,
        &to.offsets,
        &to.sizes,
        copy.scope(),
    );
    Some(made.convert(word.as_deref()).build().operation())
}

impl<'c, 'a> Made<'_, 'c, 'a> {
    /// The scope of the executing thread, and how many there are.
    fn instance(&self) -> Option<(Value<'c, 'a>, i64)> {
        self.number.map(|number| (number, self.tile.instances))
    }

    /// The tile of one scope as a region.
    fn region(&self) -> WrittenRegion<'c, 'a> {
        let begins = self.number.map(|_| DYNAMIC).into_iter().chain(self.tile.shape.iter().map(|_| 0));
        let extents = self.number.map(|_| 1).into_iter().chain(self.tile.shape.iter().copied());
        WrittenRegion {
            buffer: self.buffer,
            values: self.number.into_iter().collect(),
            offsets: begins.collect(),
            sizes: extents.collect(),
        }
    }
}
