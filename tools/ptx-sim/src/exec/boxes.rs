//! Where the bytes of a box are in global and in shared memory.
//!
//! ```text
//! global                           shared, 64-byte swizzle
//!   . . . . . . .    row -1        fill fill fill     a row that is not in the tensor
//!   c0 c1 c2 c3      row  0        c0   c1   c2   gap a span of 64 bytes, of which rows of 48 bytes leave a gap
//!   c0 c1 c2 c3      row  1        c0   c1   c2   gap 16-byte chunks are permuted by the bits of the address
//! ```

use crate::tensor_map::{Im2col, TensorMap, TiledMap};

/// Bytes that are contiguous in both memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The address in global memory; none outside the tensor.
    pub(super) global: Option<u64>,
    /// The address in shared memory.
    pub(super) shared: u64,
    pub(super) bytes: u64,
}

/// How a row ends where the tensor does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With the tensor's last element: of loads.
    Element,
    /// With the 16 bytes that contain it: of stores, on an H100.
    Chunk,
}

/// The rows of a box, in the order in which they stand in shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rows {
    /// The first coordinate.
    column: i64,
    /// The address of the tensor's row that contains the row; none outside the tensor.
    starts: Vec<Option<u64>>,
}

/// The 16 bytes that swizzles move as one.
const CHUNK: u64 = 16;

impl Rows {
    /// The rows of the box with this corner.
    pub(super) fn of_tile(map: &TensorMap, corner: &[i64]) -> Self {
        let mut starts = vec![Some(map.arguments().base)];
        for (dimension, &first) in corner.iter().enumerate().skip(1) {
            let stride = i64::from(map.arguments().element_strides[dimension]);
            let steps = 0..map.box_extent(dimension) as i64;
            let inner = &starts;
            let rows = steps.flat_map(|step| {
                let position = first + step * stride;
                inner.iter().map(move |start| advance(map.arguments(), *start, dimension, position))
            });
            starts = rows.collect();
        }
        Self { column: corner[0], starts }
    }

    /// These four rows of a tensor of two dimensions.
    pub(super) fn of_four(map: &TensorMap, column: i64, rows: &[i64]) -> Self {
        let base = Some(map.arguments().base);
        let starts = rows.iter().map(|&row| advance(map.arguments(), base, 1, row)).collect();
        Self { column, starts }
    }

    /// The pixels from `corner` on, moved by the offsets of a filter: those of the box, then those of the next images.
    pub(super) fn of_pixels(map: &TensorMap, im2col: &Im2col, corner: &[i64], filter: &[i64]) -> Self {
        let fields = map.arguments();
        let mut at = corner[1..].to_vec();
        let images = at.len() - 1;
        let mut starts = Vec::new();
        for _ in 0..im2col.pixels {
            let mut moved = (1..).zip(at.iter().enumerate().map(|(place, at)| at + filter.get(place).unwrap_or(&0)));
            starts.push(moved.try_fold(fields.base, |start, (dimension, position)| {
                advance(fields, Some(start), dimension, position)
            }));
            let ended = (0..images).find(|&place| {
                let positions = im2col.positions(place, fields.dims[place + 1]);
                at[place] += i64::from(fields.element_strides[place + 1]);
                let inside = at[place] < positions.end;
                at[place] = if inside { at[place] } else { positions.start };
                inside
            });
            at[images] += i64::from(ended.is_none());
        }
        Self { column: corner[0], starts }
    }

    /// Bytes of all elements, also of those outside the tensor.
    pub(super) fn bytes(&self, map: &TensorMap) -> u64 {
        self.starts.len() as u64 * row_bytes(map)
    }

    /// Bytes from the first to the last one in shared memory, with the gap behind the last row.
    pub(super) fn extent(&self, map: &TensorMap) -> u64 {
        self.starts.len() as u64 * pitch(map)
    }

