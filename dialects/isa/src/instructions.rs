//! Copies of tensor memory, which number their instructions by the first digits of both sides.

use tile_layout::Layout;

use crate::MOST_INSTRUCTIONS;

/// Do the first `count` digits of both sides number the same instructions, and not too many? `name` is what the op calls
/// their number.
///
/// # Errors
/// More digits than a side has, other extents on one side than on the other, too many instructions: got and expected.
pub fn check_instructions(name: &str, count: usize, src: &Layout, dst: &Layout) -> Result<(), String> {
    let first = |layout: &Layout| Some(layout.shard.get(..count)?.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    let (Some(from), Some(to)) = (first(src), first(dst)) else {
        let most = src.shard.len().min(dst.shard.len());
        return Err(format!("got {name} {count}, expected at most {most}, the iters of the layouts"));
    };
    if from != to {
        return Err(format!("got leading extents {from:?} and {to:?}, expected the same"));
    }
    match from.iter().try_fold(1i64, |product, &extent| product.checked_mul(extent)) {
        Some(..=MOST_INSTRUCTIONS) => Ok(()),
        _ => Err(format!("got leading extents {from:?}, expected at most {MOST_INSTRUCTIONS} instructions")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_instructions_on_both_sides() {
        let checked = |count, src: &str, dst: &str| {
            check_instructions("tile_iters", count, &src.parse().unwrap(), &dst.parse().unwrap())
        };
        assert_eq!(checked(1, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"), Ok(()));
        assert_eq!(checked(2, "(32, 64, 2) : (128, 2, 1)", "(32, 64, 2) : (128, 2, 1)"), Ok(()));
        let refused = |count, src, dst| checked(count, src, dst).unwrap_err();
        assert_eq!(
            refused(3, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"),
            "got tile_iters 3, expected at most 2, the iters of the layouts"
        );
        assert_eq!(
            refused(2, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"),
            "got leading extents [4, 8] and [4, 2], expected the same"
        );
        assert_eq!(
            refused(1, "(4096, 2) : (2, 1)", "(4096, 2) : (2, 1)"),
            "got leading extents [4096], expected at most 2048 instructions"
        );
    }
}
