//! A region as a buffer of its own.
//!
//! ```text
//!   (3, 64, 64) : (4096, 64, 1), region [%k, 0, 32] [1, 64, 32]
//!     settled: (1, 64, 32) : (4096, 64, 1) + 32, origin %k * 4096, of which all is the region
//! ```

use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::problem::{Begin, Operand};
use crate::sides::region::moved_region;

impl Operand {
    /// The operand whose buffer is the region: where the region begins goes into the layout's offset, and into the origin what
    /// only the run knows of it. `which` is its side.
    ///
    /// # Errors
    /// As [`Operand::closed`]; `region-not-sliceable` for a region that no layout describes, `dynamic-begin-not-divisible` for
    /// one that begins inside an iter, `dynamic-begin-on-thread-axis`.
    pub fn settled(self, which: Which) -> Result<Operand, Refusal> {
        let operand = self.closed(which, &[])?;
        let (layout, origin) = moved_region(&operand, which)?;
        let begin = vec![Begin::Const(0); operand.extent.len()];
        Ok(Operand { layout, origin, begin, shape: operand.extent.clone(), ..operand })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::scope::Space;
    use tile_layout::Axis;

    #[test]
    fn a_stage_of_a_ring_is_a_tile() {
        let layout = "(3, 64, 64) : (4096, 64, 1), swizzle<3, 3, 3>".parse().unwrap();
        let mut ring = Operand::whole(Space::Shared, layout, &[3, 64, 64], 16);
        ring.begin = vec![Begin::Dynamic { value: 0, divisor: 1, residue: 0 }, Begin::Const(0), Begin::Const(32)];
        ring.extent = vec![1, 64, 32];
        let stage = ring.settled(Which::Src).unwrap();
        assert_eq!(stage.layout.offset_on(Axis::Memory), 32);
        assert!(stage.layout.swizzle.is_some());
        assert_eq!((stage.shape, stage.origin.len(), stage.origin[0].stride), (vec![1, 64, 32], 1, 4096));
    }

    #[test]
    fn a_begin_inside_an_iter_is_refused() {
        let layout = "(4, 16) : (1024, 8)".parse().unwrap();
        let mut blocks = Operand::whole(Space::Shared, layout, &[64], 16);
        blocks.begin = vec![Begin::Dynamic { value: 0, divisor: 8, residue: 0 }];
        blocks.extent = vec![16];
        assert_eq!(blocks.settled(Which::Dst).unwrap_err().cause, "dynamic-begin-not-divisible");
    }
}
