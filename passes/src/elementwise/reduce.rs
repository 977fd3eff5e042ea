//! Writes reductions.

use melior::ir::{BlockRef, OperationRef, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::{Extreme, ReduceKind, Scope};
use tile_dialect::{BufferType, Space};
use tile_layout::counted;
use tile_ops::arith;
use tile_plan::elementwise::{LaneExchange, ReducePlan, ReduceProblem, RegisterReduction, TermIndices, TilePartition};

use super::REDUCTIONS;
use super::combine::{Elements, Operator, lane, register_tiles, shuffled};
use super::extreme;
use super::warps::{WarpExchange, alloc};
use crate::emit::{Emit, Kit, RegisterTile, Sum, inlined};

/// A reduction whose tiles are in registers.
pub struct ReduceInRegisters<'p, 'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub scope: Scope,
    pub kind: ReduceKind,
    /// The region of a custom operator.
    pub combine: Option<BlockRef<'c, 'a>>,
    /// The function of an element that is a term.
    pub term: Option<BlockRef<'c, 'a>>,
    /// The sources.
    pub sources: &'p [Value<'c, 'a>],
    /// The results.
    pub dests: &'p [Value<'c, 'a>],
    pub problem: &'p ReduceProblem,
    pub plan: &'p ReducePlan,
}

/// Writes the reduction at the insertion point.
///
/// # Errors
/// Operands that are no tiles in registers.
pub fn write<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, reduction: &ReduceInRegisters<'_, 'c, 'a>) -> Result<(), String> {
    let &ReduceInRegisters { op, scope, kind, combine, term, sources, dests, problem, plan } = reduction;
    let reducer = match kind {
        ReduceKind::Combined(kind) => Reducer::Operator(Operator { kind, body: combine }),
        ReduceKind::Index(extreme) => Reducer::Extreme(extreme),
    };
    let indices = plan.indices.as_ref().map(|indices| (indices, thread_part(emit, scope, indices)));
    let first = FirstTerms { indices, term };
    let (sources, dests) = (sources.to_vec(), results(emit, kind, sources, dests)?);
    let Some(across) = &plan.across else {
        return reducer.reduction(emit, &plan.within, first, sources, dests);
    };
    let exchange = WarpExchange::new(op, scope, &problem.threads, &across.tiles);
    let partial = exchange.partial(emit, &dests)?;
    reducer.reduction(emit, &plan.within, first, sources, partial.clone())?;
    let gathered = exchange.gathered(emit, &partial)?;
    reducer.reduction(emit, &across.combine, FirstTerms::default(), gathered, dests)
}

/// The tiles of the results. An element that is compared, but not asked for, has a tile of its own.
fn results<'c: 'a, 'a>(
    emit: &Emit<'c, 'a, '_>,
    kind: ReduceKind,
    sources: &[Value<'c, 'a>],
    dests: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, String> {
    let mut dests = dests.to_vec();
    if let (ReduceKind::Index(_), [index]) = (kind, &dests[..]) {
        let buffer = BufferType::from_type(index.r#type()).ok_or("expected tiles")?;
        let value = alloc(emit, sources[0], buffer.shape(), &buffer.layout(), Space::Local);
        dests.insert(0, value.ok_or("needs a tile of a layout that no tile has")?);
    }
    Ok(dests)
}

/// The thread's part of the indices.
fn thread_part<'c: 'a, 'a>(emit: &mut Emit<'c, 'a, '_>, scope: Scope, indices: &TermIndices) -> Value<'c, 'a> {
    let thread = emit.function.thread_in(emit.kit.builder, scope).map_or(Sum::constant(0), Sum::value);
    let part = indices.of_thread(emit, thread);
    emit.materialize(part)
}

/// What is special about the terms that sources hold.
#[derive(Clone, Copy, Default)]
struct FirstTerms<'p, 'c, 'a> {
    /// Their indices, and the thread's part of these; without them, sources have them.
    indices: Option<(&'p TermIndices, Value<'c, 'a>)>,
    /// The function of an element that is a term; the element itself without one.
    term: Option<BlockRef<'c, 'a>>,
}

/// What two sets of elements become.
#[derive(Clone, Copy)]
enum Reducer<'c, 'a> {
    Operator(Operator<'c, 'a>),
    Extreme(Extreme),
}

/// Two sets of elements as one.
type Combine<'e, 'c, 'a> = &'e dyn Fn(&[Value<'c, 'a>], &[Value<'c, 'a>]) -> Elements<'c, 'a>;

