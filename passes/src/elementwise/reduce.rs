//! Writes reductions.

use melior::ir::{BlockLike, OperationRef, RegionLike, Type, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::Parts;
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::{ReduceOp, ScanElement, Scope};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::WARPGROUP;
use tile_layout::{Axis, Iter, Layout, counted};
use tile_ops::{affine, arith, scf, tile};
use tile_plan::TILE_ALIGN_BYTES;
use tile_plan::elementwise::{AcrossWarps, LaneExchange, ReducePlan, ReduceProblem, RegisterReduction};

use super::REDUCTIONS;
use crate::emit::{Element, Emit, RegisterTile, combined, inlined, scope_barrier, scope_number};
use crate::read::{kernel, name};

/// The elements that are reduced together, one of each source.
type Elements<'c, 'a> = Vec<Value<'c, 'a>>;

/// Writes the reduction at the insertion point.
///
/// # Errors
/// Operands that are no tiles in registers.
pub fn write<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: ReduceOp<'c, 'a>,
    problem: &ReduceProblem,
    plan: &ReducePlan,
) -> Result<(), String> {
    let threads = problem.threads.block.filter(|_| op.scope() == Scope::Warpgroup);
    let writer = Writer { op, instances: threads.map_or(1, |threads| (threads / WARPGROUP).max(1)) };
    let Some(across) = &plan.across else {
        return writer.reduction(emit, &plan.within, op.sources(), op.dests());
    };
    let tiles = |layout: &Layout, emit: &Emit<'c, 'a, '_>| -> Option<Vec<Value<'c, 'a>>> {
        let sources = op.sources();
        sources.iter().map(|&source| writer.alloc(emit, source, &across.shape, layout, Space::Local)).collect()
    };
    let made = tiles(&across.partial, emit).zip(tiles(&across.gathered, emit));
    let (partial, gathered) = made.ok_or("needs tiles of a layout that no tile has")?;
    writer.reduction(emit, &plan.within, op.sources(), partial.clone())?;
    writer.exchange(emit, across, &partial, &gathered)?;
    writer.reduction(emit, &across.combine, gathered, op.dests())
}

struct Writer<'c, 'a> {
    op: ReduceOp<'c, 'a>,
    /// Scopes of a block that each exchange their own results.
    instances: i64,
}

impl<'c: 'a, 'a> Writer<'c, 'a> {
    /// A tile like `source` with another shape, layout and memory.
    fn alloc(
        &self,
        emit: &Emit<'c, 'a, '_>,
        source: Value<'c, 'a>,
        shape: &[i64],
        layout: &Layout,
        space: Space,
    ) -> Option<Value<'c, 'a>> {
        let builder = emit.kit.builder;
        let layout = LayoutAttr::new(builder.location, layout)?;
        let buffer = BufferType::new(builder.location, shape, element(source)?, space, layout)?;
        let alloc = tile::alloc(builder, buffer.as_type());
        Some(if space == Space::Shared { alloc.alignment(TILE_ALIGN_BYTES).value() } else { alloc.value() })
    }

    /// A reduction of registers, and among lanes.
    fn reduction(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        plan: &RegisterReduction,
        sources: Vec<Value<'c, 'a>>,
        dests: Vec<Value<'c, 'a>>,
    ) -> Result<(), String> {
        let builder = emit.kit.builder;
        let tiles = |values: Vec<Value<'c, 'a>>| {
            values.into_iter().map(|value| RegisterTile::of(builder, value)).collect::<Option<Vec<_>>>()
        };
        let (sources, dests) = tiles(sources).zip(tiles(dests)).ok_or("expected tiles in registers")?;
        let load = |registers: &Vec<usize>| -> Elements<'c, 'a> {
            sources.iter().zip(registers).map(|(source, &register)| source.load(register)).collect()
        };
        let own = plan.steps.iter().map(|step| self.tree(emit, step.terms.iter().map(load).collect()));
        let mut sums: Vec<Elements<'c, 'a>> = own.collect();
        for &exchange in &plan.exchanges {
            sums = sums.into_iter().map(|sum| self.exchanged(emit, exchange, sum)).collect();
        }
        for (step, sum) in plan.steps.iter().zip(sums) {
            for ((dest, &register), value) in dests.iter().zip(&step.results).zip(sum) {
                dest.store(value, register);
            }
        }
        Ok(())
    }

    /// All terms combined, neighbours first: as few as possible wait for each other.
    fn tree(&self, emit: &Emit<'c, 'a, '_>, mut terms: Vec<Elements<'c, 'a>>) -> Elements<'c, 'a> {
        while terms.len() > 1 {
            let pairs = terms.chunks(2).map(|pair| match pair {
                [a, b] => self.combine(emit, a, b),
                rest => rest.concat(),
            });
            terms = pairs.collect();
        }
        terms.pop().unwrap_or_default()
    }

    fn combine(&self, emit: &Emit<'c, 'a, '_>, a: &Elements<'c, 'a>, b: &Elements<'c, 'a>) -> Elements<'c, 'a> {
        if let Some(body) = self.op.combine() {
            return inlined(emit.kit, body, &[a.as_slice(), b].concat());
        }
        let is_float = |value: Value<'c, 'a>| scalar(value).is_some_and(|scalar| scalar.float);
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| combined(emit.kit, self.op.kind(), is_float(a), a, b)).collect()
    }

    /// The elements combined with those of other lanes.
    fn exchanged(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        exchange: LaneExchange,
        own: Elements<'c, 'a>,
    ) -> Elements<'c, 'a> {
        let kit = emit.kit;
        let moved = |shuffle: &dyn Fn(Value<'c, 'a>) -> Value<'c, 'a>| -> Elements<'c, 'a> {
            let moved = |&value: &Value<'c, 'a>| match scalar(value) {
                // All targets shuffle numbers of 32 bits as they are.
                Some(scalar) if scalar.bits() != 32 => Element(scalar).shuffled(kit, value, shuffle),
                _ => shuffle(value),
            };
            own.iter().map(moved).collect()
        };
        match exchange {
            LaneExchange::Butterfly { mask } => {
                let other = moved(&|word| kit.shuffle_xor(word, mask));
                self.combine(emit, &own, &other)
            }
            LaneExchange::All { extent, stride } => {
                let lane = emit.function.thread_in(kit.builder, Scope::Warp);
                let lane = lane
                    .map_or_else(|| kit.i32(0), |lane| arith::index_cast(kit.builder, lane, kit.int_type(32)).value());
                let digit = arith::remui(kit.builder, kit.over(lane, stride), kit.i32(extent)).value();
                let first = kit.sub(lane, kit.times(digit, stride));
                let all = (0..extent).map(|digit| {
                    let from = kit.plus(first, digit * stride);
                    moved(&|word| kit.shuffle_idx(word, from))
                });
                let all = all.collect();
                self.tree(emit, all)
            }
        }
    }

    /// Passes the results of warps to all threads, through shared memory. Barriers keep the tile from being read before it is
    /// written and, where the op may be executed again, from being written before it is read.
    fn exchange(
        &self,
        emit: &Emit<'c, 'a, '_>,
        across: &AcrossWarps,
        partial: &[Value<'c, 'a>],
        gathered: &[Value<'c, 'a>],
    ) -> Result<(), String> {
        const NO_TILE: &str = "needs a tile in shared memory that cannot be made";
        let (builder, scope) = (emit.kit.builder, self.op.scope());
        let number =
            if self.instances > 1 { Some(scope_number(builder, self.op.0, scope).ok_or(NO_TILE)?) } else { None };
        let instance = number.map(|number| (number, self.instances));
        let (mut shape, mut layout) = (across.shape.clone(), across.shared.clone());
        if number.is_some() {
            layout.shard.insert(0, Iter::new(self.instances, layout.size(), Axis::Memory));
            shape.insert(0, self.instances);
        }
        let shared = partial.iter().map(|&tile| self.alloc(emit, tile, &shape, &layout, Space::Shared));
        let shared: Vec<_> = shared.collect::<Option<_>>().ok_or(NO_TILE)?;
        let begins: Vec<i64> = number.map(|_| DYNAMIC).into_iter().chain(across.shape.iter().map(|_| 0)).collect();
        let sizes: Vec<i64> = number.map(|_| 1).into_iter().chain(across.shape.iter().copied()).collect();
        let values: Vec<_> = number.into_iter().collect();
        for (&from, &to) in partial.iter().zip(&shared) {
            tile::copy(builder, from, &[], to, &values, &[], &[], &begins, &sizes, scope).build();
        }
        scope_barrier(builder, scope, instance);
        for (&from, &to) in shared.iter().zip(gathered) {
            tile::copy(builder, from, &values, to, &[], &begins, &sizes, &[], &[], scope).build();
        }
        if may_repeat(self.op.0) {
            scope_barrier(builder, scope, instance);
        }
        Ok(())
    }
}

