//! The TMA engine: the bytes that the boxes of a plan move.
//!
//! An element of a box, at `n` in the box's order, is at
//!
//! ```text
//!   global   base + sum over dimensions of (coordinate + position) * stride; outside if any is outside of its extent
//!   shared   the box's address + row * pitch + column * size, of which the swizzle permutes 16-byte chunks
//! ```
//!
//! What is beyond documents was seen on an H200: rows of a box narrower than the swizzle's span stand a span apart; a first
//! coordinate or an address in shared memory off its alignment traps. On an H100: a store writes all of the 16 bytes that
//! contain a row's last element, although the others are outside of the tensor.

use tile_layout::Eval;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{Extent, Part, Stride, TensorMap};

/// A tensor element in shared memory, by its first byte from the storage's start, and the one in global memory, by its first
/// byte from the tensor's; `None` where that is outside of the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// In shared memory.
    pub shared: i64,
    /// In global memory.
    pub global: Option<i64>,
}

/// The run-time values of a copy.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Those of the tensor's operand.
    pub global: Vec<i64>,
    /// Those of the shared operand.
    pub shared: Vec<i64>,
    /// The extents of the tensor.
    pub extents: Vec<i64>,
    /// The run-time strides of the tensor, in elements.
    pub strides: Vec<i64>,
    /// The rows of the tensor that the copy names by their numbers.
    pub rows: Vec<i64>,
}

/// The coordinates of an instruction, with the numbers of its rows in place of the first of them.
///
/// # Errors
/// A row without a number.
pub fn coordinates(copy: &TensorMapCopy, issued: &[i64], values: &Values) -> Result<Vec<i64>, String> {
    let [column, row] = *issued else { return Ok(issued.to_vec()) };
    if copy.rows == 0 {
        return Ok(issued.to_vec());
    }
    let number = |row: i64| usize::try_from(row).ok().and_then(|row| values.rows.get(row).copied());
    let rows: Option<Vec<i64>> = (row..row + copy.rows).map(number).collect();
    Ok([vec![column], rows.ok_or_else(|| format!("row {row} has no number"))?].concat())
}

/// A map with its numbers.
struct Known<'m> {
    map: &'m TensorMap,
    extents: Vec<i64>,
    strides: Vec<i64>,
}

/// The extents and the strides of a map, in elements and in bytes.
pub fn numbers(map: &TensorMap, values: &Values) -> (Vec<i64>, Vec<i64>) {
    let extent = |extent: Extent| match extent {
        Extent::Const(extent) => extent,
        Extent::Of(dim) => values.extents.get(dim).copied().unwrap_or(0),
        Extent::Blocks { dimension, elements } => {
            values.extents.get(dimension).map_or(0, |&extent| (extent + elements - 1) / elements)
        }
    };
    let stride = |stride: Stride| match stride {
        Stride::Bytes(bytes) => bytes,
        Stride::Times { stride, bytes } => bytes * values.strides.get(stride).copied().unwrap_or(0),
    };
    (map.dims.iter().map(|dim| extent(dim.extent)).collect(), map.dims.iter().map(|dim| stride(dim.stride)).collect())
}

/// All elements that a plan moves.
///
/// # Errors
/// What the encoder refuses, and what the engine traps at.
pub fn moves(copy: &TensorMapCopy, values: &Values) -> Result<Vec<Move>, String> {
    encodable(copy, values)?;
    let mut moved = Vec::new();
    for part in &copy.parts {
        let (mut extents, strides) = numbers(&part.map, values);
        if let Some(row) = extents.first_mut().filter(|_| copy.form.is_store()) {
            let size = part.map.element.bytes();
            *row = (*row * size + 15) / 16 * 16 / size;
        }
        let known = Known { map: &part.map, extents, strides };
        for number in 0..part.boxes() {
            one_box(copy, part, &known, number, values, &mut moved)?;
        }
    }
    Ok(moved)
}

/// Checks what `cuTensorMapEncodeTiled` checks of the maps, with all numbers known.
///
/// # Errors
/// What it refuses.
pub fn encodable(copy: &TensorMapCopy, values: &Values) -> Result<(), String> {
    for part in &copy.parts {
        part.map.check().map_err(|refusal| refusal.reason)?;
        let (extents, strides) = numbers(&part.map, values);
        if let Some(stride) =
            strides.iter().skip(1).find(|&&stride| stride % 16 != 0 || !(0..1 << 40).contains(&stride))
        {
            return Err(format!("the encoder refuses a stride of {stride} bytes"));
        }
        if extents.iter().any(|extent| !(1..=1 << 32).contains(extent)) {
            return Err(format!("the encoder refuses extents of {extents:?}"));
        }
    }
    Ok(())
}

fn one_box(
    copy: &TensorMapCopy,
    part: &Part,
    known: &Known<'_>,
    number: i64,
    values: &Values,
    moved: &mut Vec<Move>,
) -> Result<(), String> {
    let lists = [&values.global[..], &values.shared[..]];
    let issue = part.issue(&mut Eval, number, &copy.shared, lists).map_err(|refusal| refusal.reason)?;
    let (size, element) = (known.map.element.bytes(), i64::from(copy.element_bits / 8));
    let start = issue.offset * element;
    if start % 128 != 0 {
        return Err(format!("trap: misaligned address, {start} in shared memory"));
    }
    let first = issue.coordinates.first().copied().unwrap_or(0) * size;
    if first % 16 != 0 {
        return Err(format!("trap: illegal instruction, the first coordinate is {first} bytes"));
    }
    if issue.coordinates.iter().any(|&at| i32::try_from(at).is_err()) {
        return Err(format!("coordinates {:?} have more than 32 bits", issue.coordinates));
    }
    if copy.rows == 0 {
        known.one(&issue.coordinates, start, element, moved);
        return Ok(());
    }
    let named = coordinates(copy, &issue.coordinates, values)?;
    for (place, &row) in named.iter().skip(1).enumerate() {
        known.one(&[named[0], row], start + place as i64 * known.map.row_pitch(), element, moved);
    }
    Ok(())
}

