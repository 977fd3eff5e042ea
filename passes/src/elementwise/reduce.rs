//! Writes reductions.

use melior::ir::{BlockRef, OperationRef, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::{CombineKind, Extreme, ReduceKind, Scope};
use tile_dialect::{BufferType, Space};
use tile_layout::counted;
use tile_ops::arith;
use tile_ops::nvvm::VoteSyncKind;
use tile_plan::elementwise::{
    LaneExchange, PartTerms, ReducePart, ReducePlan, ReduceProblem, ReducedElement, RegisterReduction, TermIndices,
    TileParts,
};

use super::REDUCTIONS;
use super::combine::{Elements, Operator, lane, register_tiles, scalar, shuffled};
use super::extreme;
use super::map::in_parts;
use super::shared::SharedTiles;
use super::warps::{WarpExchange, alloc};
use crate::emit::error::EmitError;
use crate::emit::{Emit, Kit, RegisterTile, Sum, inlined};
use crate::read::error::ReadError;

/// A reduction whose tiles are in registers.
pub struct ReduceInRegisters<'p, 'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub scope: Scope,
    pub kind: ReduceKind,
    /// The region of a custom operator.
    pub combine: Option<BlockRef<'c, 'a>>,
    /// The function of an element that is a term.
    pub term: Option<BlockRef<'c, 'a>>,
    /// The terms, part by part.
    pub parts: &'p [ReducePart],
    /// The results.
    pub dests: &'p [Value<'c, 'a>],
    pub problem: &'p ReduceProblem,
    pub plan: &'p ReducePlan,
    /// Whether the lanes of a warp can vote.
    pub votes: bool,
}

/// Writes the reduction at the insertion point; `sources` are loaded part by part, and the results of each thread's own terms accumulate.
///
/// # Errors
/// Operands that are no tiles in registers.
pub fn write<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    reduction: &ReduceInRegisters<'_, 'c, 'a>,
    sources: &mut SharedTiles<'_, 'c, 'a>,
) -> Result<(), EmitError> {
    let &ReduceInRegisters { op, scope, kind, combine, term, parts, dests, problem, plan, votes } = reduction;
    let reducer = match kind {
        ReduceKind::Combined(kind) => Reducer::Operator { operator: Operator { kind, body: combine }, votes },
        ReduceKind::Index(extreme) => Reducer::Extreme(extreme),
    };
    let dests = results(emit, kind, sources, dests)?;
    let of_thread = plan.indices.as_ref().map(|indices| thread_part(emit, scope, indices, &dests)).transpose()?;
    let own_terms = OwnTerms { reducer, of_thread, term };
    let mut sums: Vec<Option<Elements<'c, 'a>>> = vec![None; plan.within.steps.len()];
    for part in parts {
        let tiles =
            register_tiles(emit.kit.builder, sources.load(emit, &part.begin)?).ok_or(EmitError::NotInRegisters)?;
        own_terms.accumulate(emit.kit, part, &tiles, &mut sums);
    }
    let sums = sums.into_iter().map(|sum| own_terms.of_all(emit.kit, sum.unwrap_or_default())).collect();
    let Some(across) = &plan.across else {
        return reducer.finish(emit, &plan.within, sums, dests);
    };
    let exchange = WarpExchange::new(op, scope, &problem.threads, &across.tiles);
    let partial = exchange.partial(emit, &dests)?;
    reducer.finish(emit, &plan.within, sums, partial.clone())?;
    let gathered =
        register_tiles(emit.kit.builder, exchange.gathered(emit, &partial)?).ok_or(EmitError::NotInRegisters)?;
    let kit = emit.kit;
    let of_step = |step: &ReducedElement| {
        let terms = step.terms.iter().map(|registers| loaded(&gathered, registers)).collect();
        tree(terms, &|one, other| reducer.combine(kit, one, other))
    };
    let sums = across.combine.steps.iter().map(of_step).collect();
    reducer.finish(emit, &across.combine, sums, dests)
}

