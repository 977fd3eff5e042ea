//! The shared memory that `wgmma.mma_async` and `tcgen05.mma` read, according to their matrix descriptors.
//!
//! An operand consists of blocks of eight lines: rows, or columns where it is transposed. A line has 16 bytes without a
//! swizzle, and otherwise as many bytes as the swizzle spans. The table names the field that holds the distance to the
//! next block:
//!
//! ```text
//!                   next eight rows      across          transposed: along the rows   next eight columns
//!   no swizzle      stride               leading         stride                       leading
//!   a swizzle       stride               in the block    leading                      stride
//! ```

use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::{MatrixDescriptor, SwizzleMode};

use crate::sync::shift::Shift;

/// The bytes of an operand along K, such as 16 elements of 16 bits.
pub(super) const ROW: i64 = 32;

/// The lines of a block: rows, or columns.
const LINES: i64 = 8;

/// A matrix descriptor whose start may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    matrix: MatrixDescriptor,
}

impl Descriptor {
    /// The descriptor of `wgmma` with these 64 bits.
    pub fn new(bits: u64) -> Self {
        Descriptor { matrix: MatrixDescriptor::of_wgmma(bits) }
    }

    /// The descriptor of `tcgen05.mma` with these 64 bits; `None` where their version or fields are not supported.
    pub fn of_tensor(bits: u64) -> Option<Self> {
        let matrix = MatrixDescriptor::of_tcgen05(bits)?;
        let others = matrix.base_offset != 0 || matrix.leading_is_address;
        let known = SwizzleMode::of_chunks().any(|mode| mode == matrix.swizzle);
        (known && !others).then_some(Descriptor { matrix })
    }

    /// The start address in bytes, as given by the bits.
    pub fn begin(self) -> i64 {
        self.matrix.start * UNIT_BYTES
    }

    /// The byte ranges that an operand of `rows` rows at `begin`, moved by `shift`, reads. With a swizzle, each block
    /// counts as read as a whole. `None` where a swizzled operand may start anywhere within a line.
    pub fn bytes(self, rows: i64, transposed: bool, begin: i64, shift: &Shift) -> Option<Vec<(i64, i64)>> {
        let MatrixDescriptor { leading, stride, swizzle, .. } = self.matrix;
        let (leading, stride, line) = (leading * UNIT_BYTES, stride * UNIT_BYTES, swizzle.row_bytes());
        let plain = swizzle == SwizzleMode::None;
        let (along, across) = match (transposed, plain) {
            (false, true) => ((rows / LINES, stride), (ROW / UNIT_BYTES, leading)),
            (false, false) => ((rows / LINES, stride), (1, 0)),
            (true, true) => ((rows / LINES, stride), (ROW / UNIT_BYTES, leading)),
            (true, false) => (((2 * rows + line - 1) / line, leading), (ROW / UNIT_BYTES, stride)),
        };
        if !plain && !shift.is_multiple_of(line) {
            return None;
        }
        let first = if plain { begin } else { begin - begin.rem_euclid(line) };
        let block = |i: i64, j: i64| {
            let begin = first + i * along.1 + j * across.1;
            (begin, begin + LINES * line)
        };
        Some((0..along.0).flat_map(|i| (0..across.0).map(move |j| block(i, j))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(leading: u64, stride: u64, swizzle: u64) -> Descriptor {
        Descriptor::new(leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62)
    }

    fn bytes(descriptor: Descriptor, rows: i64, transposed: bool, begin: i64) -> Vec<(i64, i64)> {
        descriptor.bytes(rows, transposed, begin, &Shift::none()).unwrap()
    }

    #[test]
    fn blocks_are_where_the_descriptor_says() {
        assert_eq!(bytes(descriptor(128, 256, 0), 16, false, 0), [(0, 128), (128, 256), (256, 384), (384, 512)]);
        assert_eq!(bytes(descriptor(16, 1024, 1), 16, false, 2080), [(2048, 3072), (3072, 4096)]);
        assert_eq!(bytes(descriptor(16, 256, 3), 8, false, 0), [(0, 256)]);
        // 64 rows fill one line of 128 bytes, and 16 columns fill two blocks.
        assert_eq!(bytes(descriptor(4096, 1024, 1), 64, true, 0), [(0, 1024), (1024, 2048)]);
        assert_eq!(bytes(descriptor(4096, 1024, 2), 64, true, 0), [(0, 512), (1024, 1536), (4096, 4608), (5120, 5632)]);
        assert_eq!(bytes(descriptor(512, 128, 0), 16, true, 0), [(0, 128), (512, 640), (128, 256), (640, 768)]);
    }

    #[test]
    fn those_of_tcgen05_have_more_fields() {
        let bits = 1024 >> 4 << 32 | 1 << 46 | 1 << 62;
        let found = Descriptor::of_tensor(bits).unwrap();
        assert_eq!(bytes(found, 16, false, 0), [(0, 1024), (1024, 2048)]);
        for at in [46, 47, 49, 52, 61] {
            assert_eq!(Descriptor::of_tensor(bits ^ 1 << at), None, "bit {at}");
        }
    }

    #[test]
    fn what_moves_inside_of_a_line_is_not_known() {
        let by = |step| Shift { fixed: [(0, step)].into(), ..Shift::none() };
        assert_eq!(descriptor(16, 1024, 1).bytes(8, false, 0, &by(32)), None);
        assert_eq!(descriptor(16, 1024, 1).bytes(8, false, 0, &Shift::unknown()), None);
        assert_eq!(descriptor(16, 1024, 1).bytes(8, false, 0, &by(8192)), Some(vec![(0, 1024)]));
        assert_eq!(descriptor(16, 128, 0).bytes(8, false, 0, &by(32)), Some(vec![(0, 128), (16, 144)]));
    }
}
