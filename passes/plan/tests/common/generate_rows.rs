//! Random copies of rows that threads hold, between registers and global memory.

use tile_layout::{Axis, Iter, Layout};
use tile_plan::{Begin, Element, Operand, Problem, Scope, Space, Threads};

use super::oracle::Values;
use super::tape::Tape;

/// A copy between registers and global memory of rows of 16 bytes to 256 bytes, a lane each or several: dense, apart, or
/// side by side in another order; whole, or a window of columns.
pub fn row_copy(tape: &mut Tape) -> (Problem, Values) {
    let bits = tape.pick(&[32, 16, 8, 64]);
    let (scope, block) =
        tape.pick(&[(Scope::Warp, 32), (Scope::Cta, 64), (Scope::Cta, 96), (Scope::Warpgroup, 128), (Scope::Cta, 48)]);
    let threads = Threads::all(scope, Some(block));
    let all = threads.count().unwrap();
    let axis = match scope {
        Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        _ => Axis::Tx,
    };
    // Some of the neighbouring threads may hold the same row.
    let same = tape.pick(&[1, 1, 1, 2, 8, 16]);
    let (rows, row) = (all / same, tape.pick(&[2, 4, 8, 16, 1, 6]) * 128 / i64::from(bits));
    let tiles = tape.pick(&[1, 1, 2]);
    let outer = tape.chance(1, 2);
    let replica = if outer { Iter::new(same, rows, axis) } else { Iter::new(same, 1, axis) };
    let spread = Iter::new(rows, if outer { 1 } else { same }, axis);
    let registers = Layout::new([Iter::memory(tiles, row), spread, Iter::memory(row, 1)]).with_replica([replica]);
    let begin = 16 / i64::from(bits / 8) * tape.pick(&[0, 0, 1, 2, 8]);
    let pitch = begin + row + tape.pick(&[0, 0, 128, 16]) / i64::from(bits / 8);
    let memory = Layout::new([Iter::memory(tiles, rows * pitch), Iter::memory(rows, pitch), Iter::memory(pitch, 1)]);
    let shape = [tiles, rows, row];
    let align_bytes = tape.pick(&[128, 256, 32, 16]);
    let whole = Operand::whole(Space::Global, memory, &[tiles, rows, pitch], align_bytes);
    let memory = Operand { begin: [0, 0, begin].map(Begin::Const).to_vec(), extent: shape.to_vec(), ..whole };
    let registers = Operand::whole(Space::Local, registers, &shape, 16);
    let (src, dst) = if tape.chance(1, 2) { (memory, registers) } else { (registers, memory) };
    (Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads), Values::default())
}
