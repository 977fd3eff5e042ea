//! Cutting the iters at the boundaries of a shape.

use crate::check::product;
use crate::{Axis, Iter, Layout, LayoutError};

impl Layout {
    /// The same layout with one block of iters per dimension of `shape`, and the separators of the blocks:
    /// block `d` is `shard[seps[d]..seps[d + 1]]`.
    ///
    /// Iters are split where a boundary falls inside one, never joined; unit iters are kept only where the shape has a
    /// unit dimension, which always receives an iter.
    ///
    /// ```text
    ///   (64, 8) : (8, 1)  by (16, 4, 8)   ->   (16, 4, 8) : (32, 8, 1)    separators 0 1 2 3
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::SizeMismatch`] and [`LayoutError::BadShape`] for a shape that does not fit or is malformed;
    /// [`LayoutError::NotGroupable`] when a boundary does not divide; and whatever makes the layout malformed.
    pub fn group(&self, shape: &[i64]) -> Result<(Layout, Vec<usize>), LayoutError> {
        self.expect_shape(shape)?;
        let mut cutter = Cutter::new(&self.shard);
        let mut shard = Vec::with_capacity(self.shard.len().max(shape.len()));
        let mut seps = Vec::with_capacity(shape.len() + 1);
        seps.push(0);
        for (dim, &extent) in shape.iter().enumerate() {
            cutter.take(dim, extent, &mut shard)?;
            seps.push(shard.len());
        }
        Ok((Layout { shard, ..self.clone() }, seps))
    }
}

/// Takes iters off the front of a list, splitting the current one where needed.
struct Cutter<'a> {
    rest: &'a [Iter],
    /// The rest of the first iter of `rest`.
    current: Option<Iter>,
}

impl<'a> Cutter<'a> {
    fn new(iters: &'a [Iter]) -> Self {
        Cutter { rest: iters, current: iters.first().copied() }
    }

    fn advance(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
        self.current = self.rest.first().copied();
    }

    /// Moves iters with `extent` positions in all to `into`.
    fn take(&mut self, dim: usize, extent: i64, into: &mut Vec<Iter>) -> Result<(), LayoutError> {
        if extent == 1 {
            into.push(self.unit(into.last())?);
            return Ok(());
        }
        let mut needed = extent;
        while needed > 1 {
            // The sizes agree, so iters remain as long as positions are needed.
            let Some(iter) = self.current else { break };
            if iter.extent == 1 {
                self.advance();
            } else if needed % iter.extent == 0 {
                into.push(iter);
                needed /= iter.extent;
                self.advance();
            } else if iter.extent % needed == 0 {
                let inside = iter.extent / needed;
                into.push(Iter::new(needed, product(iter.stride, inside)?, iter.axis));
                self.current = Some(Iter::new(inside, iter.stride, iter.axis));
                needed = 1;
            } else {
                return Err(LayoutError::NotGroupable { dim, needed, iter });
            }
        }
        Ok(())
    }

    /// The iter of a unit dimension: the current iter if it is a unit, otherwise a new one next to the current iter.
    fn unit(&mut self, previous: Option<&Iter>) -> Result<Iter, LayoutError> {
        match self.current {
            Some(iter) if iter.extent == 1 => {
                self.advance();
                Ok(iter)
            }
            Some(iter) => Ok(Iter::new(1, product(iter.stride, iter.extent)?, iter.axis)),
            None => Ok(Iter::new(1, 1, previous.map_or(Axis::Memory, |iter| iter.axis))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(iters: &[(i64, i64)]) -> Layout {
        Layout::new(iters.iter().map(|&(extent, stride)| Iter::memory(extent, stride)).collect::<Vec<_>>())
    }

    #[test]
    fn splits_at_boundaries() {
        let cut = memory(&[(16, 32), (4, 8), (8, 1)]);
        assert_eq!(memory(&[(64, 8), (8, 1)]).group(&[16, 4, 8]), Ok((cut.clone(), vec![0, 1, 2, 3])));
        assert_eq!(memory(&[(512, 1)]).group(&[16, 4, 8]), Ok((cut, vec![0, 1, 2, 3])));
    }

    #[test]
    fn joins_nothing() {
        let tiled = memory(&[(4, 128), (8, 16), (16, 1)]);
        assert_eq!(tiled.group(&[32, 16]), Ok((tiled, vec![0, 2, 3])));
    }

    #[test]
    fn refuses_uneven_boundaries() {
        let error = memory(&[(4, 6), (6, 1)]).group(&[3, 8]).unwrap_err();
        assert!(error.to_string().contains("can not be grouped by shape"), "{error}");
        let error = memory(&[(4, 6), (6, 1)]).group(&[3, 9]).unwrap_err();
        assert_eq!(error.to_string(), "got a shape of 27 elements; expected the layout's 24");
    }

    #[test]
    fn units_get_an_iter() {
        let (grouped, seps) = memory(&[(8, 1)]).group(&[1, 2, 1, 4, 1]).unwrap();
        assert_eq!(grouped.shard.iter().map(|iter| iter.extent).collect::<Vec<_>>(), [1, 2, 1, 4, 1]);
        assert_eq!(seps, [0, 1, 2, 3, 4, 5]);
        let lone = Layout::new([Iter::new(1, 5, Axis::LaneId), Iter::memory(8, 1)]);
        assert_eq!(lone.group(&[1, 8]), Ok((lone.clone(), vec![0, 1, 2])));
        assert_eq!(Layout::default().group(&[1]), Ok((memory(&[(1, 1)]), vec![0, 1])));
    }
}
