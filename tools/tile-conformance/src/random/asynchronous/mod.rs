//! Random asynchronous copies: shapes that a variant takes, and now and then one that it must not take.

mod bulk;
mod cluster;
mod fragments;
mod shares;
mod tiles;

use tile_layout::{Layout, Range};
use tile_plan::{Completion, Space};

use super::around;
use super::rng::Rng;
use crate::case::{Case, Element, Issue, OptionValue, Side};

/// Case `number` of a seed: `random-async-7-12`. Cases of the variants take turns.
pub fn case(seed: u64, number: u64) -> Case {
    let rng = &mut Rng::new(seed, number);
    let case = match number % 5 {
        0 => shares::case(rng),
        1 => cluster::case(rng),
        2 => tiles::case(rng),
        3 => bulk::case(rng),
        _ => fragments::case(rng),
    };
    Case { id: format!("random-async-{seed}-{number}"), ..case }
}

/// A copy of which nothing is asked, completed by the caller.
const PLAIN: Issue = Issue { completion: Completion::Caller, remote: false, predicated: false, zero_fill: false };

fn text(name: &str, value: &str) -> (String, OptionValue) {
    (name.to_owned(), OptionValue::Text(value.to_owned()))
}

/// A buffer, and the region `begin`, `extent` of it, which may begin at run time.
fn buffer(
    rng: &mut Rng,
    (space, element): (Space, Element),
    layout: Layout,
    shape: &[i64],
    region: &[(i64, i64)],
) -> Side {
    let region: Vec<Range> = region.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect();
    let begins = around::begins(rng, space, &region);
    Side { space, element, shape: shape.to_vec(), region, begins, open: Vec::new(), layout }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn cases_are_well_formed_and_reproducible() {
        let mut seen = BTreeSet::new();
        for number in 0..2000 {
            let made = case(3, number);
            for side in [&made.src, &made.dst] {
                assert_eq!(side.layout.validate(), Ok(()), "{made:?}");
                assert_eq!(side.layout.size(), side.shape.iter().product::<i64>(), "{made:?}");
            }
            assert_eq!(format!("{made:?}"), format!("{:?}", case(3, number)));
            seen.insert((made.src.space, made.dst.space, made.scope, made.options.len()));
        }
        assert!(seen.len() > 20, "only {} kinds of copies", seen.len());
    }
}
