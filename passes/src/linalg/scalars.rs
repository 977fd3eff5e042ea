//! Elements of memory without dimensions, which an op of linalg reads as it reads a scalar, are loaded before it.
//!
//! ```text
//!                                                   %s = memref.load %scale[]
//!   linalg.generic ins(%x, %scale : memref<64xf32>, memref<f32>)    linalg.generic ins(%x, %s : memref<64xf32>, f32)
//! ```

use melior::ir::{OperationRef, ShapedTypeLike};
use tile_dialect::Space;
use tile_dialect::ir::{Parts, Rewriter};
use tile_dialect::memref::space;
use tile_ops::{Builder, memref};

use super::tiles::memref_type;
use crate::read::{alias, kernel};
use crate::{shim, walk};

/// The structured op that takes scalars as inputs; `tile_ops` has none of these ops.
const GENERIC: &str = "linalg.generic";

/// Loads the scalars of the ops at or below the root from global memory. What a kernel allocates may become a tile.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    for op in walk::named(root, GENERIC) {
        let Some((raw, kernel)) = shim::structured(op).zip(kernel::function(op)) else { continue };
        for operand in 0..raw.inputs {
            let memory = op.operand_at(operand).filter(|value| {
                memref_type(*value).is_some_and(|memref| memref.rank() == 0 && space(memref) == Some(Space::Global))
                    && !alias::is_made_in(*value, kernel)
            });
            if let Some(memory) = memory {
                let scalar = memref::load(Builder::before(rewriter, op), memory, &[]);
                rewriter.set_operand(op, operand, scalar.value());
            }
        }
    }
}
