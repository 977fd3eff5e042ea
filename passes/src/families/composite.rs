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
//! Where blocks are turned, registers are made, too:
//!
//! ```mlir
//!   tile.copy %a to %b scope(cta)
//!     ──▶   %l, %t = tile.alloc : !tile.buffer<64x64xf32, local, …>     loaded, and turned
//!           tile.planned_copy %a to %l, %l to %t, %t to %s              %s in shared memory
//!           nvvm.barrier
//!           tile.planned_copy %s to %b
//!           nvvm.barrier
//! ```
//! Passes that order accesses and plan memory run before copies are planned. For them [`split`] writes the same steps as
//! copies.

use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::{CopyOp, WrittenRegion, defining_op};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_layout::counted;
use tile_ops::{Builder, llvm_type, tile};
use tile_plan::families::composite::{
    Composite, Endpoint, LineComparison, PlanStep, PlanTile, RegisterBuffer, TILE_ALIGN_BYTES,
};
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::{Cost, CostComparison};
use tile_plan::problem::role::Role;

use super::carry::{PlannedSide, carry_between};
use super::{Family, Staged};
use crate::effects::inherent;
use crate::emit::error::EmitError;
use crate::emit::{Emit, buffer_bytes, scope_barrier, scope_number};
use crate::read::kernel;
use crate::read::run_time::RunTime;
use crate::report::{self, COPIES, passed};
use crate::walk;

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
        write(builder, copy, plan, (&shared_tile, &carry_step))
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::Composite(plan) = plan else { return };
        took_buffers(op, plan);
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
    ) -> Result<(), EmitError> {
        Err(EmitError::Sides)
    }
}

/// Writes the steps as copies, for which variants are chosen later, and returns the last op. The tile is one of its own: when it is live is
/// known from the copies.
pub fn split<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Composite,
) -> Option<OperationRef<'c, 'a>> {
    write(builder, copy, plan, (&own_tile, &copy_step))
}

/// The *passed* remark of a copy through buffers that its plan makes; none where its parts are copied as they are.
pub fn took_buffers(op: OperationRef<'_, '_>, plan: &Composite) {
    let tile = plan.buffers.tile.as_ref();
    let bytes = tile.map(|tile| counted(tile.bytes(), "byte").to_string());
    let through = match (&bytes, plan.buffers.registers.is_empty()) {
        (Some(bytes), true) => format!("through {bytes} of shared memory"),
        (Some(bytes), false) => format!("through registers and {bytes} of shared memory"),
        (None, false) => "through registers".to_owned(),
        (None, true) => return,
    };
    let mut args = vec![("Variant", plan.variant.to_owned())];
    args.extend(bytes.map(|bytes| ("Scratch", bytes)));
    args.extend(tile.map(|tile| ("Layout", tile.layout.to_string())));
    let registers: Vec<String> = plan.buffers.registers.iter().map(|held| held.layout.to_string()).collect();
    args.extend((!registers.is_empty()).then(|| ("Registers", registers.join(" to "))));
    let weighed = plan.lines.as_ref().map_or_else(|| costs(&plan.weighed), line_costs);
    args.extend((!weighed.is_empty()).then_some(("Cost", weighed)));
    passed(op, plan.variant, &format!("copied by {}: {through}", plan.variant), &args);
}

/// `blocks 256 lines, 256 wavefronts; elements as they are 4224 lines, 0 wavefronts`.
fn line_costs(lines: &LineComparison) -> String {
    format!("blocks {}; elements as they are {}", lines.plan, lines.direct)
}

/// `shuffle 24 instructions, 8 wavefronts; scratch 12 instructions, 24 wavefronts`.
pub(super) fn costs(weighed: &CostComparison) -> String {
    let way = |name: &str, cost: Option<Cost>| cost.map(|cost| format!("{name} {cost}"));
    let ways = [way("shuffle", weighed.shuffle), way("scratch", weighed.scratch)];
    ways.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// A buffer of a plan in the IR.
struct MadeBuffer<'c, 'a> {
    buffer: Value<'c, 'a>,
    /// The shape of the region in it.
    shape: Vec<i64>,
    /// The index of the scope in its block, where each has its own part.
    number: Option<Value<'c, 'a>>,
}

/// The buffers of a plan in the IR.
#[derive(Default)]
struct MadeBuffers<'c, 'a> {
    tile: Option<MadeBuffer<'c, 'a>>,
    registers: Vec<MadeBuffer<'c, 'a>>,
}

/// Writes one step: a copy between operands of `copy` and buffers.
type WriteStep<'c, 'a> =
    dyn Fn(Builder<'c, 'a>, CopyOp<'c, 'a>, &PlanStep, &MadeBuffers<'c, 'a>) -> Option<OperationRef<'c, 'a>>;

/// Makes the tile of a copy.
type MakeTile<'c, 'a> = dyn Fn(Builder<'c, 'a>, CopyOp<'c, 'a>, BufferType<'c>) -> Option<Value<'c, 'a>>;

/// Makes the ops and returns the last.
fn write<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Composite,
    (make, step): (&MakeTile<'c, 'a>, &WriteStep<'c, 'a>),
) -> Option<OperationRef<'c, 'a>> {
    let tile = match &plan.buffers.tile {
        Some(tile) => Some(made_tile(builder, copy, tile, make)?),
        None => None,
    };
    let registers = plan.buffers.registers.iter().map(|registers| alloc_registers(builder, copy, registers));
    let made = MadeBuffers { tile, registers: registers.collect::<Option<_>>()? };
    let instance = made.tile.as_ref().and_then(|tile| Some((tile.number?, plan.buffers.tile.as_ref()?.instances)));
    let mut last = None;
    for next in &plan.steps {
        last = Some(step(builder, copy, next, &made)?);
        if next.barrier {
            last = Some(scope_barrier(builder, copy.scope(), instance));
        }
    }
    last
}

/// The tile, which has the element type of the side that is narrower.
fn made_tile<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    tile: &PlanTile,
    make: &MakeTile<'c, 'a>,
) -> Option<MadeBuffer<'c, 'a>> {
    let elements = [copy.dst()?, copy.src()?].map(|side| side.buffer.element());
    let fits = |element: &melior::ir::Type<'c>| tile_dialect::memref::bit_width(*element) == Some(tile.element_bits);
    let element = elements.into_iter().find(fits)?;
    let layout = LayoutAttr::new(builder.location, &tile.layout)?;
    let buffer = BufferType::new(builder.location, &tile.buffer_shape(), element, Space::Shared, layout)?;
    let number = (tile.instances > 1).then(|| scope_number(builder, copy.0, copy.scope())).flatten();
    if tile.instances > 1 && number.is_none() {
        return None;
    }
    Some(MadeBuffer { buffer: make(builder, copy, buffer)?, shape: tile.shape.clone(), number })
}

