//! The matrices of `ldmatrix` and `stmatrix` (PTX ISA, ldmatrix).

use thiserror::Error;
use tile_layout::counted;

use crate::access::WARP;
use crate::messages::message_of;

/// Copies that `ldmatrix` and `stmatrix` do not perform.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MatrixError {
    /// Extents that no copy by matrices has.
    #[error("got shape {0:?}, expected [warps, 8, 4, instructions, 1 or 2 or 4, 1 or 2 or 4]")]
    Shape(Vec<i64>),
    /// Matrices of another number of elements.
    #[error("got shape {extents:?}, expected {} in all", counted(*.elements, "element"))]
    Elements { extents: Vec<i64>, elements: i64 },
    /// Memories between which there is no such instruction.
    #[error("got {src} to {dst}, expected shared to local or back")]
    Memories { src: String, dst: String },
}

message_of!(MatrixError);

/// Rows of a matrix.
pub const MATRIX_ROWS: i64 = 8;

/// Bytes of a row of a matrix, which one lane addresses: 8 elements of 16 bits, or 16 bytes or 4 words that stay where they are.
pub const ROW_BYTES: i64 = 16;

/// Lanes that hold a row.
pub const ROW_LANES: i64 = 4;

/// Bits of a row that a lane holds, a register.
pub const LANE_BITS: u32 = 32;

/// Bits of an element of a matrix that is transposed.
pub const TRANSPOSED_BITS: u32 = 16;

/// The shape of a copy by matrices: each warp issues the same number of instructions, of 1, 2 or 4 matrices each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixShape {
    /// Warps that share the copy.
    pub warps: i64,
    /// Instructions of a warp.
    pub instructions: i64,
    /// Matrices of an instruction.
    pub matrices: i64,
    /// Elements of a row that a lane holds: 4 of 8 bits, 2 of 16, or 1 of 32.
    pub lane_elements: i64,
}

impl MatrixShape {
    /// The extents that both sides of the copy are ordered by: warps, rows, lanes of a row, instructions, matrices, and
    /// the elements of a lane.
    pub fn extents(self) -> [i64; 6] {
        [self.warps, MATRIX_ROWS, ROW_LANES, self.instructions, self.matrices, self.lane_elements]
    }

    /// The shape with those extents, for a copy of `elements`.
    ///
    /// # Errors
    /// Extents that no copy by matrices has, or another number of elements: got and expected.
    pub fn of(extents: &[i64], elements: i64) -> Result<Self, MatrixError> {
        let malformed = || MatrixError::Shape(extents.to_vec());
        let &[warps, _, _, instructions, matrices @ (1 | 2 | 4), lane_elements @ (1 | 2 | 4)] = extents else {
            return Err(malformed());
        };
        let shape = MatrixShape { warps, instructions, matrices, lane_elements };
        if shape.extents() != extents {
            return Err(malformed());
        }
        let product = extents.iter().try_fold(1i64, |product, &part| product.checked_mul(part));
        if warps < 1 || instructions < 1 || product != Some(elements) {
            return Err(MatrixError::Elements { extents: extents.to_vec(), elements });
        }
        Ok(shape)
    }

    /// Threads of all warps.
    pub fn threads(self) -> i64 {
        self.warps.saturating_mul(WARP)
    }
}

/// Whether the copy is a load, from shared memory to registers, given the names of the memories in the dialect.
///
/// # Errors
/// Memories between which there is no such instruction: got and expected.
pub fn matrix_loads(src: &str, dst: &str) -> Result<bool, MatrixError> {
    match (src, dst) {
        ("shared", "local") => Ok(true),
        ("local", "shared") => Ok(false),
        _ => Err(MatrixError::Memories { src: src.to_owned(), dst: dst.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_counts_the_elements_of_all_lanes() {
        for warps in 1..=4 {
            for instructions in 1..=3 {
                for (matrices, lane_elements) in (1..=8).flat_map(|matrices| [1, 2, 4].map(|held| (matrices, held))) {
                    let extents = [warps, 8, 4, instructions, matrices, lane_elements];
                    let elements = warps * instructions * matrices * lane_elements * 32;
                    let shape = MatrixShape::of(&extents, elements);
                    assert_eq!(shape.is_ok(), [1, 2, 4].contains(&matrices), "{extents:?}");
                    if let Ok(shape) = shape {
                        assert_eq!((shape.extents(), shape.threads()), (extents, warps * 32));
                        assert!(MatrixShape::of(&extents, elements + 1).is_err());
                    }
                }
            }
        }
        let refused = |extents: &[i64]| MatrixShape::of(extents, 64).unwrap_err().to_string();
        assert_eq!(
            refused(&[1, 8, 4, 1, 3, 2]),
            "got shape [1, 8, 4, 1, 3, 2], expected [warps, 8, 4, instructions, 1 or 2 or 4, 1 or 2 or 4]"
        );
        assert!(refused(&[1, 4, 8, 1, 1, 2]).contains("expected [warps"));
        assert!(refused(&[1, 8, 4, 1, 1]).contains("expected [warps"));
        assert!(refused(&[-1, 8, 4, -1, 1, 2]).ends_with("expected 64 elements in all"));
        assert!(refused(&[i64::MAX, 8, 4, i64::MAX, 4, 2]).ends_with("expected 64 elements in all"));
    }

    #[test]
    fn between_shared_memory_and_registers() {
        assert_eq!((matrix_loads("shared", "local"), matrix_loads("local", "shared")), (Ok(true), Ok(false)));
        assert_eq!(
            matrix_loads("global", "local").unwrap_err().to_string(),
            "got global to local, expected shared to local or back"
        );
    }
}
