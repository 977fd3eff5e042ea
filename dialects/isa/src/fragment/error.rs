//! Why a text names no fragment, or a tile has none.

use thiserror::Error;
use tile_layout::{OPEN, counted};

use super::{Fragment, MatrixInstruction, MatrixOperand};
use crate::messages::message_of;
use crate::scope::{Scope, Space};
use crate::words::{alternatives, joined};

/// A name that no fragment has, or a tile that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FragmentError {
    /// Text of another form.
    #[error("got {got}, expected {expected}")]
    Text { got: String, expected: String },
    /// A name of no instruction.
    #[error("got instruction '{got}', expected one of {}", joined(&MatrixInstruction::all()))]
    Instruction { got: String },
    /// An operand that the instruction does not have, or does not have in registers.
    #[error("got {got}, expected {}", operands(*.instruction))]
    Operand { instruction: MatrixInstruction, got: String },
    /// No warps, or more than a block has.
    #[error("got ({}, {}) {}, expected at least (1, 1), and at most {most} of them", .got[0], .got[1], scopes(*.scope))]
    Scopes { scope: Scope, got: [i64; 2], most: i64 },
    /// A tile in another memory.
    #[error("got fragment {fragment} in {got} memory, expected it in {}", memory(*.fragment))]
    Space { fragment: Fragment, got: Space },
    /// A tile that is no matrix.
    #[error("got a fragment of {}, expected 2: rows and columns", counted(*.0 as i64, "dimension"))]
    Rank(usize),
    /// Elements that the instruction does not have.
    #[error("got elements of {}, expected {} for {fragment}", counted(*.got, "bit"), alternatives(&.fragment.widths()))]
    Width { fragment: Fragment, got: u32 },
    /// A part of an instruction.
    #[error("got {} {dimension}, expected a multiple of {unit} for {fragment}", extent(*.got))]
    Size { fragment: Fragment, dimension: &'static str, got: i64, unit: i64 },
    /// Several values of a row, or of a column.
    #[error("got {} {dimension}, expected 1 for {fragment}", extent(*.got))]
    Reduced { fragment: Fragment, dimension: &'static str, got: i64 },
}

message_of!(FragmentError);

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at {at}: {error}")]
pub struct FragmentMistake {
    /// The position, in bytes from the start.
    pub at: usize,
    /// What is wrong there.
    pub error: FragmentError,
}

/// Several such groups of threads: `warps`.
pub(super) fn scopes(scope: Scope) -> String {
    format!("{scope}s")
}

/// The memory that a fragment is in.
fn memory(fragment: Fragment) -> String {
    match fragment.instruction.space() {
        Space::Local => "local memory, which registers are".to_owned(),
        space => format!("{space} memory"),
    }
}

/// `one of wgmma.a, wgmma.c`.
fn operands(instruction: MatrixInstruction) -> String {
    let named = |operand: &MatrixOperand| format!("{instruction}.{operand}");
    format!("one of {}", joined(&instruction.operands().iter().map(named).collect::<Vec<_>>()))
}

fn extent(extent: i64) -> String {
    if extent == OPEN { "'?'".to_owned() } else { extent.to_string() }
}