/// A tile that only one copy uses.
fn own_tile<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    _copy: CopyOp<'c, 'a>,
    r#type: BufferType<'c>,
) -> Option<Value<'c, 'a>> {
    Some(tile::alloc(builder, r#type.as_type()).alignment(TILE_ALIGN_BYTES).value())
}

/// A tile for all copies of a kernel that need one of as many bytes, such as both branches of a masked copy: each copy ends with a barrier of
/// its scope, so that the next one finds the tile unused. Where it has another type there, it is viewed as one of this.
fn shared_tile<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    r#type: BufferType<'c>,
) -> Option<Value<'c, 'a>> {
    let function = kernel::function(copy.0)?;
    let made = walk::named(function, tile::AllocOp::NAME).into_iter().filter(|op| inherent::is_marked(*op));
    let made: Vec<Value<'c, 'a>> = made.filter_map(|op| op.result_at(0)).map(Into::into).collect();
    if let Some(&same) = made.iter().find(|tile| tile.r#type() == r#type.as_type()) {
        return Some(same);
    }
    let is_as_large = |tile: &&Value<'c, 'a>| {
        BufferType::from_type(tile.r#type()).is_some_and(|other| buffer_bytes(other) == buffer_bytes(r#type))
    };
    if let Some(&other) = made.iter().find(is_as_large) {
        let pointer = llvm_type::pointer(builder.context, llvm_type::Space::Shared as u32);
        let pointer = tile::parts(builder, other, pointer, &[]).build().pointer();
        return Some(tile::view(builder, pointer, &[], r#type.as_type()).value());
    }
    let start = function.region_at(0)?.first_block()?;
    let tile = builder.elsewhere(
        |rewriter| rewriter.set_insertion_point_to_start(start),
        |builder| own_tile(builder, copy, r#type),
    )?;
    inherent::mark_scratch(builder.rewriter, defining_op(tile)?);
    Some(tile)
}

/// Allocates registers, of the element type of the copy.
fn alloc_registers<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    registers: &RegisterBuffer,
) -> Option<MadeBuffer<'c, 'a>> {
    let element = copy.dst()?.buffer.element();
    let layout = LayoutAttr::new(builder.location, &registers.layout)?;
    let buffer = BufferType::new(builder.location, &registers.shape, element, Space::Local, layout)?;
    let buffer = tile::alloc(builder, buffer.as_type()).value();
    Some(MadeBuffer { buffer, shape: registers.shape.clone(), number: None })
}

/// A step as an op that carries its plan.
fn carry_step<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    step: &PlanStep,
    made: &MadeBuffers<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let operands = copy.sides()?;
    let side = |role: Role, operand| {
        let endpoint = step.endpoint(role);
        if endpoint == Endpoint::Operand {
            return Some((role, PlannedSide::Operand(operand)));
        }
        let MadeBuffer { buffer, number, .. } = made.buffer(endpoint)?;
        let values = number.iter().copied().map(RunTime::Value).collect();
        Some((role, PlannedSide::Buffer { buffer: *buffer, values }))
    };
    let sides = operands.iter().map(|(role, operand)| side(*role, operand)).collect::<Option<Vec<_>>>()?;
    carry_between(builder, copy, sides, step.plan.clone())
}

/// A step as a copy.
fn copy_step<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    step: &PlanStep,
    made: &MadeBuffers<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let region = |endpoint, role| match endpoint {
        Endpoint::Operand => copy.written(role),
        made_by_plan => made.buffer(made_by_plan).map(MadeBuffer::region),
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

impl<'c, 'a> MadeBuffers<'c, 'a> {
    /// The buffer of an endpoint that is no operand.
    fn buffer(&self, endpoint: Endpoint) -> Option<&MadeBuffer<'c, 'a>> {
        match endpoint {
            Endpoint::Operand => None,
            Endpoint::Tile => self.tile.as_ref(),
            Endpoint::Registers(number) => self.registers.get(number),
        }
    }
}

impl<'c, 'a> MadeBuffer<'c, 'a> {
    /// The part of one scope as a region.
    fn region(&self) -> WrittenRegion<'c, 'a> {
        let begins = self.number.map(|_| DYNAMIC).into_iter().chain(self.shape.iter().map(|_| 0));
        let extents = self.number.map(|_| 1).into_iter().chain(self.shape.iter().copied());
        WrittenRegion {
            buffer: self.buffer,
            values: self.number.into_iter().collect(),
            offsets: begins.collect(),
            sizes: extents.collect(),
        }
    }
}
