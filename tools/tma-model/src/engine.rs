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
//! coordinate or an address in shared memory off its alignment traps.

use tile_layout::Eval;
use tile_plan::TensorMapCopy;
use tile_plan::tensor_map::{Extent, Part, Stride, TensorMap};

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
        let (extents, strides) = numbers(&part.map, values);
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
    let issue = part.issue(&mut Eval, number, copy.shared.as_ref(), lists).map_err(|refusal| refusal.reason)?;
    let (size, element) = (known.map.element.bytes(), i64::from(copy.element_bits / 8));
    let start = issue.offset * element;
    if copy.shared.is_some() && start % 128 != 0 {
        return Err(format!("trap: misaligned address, {start} in shared memory"));
    }
    let first = issue.coordinates.first().copied().unwrap_or(0) * size;
    if first % 16 != 0 {
        return Err(format!("trap: illegal instruction, the first coordinate is {first} bytes"));
    }
    if issue.coordinates.iter().any(|&at| i32::try_from(at).is_err()) {
        return Err(format!("coordinates {:?} have more than 32 bits", issue.coordinates));
    }
    let mut at = vec![0; known.map.dims.len()];
    for linear in 0..known.map.box_elements() {
        let row = linear / known.map.dims[0].boxed;
        let place = start + row * known.map.row_pitch() + at[0] * size;
        let global = known.global(&issue.coordinates, &at);
        for inside in (0..size).step_by(usize::try_from(element).unwrap_or(1)) {
            let shared = known.map.swizzle.apply(place + inside);
            moved.push(Move { shared, global: global.map(|global| global + inside) });
        }
        advance(&mut at, known.map);
    }
    Ok(())
}

impl Known<'_> {
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