/// The elements of a tile's registers.
fn loaded<'c: 'a, 'a>(tiles: &[RegisterTile<'c, 'a>], registers: &[usize]) -> Elements<'c, 'a> {
    tiles.iter().zip(registers).map(|(tile, &register)| tile.load(register)).collect()
}

/// The tiles of the results. An element that is compared, but not asked for, has a tile of its own.
fn results<'c: 'a, 'a>(
    emit: &Emit<'c, 'a, '_>,
    kind: ReduceKind,
    sources: &SharedTiles<'_, 'c, 'a>,
    dests: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, EmitError> {
    let mut dests = dests.to_vec();
    if let (ReduceKind::Index(_), [index]) = (kind, &dests[..]) {
        let buffer = BufferType::from_type(index.r#type()).ok_or(ReadError::NotABuffer)?;
        let source = *sources.values().first().ok_or(ReadError::NotABuffer)?;
        let value = alloc(emit, source, buffer.shape(), &buffer.layout(), Space::Local);
        dests.insert(0, value.ok_or(EmitError::NoTileType)?);
    }
    Ok(dests)
}

/// The thread's part of the indices, of the type of the last result.
fn thread_part<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    scope: Scope,
    indices: &TermIndices,
    dests: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, EmitError> {
    let index = dests.last().and_then(|tile| BufferType::from_type(tile.r#type())).ok_or(ReadError::NotABuffer)?;
    let thread = emit.function.thread_in(emit.kit.builder, scope).map_or(Sum::constant(0), Sum::value);
    let part = indices.of_thread(emit, thread);
    let part = emit.materialize(part);
    Ok(arith::index_cast(emit.kit.builder, part, index.element()).value())
}

/// What two sets of elements become.
#[derive(Clone, Copy)]
enum Reducer<'c, 'a> {
    Operator {
        operator: Operator<'c, 'a>,
        /// Whether the lanes of a warp can vote: not on portable targets.
        votes: bool,
    },
    Extreme(Extreme),
}

/// Two sets of elements as one.
type Combine<'e, 'c, 'a> = &'e dyn Fn(&[Value<'c, 'a>], &[Value<'c, 'a>]) -> Elements<'c, 'a>;

impl<'c: 'a, 'a> Reducer<'c, 'a> {
    /// Exchanges each thread's results among lanes, and stores them.
    fn finish(
        self,
        emit: &mut Emit<'c, 'a, '_>,
        plan: &RegisterReduction,
        mut sums: Vec<Elements<'c, 'a>>,
        dests: Vec<Value<'c, 'a>>,
    ) -> Result<(), EmitError> {
        let dests = register_tiles(emit.kit.builder, dests).ok_or(EmitError::NotInRegisters)?;
        let vote = if plan.is_among_all_lanes() { self.vote(&sums) } else { None };
        if let Some(kind) = vote {
            sums.iter_mut().flatten().for_each(|bit| *bit = emit.kit.vote(*bit, kind));
        } else {
            for &exchange in &plan.exchanges {
                sums = sums.into_iter().map(|sum| self.exchanged(emit, exchange, sum)).collect();
            }
        }
        for (step, sum) in plan.steps.iter().zip(sums) {
            for ((dest, &register), value) in dests.iter().zip(&step.results).zip(sum) {
                dest.store(value, register);
            }
        }
        Ok(())
    }

    /// The vote that combines bits of all lanes.
    fn vote(self, sums: &[Elements<'c, 'a>]) -> Option<VoteSyncKind> {
        let Reducer::Operator { operator: Operator { kind, body: None }, votes: true } = self else { return None };
        let are_bits = sums.iter().flatten().all(|&sum| scalar(sum).is_some_and(|sum| sum.bits() == 1));
        match kind {
            CombineKind::Or => Some(VoteSyncKind::Any),
            CombineKind::And => Some(VoteSyncKind::All),
            _ => None,
        }
        .filter(|_| are_bits)
    }

    /// Two sets of elements, in any order.
    fn combine(self, kit: Kit<'c, 'a>, one: &[Value<'c, 'a>], other: &[Value<'c, 'a>]) -> Elements<'c, 'a> {
        match self {
            Reducer::Operator { operator, .. } => operator.combine(kit, one, other),
            Reducer::Extreme(extreme) => extreme::of_any(kit, extreme, one, other),
        }
    }

    /// The elements combined with those of other lanes.
    fn exchanged(self, emit: &mut Emit<'c, 'a, '_>, exchange: LaneExchange, sum: Elements<'c, 'a>) -> Elements<'c, 'a> {
        let kit = emit.kit;
        match exchange {
            LaneExchange::Butterfly { mask } => {
                let other = shuffled(kit, &sum, &|word| kit.shuffle_xor(word, mask));
                self.combine(kit, &sum, &other)
            }
            LaneExchange::All { extent, stride } => {
                let lane = lane(emit);
                let digit = arith::remui(kit.builder, kit.over(lane, stride), kit.i32(extent)).value();
                let first = kit.sub(lane, kit.times(digit, stride));
                let all = (0..extent).map(|digit| {
                    let from = kit.plus(first, digit * stride);
                    shuffled(kit, &sum, &|word| kit.shuffle_idx(word, from))
                });
                tree(all.collect(), &|one, other| self.combine(kit, one, other))
            }
        }
    }
}

/// How each thread combines the terms that it holds.
struct OwnTerms<'c, 'a> {
    reducer: Reducer<'c, 'a>,
    /// The thread's part of the terms' indices; none where terms have no indices, or sources have them.
    of_thread: Option<Value<'c, 'a>>,
    /// The function of an element that is a term; the element itself without one.
    term: Option<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> OwnTerms<'c, 'a> {
    /// Combines the terms of a part with what there is of earlier ones. Indices are those of the registers alone.
    fn accumulate(
        &self,
        kit: Kit<'c, 'a>,
        part: &ReducePart,
        tiles: &[RegisterTile<'c, 'a>],
        sums: &mut [Option<Elements<'c, 'a>>],
    ) {
        for PartTerms { result, registers, indices } in &part.terms {
            let mut terms: Vec<Elements<'c, 'a>> = registers.iter().map(|term| self.term(kit, tiles, term)).collect();
            if let Some(of_thread) = self.of_thread {
                terms.iter_mut().zip(indices).for_each(|(term, &part)| term.push(kit.like(of_thread, part)));
            }
            let before = sums[*result].take();
            let added = tree(terms, &|left, right| self.combine(kit, left, right));
            sums[*result] = Some(before.map_or(added.clone(), |before| self.combine(kit, &before, &added)));
        }
    }

    fn term(&self, kit: Kit<'c, 'a>, tiles: &[RegisterTile<'c, 'a>], registers: &[usize]) -> Elements<'c, 'a> {
        let elements = loaded(tiles, registers);
        self.term.map_or(elements.clone(), |term| inlined(kit, term, &elements))
    }

    /// Terms of one thread are in the order of their indices.
    fn combine(&self, kit: Kit<'c, 'a>, left: &[Value<'c, 'a>], right: &[Value<'c, 'a>]) -> Elements<'c, 'a> {
        match (self.reducer, self.of_thread) {
            (Reducer::Extreme(extreme), Some(_)) => extreme::of_ordered(kit, extreme, left, right),
            _ => self.reducer.combine(kit, left, right),
        }
    }

    /// A thread's result, with the thread's part of the index.
    fn of_all(&self, kit: Kit<'c, 'a>, mut sum: Elements<'c, 'a>) -> Elements<'c, 'a> {
        if let (Some(of_thread), Some(index)) = (self.of_thread, sum.last_mut()) {
            *index = kit.add(*index, of_thread);
        }
        sum
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
pub fn remark_chosen(op: OperationRef<'_, '_>, problem: &ReduceProblem, plan: &ReducePlan, parts: Option<&TileParts>) {
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
    text += &parts.map(in_parts).unwrap_or_default();
    args.extend(parts.map(|parts| ("Partition", parts.whole.layout.to_string())));
    args.extend(parts.map(|parts| ("Parts", parts.count().to_string())));
    REDUCTIONS.emit(op, RemarkKind::Passed, "reduce", &text, &args);
}