    /// The runs of a box at this address of shared memory.
    pub(super) fn runs(&self, map: &TensorMap, shared: u64, end: End) -> Vec<Run> {
        let size = map.arguments().element.bytes();
        let (extent, dim) = (map.box_extent(0) as i64, map.arguments().dims[0] as i64);
        let first = (-self.column).clamp(0, extent) as u64 * size;
        let last = match ((dim - self.column).clamp(0, extent) as u64 * size, end) {
            (last, End::Element) => last,
            (last, End::Chunk) => last.next_multiple_of(CHUNK),
        };
        let mut runs = Vec::new();
        for (row, start) in (0..).zip(&self.starts) {
            let at = shared + row * pitch(map);
            let inside = |start: u64| start.wrapping_add_signed(self.column * size as i64);
            match start.map(inside).filter(|_| first < last) {
                None => split(map, &mut runs, at, 0..row_bytes(map), None),
                Some(start) => {
                    split(map, &mut runs, at, 0..first, None);
                    split(map, &mut runs, at, first..last, Some(start));
                    split(map, &mut runs, at, last..row_bytes(map), None);
                }
            }
        }
        runs
    }
}

/// The start of a row at `position` of a dimension; none outside the tensor.
fn advance(map: &TiledMap, start: Option<u64>, dimension: usize, position: i64) -> Option<u64> {
    let position = u64::try_from(position).ok().filter(|&position| position < map.dims[dimension])?;
    Some(start?.wrapping_add(position.wrapping_mul(map.strides[dimension - 1])))
}

fn row_bytes(map: &TensorMap) -> u64 {
    map.box_extent(0) * map.arguments().element.bytes()
}

/// Bytes from one row to the next in shared memory.
fn pitch(map: &TensorMap) -> u64 {
    map.arguments().swizzle.span().unwrap_or_else(|| row_bytes(map))
}

/// Adds these bytes of a row that starts at `at` in shared memory, and, unless it is outside the tensor, at `start` in
/// global memory.
fn split(map: &TensorMap, runs: &mut Vec<Run>, at: u64, bytes: std::ops::Range<u64>, start: Option<u64>) {
    let mut from = bytes.start;
    while from < bytes.end {
        let to = bytes.end.min((from / CHUNK + 1) * CHUNK);
        let shared = map.arguments().swizzle.apply(at + from);
        let run = Run { global: start.map(|start| start.wrapping_add(from)), shared, bytes: to - from };
        match runs.last_mut().filter(|last| continues(last, &run)) {
            Some(last) => last.bytes += run.bytes,
            None => runs.push(run),
        }
        from = to;
    }
}