impl Known<'_> {
    /// The elements of a box at `start` in shared memory, in units of `element` bytes.
    fn one(&self, coordinates: &[i64], start: i64, element: i64, moved: &mut Vec<Move>) {
        let (map, size) = (self.map, self.map.element.bytes());
        let mut at = vec![0; map.dims.len()];
        for linear in 0..map.box_elements() {
            let row = linear / map.dims[0].boxed;
            let place = start + row * map.row_pitch() + at[0] * size;
            let global = self.global(coordinates, &at);
            for inside in (0..size).step_by(usize::try_from(element).unwrap_or(1)) {
                let shared = map.swizzle.apply(place + inside);
                moved.push(Move { shared, global: global.map(|global| global + inside) });
            }
            advance(&mut at, map);
        }
    }

    fn global(&self, coordinates: &[i64], at: &[i64]) -> Option<i64> {
        let mut address = self.map.base;
        for (dim, (coordinate, at)) in coordinates.iter().zip(at).enumerate() {
            let position = coordinate + at;
            if !(0..self.extents[dim]).contains(&position) {
                return None;
            }
            address += position * self.strides[dim];
        }
        Some(address)
    }
}

/// The next position in a box.
fn advance(at: &mut [i64], map: &TensorMap) {
    for (position, dim) in at.iter_mut().zip(&map.dims) {
        *position += 1;
        if *position < dim.boxed {
            return;
        }
        *position = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_plan::families::copy_plan::CopyPlan;

    /// A load of a box of 2 rows of `columns` halfwords of a tensor of 4 rows of 64.
    fn load(columns: i64, swizzle: &str, at: [i64; 2], offset: i64) -> TensorMapCopy {
        let text = format!(
            "tensor_map \"tma\", form = load, bits = 16, parts = [{{map = {{element = float16, dims = [{{extent = const(64), \
             stride = bytes(2), box = {columns}}}, {{extent = const(4), stride = bytes(128), box = 2}}]{swizzle}}}, at = \
             [{{constant = {}}}, {{constant = {}}}], offset = {offset}}}], global = {{layout = (2, {columns}) : (64, 1), space \
             = global, align = 16}}, shared = {{layout = ({}) : (1), space = shared, align = 1024}}",
            at[0],
            at[1],
            2 * columns
        );
        match CopyPlan::from_text(&text) {
            Ok(CopyPlan::TensorMap(copy)) => copy,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn moved(copy: &TensorMapCopy) -> Result<Vec<(i64, Option<i64>)>, String> {
        Ok(moves(copy, &Values::default())?.into_iter().map(|moved| (moved.shared, moved.global)).collect())
    }

    #[test]
    fn rows_follow_each_other() {
        let dense = moved(&load(8, "", [8, 1], 64)).unwrap();
        assert_eq!((dense[0], dense[8], dense[15]), ((128, Some(144)), (144, Some(272)), (158, Some(286))));
    }

    #[test]
    fn rows_narrower_than_the_span_stand_a_span_apart() {
        let narrow = moved(&load(24, ", swizzle = b64", [0, 0], 64)).unwrap();
        // Address bits 4 and 5 are XORed with bits 7 and 8: 128 has bit 7.
        assert_eq!((narrow[0], narrow[8], narrow[24]), ((144, Some(0)), (128, Some(16)), (208, Some(128))));
    }

    #[test]
    fn what_is_outside_has_no_place() {
        let outside = moved(&load(8, "", [56, 3], 0)).unwrap();
        assert_eq!((outside[0], outside[8]), ((0, Some(496)), (16, None)));
        assert!(moved(&load(8, "", [-8, -2], 0)).unwrap().iter().all(|(_, global)| global.is_none()));
    }

    #[test]
    fn stores_end_with_a_chunk() {
        let mut copy = load(16, "", [48, 0], 0);
        copy.parts[0].map.dims[0].extent = Extent::Const(60);
        assert_eq!(moved(&copy).unwrap()[12], (24, None));
        copy.form = tile_plan::families::tensor_map::MapForm::Store;
        assert_eq!(
            moved(&copy).unwrap()[12..16].iter().map(|(_, global)| *global).collect::<Vec<_>>(),
            [Some(120), Some(122), Some(124), Some(126)]
        );
    }

    #[test]
    fn traps() {
        assert!(moved(&load(8, "", [4, 0], 0)).unwrap_err().contains("illegal instruction"));
        assert!(moved(&load(8, "", [0, 0], 8)).unwrap_err().contains("misaligned address"));
        assert!(moved(&load(8, "", [0, 1 << 31], 0)).unwrap_err().contains("32 bits"));
        assert!(moved(&load(12, "", [0, 0], 0)).unwrap_err().contains("24 bytes"));
    }
}
