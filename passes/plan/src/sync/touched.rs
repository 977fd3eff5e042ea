//! Which thread touches which elements of memory in a planned copy: its addresses, enumerated.

use std::rc::Rc;

use tile_isa::{Transfer, WARP};
use tile_layout::{Axis, Eval};

use crate::families::aligned::Aligned;
use crate::families::bulk::plan::{BulkCopy, bulk_address};
use crate::families::matrix::address::matrix_address;
use crate::families::matrix::plan::MatrixCopy;
use crate::families::scalar::address::{owned_element, owned_part, region_position, scalar_address};
use crate::families::scalar::plan::{Owner, ScalarCopy, ScalarSide};
use crate::families::vector::address::{access_of_vector, bounded};
use crate::families::vector::plan::VectorCopy;
use crate::families::vector::vectorize::vectorize;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::run_time::DynamicTerm;
use crate::problem::scope::{Space, Which};
use crate::problem::threads::{Active, ThreadSet};
use crate::problem::{Begin, Problem};
use crate::sides::side::Side;
use crate::sync::footprint::Footprint;
use crate::target::Target;

/// The most accesses of a copy that are enumerated.
const MOST: i64 = 1 << 18;

/// How a copy is done, as far as order goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Loads and stores.
    Threads,
    /// `cp.async`.
    CpAsync,
    /// `cp.async.bulk`, by one thread.
    Bulk,
}

/// What a planned copy touches.
#[derive(Clone, Debug)]
pub struct Touched {
    /// By what.
    pub engine: Engine,
    /// The source and the destination; `None` for one that is no shared or global memory.
    pub sides: [Option<Bytes>; 2],
    /// Of a masked copy: what the other plan touches, that of a region which lies inside. The threads of a scope carry out one
    /// of the two.
    pub inside: Option<Box<Touched>>,
}

/// The bytes of one side, from where the storage begins.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// Who touches which, where the run-time values are 0; `None` where that is too much.
    pub footprint: Option<Rc<Footprint>>,
    /// Do the threads of a warp touch them together?
    pub by_warps: bool,
    /// What run-time values add: `floor(value / div) * bytes` each; `None` where they do otherwise.
    pub moves: Option<Vec<Move>>,
}

/// What one run-time value adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The value, by its number in the operand.
    pub value: usize,
    /// It is divided by that.
    pub div: i64,
    /// Bytes per step.
    pub bytes: i64,
}

/// What a plan touches.
///
/// # Errors
/// What is not followed: tensor memory, another CTA's memory; a plan without vectors.
pub fn touched(aligned: &Aligned, problem: &Problem, target: &Target) -> Result<Touched, String> {
    let by = By { problem };
    match aligned {
        Aligned::Partition(copy) => {
            let (copy, _) = vectorize(copy, target, problem.max_vector_bits).map_err(|error| error.reason)?;
            by.vectors(std::slice::from_ref(&copy))
        }
        Aligned::Parts(parts) => {
            let vectors = parts.iter().map(|copy| Ok(vectorize(copy, target, problem.max_vector_bits)?.0));
            by.vectors(&vectors.collect::<Result<Vec<_>, Refusal>>().map_err(|error| error.reason)?)
        }
        Aligned::Matrix(copy) => by.matrices(copy),
        Aligned::Bulk(copy) => by.bulk(copy),
        Aligned::Scalar(copy) => by.scalars(copy),
        Aligned::Registers(_) | Aligned::Scratch(_) => {
            Ok(Touched { engine: Engine::Threads, sides: [None, None], inside: None })
        }
        Aligned::TensorCopy(_) | Aligned::TensorAccess(_) => Err("tensor memory is not followed".to_owned()),
    }
}

struct By<'p> {
    problem: &'p Problem,
}

type Places = Vec<(i64, i64, i64)>;

