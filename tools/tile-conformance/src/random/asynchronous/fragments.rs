//! Copies between tensor memory and the registers of a warpgroup, in the four fragments of `tcgen05.ld` (PTX ISA,
//! figures of tcgen05.ld).

use tile_isa::{Scope, Space, TmemShape};
use tile_layout::{Axis, Iter, Layout};

use super::{PLAIN, buffer};
use crate::case::{Case, Element, Side, Wanted};
use crate::random::draw::Rng;

/// A fragment of 128 lanes, or of 64, which is 16 lanes of each warp.
pub(super) fn case(rng: &mut Rng) -> Case {
    let element = Element::parse(rng.one_of::<&str>(&["float32", "float32", "float16", "bfloat16", "uint8"]))
        .unwrap_or(Element { mlir: "f32", bits: 32 });
    let shape = *rng.one_of(&TmemShape::ALL);
    let rows = if shape == TmemShape::Lanes32Bits32 { 128 } else { *rng.one_of(&[64, 128]) };
    let times = *rng.one_of(&[1, 2, 4, 8, 16, 3]);
    let registers = registers(rng, element, shape, rows, times);
    let columns = registers.shape[1];
    let tensor = tensor(rng, element, rows, columns);
    let (src, dst) = if rng.below(2) == 0 { (tensor, registers) } else { (registers, tensor) };
    Case {
        id: String::new(),
        scope: Scope::Warpgroup,
        block: *rng.one_of(&[128, 128, 256]),
        chip: "sm_100a".to_owned(),
        active: Vec::new(),
        enclosing: Vec::new(),
        forced: None,
        issue: Some(PLAIN),
        options: Vec::new(),
        src,
        dst,
        wording: crate::case::Wording::default(),
        wanted: Wanted::Right,
    }
}

/// The registers of `times` fragments side by side. Elements of less than 32 bits are packed into a register.
///
/// ```text
///   16x256b, 128 rows, f32: (4, 2, 2, 8, times, 4, 2)
///     warp, upper 16 lanes, lower 8 of them, row of 8 lanes, fragment, column pair, column
/// ```
fn registers(rng: &mut Rng, element: Element, shape: TmemShape, rows: i64, times: i64) -> Side {
    let parts = 32 / i64::from(element.bits).clamp(1, 32);
    let lane = |extent, stride| Iter::new(extent, stride, Axis::LaneId);
    let held = |extent, stride: i64| Iter::memory(extent, stride * parts);
    let words = shape.registers() * times;
    let mut iters = match shape {
        TmemShape::Lanes32Bits32 => vec![Iter::new(128, 1, Axis::TidInWg), held(times, 1)],
        TmemShape::Lanes16Bits64 => vec![lane(2, 1), lane(8, 4), held(times, 1), lane(2, 2)],
        TmemShape::Lanes16Bits128 => vec![held(2, 1), lane(8, 4), held(times, 2), lane(4, 1)],
        TmemShape::Lanes16Bits256 => vec![held(2, 2), lane(8, 4), held(times, 4), lane(4, 1), held(2, 1)],
    };
    if shape != TmemShape::Lanes32Bits32 {
        if rows == 128 {
            iters.insert(0, held(2, words));
        }
        iters.insert(0, Iter::new(4, 1, Axis::WidInWg));
    }
    iters.push(Iter::memory(parts, 1));
    let columns = shape.columns() * times * parts;
    // In some cases an offset, which may be one that the instruction does not support.
    let offset = if rng.below(6) == 0 { *rng.one_of(&[4, 8, 1]) } else { 0 };
    let layout = Layout::new(iters).with_offset(Axis::Memory, offset);
    buffer(rng, (Space::Local, element), layout, &[rows, columns], &[(0, rows), (0, columns)])
}

/// Contiguous lanes, or 16 of each warp's, from the first or from the 16th on; a window of columns.
fn tensor(rng: &mut Rng, element: Element, rows: i64, columns: i64) -> Side {
    let parts = 32 / i64::from(element.bits).clamp(1, 32);
    let left = rng.below(3) as i64 * if rng.below(12) == 0 { 1 } else { parts };
    let whole = left + columns;
    let lanes = |extent, stride| Iter::new(extent, stride, Axis::TLane);
    let mut iters = if rows == 128 { vec![lanes(128, 1)] } else { vec![lanes(4, 32), lanes(16, 1)] };
    iters.push(Iter::new(whole, 1, Axis::TCol));
    let mut layout = Layout::new(iters);
    if rows == 64 && rng.below(2) == 0 {
        layout = layout.with_offset(Axis::TLane, if rng.below(6) == 0 { 8 } else { 16 });
    }
    if rng.below(3) == 0 {
        layout = layout.with_offset(Axis::TCol, parts * rng.below(4) as i64);
    }
    buffer(rng, (Space::Tmem, element), layout, &[rows, whole], &[(0, rows), (left, columns)])
}
