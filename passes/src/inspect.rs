//! The plans in IR between the passes.
//!
//! ```
//! use tile_passes::{embed, inspect};
//! use tile_plan::families::copy_plan::CopyPlan;
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
//! let Some(CopyPlan::Vectors(copy)) = inspect::plan(ops[0]) else { panic!("a copy by vectors") };
//! assert_eq!((copy.variant, copy.rounds, copy.vector_bits()), ("gmem_smem", 8, 128));
//! # Ok::<(), tile_passes::Error>(())
//! ```

use melior::ir::OperationRef;
use tile_dialect::ops::{CopyOp, PlannedOp};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::traffic::Traffic;

use crate::options::LoweringOptions;
use crate::read::name;
use crate::{traffic, walk};

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
    walk::matching(root, |name| name == PlannedOp::NAME)
}

/// The plan of an op that [`planned`] finds, which lives as long as the context; `None` for any other op.
///
/// ```
/// use tile_passes::{embed, inspect};
///
/// let context = embed::context();
/// let module = embed::parse(&context, "module {}")?;
/// assert!(inspect::plan(module.as_operation()).is_none());
/// # Ok::<(), tile_passes::Error>(())
/// ```
pub fn plan<'c>(op: OperationRef<'c, '_>) -> Option<&'c CopyPlan> {
    if name(op) == PlannedOp::NAME { PlannedOp(op).plan() } else { None }
}

/// The copies and fills at or below `root`, each with what it costs the memories when all warps of a block execute it
/// once; `None` where it cannot be planned, or an engine moves the bytes by itself.
///
/// A pass that plans first makes the IR state what it relies on, such as the alignment of arguments; without that, accesses are
/// narrower than those of the lowered kernel. `tile-report-memory` changes nothing else.
///
/// ```
/// use tile_passes::{embed, inspect};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"
/// gpu.module @kernels {
///   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
///     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
///     gpu.return
///   }
/// }"#)?;
/// embed::run(&mut module, "builtin.module(tile-report-memory)")?;
/// let found = inspect::traffic(module.as_operation());
/// let traffic = found[0].1.unwrap();
/// // 8 loads and 8 stores of 16 bytes a lane.
/// assert_eq!((traffic.requests, traffic.sectors, traffic.wavefronts, traffic.conflicts()), (16, 128, 32, 0));
/// # Ok::<(), tile_passes::Error>(())
/// ```
pub fn traffic<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, Option<Traffic>)> {
    let options = LoweringOptions::default();
    let copies = walk::matching(root, CopyOp::is_name);
    copies.into_iter().map(|copy| (copy, traffic::count(copy, &options))).collect()
}
