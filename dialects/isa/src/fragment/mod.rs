//! Fragments: the layouts in which matrix instructions have their operands in registers, or in tensor memory, by name (PTX ISA,
//! 9.7.14.5, 9.7.15.5 and 9.7.16.10.5).
//!
//! ```text
//!   mma.m16n8k16.a of 16 bits, 16 x 16                   mma.m16n8k16.c, 16 x 8
//!               k 0-1    2-3    4-5    6-7    8-9  …     n 0-1    2-3    4-5    6-7
//!     row 0     0 r0-1 1 r0-1 2 r0-1 3 r0-1 0 r4-5       0 r0-1 1 r0-1 2 r0-1 3 r0-1      lane, registers
//!     row 1     4 r0-1   …                               4 r0-1   …
//!     row 8     0 r2-3   …                               0 r2-3   …
//! ```
//!
//! A larger tile has the registers of one instruction after those of the other, of A and C row by row of instructions, of B column by
//! column. Several warps have equal parts of C, in rows and columns of warps; all warps of such a row hold the rows of A that are
//! theirs, all of a column those columns of B:
//!
//! ```
//! use tile_isa::fragment::Fragment;
//!
//! let layout = |name: &str, shape, bits| name.parse::<Fragment>().unwrap().layout(shape, bits).unwrap().to_string();
//! assert_eq!(layout("mma.m16n8k16.a", &[16, 16], 16), "(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)");
//! assert_eq!(layout("mma.m16n8k16.b", &[16, 8], 16), "(2, 4, 2, 8) : (2, 1@laneid, 1, 4@laneid)");
//! assert_eq!(layout("mma.m16n8k16.c", &[32, 16], 32), "(2, 2, 8, 2, 4, 2) : (8, 2, 4@laneid, 4, 1@laneid, 1)");
//! assert_eq!(
//!     layout("mma.m16n8k16.a over (2, 4) warps", &[32, 16], 16),
//!     "(2, 2, 8, 2, 4, 2) : (4@warpid, 2, 4@laneid, 4, 1@laneid, 1) + R(4 : 1@warpid)"
//! );
//! ```

mod error;
mod instruction;
mod layout;
#[cfg(test)]
mod tests;
mod text;

pub use error::{FragmentError, FragmentMistake};
pub use instruction::{MatrixInstruction, MatrixOperand};

use crate::scope::Space;

/// An operand of a matrix instruction, for any number of instructions and warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fragment {
    instruction: MatrixInstruction,
    operand: MatrixOperand,
    /// Rows and columns of warps, or of warpgroups.
    scopes: [i64; 2],
}

impl Fragment {
    /// The operand of one warp, or of one warpgroup.
    ///
    /// # Errors
    /// The instruction has no such operand in registers, or in tensor memory: got and expected.
    pub fn new(instruction: MatrixInstruction, operand: MatrixOperand) -> Result<Self, FragmentError> {
        if instruction.operands().contains(&operand) {
            return Ok(Fragment { instruction, operand, scopes: [1, 1] });
        }
        Err(FragmentError::Operand { instruction, got: format!("'{instruction}.{operand}'") })
    }

    /// The same over that many rows and columns of warps, or of warpgroups.
    ///
    /// # Errors
    /// None, or more than a block has: got and expected.
    pub fn over(self, scopes: [i64; 2]) -> Result<Self, FragmentError> {
        let most = self.instruction.max_scopes();
        let all = scopes[0].checked_mul(scopes[1]).filter(|&all| scopes[0] > 0 && (1..=most).contains(&all));
        all.map(|_| Fragment { scopes, ..self }).ok_or(FragmentError::Scopes {
            scope: self.instruction.scope(),
            got: scopes,
            most,
        })
    }

    /// A value for each row of sums, where the columns (dimension 1) are reduced, or for each column; `None` of other operands.
    pub fn reduced(self, dim: usize) -> Option<Self> {
        let operand = [MatrixOperand::Columns, MatrixOperand::Rows].get(dim).copied()?;
        (self.operand == MatrixOperand::C).then_some(Fragment { operand, ..self })
    }

    /// Checks that the fragment may be in a memory.
    ///
    /// # Errors
    /// It is in another one only.
    pub fn check_space(self, space: Space) -> Result<(), FragmentError> {
        if space == self.instruction.space() {
            Ok(())
        } else {
            Err(FragmentError::Space { fragment: self, got: space })
        }
    }

    /// The widths that the elements may have, in bits.
    pub fn widths(self) -> Vec<u32> {
        self.instruction.widths(self.operand)
    }
}
