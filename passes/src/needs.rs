//! What a lowered kernel needs of its launch, and the check that a `gpu.launch_func` gives it, as far as its sizes are constants.
//!
//! ```text
//!   attributes of the llvm.func     in PTX
//!   nvvm.reqntid                    .reqntid
//!   nvvm.maxntid                    .maxntid
//!   nvvm.cluster_dim                .reqnctapercluster
//!   tile.dynamic_shared             // dynamic shared memory of copy: 65536 bytes
//! ```
//!
//! At run time everything that launches a kernel reads the same from its PTX.

use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::DYNAMIC_SHARED;
use tile_dialect::ops::integers;
use tile_layout::{by_x, by_x_where_known};
use tile_ops::{gpu, nvvm};

use crate::read::terms::divisibility;

/// What a kernel needs of its launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaunchNeeds {
    /// The only block shape that it can be launched with.
    pub required_threads: Option<[u32; 3]>,
    /// The product of the extents is the most threads of a block.
    pub max_threads: Option<[u32; 3]>,
    /// The blocks of a cluster along each dimension.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
}

impl LaunchNeeds {
    /// The needs of an `llvm.func`.
    pub(crate) fn of(kernel: OperationRef<'_, '_>) -> Self {
        let bytes = integers(kernel, DYNAMIC_SHARED).first().and_then(|&bytes| u64::try_from(bytes).ok());
        LaunchNeeds {
            required_threads: extents(kernel, nvvm::attribute::REQNTID),
            max_threads: extents(kernel, nvvm::attribute::MAXNTID),
            cluster: extents(kernel, nvvm::attribute::CLUSTER_DIM),
            dynamic_shared: bytes.unwrap_or(0),
        }
    }

    /// Checks the sizes of a launch that are constants.
    ///
    /// # Errors
    /// The first that the kernel cannot be launched with: got and expected.
    pub(crate) fn check(&self, launch: gpu::LaunchFuncOp<'_, '_>) -> Result<(), String> {
        let grid = sizes([launch.grid_size_x(), launch.grid_size_y(), launch.grid_size_z()]);
        if grid.contains(&Some(0)) {
            return Err(format!("launches a grid of {} blocks, expected 1 or more of each", by_x_where_known(grid)));
        }
        let block = sizes([launch.block_size_x(), launch.block_size_y(), launch.block_size_z()]);
        if let Some(needed) = self.required_threads.filter(|needed| differs(block, *needed)) {
            let (block, needed) = (by_x_where_known(block), by_x(needed));
            return Err(format!(
                "launches blocks of {block} threads, but the kernel needs {needed} (known_block_size)"
            ));
        }
        let cluster = [launch.cluster_size_x(), launch.cluster_size_y(), launch.cluster_size_z()];
        let cluster = cluster.map(|size| size.and_then(constant));
        if let Some(needed) = self.cluster.filter(|needed| differs(cluster, *needed)) {
            let (cluster, needed) = (by_x_where_known(cluster), by_x(needed));
            return Err(format!("launches clusters of {cluster} blocks, but the kernel needs {needed}"));
        }
        let shared = launch.dynamic_shared_memory_size().map_or(Some(0), constant);
        match (shared.map(u64::try_from), self.dynamic_shared) {
            (Some(Ok(given)), needed) if given < needed => Err(format!(
                "gives {given} bytes of dynamic shared memory, but the kernel needs {needed} (dynamic_shared_memory_size)"
            )),
            _ => Ok(()),
        }
    }
}

/// One to three numbers; missing ones are 1.
fn extents(kernel: OperationRef<'_, '_>, name: &str) -> Option<[u32; 3]> {
    let array = DenseI32ArrayAttribute::try_from(kernel.attribute(name).ok()?).ok()?;
    let extent = |index| array.element(index).ok().and_then(|extent| u32::try_from(extent).ok()).unwrap_or(1);
    Some([0, 1, 2].map(extent))
}

fn constant(size: Value<'_, '_>) -> Option<i64> {
    divisibility::infer(size).constant()
}

fn sizes(sizes: [Value<'_, '_>; 3]) -> [Option<i64>; 3] {
    sizes.map(constant)
}

fn differs(given: [Option<i64>; 3], needed: [u32; 3]) -> bool {
    given.iter().zip(needed).any(|(given, needed)| given.is_some_and(|given| given != i64::from(needed)))
}
