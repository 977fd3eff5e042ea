//! `ldmatrix` and `stmatrix`.
//!
//! ```text
//!   lane 8 i + r         provides the address of row r of matrix i: 16 contiguous bytes
//!   lane 4 a + b         holds bytes 4 b to 4 b + 3 of row a (of 16-bit column a, when transposed) in register i
//! ```

use tile_isa::Space;
use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink, admitted, check_alignment};
use super::places::{Instance, cell};

const LANES: i64 = 32;

/// Runs every instruction of every warp with active threads.
pub(super) fn run(copy: &MatrixCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    for warp in instance.active.chunk_by(|a, b| a / LANES == b / LANES) {
        let first = warp[0];
        let admitted: Vec<bool> = warp.iter().map(|thread| admitted(&copy.guards, thread - instance.first)).collect();
        if warp.len() as i64 != LANES || admitted.iter().any(|other| *other != admitted[0]) {
            return Err(Fault::Diverged { thread: first });
        }
        for step in (0..copy.steps()).filter(|_| admitted[0]) {
            (0..copy.num).try_for_each(|matrix| one(copy, instance, first, (step, matrix), sink))?;
        }
    }
    Ok(())
}

/// Moves one matrix of one step, for the warp whose lane 0 is thread `warp` of the block.
fn one(
    copy: &MatrixCopy,
    instance: &Instance,
    warp: i64,
    (step, matrix): (i64, i64),
    sink: &mut dyn FnMut(Move) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (bits, held) = (copy.bits(), copy.lane_elements());
    let (register, columns) = (held * address::matrix_register(copy, step, matrix)?, 4 * held);
    let role = if copy.load { Role::Src } else { Role::Dst };
    for row in 0..8 {
        let thread = warp + 8 * matrix + row;
        let start = address::matrix_address(&mut Eval, copy, thread - instance.first, step, instance.values(role))?;
        check_alignment(&copy.shared, role, thread, start, (columns, bits))?;
        for column in 0..columns {
            let (a, b) = if copy.trans { (column, row) } else { (row, column) };
            let holder = warp + 4 * a + b / held;
            let shared = cell(Space::Shared, holder, start + column);
            let held = cell(Space::Local, holder, register + b % held);
            let (from, to) = if copy.load { (shared, held) } else { (held, shared) };
            sink(Move { thread: holder, from, to })?;
        }
    }
    Ok(())
}
