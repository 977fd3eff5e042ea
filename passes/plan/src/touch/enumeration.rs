//! Enumerates the bytes that a plan touches.

use std::rc::Rc;

use tile_layout::{Axis, Swizzle, gcd};

use super::footprint::Footprint;
use super::{Bytes, Move, NotFollowed, UnswizzledBytes, pitch};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm};
use crate::problem::threads::{Active, ThreadSet};
use crate::sides::side::Side;
use crate::target::Target;
use crate::touch::Collective;
use tile_isa::Space;

/// The memories that threads access.
pub(crate) const MEMORIES: [Space; 2] = [Space::Shared, Space::Global];

/// The most accesses of a copy that are enumerated.
pub(crate) const MAX_ACCESSES: i64 = 1 << 18;

/// The most assumptions about run-time values under which the accesses of a copy are enumerated.
const MAX_ASSUMED: usize = 64;

/// Accesses: the thread, the first element and the element after the last.
pub type Places = Vec<(i64, i64, i64)>;

/// The most starts of a region in one dimension that are all enumerated.
const MAX_STARTS: usize = 16;

/// What run-time values do to the bytes that one side touches.
///
/// A step that a swizzle's period divides moves all bytes alike. Any other step is followed to the next whole period:
///
/// ```text
///   row = 8 * i + r of a swizzle that repeats every 8 rows      the bytes of row r, moved by i periods
/// ```
///
/// If a region has only a few starts inside its tile, its bytes are those of all of them, and nothing moves. Before the swizzle, each
/// value moves all bytes alike whatever it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What each value adds; `None` where that has another form.
    moves: Option<Vec<Move>>,
    /// The values of the operand under which bytes are enumerated: one list for each combination of places that the
    /// values may have within a period. The bytes of all are touched.
    assumed: Vec<Vec<i64>>,
    /// The same before the swizzle, where values add other than whole periods of it.
    unswizzled: Option<BeforeSwizzle>,
}

/// What run-time values do to the bytes of one side before its swizzle moves them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BeforeSwizzle {
    /// The swizzle, in elements.
    swizzle: Swizzle,
    /// What each value adds.
    moves: Vec<Move>,
    /// Values that the run-time values may have.
    values: Vec<i64>,
    /// What these add, in elements.
    added: i64,
}

/// A copy whose plan is enumerated.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration<'p> {
    /// The copy problem.
    pub problem: &'p Problem,
    /// The chip that it is planned for.
    pub target: &'p Target,
    /// The memories whose accesses are asked for.
    pub spaces: &'p [Space],
    /// The only operand whose accesses are asked for; `None` for all operands, and for tiles that a plan has for itself.
    pub side: Option<Role>,
}