/// Whether an op may be executed several times in one launch: it is in a loop, in a function of several blocks, or in one that
/// others call.
fn may_repeat(op: OperationRef<'_, '_>) -> bool {
    const ONCE: [&str; 2] = [scf::IfOp::NAME, affine::AffineIfOp::NAME];
    let Some(function) = kernel::function(op) else { return true };
    let is_started = kernel::is_entry(function) || kernel::is_launch(function);
    let entry = function.region_at(0).and_then(|region| region.first_block());
    let has_blocks = entry.is_none_or(|entry| entry.next_in_region().is_some());
    let mut around = kernel::ancestors(op).take_while(|&around| around != function);
    !is_started || has_blocks || around.any(|around| !ONCE.contains(&name(around)))
}

fn element<'c>(tile: Value<'c, '_>) -> Option<Type<'c>> {
    use melior::ir::ValueLike;
    Some(BufferType::from_type(tile.r#type())?.element())
}

/// The type of a value as a number.
fn scalar<'c>(value: Value<'c, '_>) -> Option<ScanElement<'c>> {
    use melior::ir::ValueLike;
    ScanElement::new(value.r#type())
}

/// The *passed* remark.
pub fn took(op: ReduceOp<'_, '_>, problem: &ReduceProblem, plan: &ReducePlan) {
    let terms = plan.within.steps.iter().map(|step| step.terms.len()).max().unwrap_or(0);
    let shuffles: i64 = plan
        .within
        .exchanges
        .iter()
        .map(|exchange| match exchange {
            LaneExchange::Butterfly { .. } => 1,
            LaneExchange::All { extent, .. } => *extent,
        })
        .sum();
    let warps = plan.across.as_ref().map_or(1, |across| across.shape[problem.dim]);
    let args = [
        ("Registers", terms.to_string()),
        ("Exchanges", shuffles.to_string()),
        ("Warps", warps.to_string()),
        ("Results", plan.within.steps.len().to_string()),
    ];
    let mut text = format!(
        "{} of each thread: {}, {}",
        counted(plan.within.steps.len() as i64, "result"),
        counted(terms as i64, "register"),
        counted(shuffles, "shuffle")
    );
    if warps > 1 {
        text += &format!(", {warps} warps through shared memory");
    }
    REDUCTIONS.emit(op.0, RemarkKind::Passed, "reduce", &text, &args);
}
