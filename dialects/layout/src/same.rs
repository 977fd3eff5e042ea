//! Whether two layouts give the elements of a shape the same locations, and the run-time numbers for which they do.

use std::collections::BTreeMap;

use crate::{Axis, Fusion, Iter, Layout, OPEN};

/// The conditions under which two layouts give all elements the same locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// For run-time strides of the first layout, the run-time strides of the second that they equal.
    pub renamed: BTreeMap<Axis, Axis>,
    /// For run-time strides of the first layout, their values according to the second.
    pub stated: BTreeMap<Axis, i64>,
    /// For run-time strides of the second layout, their values according to the first.
    pub forgotten: BTreeMap<Axis, i64>,
}

impl Agreement {
    /// Whether the two agree for all run-time values.
    pub fn is_exact(&self) -> bool {
        self.stated.is_empty() && self.forgotten.is_empty()
    }

    fn strides(&mut self, a: (i64, Axis), b: (i64, Axis)) -> Option<()> {
        let one = |steps: i64, stride: i64| (steps != 0 && stride % steps == 0).then(|| stride / steps);
        let (bound, agreed) = match (a, b) {
            ((a, from), (b, to)) if from.stride_index().is_some() && to.stride_index().is_some() => {
                let taken = self.renamed.iter().any(|(&other, &known)| known == to && other != from);
                (*self.renamed.entry(from).or_insert(to) == to && !taken, a == b)
            }
            ((a, axis), (b, Axis::Memory)) if axis.stride_index().is_some() => {
                let stride = one(a, b)?;
                (*self.stated.entry(axis).or_insert(stride) == stride, true)
            }
            ((a, Axis::Memory), (b, axis)) if axis.stride_index().is_some() => {
                let stride = one(b, a)?;
                (*self.forgotten.entry(axis).or_insert(stride) == stride, true)
            }
            (a, b) => (true, a == b),
        };
        (bound && agreed).then_some(())
    }
}

impl Layout {
    /// The conditions under which every element has the same location in both layouts; `None` where there are none. An
    /// extent that is open in one of the shapes is taken from the other.
    pub fn agreement(&self, shape: &[i64], other: &Layout, other_shape: &[i64]) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        let fit = |(&a, &b): (&i64, &i64)| a == b || a == OPEN || b == OPEN;
        if shape.len() != other_shape.len() || !shape.iter().zip(other_shape).all(fit) {
            return None;
        }
        match (self.dimensions(shape), other.dimensions(other_shape)) {
            (Ok(mine), Ok(theirs)) => {
                for (mine, theirs) in mine.iter().zip(&theirs) {
                    agreement = dimension(mine, theirs, agreement)?;
                }
            }
            // The iters cannot be divided among the dimensions: compare the canonical shards.
            _ if shape == other_shape && !shape.contains(&OPEN) => {
                let [mine, theirs] = [self, other].map(|layout| layout.canonicalize(Fusion::None).shard);
                agreement = dimension(&mine, &theirs, agreement)?;
            }
            _ => return None,
        }
        self.same_but_for_shard(other).then_some(agreement)
    }

    /// Whether replica, offset and swizzle are the same.
    fn same_but_for_shard(&self, other: &Layout) -> bool {
        let beside = |layout: &Layout| {
            let layout = Layout { shard: Vec::new(), ..layout.clone() }.canonicalize(Fusion::None);
            (layout.replica, layout.offset, layout.swizzle)
        };
        beside(self) == beside(other)
    }
}

fn dimension(mine: &[Iter], theirs: &[Iter], mut agreement: Agreement) -> Option<Agreement> {
    let [mine, theirs] = [mine, theirs].map(|iters| iters.iter().filter(|iter| iter.extent != 1).collect::<Vec<_>>());
    if let ([], [open]) | ([open], []) = (&mine[..], &theirs[..])
        && open.extent == OPEN
    {
        return Some(agreement);
    }
    if mine.len() != theirs.len() {
        return None;
    }
    for (a, b) in mine.into_iter().zip(theirs) {
        if a.extent != b.extent && a.extent != OPEN && b.extent != OPEN {
            return None;
        }
        agreement.strides((a.stride, a.axis), (b.stride, b.axis))?;
    }
    Some(agreement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(a: &str, b: &str, shape: &[i64]) -> Option<Agreement> {
        let [a, b] = [a, b].map(|text| text.parse::<Layout>().expect("a layout"));
        a.agreement(shape, &b, shape)
    }

    #[test]
    fn spellings_of_one_layout_agree() {
        let exact = |a, b, shape: &[i64]| agreement(a, b, shape).is_some_and(|found| found.is_exact());
        assert!(exact("(64, 64) : (64, 1)", "(4096) : (1)", &[64, 64]));
        assert!(exact("(4, 8, 1) : (8, 1, 7)", "(32) : (1)", &[4, 8]));
        assert!(exact("(8, 3) : (3, 1)", "(24) : (1)", &[4, 6]));
        assert!(!exact("(64, 64) : (64, 1)", "(64, 64) : (1, 64)", &[64, 64]));
        assert!(!exact("(8) : (1) + 3", "(8) : (1)", &[8]));
        assert!(!exact("(64) : (1), swizzle<base = 3, bits = 1, shift = 3>", "(64) : (1)", &[64]));
    }

    #[test]
    fn run_time_strides_are_renamed_stated_and_forgotten() {
        let renamed = agreement("(4, 8) : (1@s0, 1@s1)", "(4, 8) : (1@s1, 1@s0)", &[4, 8]).unwrap();
        assert!(renamed.is_exact() && renamed.renamed[&Axis::S0] == Axis::S1);
        assert_eq!(agreement("(4, 8) : (1@s0, 1@s1)", "(4, 8) : (1@s0, 1@s0)", &[4, 8]), None);
        let stated = agreement("(4, 8) : (1@s0, 1)", "(4, 8) : (16, 1)", &[4, 8]).unwrap();
        assert_eq!(stated.stated, BTreeMap::from([(Axis::S0, 16)]));
        let forgotten = agreement("(4, 8) : (16, 1)", "(4, 8) : (1@s0, 1)", &[4, 8]).unwrap();
        assert_eq!(forgotten.forgotten, BTreeMap::from([(Axis::S0, 16)]));
        assert_eq!(agreement("(2, 4, 8) : (1@s0, 8, 1)", "(2, 4, 8) : (16, 1@s0, 1)", &[2, 4, 8]), {
            let stated = BTreeMap::from([(Axis::S0, 16)]);
            let forgotten = BTreeMap::from([(Axis::S0, 8)]);
            Some(Agreement { renamed: BTreeMap::new(), stated, forgotten })
        });
    }

    #[test]
    fn open_extents_are_any_number() {
        let open = Layout::new([Iter::new(OPEN, 1, Axis::S0), Iter::memory(64, 1)]);
        let rows: Layout = "(16, 64) : (80, 1)".parse().unwrap();
        let found = open.agreement(&[OPEN, 64], &rows, &[16, 64]).unwrap();
        assert_eq!(found.stated, BTreeMap::from([(Axis::S0, 80)]));
        assert!(open.agreement(&[OPEN, 64], &rows, &[16, 32]).is_none());
        let row: Layout = "(1, 64) : (80, 1)".parse().unwrap();
        assert!(open.agreement(&[OPEN, 64], &row, &[1, 64]).unwrap().is_exact());
    }
}
