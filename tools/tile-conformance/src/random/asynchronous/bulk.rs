//! Copies in bulk between global and shared memory: rows or panels of a tile, by scopes of any size.

use tile_plan::{Completion, Scope, Space};

use super::cluster::{side, swizzle};
use super::{PLAIN, text};
use crate::case::{Case, Issue, Wanted};
use crate::random::around::active;
use crate::random::rng::Rng;
use crate::random::{block, element};

/// A window of up to 16 rows of up to 128 elements, by name; now and then with what the instruction has not.
pub(super) fn case(rng: &mut Rng) -> Case {
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
