//! Promises about run-time numbers with which a copy would take fewer accesses.
//!
//! ```text
//!   (256, 8) : (8, 1), the row at %i * s0, s0 a multiple of 1       8 loads of 16 bits
//!   the same, s0 a multiple of 8                                    1 load of 128 bits: wanted is 8 of s0
//! ```

use tile_isa::Space;
use tile_layout::gcd;

use crate::families::vector::accesses::accesses;
use crate::families::vector::plan::MatchedCopy;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, ValueList};
use crate::target::Target;

/// A promise that a number is a multiple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number.
    pub number: RunTimeNumber,
    /// What it is a multiple of: a power of two, in bytes for an address.
    pub multiple: i64,
}

/// A number that is known only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunTimeNumber {
    /// The value of that index in a list of the plan.
    Value(ValueList, usize),
    /// The address of the first element of an operand's storage.
    Address(Role),
}

const SIDES: [Role; 2] = [Role::Src, Role::Dst];

/// The fewest and weakest promises with which the copy takes as few accesses as if all its numbers were multiples of everything,
/// and the width of its accesses then, in bits; `None` where they would not be fewer.
pub fn wanted(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Option<(Vec<Wanted>, i64)> {
    let least_bits = copy.bits_of(Role::Src).min(copy.bits_of(Role::Dst)).max(1);
    let most = i64::from((max_bits / least_bits).max(1));
    let mut promises: Vec<Wanted> = numbers(copy)
        .into_iter()
        .map(|number| match number {
            RunTimeNumber::Value(..) => Wanted { number, multiple: most },
            RunTimeNumber::Address(_) => Wanted { number, multiple: i64::from(max_bits / 8).max(1) },
        })
        .collect();
    let cost = |promises: &[Wanted]| accesses(&promised(copy, promises), target, max_bits);
    let (now, best) = (cost(&[])?, cost(&promises)?);
    if best.0 >= now.0 {
        return None;
    }
    let suffices = |promises: &[Wanted]| cost(promises).is_some_and(|cost| cost.0 == best.0);
    for promise in promises.clone() {
        let fewer: Vec<_> = promises.iter().copied().filter(|other| *other != promise).collect();
        if suffices(&fewer) {
            promises = fewer;
        }
    }
    for at in 0..promises.len() {
        while promises[at].multiple > 1 {
            let mut weaker = promises.clone();
            weaker[at].multiple /= 2;
            if !suffices(&weaker) {
                break;
            }
            promises = weaker;
        }
    }
    Some((promises, best.1))
}

/// The numbers about which something can be promised, first where a promise is least likely: where regions begin, then extents
/// and strides, then addresses, but not of what the kernel allocates.
///
/// Row `i` of a matrix begins at `i * s0`: at multiples of 8 where `i` is one, or where `s0` is.
fn numbers(copy: &MatchedCopy) -> Vec<RunTimeNumber> {
    let (mut begins, mut sizes, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
    for (role, side) in SIDES.into_iter().zip([copy.src.as_ref(), Some(&copy.dst)]) {
        let Some(side) = side else { continue };
        let number = |value| RunTimeNumber::Value(ValueList::Of(role), value);
        begins.extend(
            side.dynamic.iter().filter(|term| term.div == 1 && term.residue == 0).map(|term| number(term.value)),
        );
        sizes.extend(side.strides.iter().map(|stride| number(stride.value)));
        addresses.extend((side.space == Space::Global).then_some(RunTimeNumber::Address(role)));
    }
    for limit in copy.mask.iter().flat_map(|mask| &mask.limits) {
        for (number, found) in [(limit.begin, &mut begins), (limit.extent, &mut sizes)] {
            if let Begin::Dynamic { value, residue: 0, .. } = number {
                found.push(RunTimeNumber::Value(ValueList::Mask, value));
            }
        }
    }
    begins.into_iter().chain(sizes).chain(addresses).collect()
}

/// The copy where the promises hold.
fn promised(copy: &MatchedCopy, promises: &[Wanted]) -> MatchedCopy {
    let mut copy = copy.clone();
    let with = |known: i64, number: RunTimeNumber| {
        let matching = promises.iter().filter(|promise| promise.number == number);
        matching.fold(known, |known, promise| known / gcd(known, promise.multiple) * promise.multiple)
    };
    for (role, side) in SIDES.into_iter().zip([copy.src.as_mut(), Some(&mut copy.dst)]) {
        let Some(side) = side else { continue };
        let value = |value| RunTimeNumber::Value(ValueList::Of(role), value);
        side.align_bytes = with(side.align_bytes, RunTimeNumber::Address(role));
        for term in side.dynamic.iter_mut().filter(|term| term.div == 1 && term.residue == 0) {
            term.divisor = with(term.divisor, value(term.value));
        }
        for stride in &mut side.strides {
            stride.divisor = with(stride.divisor, value(stride.value));
        }
    }
    for limit in copy.mask.iter_mut().flat_map(|mask| &mut mask.limits) {
        for number in [&mut limit.begin, &mut limit.extent] {
            if let Begin::Dynamic { value, divisor, residue: 0 } = number {
                *divisor = with(*divisor, RunTimeNumber::Value(ValueList::Mask, *value));
            }
        }
    }
    copy
}