impl<'c: 'a, 'a> Reducer<'c, 'a> {
    /// A reduction of registers, and among lanes.
    fn reduction(
        self,
        emit: &mut Emit<'c, 'a, '_>,
        plan: &RegisterReduction,
        first: FirstTerms<'_, 'c, 'a>,
        sources: Vec<Value<'c, 'a>>,
        dests: Vec<Value<'c, 'a>>,
    ) -> Result<(), String> {
        let (kit, builder) = (emit.kit, emit.kit.builder);
        let tiles = register_tiles(builder, sources).zip(register_tiles(builder, dests));
        let (sources, dests) = tiles.ok_or("expected tiles in registers")?;
        let load = |registers: &Vec<usize>| -> Elements<'c, 'a> {
            let elements: Elements<'c, 'a> =
                sources.iter().zip(registers).map(|(source, &register)| source.load(register)).collect();
            first.term.map_or(elements.clone(), |term| inlined(kit, term, &elements))
        };
        let own = plan.steps.iter().enumerate().map(|(number, step)| {
            let terms = step.terms.iter().map(load).collect();
            match (first.indices, dests.last()) {
                (Some((indices, part)), Some(index)) => self.indexed(kit, terms, &indices.parts[number], (part, index)),
                _ => tree(terms, &|left, right| self.combine(kit, left, right)),
            }
        });
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

    /// A thread's own terms, with their indices, which are of the type of `index`.
    fn indexed(
        self,
        kit: Kit<'c, 'a>,
        mut terms: Vec<Elements<'c, 'a>>,
        parts: &[i64],
        (of_thread, index): (Value<'c, 'a>, &RegisterTile<'c, 'a>),
    ) -> Elements<'c, 'a> {
        let of_thread = arith::index_cast(kit.builder, of_thread, index.element).value();
        for (term, &part) in terms.iter_mut().zip(parts) {
            term.push(kit.like(of_thread, part));
        }
        let mut own = tree(terms, &|left, right| match self {
            Reducer::Extreme(extreme) => extreme::of_ordered(kit, extreme, left, right),
            Reducer::Operator(_) => self.combine(kit, left, right),
        });
        if let Some(index) = own.last_mut() {
            *index = kit.add(*index, of_thread);
        }
        own
    }

    /// Two sets of elements, in any order.
    fn combine(self, kit: Kit<'c, 'a>, one: &[Value<'c, 'a>], other: &[Value<'c, 'a>]) -> Elements<'c, 'a> {
        match self {
            Reducer::Operator(operator) => operator.combine(kit, one, other),
            Reducer::Extreme(extreme) => extreme::of_any(kit, extreme, one, other),
        }
    }

    /// The elements combined with those of other lanes.
    fn exchanged(self, emit: &mut Emit<'c, 'a, '_>, exchange: LaneExchange, own: Elements<'c, 'a>) -> Elements<'c, 'a> {
        let kit = emit.kit;
        match exchange {
            LaneExchange::Butterfly { mask } => {
                let other = shuffled(kit, &own, &|word| kit.shuffle_xor(word, mask));
                self.combine(kit, &own, &other)
            }
            LaneExchange::All { extent, stride } => {
                let lane = lane(emit);
                let digit = arith::remui(kit.builder, kit.over(lane, stride), kit.i32(extent)).value();
                let first = kit.sub(lane, kit.times(digit, stride));
                let all = (0..extent).map(|digit| {
                    let from = kit.plus(first, digit * stride);
                    shuffled(kit, &own, &|word| kit.shuffle_idx(word, from))
                });
                tree(all.collect(), &|one, other| self.combine(kit, one, other))
            }
        }
    }
}

/// All terms combined, neighbours first: as few as possible wait for each other. What is combined stays in order.
fn tree<'c: 'a, 'a>(mut terms: Vec<Elements<'c, 'a>>, combine: Combine<'_, 'c, 'a>) -> Elements<'c, 'a> {
    while terms.len() > 1 {
        let pairs = terms.chunks(2).map(|pair| match pair {
            [a, b] => combine(a, b),
            rest => rest.concat(),
        });
        terms = pairs.collect();
    }
    terms.pop().unwrap_or_default()
}

/// The *passed* remark.
pub fn remark_chosen(
    op: OperationRef<'_, '_>,
    problem: &ReduceProblem,
    plan: &ReducePlan,
    partition: Option<&TilePartition>,
) {
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
    let warps = plan.across.as_ref().map_or(1, |across| across.tiles.shape[problem.dim]);
    let mut args = vec![
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
    args.extend(partition.map(|partition| ("Partition", partition.layout.to_string())));
    REDUCTIONS.emit(op, RemarkKind::Passed, "reduce", &text, &args);
}
