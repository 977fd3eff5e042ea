//! Checks the invariants of the plans of vector accesses. Later stages also read plans written by hand, and their
//! instructions rely on contiguity and alignment.

use thiserror::Error;
use tile_isa::rounds::check_accesses;
use tile_isa::{Conversion, Rounds, Space, check_element_bits, check_threads};
use tile_layout::{Iter, counted};

use crate::families::vector::plan::{MatchedCopy, VectorCopy};

use crate::families::vector::shuffle::{self, malformed};
use crate::problem::effect::check_source;
use crate::problem::mask::{Fill, Mask};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chain::on_threads;
use crate::sides::ranks::{Ranks, RanksError};
use crate::sides::side::check_guards;
use crate::sides::width::legal;

fn malformed_matched(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-matched-copy", reason.to_string())
}

/// What is wrong with a plan of vectors, of either stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum VectorError {
    #[error("ranks of threads that the layout or guards already name")]
    OwnedRanks,
    #[error(transparent)]
    Ranks(#[from] RanksError),
    #[error("cp.async fills with zeros; got another value")]
    Fill,
    #[error("converts {conversion}, but the source has elements of {element_bits} bits")]
    Conversion { conversion: Conversion, element_bits: u32 },
}

/// Checks that the copy is well-formed, and returns the number of elements.
pub(super) fn check_aligned(copy: &MatchedCopy) -> Result<i64, Refusal> {
    check_source(copy.src.is_some(), copy.effect).map_err(malformed_matched)?;
    for (side, role) in [(copy.side(Role::Src), Role::Src), (&copy.dst, Role::Dst)] {
        side.validate(role.name()).map_err(malformed_matched)?;
    }
    let (size, other) = (copy.side(Role::Src).layout.size(), copy.dst.layout.size());
    if size != other {
        let elements = counted(size, "element");
        return Err(malformed_matched(format!("the source has {elements}, the destination {other}")));
    }
    check_element_bits(copy.element_bits).map_err(malformed_matched)?;
    check_conversion(copy.element_bits, copy.conversion).map_err(malformed_matched)?;
    check_threads(copy.threads).map_err(malformed_matched)?;
    check_guards(&copy.guards).map_err(malformed_matched)?;
    copy.cache.check().map_err(malformed_matched)?;
    if let Some(bits) = copy.forced_bits {
        copy.transfer.check_width(bits.into(), copy.widest_element()).map_err(malformed_matched)?;
    }
    check_ranks(copy.ranks.as_ref(), copy.threads, !copy.guards.is_empty() || copy.thread_iters > 0)
        .map_err(malformed_matched)?;
    copy.mask.as_ref().map_or(Ok(()), |mask| mask.check(size)).map_err(malformed_matched)?;
    check_cp_async(copy)?;
    check_thread_part(copy)?;
    Ok(size)
}

/// Requires ranks to count the threads, and none where the layout or guards already say which thread does what.
fn check_ranks(ranks: Option<&Ranks>, threads: i64, owned: bool) -> Result<(), VectorError> {
    match ranks {
        None => Ok(()),
        Some(_) if owned => Err(VectorError::OwnedRanks),
        Some(ranks) => Ok(ranks.check(threads, None)?),
    }
}

/// `cp.async` fills with zeros.
fn check_fill(mask: Option<&Mask>) -> Result<(), VectorError> {
    match mask.and_then(|mask| mask.fill) {
        Some(Fill::Value) => Err(VectorError::Fill),
        _ => Ok(()),
    }
}

/// Requires a conversion to start from the elements of the source.
fn check_conversion(element_bits: u32, conversion: Option<Conversion>) -> Result<(), VectorError> {
    match conversion {
        Some(conversion) if conversion.from.bits() != element_bits => {
            Err(VectorError::Conversion { conversion, element_bits })
        }
        _ => Ok(()),
    }
}

/// Requires `cp.async` to move unconverted elements from global to shared memory.
fn check_cp_async(copy: &MatchedCopy) -> Result<(), Refusal> {
    let (src, dst) = (copy.side(Role::Src).space, copy.dst.space);
    if !copy.uses_cp_async() {
        return Ok(());
    }
    if let Some(conversion) = copy.conversion {
        return Err(malformed_matched(format!(
            "cp.async moves elements as they are; got a conversion from {conversion}"
        )));
    }
    check_fill(copy.mask.as_ref()).map_err(malformed_matched)?;
    if (src, dst) != (Space::Global, Space::Shared) {
        return Err(malformed_matched(format!("cp.async copies from global to shared memory; got {src} to {dst}")));
    }
    Ok(())
}

