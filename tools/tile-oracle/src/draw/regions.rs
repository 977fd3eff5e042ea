//! What a region is made of besides its begin: a mask, where it leaves its buffer; views that it is named by.

use super::Draft;
use crate::ast::{Expr, Region, Source, Space, View};
use crate::layout::{Axis, Layout};

impl Draft {
    /// Moves regions here and there beyond an end of their buffer; what fills, if anything does.
    pub(super) fn masked(&mut self, src: &mut Region, dst: &mut Region) -> Option<u64> {
        for region in [src, dst] {
            let buffer = &self.program.buffers[region.buffer];
            // Registers that are spread over threads have all of a dimension.
            let rare = buffer.space == Space::Local;
            if self.rng.once_in(3) || rare && !self.rng.once_in(8) {
                continue;
            }
            if region.begin.is_empty() {
                region.begin = vec![Expr::Const(0); region.extent.len()];
            }
            for (begin, &extent) in region.begin.iter_mut().zip(&region.extent) {
                if extent == 1 || self.rng.once_in(3) {
                    continue;
                }
                let by = self.rng.below(extent + extent / 2) - extent / 2;
                *begin = match begin.clone() {
                    Expr::Const(value) => Expr::Const(value + by),
                    other => other.plus(Expr::Const(by)),
                };
            }
        }
        self.rng.once_in(2).then(|| if self.rng.once_in(2) { 0 } else { self.rng.below(0x38) as u64 })
    }

    /// Names regions by views, one copy in four.
    pub(super) fn views(&mut self, src: &mut Region, dst: &mut Region) {
        if !self.rng.once_in(4) {
            return;
        }
        let all: Vec<i64> = src.extent.iter().copied().filter(|extent| *extent != 1).collect();
        let same = src.extent == dst.extent || src.extent == all && dst.extent == all;
        if same && self.rng.once_in(3) && self.is_plain(src) && self.is_plain(dst) {
            let mut order: Vec<usize> = (0..src.extent.len()).collect();
            self.rng.shuffle(&mut order);
            src.view = View::Turned(order.clone());
            dst.view = View::Turned(order);
            return;
        }
        for region in [src, dst] {
            let cast = self.casts(region);
            region.view = match self.rng.below(4) {
                0 if self.is_plain(region) => View::Part,
                1 if self.is_plain(region) => View::Flat,
                2 | 3 if cast => View::Cast,
                _ => View::Written,
            };
        }
    }

    /// Has the buffer one digit for each dimension, in memory, so that the type of a part is plain?
    fn is_plain(&self, region: &Region) -> bool {
        let buffer = &self.program.buffers[region.buffer];
        let Layout { digits, replica, offset, .. } = &buffer.layout;
        let own = digits
            .iter()
            .zip(&buffer.shape)
            .all(|(digit, &extent)| digit.extent == extent && digit.axis == Axis::Memory && digit.stride >= 0);
        let open = matches!(buffer.source, Source::Open { .. });
        buffer.space != Space::Local
            && own
            && digits.len() == buffer.shape.len()
            && !open
            && replica.is_empty()
            && offset.is_empty()
    }

    /// Is there a cast to another type?
    fn casts(&self, region: &Region) -> bool {
        let buffer = &self.program.buffers[region.buffer];
        let open = matches!(buffer.source, Source::Open { .. });
        open || buffer.space == Space::Global && self.is_plain(region) && buffer.layout.swizzle.is_none()
    }
}