impl Enumeration<'_> {
    /// The threads that may reach the copy.
    pub fn active(&self) -> ThreadSet {
        let block = ThreadSet::range(0, self.problem.threads.block.unwrap_or(0));
        match &self.problem.threads.active {
            Active::Known(set) => set.intersect(&block),
            // All that may.
            Active::All | Active::Unknown { .. } => block,
        }
    }

    /// The number of a thread in its scope.
    pub fn relative(&self, thread: i64) -> i64 {
        self.problem.threads.count().map_or(thread, |count| thread % count)
    }

    /// Whether an operand is in shared or global memory.
    pub(crate) fn is_memory(&self, role: Role) -> bool {
        self.problem.operands.get(role).is_some_and(|operand| MEMORIES.contains(&operand.space))
    }

    /// Whether an operand is in a memory that is asked for.
    pub(crate) fn is_asked(&self, role: Role) -> bool {
        self.side.is_none_or(|side| side == role)
            && self.is_memory(role)
            && self.problem.operands.get(role).is_some_and(|operand| self.spaces.contains(&operand.space))
    }

    /// The values assumed for the run-time values of an operand: 0, and for strides the numbers of `pitches`.
    pub fn values(&self, role: Role) -> Vec<i64> {
        let Some(operand) = self.problem.operands.get(role) else { return Vec::new() };
        let of_begins = operand.begin.iter().filter_map(|begin| match begin {
            Begin::Dynamic { value, .. } => Some(*value),
            Begin::Const(_) => None,
        });
        let others =
            operand.origin.iter().map(|term| term.value).chain(operand.strides.iter().map(|stride| stride.value));
        let count = of_begins.chain(others).max().map_or(0, |last| last + 1);
        let mut values = vec![0; count];
        for (stride, &assumed) in operand.strides.iter().zip(self.pitches(role).unwrap_or_default()) {
            values[stride.value] = assumed;
        }
        values
    }

    /// The values of a typical copy: regions begin where it is known that they may, and rows are far apart.
    pub(crate) fn typical(&self, role: Role) -> Vec<i64> {
        const FAR: i64 = 1 << 12;
        let (mut values, Some(operand)) = (self.values(role), self.problem.operands.get(role)) else {
            return Vec::new();
        };
        for begin in &operand.begin {
            if let Begin::Dynamic { value, residue, .. } = *begin {
                values[value] = residue;
            }
        }
        operand.origin.iter().for_each(|term| values[term.value] = term.residue.saturating_mul(term.div));
        operand.strides.iter().for_each(|stride| values[stride.value] = stride.divisor.saturating_mul(FAR));
        values
    }

    /// The numbers that stand for the run-time strides of an operand, in elements.
    fn pitches(&self, role: Role) -> Option<&'static [i64]> {
        let operand = self.problem.operands.get(role)?;
        pitch::find(&operand.layout, operand.strides.len(), self.bytes(role))
    }

    /// The run-time strides for which numbers are assumed.
    pub fn strides(&self, role: Role) -> Vec<usize> {
        let Some(operand) = self.problem.operands.get(role).filter(|_| self.pitches(role).is_some()) else {
            return Vec::new();
        };
        operand.strides.iter().map(|stride| stride.value).collect()
    }

    fn bytes(&self, role: Role) -> i64 {
        i64::from(self.problem.bits_of(role) / 8)
    }

    /// The bytes of one side, from its `count` accesses in elements for given run-time values, and from what those do.
    ///
    /// # Errors
    /// An access that has no address.
    pub fn side(
        &self,
        role: Role,
        count: i64,
        moved: Option<Moved>,
        places: impl Fn(&[i64]) -> Result<Places, Refusal>,
    ) -> Result<Option<Bytes>, NotFollowed> {
        if !self.is_memory(role) {
            return Ok(None);
        }
        let unknown = || Moved { moves: None, ..self.unmoved(role) };
        let Moved { moves, assumed, unswizzled } = moved.unwrap_or_else(unknown);
        if count.saturating_mul(assumed.len() as i64) > MAX_ACCESSES {
            return Ok(Some(Bytes {
                footprint: None,
                collective: Collective::Thread,
                moves,
                unswizzled: None,
                strides: self.strides(role),
            }));
        }
        let bytes = self.bytes(role);
        let touched = assumed.iter().map(|values| places(values)).collect::<Result<Vec<_>, Refusal>>()?.concat();
        let footprint = Some(Rc::new(footprint(touched, bytes)));
        let unswizzled = match unswizzled {
            Some(before) => {
                let touched_before = places(&before.values)?;
                before.bytes(touched_before, bytes)
            }
            None => None,
        };
        let (collective, strides) = (Collective::Thread, self.strides(role));
        Ok(Some(Bytes { footprint, collective, moves, unswizzled, strides }))
    }

    /// Addresses of a side to which run-time values add nothing.
    pub fn unmoved(&self, role: Role) -> Moved {
        Moved { moves: Some(Vec::new()), assumed: vec![self.values(role)], unswizzled: None }
    }

    /// What run-time values do to the addresses of a side; `None` where that has another form.
    pub fn moved(&self, role: Role, side: &Side) -> Option<Moved> {
        let period = side.layout.swizzle.filter(|swizzle| swizzle.len > 0).map_or(1, |swizzle| swizzle.period());
        if !side.strides.is_empty() && side.layout.stride_count() > 0 && self.pitches(role).is_none() {
            return None;
        }
        let followed = self.assumed(role, side, period);
        let trivial = followed.as_ref().is_some_and(|(_, assumed)| *assumed == [self.values(role)]);
        let unswizzled = if trivial { None } else { self.before_swizzle(role, side) };
        match followed {
            Some((moves, assumed)) => Some(Moved { moves: Some(moves), assumed, unswizzled }),
            None => unswizzled.map(|before| Moved { moves: None, unswizzled: Some(before), ..self.unmoved(role) }),
        }
    }

    /// What values add in whole periods of the swizzle, and the values that they may have within one; `None` for too many.
    fn assumed(&self, role: Role, side: &Side, period: i64) -> Option<(Vec<Move>, Vec<Vec<i64>>)> {
        let (mut moves, mut assumed) = (Vec::new(), vec![self.values(role)]);
        for term in &side.dynamic {
            let (step, places) = self.step(role, term, period)?;
            moves.extend(step);
            if places != [0] {
                // A value that also moves something else would be assumed there, too.
                let others = side.dynamic.iter().filter(|other| other.value == term.value).count();
                let each = assumed.iter().flat_map(|values| places.iter().map(move |place| (values, place)));
                let with = each.map(|(values, &place)| {
                    let mut values = values.clone();
                    *values.get_mut(term.value)? = place;
                    Some(values)
                });
                assumed = with.take(MAX_ASSUMED + 1).collect::<Option<_>>().filter(|_| others == 1)?;
            }
        }
        // A write that may touch some bytes, but not surely, is not followed: others take its bytes as written.
        let sure = role == Role::Src || assumed.len() == 1;
        (sure && assumed.len() <= MAX_ASSUMED).then_some((moves, assumed))
    }

    /// What values add before the swizzle of a side in shared memory; `None` where that has another form.
    fn before_swizzle(&self, role: Role, side: &Side) -> Option<BeforeSwizzle> {
        let swizzle = side.layout.swizzle.filter(|_| side.space == Space::Shared)?;
        let mut before = BeforeSwizzle { swizzle, moves: Vec::new(), values: self.values(role), added: 0 };
        for term in &side.dynamic {
            let alone = side.dynamic.iter().filter(|other| other.value == term.value).count() == 1;
            if term.axis != Axis::Memory || !alone {
                return None;
            }
            let bytes = term.stride.checked_mul(self.bytes(role))?;
            before.moves.push(Move { value: term.value, div: term.div, bytes });
            // A value that it may have, so that vectors are where they are aligned.
            *before.values.get_mut(term.value)? = term.residue.checked_mul(term.div)?;
            before.added = before.added.checked_add(term.residue.checked_mul(term.stride)?)?;
        }
        Some(before)
    }

    /// The offsets that run-time values add to the addresses of a side that has no swizzle, or one whose period divides them.
    pub fn moves(&self, role: Role, side: &Side) -> Option<Vec<Move>> {
        self.moved(role, side).filter(|moved| moved.assumed == [self.values(role)])?.moves
    }

    /// What one term adds in whole periods of the swizzle, and the values that stand for its places within a period; or all
    /// values that it may have, if these are few.
    fn step(&self, role: Role, term: &DynamicTerm, period: i64) -> Option<(Option<Move>, Vec<i64>)> {
        let step = match term.axis.stride_index() {
            Some(index) => *self.pitches(role)?.get(index)?,
            None => 1,
        };
        if !term.axis.is_address() || period < 1 {
            return None;
        }
        let stride = term.stride.checked_mul(step)?;
        let whole = period / gcd(stride, period).max(1);
        let bytes = stride.checked_mul(whole)?.checked_mul(self.bytes(role))?;
        let furthest = self.furthest(role, term);
        let within = places(term, whole, furthest.map_or(whole - 1, |most| most.min(whole - 1)));
        let all = furthest.map(|most| places(term, term.divisor, most)).filter(|all| all.len() <= MAX_STARTS);
        let (moved, quotients) = match all {
            Some(all) if within.len() > 1 => (None, all),
            _ => (Some(Move { value: term.value, div: term.div.checked_mul(whole)?, bytes }), within),
        };
        let values = quotients.into_iter().map(|quotient| quotient.checked_mul(term.div));
        // A start that cannot be inside the buffer says nothing.
        Some((moved, values.collect::<Option<Vec<_>>>().filter(|values| !values.is_empty())?))
    }

    /// The largest quotient of a term that is the start of a region inside its buffer.
    fn furthest(&self, role: Role, term: &DynamicTerm) -> Option<i64> {
        let operand = self.problem.operands.get(role)?;
        let is_own = |begin: &Begin| matches!(begin, Begin::Dynamic { value, .. } if *value == term.value);
        let dimension = operand.begin.iter().position(is_own).filter(|_| self.problem.mask.is_none())?;
        let [shape, extent] = [*operand.shape.get(dimension)?, *operand.extent.get(dimension)?];
        (shape >= extent && extent >= 1).then(|| (shape - extent) / term.div)
    }
}