/// Whether `next` follows `last` in both memories.
fn continues(last: &Run, next: &Run) -> bool {
    let after = |address: u64| address.wrapping_add(last.bytes);
    last.shared + last.bytes == next.shared && last.global.map(after) == next.global
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::{Swizzle, TensorElement};

    const BASE: u64 = 0x1000;

    fn map(swizzle: Swizzle, dims: &[u64], strides: &[u64], box_dims: &[u32]) -> TensorMap {
        let map = TiledMap::new(TensorElement::U16, BASE, dims, strides, box_dims);
        TensorMap::tiled(TiledMap { swizzle, ..map }).unwrap()
    }

    fn run(global: impl Into<Option<u64>>, shared: u64, bytes: u64) -> Run {
        Run { global: global.into().map(|at: u64| BASE + at), shared, bytes }
    }

    #[test]
    fn contiguous_rows_are_one_run() {
        let map = map(Swizzle::None, &[16, 8, 4], &[32, 256], &[16, 8, 2]);
        let rows = Rows::of_tile(&map, &[0, 0, 1]);
        assert_eq!((rows.bytes(&map), rows.extent(&map)), (512, 512));
        assert_eq!(rows.runs(&map, 128, End::Element), [run(256, 128, 512)]);
    }

    #[test]
    fn what_is_outside_is_filled() {
        let map = map(Swizzle::None, &[20, 3], &[64], &[16, 2]);
        let runs = |corner: &[i64]| Rows::of_tile(&map, corner).runs(&map, 0, End::Element);
        assert_eq!(runs(&[-8, -1]), [run(None, 0, 48), run(0, 48, 16)]);
        assert_eq!(runs(&[16, 1]), [run(96, 0, 8), run(None, 8, 24), run(160, 32, 8), run(None, 40, 24)]);
        assert_eq!(runs(&[24, 0]), [run(None, 0, 64)]);
        assert_eq!(runs(&[-16, 0]), [run(None, 0, 64)]);
        assert_eq!(runs(&[0, i64::from(i32::MAX)]), [run(None, 0, 64)]);
    }

    #[test]
    fn stores_end_with_a_chunk() {
        let map = map(Swizzle::None, &[20, 3], &[64], &[16, 2]);
        let runs = |corner: &[i64]| Rows::of_tile(&map, corner).runs(&map, 0, End::Chunk);
        assert_eq!(runs(&[16, 2]), [run(160, 0, 16), run(None, 16, 48)]);
        assert_eq!(runs(&[8, 2]), [run(144, 0, 32), run(None, 32, 32)]);
        assert_eq!(runs(&[24, 0]), [run(None, 0, 64)]);
    }

    #[test]
    fn chunks_are_permuted_by_the_address() {
        let map = map(Swizzle::B32, &[16, 8], &[32], &[16, 8]);
        // The address bit 7 changes the order of the two chunks of a row.
        let runs = Rows::of_tile(&map, &[0, 0]).runs(&map, 0, End::Element);
        assert_eq!(runs[..3], [run(0, 0, 128), run(128, 144, 16), run(144, 128, 16)]);
        let moved = Rows::of_tile(&map, &[0, 0]).runs(&map, 128, End::Element);
        assert_eq!(moved[..2], [run(0, 144, 16), run(16, 128, 16)]);
    }

    #[test]
    fn narrow_rows_stand_a_span_apart() {
        let map = map(Swizzle::B64, &[24, 4], &[48], &[24, 3]);
        let rows = Rows::of_tile(&map, &[0, 0]);
        assert_eq!((rows.bytes(&map), rows.extent(&map)), (144, 192));
        let expected = [run(0, 0, 48), run(48, 64, 48), run(96, 144, 16), run(112, 128, 16), run(128, 176, 16)];
        assert_eq!(rows.runs(&map, 0, End::Element), expected);
    }

    #[test]
    fn steps_leave_rows_out() {
        let map = TiledMap {
            element_strides: vec![2, 3],
            ..TiledMap::new(TensorElement::U16, BASE, &[64, 8], &[128], &[8, 7])
        };
        let map = TensorMap::tiled(map).unwrap();
        assert_eq!(map.box_bytes(), 48);
        let runs = Rows::of_tile(&map, &[0, -1]).runs(&map, 0, End::Element);
        assert_eq!(runs, [run(None, 0, 16), run(256, 16, 16), run(640, 32, 16)]);
    }

    /// Two images of 3x2 pixels, of which a filter of 2x2 sees one pixel around.
    #[test]
    fn pixels_of_a_box_and_of_the_next_image() {
        let im2col = Im2col { lower: vec![-1, -1], upper: vec![0, 0], pixels: 8 };
        let fields = TiledMap::new(TensorElement::U16, BASE, &[8, 3, 2, 2], &[16, 48, 96], &[8, 1, 1, 1]);
        let map = TensorMap::tiled(TiledMap { im2col: Some(im2col.clone()), ..fields.clone() }).unwrap();
        let starts = |map: &TensorMap, corner: &[i64], filter: &[i64]| {
            let rows = Rows::of_pixels(map, &im2col, corner, filter);
            rows.starts.iter().map(|start| start.map(|at| (at - BASE) / 16)).collect::<Vec<_>>()
        };
        let (first, on) = ([0, -1, -1, 0], [Some(0), Some(1), Some(2)]);
        let upper_left = [None, None, None, None, None, on[0], on[1], on[2]];
        assert_eq!(starts(&map, &first, &[0, 0]), upper_left);
        let lower_right = [on[0], on[1], on[2], None, Some(3), Some(4), Some(5), None];
        assert_eq!(starts(&map, &first, &[1, 1]), lower_right);
        // The last pixel of the first image, and the next image.
        assert_eq!(starts(&map, &[0, 2, 1, 0], &[1, 1])[..5], [None, Some(6), Some(7), Some(8), None]);
        // Two by two: -1 and 1, of which only the second are inside.
        let stepped =
            TensorMap::tiled(TiledMap { element_strides: vec![1, 2, 2, 1], ..map.arguments().clone() }).unwrap();
        assert_eq!(starts(&stepped, &first, &[0, 0])[..5], [None, None, None, Some(4), None]);
        let far = starts(&map, &[0, 2, 1, 1], &[0, 0]);
        assert_eq!(far, [Some(11), None, None, None, None, None, None, None]);
    }

    #[test]
    fn four_rows_in_any_order() {
        let map = map(Swizzle::None, &[64, 8], &[128], &[8, 1]);
        let rows = Rows::of_four(&map, 8, &[3, -1, 0, 8]);
        assert_eq!(
            rows.runs(&map, 0, End::Element),
            [run(400, 0, 16), run(None, 16, 16), run(16, 32, 16), run(None, 48, 16)]
        );
    }
}
