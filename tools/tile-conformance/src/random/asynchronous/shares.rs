//! Copies from global to shared memory that are divided among the threads; occasionally between other memories, or with
//! requests that no asynchronous variant can fulfil there.

use tile_isa::{Scope, Space};
use tile_plan::problem::asynchronous::Completion;

use super::{PLAIN, text};
use crate::case::{Case, Element, Issue, OptionValue, Side, Wanted};
use crate::random::around::active;
use crate::random::draw::Rng;
use crate::random::{Drawn, Threads, block, element, side};

/// A tile of some elements for each thread.
pub(super) fn case(rng: &mut Rng) -> Case {
    let scope = *rng.one_of(&[Scope::Warp, Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta]);
    let block = block(rng, scope);
    let threads = Threads { scope, block };
    let element = element(rng);
    let others = [(Space::Shared, Space::Global), (Space::Global, Space::Global), (Space::Shared, Space::Shared)];
    let (src, dst) = if rng.below(8) == 0 { *rng.one_of(&others) } else { (Space::Global, Space::Shared) };
    let region = region(rng, threads.axis().1);
    let (issue, options) = requests(rng, scope);
    Case {
        id: String::new(),
        scope,
        block,
        chip: (*rng.one_of(&["sm_80", "sm_90a", "sm_100a"])).to_owned(),
        active: active(rng, scope, block),
        enclosing: Vec::new(),
        forced: None,
        issue: Some(issue),
        options,
        src: operand(rng, src, element, &region, threads),
        dst: operand(rng, dst, element, &region, threads),
        wording: crate::case::Wording::default(),
        wanted: Wanted::Right,
    }
}

/// Rows of 2 to 64 elements, up to 2048 in total; with few exceptions the same number for each of `threads`.
fn region(rng: &mut Rng, threads: i64) -> Vec<i64> {
    if threads == 1 && rng.below(2) == 0 {
        return vec![*rng.one_of(&[1, 2, 4, 8, 16])];
    }
    let columns = *rng.one_of(&[8, 16, 32, 64, 4, 2, 6]);
    let each = *rng.one_of(&[4, 8, 2, 16, 1, 3]);
    let all = (threads * each).min(2048);
    let rows = if rng.below(10) == 0 { 3 } else { (all / columns).max(1) };
    if rng.below(4) == 0 && rows % 2 == 0 { vec![2, rows / 2, columns] } else { vec![rows, columns] }
}

/// A side that is row-major in half of the cases, and has any layout in the others.
fn operand(rng: &mut Rng, space: Space, element: Element, region: &[i64], threads: Threads) -> Side {
    if rng.below(2) == 0 {
        return side(rng, space, &Drawn { element, region: region.to_vec(), threads, fragment: None });
    }
    let ranges: Vec<(i64, i64)> = region.iter().map(|&extent| (0, extent)).collect();
    super::buffer(rng, (space, element), tile_layout::Layout::row_major(region), region, &ranges)
}

/// The possible requests of a `cp.async`.
fn requests(rng: &mut Rng, scope: Scope) -> (Issue, Vec<(String, OptionValue)>) {
    let completion = *rng.one_of(&[Completion::Caller, Completion::Caller, Completion::Group, Completion::Barrier]);
    let predicated = rng.below(3) == 0;
    let zero_fill = predicated && rng.below(2) == 0;
    let mut options = Vec::new();
    if zero_fill {
        options.push(text("fill", "zero"));
    }
    if scope == Scope::Thread && rng.below(2) == 0 {
        options.push(("direct".to_owned(), OptionValue::Unit));
    }
    if rng.below(4) == 0 {
        options.push(text("prefetch_size", rng.one_of::<&str>(&["L2::64B", "L2::128B", "L2::256B"])));
    }
    (Issue { completion, predicated, zero_fill, ..PLAIN }, options)
}
