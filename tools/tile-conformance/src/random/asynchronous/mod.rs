//! Random asynchronous copies: shapes that a variant accepts, and occasionally one that it must not accept.

mod fragments;
mod panels;
mod shares;
mod tiles;

use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};
use tile_plan::problem::asynchronous::Completion;

use super::draw::Rng;
use super::{around, wording};
use crate::case::{Case, Element, Issue, OptionValue, Side};

/// Case `number` of a seed: `random-async-7-12`. Cases of the variants take turns.
pub fn case(seed: u64, number: u64) -> Case {
    let rng = &mut Rng::new(seed, number);
    let case = match number % 5 {
        0 => shares::case(rng),
        1 => panels::cluster(rng),
        2 => tiles::case(rng),
        3 => panels::bulk(rng),
        _ => fragments::case(rng),
    };
    let wording = wording::draw(rng, &case.src, &case.dst, may_be_masked(&case));
    Case { id: format!("random-async-{seed}-{number}"), wording, ..case }
}

/// Whether a copy may be masked: a predicate selects threads, a mask elements, and a copy has at most one of them.
fn may_be_masked(case: &Case) -> bool {
    let plain = case.issue.is_some_and(|issue| !issue.predicated && !issue.remote);
    plain && case.forced.is_none() && case.scope != Scope::Thread
}

/// A copy without requests, whose completion is left to the caller.
const PLAIN: Issue = Issue { completion: Completion::Caller, remote: false, predicated: false, zero_fill: false };

fn text(name: &str, value: &str) -> (String, OptionValue) {
    (name.to_owned(), OptionValue::Text(value.to_owned()))
}

/// A buffer, and the region `begin`, `extent` of it, which may start at run time.
fn buffer(
    rng: &mut Rng,
    (space, element): (Space, Element),
    layout: Layout,
    shape: &[i64],
    region: &[(i64, i64)],
) -> Side {
    let region: Vec<Range> = region.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect();
    let begins = around::begins(rng, space, &region);
    let mut side = Side { space, element, shape: shape.to_vec(), region, begins, open: Vec::new(), layout };
    wording::leave_open(rng, &mut side);
    side
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::report;

    /// The kinds that are drawn only for synchronous copies.
    const SYNCHRONOUS: [&str; 2] = ["condition on arguments", "converted"];

    #[test]
    fn cases_are_well_formed_and_reproducible() {
        let (mut seen, mut kinds) = (BTreeSet::new(), BTreeMap::new());
        for number in 0..2000 {
            let made = case(3, number);
            for side in [&made.src, &made.dst] {
                assert_eq!(side.layout.validate(), Ok(()), "{made:?}");
                assert_eq!(side.layout.size(), side.shape.iter().product::<i64>(), "{made:?}");
            }
            assert_eq!(format!("{made:?}"), format!("{:?}", case(3, number)));
            seen.insert((made.src.space, made.dst.space, made.scope, made.options.len()));
            report::kinds(&made).for_each(|kind| *kinds.entry(kind).or_insert(0) += 1);
        }
        assert!(seen.len() > 20, "only {} kinds of copies", seen.len());
        for kind in report::KINDS.iter().filter(|kind| !SYNCHRONOUS.contains(kind)) {
            assert!(kinds.get(kind).is_some_and(|&count| count > 10), "{kind}: {kinds:?} of 2000");
        }
    }
}