impl BeforeSwizzle {
    /// The bytes, given the accesses for its values; `None` for elements whose bytes the swizzle does not move as a whole.
    fn bytes(self, places: Places, bytes: i64) -> Option<UnswizzledBytes> {
        let BeforeSwizzle { swizzle, moves, added, .. } = self;
        let swizzle = in_bytes(swizzle, bytes)?;
        let footprint = footprint(places, bytes).swizzled(swizzle).shifted(added.checked_mul(bytes)?.checked_neg()?);
        Some(UnswizzledBytes { footprint: Rc::new(footprint), moves })
    }
}

/// A swizzle of elements as one of bytes; `None` for elements whose size is no power of two.
pub fn in_bytes(swizzle: Swizzle, bytes: i64) -> Option<Swizzle> {
    let more = u64::try_from(bytes).ok().filter(|bytes| bytes.is_power_of_two())?.trailing_zeros();
    Swizzle::new(swizzle.per_element.checked_add(more)?, swizzle.len, swizzle.atom_len, swizzle.inner).ok()
}

/// The footprint of accesses to elements of that size.
fn footprint(places: Places, bytes: i64) -> Footprint {
    let scaled =
        places.into_iter().map(|(thread, begin, end)| (thread, begin.saturating_mul(bytes), end.saturating_mul(bytes)));
    Footprint::of(scaled)
}

/// The numbers up to `most` that a term's quotient may have, but for multiples of `whole`. Of more than can be followed, some.
fn places(term: &DynamicTerm, whole: i64, most: i64) -> Vec<i64> {
    let apart = gcd(term.divisor, whole).max(1);
    let first = term.residue.rem_euclid(apart);
    let count = usize::try_from(most.saturating_sub(first).div_euclid(apart) + 1).unwrap_or(0);
    (0..count.min(MAX_ASSUMED + 1) as i64).map(|place| first + place * apart).collect()
}

/// Ranges that touch each other as one.
pub(crate) fn joined(mut ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    ranges.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (begin, end) in ranges {
        match joined.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((begin, end)),
        }
    }
    joined
}