/// Requires the leading iters that are the thread part, if there is one, to count each thread id once, in order.
fn check_thread_part(copy: &MatchedCopy) -> Result<(), Refusal> {
    if copy.thread_iters == 0 {
        return Ok(());
    }
    let parts =
        [copy.side(Role::Src), &copy.dst].map(|side| side.layout.shard.get(..copy.thread_iters).unwrap_or_default());
    let extents = parts.map(|part| part.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    let threads = extents[0].iter().try_fold(1i64, |all, &extent| all.checked_mul(extent));
    if extents[0] != extents[1] || threads != Some(copy.threads) {
        let [src, dst] = extents;
        let threads = counted(copy.threads, "thread");
        return Err(malformed_matched(format!("thread parts {src:?} and {dst:?} do not both hold {threads}")));
    }
    let Some(part) = parts.into_iter().find(|part| part.iter().any(|iter| iter.axis.is_thread())) else {
        return Err(malformed_matched("neither side's thread part is on thread axes"));
    };
    let mut inside = 1;
    for iter in part.iter().rev().filter(|iter| iter.extent != 1) {
        if on_threads(*iter).is_none_or(|iter| iter.stride != inside) {
            let threads = counted(inside, "thread");
            return Err(malformed_matched(format!(
                "iter {iter} of the thread part does not continue the {threads} inside it"
            )));
        }
        inside *= iter.extent;
    }
    Ok(())
}

impl MatchedCopy {
    /// Checks the invariants of the plans that stage 1 makes: both layouts are valid and of the same size, and the
    /// thread part, if there is one, is complete.
    ///
    /// # Errors
    /// `malformed-matched-copy`.
    pub fn verify(&self) -> Result<(), Refusal> {
        check_aligned(self).map(drop)
    }
}

impl VectorCopy {
    /// Checks that the vectors are contiguous and aligned on both sides, and their structure.
    ///
    /// # Errors
    /// `malformed-vector-copy`, or the cause for which a vector of that width is illegal.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.check_structure()?;
        for role in [Role::Src, Role::Dst] {
            let bits = u32::try_from(self.access_bits(role)).unwrap_or(u32::MAX);
            legal(self.side(role), role, self.access(role), bits, i64::from(self.bits_of(role) / 8))?;
        }
        self.check_masked(self.side(Role::Src).layout.size())?;
        if self.rotation != 1 && self.rotating_row() != Some(self.rotation) {
            return Err(malformed(format!("got a rotation among {}", counted(self.rotation, "element"))));
        }
        if self.exchange == 1 { Ok(()) } else { shuffle::check(self, self.exchange) }
    }

    /// Checks that rounds, threads, the last round and the vector make up both layouts.
    ///
    /// # Errors
    /// `malformed-vector-copy`.
    pub(crate) fn check_structure(&self) -> Result<(), Refusal> {
        self.check_numbers()?;
        check_source(self.src.is_some(), self.effect).map_err(malformed)?;
        for (side, role) in [(self.side(Role::Src), Role::Src), (&self.dst, Role::Dst)] {
            side.validate(role.name()).map_err(malformed)?;
            self.in_rounds().check(side.layout.size()).map_err(malformed)?;
            let shard = &side.layout.shard;
            if shard.is_empty() {
                return Err(malformed(format!("the {role}'s layout has no digits")));
            }
            let last = shard.last().map_or(1, |iter| iter.extent);
            if last != self.vector {
                let got = counted(last, "value");
                return Err(malformed(format!("the {role}'s last digit has {got}; needed {}", self.vector)));
            }
            let from = (shard.len() - 1).checked_sub(self.thread_iters);
            let part = from.map(|from| product(&shard[from..shard.len() - 1]));
            if self.thread_iters > 0 && part != Some(Some(self.threads)) {
                let (digits, threads) = (counted(self.thread_iters, "digit"), counted(self.threads, "thread"));
                let reason = format!("the {role}'s thread part of {digits} does not count {threads}");
                return Err(malformed(reason));
            }
        }
        check_ranks(self.ranks.as_ref(), self.threads, !self.guards.is_empty() || self.exchange > 1)
            .map_err(malformed)?;
        self.check_last()?;
        check_conversion(self.element_bits, self.conversion).map_err(malformed)?;
        check_accesses(&self.accesses, self.vector, self.converts_or_reduces()).map_err(malformed)
    }
}

impl VectorCopy {
    fn check_numbers(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        check_threads(self.threads).map_err(malformed)?;
        check_guards(&self.guards).map_err(malformed)?;
        self.cache.check().map_err(malformed)?;
        match u16::try_from(self.vector) {
            Ok(_) => Ok(()),
            Err(_) => Err(malformed(format!("got vectors of {}", counted(self.vector, "element")))),
        }
    }

    /// How the elements are divided into rounds, threads and vectors.
    pub(super) fn in_rounds(&self) -> Rounds {
        Rounds { rounds: self.rounds, threads: self.threads, last: self.last(), vector: self.vector }
    }

    /// Requires that there is no thread part where some threads take no part in the last round.
    fn check_last(&self) -> Result<(), Refusal> {
        if !self.is_even() && self.thread_iters > 0 {
            let threads = counted(self.threads, "thread");
            return Err(malformed(format!(
                "{} of {threads} take part in the last round, but all have a part of theirs",
                self.last()
            )));
        }
        Ok(())
    }

    /// Checks that the vectors of a masked copy lie entirely inside or outside.
    fn check_masked(&self, size: i64) -> Result<(), Refusal> {
        let Some(mask) = &self.mask else { return Ok(()) };
        mask.check(size).map_err(malformed)?;
        if self.uses_cp_async() {
            check_fill(Some(mask)).map_err(malformed)?;
        }
        let last = mask.digits.last().map_or(1, |digit| digit.extent);
        if last != self.vector {
            let got = counted(last, "value");
            return Err(malformed(format!("the mask's last digit has {got}; needed {}", self.vector)));
        }
        mask.is_whole(self.vector, mask.clipped(self.uses_cp_async()))
    }
}

fn product(iters: &[Iter]) -> Option<i64> {
    iters.iter().try_fold(1i64, |all, iter| all.checked_mul(iter.extent))
}
