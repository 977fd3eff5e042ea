//! Copies of rows or panels of a tile: to another CTA, and in bulk between global and shared memory.

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::problem::asynchronous::Completion;

use super::{PLAIN, buffer, text};
use crate::case::{Case, Element, Issue, Side, Wanted};
use crate::random::around::active;
use crate::random::draw::Rng;
use crate::random::{block, element};

/// Copies to another CTA: rows or panels of a tile, swizzled alike, differently or not.
///
/// A window of up to 16 rows of up to 128 elements, by one thread.
pub(super) fn cluster(rng: &mut Rng) -> Case {
    let element = element(rng);
    // Both sides are in 48 KiB of shared memory.
    let most = 2048 / i64::from(element.bits);
    let extents = [*rng.one_of(&[8, 16, 4, 1, 3]), rng.one_of(&[64, 32, 128, 16, 24, 8]).min(&most).to_owned()];
    let swizzle = swizzle(rng);
    let same = rng.below(3) != 0;
    let src = side(rng, (Space::Shared, element), extents, swizzle);
    let other = if same { swizzle } else { self::swizzle(rng) };
    let dst = side(rng, (Space::Shared, element), extents, other);
    Case {
        id: String::new(),
        scope: Scope::Thread,
        block: *rng.one_of(&[1, 32, 64]),
        chip: (*rng.one_of(&["sm_90a", "sm_100a"])).to_owned(),
        active: Vec::new(),
        enclosing: Vec::new(),
        forced: None,
        issue: Some(Issue { completion: Completion::Barrier, remote: true, ..PLAIN }),
        options: Vec::new(),
        src,
        dst,
        wording: crate::case::Wording::default(),
        wanted: Wanted::Right,
    }
}

fn swizzle(rng: &mut Rng) -> Option<Swizzle> {
    let (per_element, len) = (rng.below(5) as u32, rng.below(4) as u32);
    let swizzle = Swizzle::new(per_element, len, 3, rng.below(8) != 0).ok();
    swizzle.filter(|_| rng.below(3) != 0)
}

/// A buffer around the window; its rows are occasionally padded, or cut into two panels.
fn side(rng: &mut Rng, (space, element): (Space, Element), extents: [i64; 2], swizzle: Option<Swizzle>) -> Side {
    let [rows, columns] = [extents[0] * rng.one_of(&[1, 1, 2]), extents[1] * rng.one_of(&[1, 1, 1, 2])];
    let mut iters = match rng.below(8) {
        0 => vec![Iter::memory(rows, 1), Iter::memory(columns, rows)],
        1 | 2 if columns % 2 == 0 => {
            let half = columns / 2;
            vec![Iter::memory(rows, half), Iter::memory(2, rows * half), Iter::memory(half, 1)]
        }
        _ => vec![Iter::memory(rows, columns + rng.one_of(&[0, 0, 0, 8, 16, 64, 1])), Iter::memory(columns, 1)],
    };
    iters.retain(|iter| iter.extent != 1 || rows * columns == 1);
    let mut layout = Layout::new(iters);
    if rng.below(4) == 0 {
        layout = layout.with_offset(Axis::Memory, *rng.one_of(&[16, 64, 512, 8, 4]));
    }
    layout.swizzle = swizzle;
    let begins = [rows - extents[0], columns - extents[1]].map(|room| {
        let begin = rng.below(room as u64 + 1) as i64;
        if rng.below(4) == 0 { begin } else { begin / 8 * 8 }
    });
    let region = [(begins[0], extents[0]), (begins[1], extents[1])];
    buffer(rng, (space, element), layout, &[rows, columns], &region)
}

/// Copies in bulk between global and shared memory: rows or panels of a tile, by scopes of any size.
///
/// A window of up to 16 rows of up to 128 elements, with the variant named; occasionally with a request that the
/// instruction does not support.
pub(super) fn bulk(rng: &mut Rng) -> Case {
    let scope = *rng.one_of(&[Scope::Cta, Scope::Cta, Scope::Warp, Scope::Warpgroup, Scope::Thread]);
    let block = block(rng, scope);
    let element = element(rng);
    let most = 2048 / i64::from(element.bits);
    let extents = [*rng.one_of(&[8, 16, 4, 1, 3]), rng.one_of(&[64, 32, 128, 16, 24, 8]).min(&most).to_owned()];
    let to_shared = rng.below(2) == 0;
    let (src, dst) = if to_shared { (Space::Global, Space::Shared) } else { (Space::Shared, Space::Global) };
    let shared = swizzle(rng).filter(|_| rng.below(2) == 0);
    let pattern = |space: Space| shared.filter(|_| space == Space::Shared);
    let completion = match (to_shared, rng.below(8)) {
        (_, 0) => Completion::Group,
        (true, _) => Completion::Barrier,
        (false, 1 | 2) => Completion::Caller,
        (false, _) => Completion::BulkGroup,
    };
    let hint = (rng.below(3) == 0).then(|| *rng.one_of(&["L2::evict_first", "L2::evict_last", "L2::evict_normal"]));
    let (src_swizzle, dst_swizzle) = (pattern(src), pattern(dst));
    Case {
        id: String::new(),
        scope,
        block,
        chip: (*rng.one_of(&["sm_90a", "sm_100a"])).to_owned(),
        active: if rng.below(8) == 0 { active(rng, scope, block) } else { Vec::new() },
        enclosing: Vec::new(),
        forced: Some("bulk".to_owned()),
        issue: Some(Issue { completion, ..PLAIN }),
        options: hint.map(|hint| text("l2_evict", hint)).into_iter().collect(),
        src: side(rng, (src, element), extents, src_swizzle),
        dst: side(rng, (dst, element), extents, dst_swizzle),
        wording: crate::case::Wording::default(),
        wanted: Wanted::Right,
    }
}
