//! The plans in IR between the passes, as stage ops state them.
//!
//! ```
//! use tile_passes::inspect::{self, StagePlan};
//! use tile_passes::embed;
//!
//! let context = embed::context();
//! let mut module = embed::parse(&context, r#"
//! gpu.module @kernels {
//!   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
//!     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
//!     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
//!     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
//!     gpu.return
//!   }
//! }"#)?;
//! embed::run(&mut module, "builtin.module(tile-align-layouts,tile-vectorize-copy)")?;
//! let ops = inspect::planned(module.as_operation());
//! let Ok(StagePlan::Vectors(copy)) = inspect::plan(ops[0]) else { panic!("a copy by vectors") };
//! assert_eq!((copy.variant, copy.rounds, copy.vector_bits()), ("gmem_smem", 8, 128));
//! # Ok::<(), tile_passes::Error>(())
//! ```

use melior::ir::OperationRef;

pub use crate::families::StagePlan;
use crate::families::{FAMILIES, staged};
use crate::options::Options;
use crate::read::problem::Reader;
use crate::walk;

/// The ops at or below `root` that hold a plan.
///
/// ```
/// use tile_passes::{embed, inspect};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"
/// func.func @load(%A: memref<8xf32>) {
///   %a = tile.view %A : memref<8xf32> to !tile.buffer<8xf32, global>
///   %r = tile.alloc : !tile.buffer<8xf32, local>
///   tile.copy %a to %r scope(thread) : !tile.buffer<8xf32, global> to !tile.buffer<8xf32, local>
///   return
/// }"#)?;
/// assert!(inspect::planned(module.as_operation()).is_empty());
/// embed::run(&mut module, "builtin.module(tile-align-layouts,tile-vectorize-copy)")?;
/// assert_eq!(inspect::planned(module.as_operation()).len(), 1);
/// # Ok::<(), tile_passes::Error>(())
/// ```
pub fn planned<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    walk::matching(root, |name| FAMILIES.iter().any(|family| family.staged() == name))
}

/// The plan of an op that [`planned`] finds.
///
/// ```
/// use tile_passes::{embed, inspect};
///
/// let context = embed::context();
/// let module = embed::parse(&context, "module {}")?;
/// assert_eq!(inspect::plan(module.as_operation()).unwrap_err(), "is no op that holds a plan");
/// # Ok::<(), tile_passes::Error>(())
/// ```
///
/// # Errors
/// Why it holds none.
pub fn plan(op: OperationRef<'_, '_>) -> Result<StagePlan, String> {
    let options = Options::default();
    staged(op).ok_or("is no op that holds a plan")?.read(op, &Reader::new(&options))
}
