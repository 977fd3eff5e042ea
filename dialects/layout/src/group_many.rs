//! Cutting the iters at the boundaries of several shapes together.

use std::collections::BTreeMap;

use crate::{Layout, LayoutError};

/// The boundaries of some shapes: for the number of elements inside each, the most unit dimensions of any shape there.
type Boundaries = BTreeMap<i64, usize>;

impl Layout {
    /// The same layout cut at the boundaries of every shape, and for each shape the separators of its blocks.
    ///
    /// ```text
    ///   (64, 8) : (8, 1)  by (16, 32) and (4, 4, 4, 8)
    ///        ->   (4, 4, 4, 8) : (128, 32, 8, 1)    separators 0 2 4 and 0 1 2 3 4
    /// ```
    ///
    /// Each unit dimension receives an iter; where shapes have different numbers of them, those that a shape does not
    /// have belong to its preceding block.
    ///
    /// # Errors
    /// As [`Layout::group`], and [`LayoutError::NoRefinement`] when the boundaries of two shapes do not divide each
    /// other, as in (2, 3) and (3, 2).
    pub fn group_many(&self, shapes: &[&[i64]]) -> Result<(Layout, Vec<Vec<usize>>), LayoutError> {
        self.check_numbers()?;
        let mut boundaries = Boundaries::from([(1, 0), (self.size(), 0)]);
        for shape in shapes {
            self.expect_shape(shape)?;
            for (inside, units) in units_at(shape) {
                let most = boundaries.entry(inside).or_default();
                *most = units.max(*most);
            }
        }
        let (refined, positions) = refine(&boundaries)?;
        let (grouped, seps) = self.group(&refined)?;
        let starts = |shape: &&[i64]| cut_positions(shape, &positions).into_iter().map(|cut| seps[cut]).collect();
        Ok((grouped, shapes.iter().map(starts).collect()))
    }
}

/// The boundaries of one shape with its unit dimensions at each: (2, 1, 4) has 8 (0), 4 (1) and 1 (0).
fn units_at(shape: &[i64]) -> Boundaries {
    let mut inside = 1;
    let mut boundaries = Boundaries::from([(1, 0)]);
    for &extent in shape.iter().rev() {
        inside *= extent;
        let units = boundaries.entry(inside).or_default();
        *units += usize::from(extent == 1);
    }
    boundaries
}

/// The position of each boundary in the refined shape, after its unit dimensions.
type Positions = BTreeMap<i64, usize>;

/// The shape with all boundaries.
fn refine(boundaries: &Boundaries) -> Result<(Vec<i64>, Positions), LayoutError> {
    let mut shape = Vec::new();
    let mut positions = Positions::new();
    let mut outside: Option<i64> = None;
    for (&inner, &units) in boundaries.iter().rev() {
        if let Some(outer) = outside {
            if outer % inner != 0 {
                return Err(LayoutError::NoRefinement { inner, outer });
            }
            shape.push(outer / inner);
        }
        shape.extend(std::iter::repeat_n(1, units));
        positions.insert(inner, shape.len());
        outside = Some(inner);
    }
    Ok((shape, positions))
}

/// The positions in the refined shape at which the dimensions of `shape` start and end.
fn cut_positions(shape: &[i64], positions: &Positions) -> Vec<usize> {
    let mut inside = 1;
    let mut own_units = 0;
    let mut cuts: Vec<usize> = Vec::with_capacity(shape.len() + 1);
    let last_position = |inside: i64| positions.get(&inside).copied().unwrap_or(0);
    cuts.push(last_position(1));
    for &extent in shape.iter().rev() {
        inside *= extent;
        own_units = if extent == 1 { own_units + 1 } else { 0 };
        cuts.push(last_position(inside).saturating_sub(own_units));
    }
    if !shape.is_empty() {
        cuts[shape.len()] = 0;
    }
    cuts.reverse();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Iter;

    #[test]
    fn cuts_at_every_boundary() {
        let layout = Layout::new([Iter::memory(64, 8), Iter::memory(8, 1)]);
        let cut = [(4, 128), (4, 32), (4, 8), (8, 1)].map(|(extent, stride)| Iter::memory(extent, stride));
        assert_eq!(
            layout.group_many(&[&[16, 32], &[4, 4, 4, 8]]),
            Ok((Layout::new(cut), vec![vec![0, 2, 4], vec![0, 1, 2, 3, 4]]))
        );
    }

    #[test]
    fn places_units() {
        let layout = Layout::new([Iter::memory(8, 1)]);
        let (grouped, seps) = layout.group_many(&[&[2, 1, 4], &[2, 4], &[1, 8, 1], &[8]]).unwrap();
        assert_eq!(grouped.shard.iter().map(|iter| iter.extent).collect::<Vec<_>>(), [1, 2, 1, 4, 1]);
        assert_eq!(seps, [vec![0, 2, 3, 5], vec![0, 3, 5], vec![0, 1, 4, 5], vec![0, 5]]);
    }

    #[test]
    fn refuses_shapes_that_cross() {
        let layout = Layout::new([Iter::memory(6, 1)]);
        assert!(matches!(
            layout.group_many(&[&[2, 3], &[3, 2]]),
            Err(LayoutError::NoRefinement { inner: 2, outer: 3 })
        ));
    }
}
