//! Elements of memory without dimensions, which an op of linalg reads as it reads a scalar, are loaded before it.
//!
//! ```text
//!   linalg.generic                                     %s = memref.load %scale[]
//!     ins(%x, %scale : memref<64xf32>, memref<f32>)    linalg.generic ins(%x, %s : memref<64xf32>, f32)
//! ```

use melior::ir::{OperationRef, ShapedTypeLike};
use tile_dialect::Space;
use tile_dialect::ir::Parts;
use tile_dialect::memref::space;
use tile_ops::{Builder, memref};

use super::convert::Converter;
use super::tiles::memref_type;
use crate::read::alias;
use crate::{shim, walk};

/// Loads the scalars of the ops at or below the root from global memory. What a kernel allocates may become a tile.
pub fn run<'c: 'a, 'a>(converter: &Converter<'_, '_, 'c, 'a>, root: OperationRef<'c, 'a>) {
    for op in walk::matching(root, |_| true).into_iter().filter(|op| shim::takes_scalars(*op)) {
        let Some((raw, kernel)) = shim::structured(op).zip(converter.kernel(op).ok()) else { continue };
        for operand in 0..raw.inputs {
            let memory = op.operand_at(operand).filter(|value| {
                memref_type(*value).is_some_and(|memref| memref.rank() == 0 && space(memref) == Some(Space::Global))
                    && !alias::is_made_in(*value, kernel)
            });
            if let Some(memory) = memory {
                let scalar = memref::load(Builder::before(converter.rewriter, op), memory, &[]);
                converter.rewriter.set_operand(op, operand, scalar.value());
            }
        }
    }
}