impl By<'_> {
    fn active(&self) -> ThreadSet {
        let block = ThreadSet::range(0, self.problem.threads.block.unwrap_or(0));
        match &self.problem.threads.active {
            Active::Known(set) => set.intersect(&block),
            // All that may.
            Active::All | Active::Unknown { .. } => block,
        }
    }

    fn relative(&self, thread: i64) -> i64 {
        self.problem.threads.count().map_or(thread, |count| thread % count)
    }

    fn is_memory(&self, which: Which) -> bool {
        let read = which == Which::Dst || self.problem.effect != Effect::Filled;
        read && matches!(self.problem.operand(which).space, Space::Shared | Space::Global)
    }

    fn values(&self, which: Which) -> Vec<i64> {
        let operand = self.problem.operand(which);
        let of_begins = operand.begin.iter().filter_map(|begin| match begin {
            Begin::Dynamic { value, .. } => Some(*value),
            Begin::Const(_) => None,
        });
        let others = operand.origin.iter().map(|term| term.value).chain(operand.strides.iter().map(|it| it.value));
        let count = of_begins.chain(others).max().map_or(0, |last| last + 1);
        vec![0; count]
    }

    fn bytes(&self, which: Which) -> i64 {
        i64::from(self.problem.bits_of(which) / 8)
    }

    /// One side: its places in elements, its moves.
    fn side(
        &self,
        which: Which,
        count: i64,
        moves: Option<Vec<Move>>,
        places: impl FnOnce() -> Result<Places, Refusal>,
    ) -> Result<Option<Bytes>, String> {
        if !self.is_memory(which) {
            return Ok(None);
        }
        if count > MOST {
            return Ok(Some(Bytes { footprint: None, by_warps: false, moves }));
        }
        let bytes = self.bytes(which);
        let places = places().map_err(|error| error.reason)?;
        let scaled = places
            .into_iter()
            .map(|(thread, begin, end)| (thread, begin.saturating_mul(bytes), end.saturating_mul(bytes)));
        Ok(Some(Bytes { footprint: Some(Rc::new(Footprint::of(scaled))), by_warps: false, moves }))
    }

    fn vectors(&self, copies: &[VectorCopy]) -> Result<Touched, String> {
        let cp_async = copies.iter().any(|copy| copy.transfer == Transfer::CpAsync);
        let engine = if cp_async { Engine::CpAsync } else { Engine::Threads };
        let mut sides = [None, None];
        for (side, which) in sides.iter_mut().zip([Which::Src, Which::Dst]) {
            let count = copies.iter().map(|copy| copy.rounds * copy.threads * copy.accesses_of(which)).sum::<i64>();
            let count =
                count.saturating_mul(self.active().len() / self.problem.threads.count().unwrap_or(1).max(1) + 1);
            let first = copies.first().ok_or("a plan without vectors")?;
            let moves = self.moves(which, first.side(which));
            let alike = copies.iter().all(|copy| self.moves(which, copy.side(which)) == moves);
            let places = || {
                let all = copies.iter().map(|copy| self.vector_places(copy, which));
                Ok(all.collect::<Result<Vec<_>, Refusal>>()?.concat())
            };
            *side = self.side(which, count, moves.filter(|_| alike), places)?;
        }
        Ok(Touched { engine, sides, inside: None })
    }

    fn vector_places(&self, copy: &VectorCopy, which: Which) -> Result<Places, Refusal> {
        let (values, mut places) = (self.values(which), Vec::new());
        let one = copy.threads == 1 && copy.ranks.is_none();
        for thread in self.active().iter() {
            let number = if one { Some(0) } else { copy.number_of(self.relative(thread)) };
            let Some(t) = number.filter(|&t| copy.guards.iter().all(|guard| guard.admits(t))) else { continue };
            for f in 0..copy.rounds_of(t) {
                if !self.holds(copy, which, (f, t)) {
                    continue;
                }
                for access in 0..copy.accesses_of(which) {
                    let first = access_of_vector(&mut Eval, copy, which, (f, t, access), &values)?;
                    places.push((thread, first, first + copy.access(which)));
                }
            }
        }
        Ok(places)
    }

    /// May a vector be inside of the bounds of a masked copy? Only constant limits decide it.
    fn holds(&self, copy: &VectorCopy, which: Which, place: (i64, i64)) -> bool {
        bounded(&mut Eval, copy, which, place, &[])
            .map_or(true, |bounded| bounded.iter().all(|it| (0..it.extent).contains(&it.place)))
    }

    /// Matrices: a warp touches all of its rows together.
    fn matrices(&self, copy: &MatrixCopy) -> Result<Touched, String> {
        let which = if copy.load { Which::Src } else { Which::Dst };
        let active = self.active();
        let places = || {
            let (values, mut places) = (self.values(which), Vec::new());
            for thread in active.iter() {
                let t = self.relative(thread);
                if !copy.guards.iter().all(|guard| guard.admits(t)) {
                    continue;
                }
                for step in 0..copy.steps() {
                    let row = matrix_address(&mut Eval, copy, t, step, &values)?;
                    let warp = thread / WARP * WARP;
                    places.extend((warp..warp + WARP).map(|lane| (lane, row, row + 8)));
                }
            }
            Ok(places)
        };
        let count = active.len().saturating_mul(copy.steps()).saturating_mul(WARP);
        let side = self.side(which, count, self.moves(which, &copy.shared), places)?;
        let side = side.map(|side| Bytes { by_warps: true, ..side });
        let sides = if copy.load { [side, None] } else { [None, side] };
        Ok(Touched { engine: Engine::Threads, sides, inside: None })
    }

    /// Chunks, by the first thread of each scope.
    fn bulk(&self, copy: &BulkCopy) -> Result<Touched, String> {
        if copy.route() == Ok(tile_isa::bulk::Route::ToCluster) {
            return Err("the memory of another CTA is not followed".to_owned());
        }
        let mut sides = [None, None];
        let issuers: Vec<i64> = self.active().iter().filter(|&thread| self.relative(thread) == 0).collect();
        for (side, which) in sides.iter_mut().zip([Which::Src, Which::Dst]) {
            let places = || {
                let (values, mut places) = (self.values(which), Vec::new());
                for &thread in &issuers {
                    for chunk in 0..copy.chunks() {
                        let first = bulk_address(&mut Eval, copy, which, chunk, &values)?;
                        places.push((thread, first, first + copy.chunk));
                    }
                }
                Ok(places)
            };
            let of = if which == Which::Src { &copy.src } else { &copy.dst };
            *side =
                self.side(which, copy.chunks().saturating_mul(issuers.len() as i64), self.moves(which, of), places)?;
        }
        Ok(Touched { engine: Engine::Bulk, sides, inside: None })
    }

    /// What run-time values add to the addresses of a side.
    fn moves(&self, which: Which, side: &Side) -> Option<Vec<Move>> {
        let period = side.layout.swizzle.filter(|swizzle| swizzle.len > 0).map_or(1, |swizzle| swizzle.period());
        if !side.strides.is_empty() && side.layout.stride_count() > 0 {
            return None;
        }
        side.dynamic.iter().map(|term| self.moved(which, term, period)).collect()
    }

    fn moved(&self, which: Which, term: &DynamicTerm, period: i64) -> Option<Move> {
        let whole = term.axis == Axis::Memory && period > 0 && term.stride % period == 0;
        let bytes = term.stride.checked_mul(self.bytes(which))?;
        whole.then_some(Move { value: term.value, div: term.div, bytes })
    }

    fn scalars(&self, copy: &ScalarCopy) -> Result<Touched, String> {
        let mut sides = [None, None];
        for (side, which) in sides.iter_mut().zip([Which::Src, Which::Dst]) {
            let of = if which == Which::Src { &copy.src } else { &copy.dst };
            let fixed = of.begin.iter().all(|begin| matches!(begin, Begin::Const(_)))
                && of.origin.is_empty()
                && of.layout.stride_count() == 0;
            let own = if let Owner::Distributed(owned) = &copy.owner { owned.origin.is_empty() } else { true };
            let moves = (fixed && own).then(Vec::new);
            let elements = copy.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            // Who owns what depends on where the region begins.
            let vague = moves.is_none() && matches!(copy.owner, Owner::Distributed(_));
            let count = if vague { i64::MAX } else { elements.saturating_mul(self.active().len()) };
            *side = self.side(which, count, moves, || self.scalar_places(copy, of, which))?;
        }
        Ok(Touched { engine: Engine::Threads, sides, inside: None })
    }

    fn scalar_places(&self, copy: &ScalarCopy, side: &ScalarSide, which: Which) -> Result<Places, Refusal> {
        let mut places = Vec::new();
        let copies: Vec<i64> =
            if which == Which::Dst { side.copies().map(|iter| iter.extent).collect() } else { Vec::new() };
        let mut at = |thread: i64, walk: &[i64]| -> Result<(), Refusal> {
            for digits in grid(&copies) {
                let first = scalar_address(&mut Eval, side, walk, &digits, &self.values(which))?;
                places.push((thread, first, first + 1));
            }
            Ok(())
        };
        for thread in self.active().iter() {
            let t = self.relative(thread);
            match &copy.owner {
                Owner::ScopeThread(owner) if *owner != t => {}
                Owner::BlockThreads(owners) if !owners.contains(&thread) => {}
                Owner::Distributed(owned) => {
                    for walk in self.owned(copy, owned, t)? {
                        at(thread, &walk)?;
                    }
                }
                _ => grid(&copy.extents).iter().try_for_each(|walk| at(thread, walk))?,
            }
        }
        Ok(places)
    }

    /// The places in the loops that a thread owns.
    fn owned(
        &self,
        copy: &ScalarCopy,
        owned: &crate::families::scalar::plan::Distributed,
        t: i64,
    ) -> Result<Vec<Vec<i64>>, Refusal> {
        let (part, conditions) = owned_part(&mut Eval, owned, t);
        let mut walks = Vec::new();
        if !conditions.iter().all(|condition| condition.holds()) {
            return Ok(walks);
        }
        let (values, local) = (self.values(owned.local), self.problem.operand(owned.local));
        let extents: Vec<i64> = owned.serial.iter().map(|digit| digit.extent).collect();
        for digits in grid(&extents) {
            let (x, _) = owned_element(&mut Eval, owned, part, &digits, &values)?;
            let place = region_position(&mut Eval, owned, x, &values)?;
            if place.conditions.iter().all(|condition| condition.holds()) {
                let walk = place.positions.iter().zip(&local.extent).filter(|(_, extent)| **extent != 1);
                walks.push(walk.map(|(position, _)| *position).collect());
            }
        }
        debug_assert!(walks.iter().all(|walk: &Vec<i64>| walk.len() == copy.extents.len()));
        Ok(walks)
    }
}

/// All coordinates of a loop nest.
fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        let extend = |walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat());
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}
