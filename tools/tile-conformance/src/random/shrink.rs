//! Shrinks a failing case to a smaller one that fails in the same way.

use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};

use crate::case::{Begin, Case, Side, View, Wording};

/// The smallest case found by simplifying `case` step by step, as long as it `fails`.
///
/// Steps that remove a condition, the variant's name, a run-time start, a replica, an offset or a swizzle come first,
/// then those that make memory dense and extents smaller.
pub fn shrink(case: &Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut smallest = case.clone();
    'again: loop {
        for candidate in simpler(&smallest) {
            if fails(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Cases that are one step simpler, the most promising first. Each step can be applied only finitely often.
fn simpler(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut Case)| {
        let mut candidate = case.clone();
        change(&mut candidate);
        if format!("{candidate:?}") != format!("{case:?}") {
            out.push(candidate);
        }
    };
    with(&|c| c.wording = Wording::default());
    with(&|c| c.wording.views.iter_mut().for_each(|views| views.retain(|view| *view != View::Cast)));
    with(&|c| c.wording.views.iter_mut().for_each(|views| views.truncate(1)));
    with(&|c| c.active.clear());
    with(&|c| c.enclosing.clear());
    with(&|c| c.forced = None);
    (0..case.enclosing.len()).for_each(|at| with(&|c| _ = c.enclosing.remove(at)));
    (0..case.active.len()).for_each(|at| with(&|c| _ = c.active.remove(at)));
    for source in [true, false] {
        let side = |c: &mut Case, change: &dyn Fn(&mut Side)| change(if source { &mut c.src } else { &mut c.dst });
        let dimensions = case.src.region.len().max(case.dst.region.len());
        with(&|c| side(c, &|s| s.begins.clear()));
        with(&|c| side(c, &|s| s.open.clear()));
        (0..dimensions).for_each(|at| with(&|c| side(c, &|s| written(s, at))));
        with(&|c| side(c, &|s| s.layout.replica.clear()));
        with(&|c| side(c, &|s| s.layout.swizzle = None));
        with(&|c| side(c, &|s| s.layout.offset.clear()));
        // With other wordings, statements about ends of buffers or plain layouts might no longer hold.
        if case.wording == Wording::default() {
            with(&|c| side(c, &whole));
            with(&|c| side(c, &dense));
        }
    }
    let dimensions = case.src.region.len().min(case.dst.region.len());
    for at in 0..dimensions {
        for divisor in [16, 4, 3, 2] {
            with(&|c| smaller(c, at, divisor));
        }
    }
    if case.src.space != Space::Local && case.dst.space != Space::Local {
        with(&|c| (c.scope, c.block) = (Scope::Warp, 32));
    }
    out
}

/// Makes the start of dimension `at` a literal.
fn written(side: &mut Side, at: usize) {
    if let Some(begin) = side.begins.get_mut(at) {
        *begin = Begin::Written;
    }
}

/// Reduces the buffer to the region alone, densely; registers stay unchanged. Divisors promised for a start also divide
/// 0.
fn whole(side: &mut Side) {
    if side.space == Space::Local {
        return;
    }
    side.shape = side.region.iter().map(|range| range.extent).collect();
    side.region = side.shape.iter().map(|&extent| Range::new(0, extent)).collect();
    side.layout = Layout { swizzle: side.layout.swizzle, ..Layout::row_major(&side.shape) };
    keep_promises(side);
}

/// Weakens promised divisors of strides that no longer hold for the layout.
fn keep_promises(side: &mut Side) {
    for (open, iter) in side.open.iter_mut().zip(&side.layout.shard) {
        open.stride = open.stride.map(|divisor| if iter.stride % divisor == 0 { divisor } else { 1 });
    }
}

/// Puts memory into the order of the tile.
fn dense(side: &mut Side) {
    if side.space != Space::Local {
        let (swizzle, offset) = (side.layout.swizzle, side.layout.offset.clone());
        side.layout = Layout { swizzle, offset, ..Layout::row_major(&side.shape) };
        keep_promises(side);
    }
}

/// Reduces dimension `at` of both sides, if `divisor` divides it on both; memory becomes dense.
fn smaller(case: &mut Case, at: usize, divisor: i64) {
    let fits = |side: &Side| side.region[at].extent == side.shape[at] && side.shape[at] % divisor == 0;
    let cut = |side: &Side| match side.space {
        Space::Local => first_digit(side, at, divisor),
        _ => Some(Layout { swizzle: side.layout.swizzle, ..Layout::row_major(&divided(&side.shape, at, divisor)) }),
    };
    if !fits(&case.src) || !fits(&case.dst) {
        return;
    }
    let (Some(src), Some(dst)) = (cut(&case.src), cut(&case.dst)) else { return };
    for (side, layout) in [(&mut case.src, src), (&mut case.dst, dst)] {
        side.shape = divided(&side.shape, at, divisor);
        side.region[at].extent /= divisor;
        side.layout = layout;
        keep_promises(side);
    }
}

fn divided(shape: &[i64], at: usize, divisor: i64) -> Vec<i64> {
    shape.iter().enumerate().map(|(d, &extent)| if d == at { extent / divisor } else { extent }).collect()
}

/// Registers with a shorter first (slowest) iter of dimension `at`. None if no iter starts at the dimension, or if its
/// extent is not a multiple.
fn first_digit(side: &Side, at: usize, divisor: i64) -> Option<Layout> {
    let before: i64 = side.shape[..at].iter().product();
    let mut layout = side.layout.clone();
    let mut passed = 1;
    for iter in &mut layout.shard {
        if passed == before && iter.extent > 1 {
            let fits = iter.extent % divisor == 0;
            iter.extent /= divisor;
            return fits.then_some(layout);
        }
        passed *= iter.extent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    /// Shrinks under a made-up defect, which needs a swizzled source and more than 100 elements.
    #[test]
    fn what_does_not_matter_is_left_out() {
        let fails = |case: &Case| case.src.layout.swizzle.is_some() && case.src.elements() > 100;
        let cases: Vec<Case> = (0..3000).map(|number| random::case(5, number)).filter(fails).collect();
        assert!(cases.len() > 100);
        for case in cases {
            let small = shrink(&case, fails);
            assert!(fails(&small), "{small:?}");
            assert!(small.active.is_empty() && small.enclosing.is_empty() && small.forced.is_none(), "{small:?}");
            assert!(small.src.begins.is_empty() && small.dst.layout.swizzle.is_none(), "{small:?}");
            for side in [&small.src, &small.dst] {
                assert_eq!(side.layout.validate(), Ok(()), "{small:?}");
                assert_eq!(side.layout.size(), side.shape.iter().product::<i64>(), "{small:?}");
            }
        }
    }

    #[test]
    fn what_matters_stays() {
        let case = random::case(5, 1);
        assert_eq!(format!("{:?}", shrink(&case, |_| false)), format!("{case:?}"));
    }
}
