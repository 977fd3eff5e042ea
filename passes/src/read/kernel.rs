//! The surroundings of a copy: the kernel and its functions, or a `gpu.launch`.
//!
//! A `gpu.launch` is a kernel in place. Its body sees the values around it, and takes the ids and sizes as arguments.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, argument_of, parent_of};
use tile_ops::{gpu, interface, nvvm};

use super::name;

/// Whether the threads of a grid execute the op's regions.
fn is_kernel_like(op: OperationRef<'_, '_>) -> bool {
    interface::is_function(op) || is_launch(op)
}

/// Whether a function is started from the host, so that its arguments are the same for the whole grid. Other functions
/// may be called with arguments that each thread made.
pub fn is_entry(function: OperationRef<'_, '_>) -> bool {
    function.has_attribute(gpu::attribute::KERNEL_FUNC) || function.has_attribute(nvvm::attribute::KERNEL_FUNC)
}

/// The function (or `gpu.launch`) around an op.
pub fn function<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ancestors(op).find(|&parent| is_kernel_like(parent))
}

/// Ops around `op`, inner to outer.
pub fn ancestors<'c, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(op.parent_operation(), |parent| parent.parent_operation())
}

/// The number of the region of `op` that a block belongs to.
pub fn region_of(op: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> Option<usize> {
    let region = block.parent_region()?.to_raw().ptr;
    op.regions().position(|candidate| candidate.to_raw().ptr == region)
}

/// The symbol of a function, for remarks; of the function around it, for a `gpu.launch`.
pub fn symbol(function: OperationRef<'_, '_>) -> String {
    let mut around = std::iter::once(function).chain(ancestors(function));
    around.find_map(interface::symbol_name).unwrap_or_default()
}

/// The values that the body's arguments 6 to 11 repeat: sizes of the grid and of the block.
fn sizes<'c: 'a, 'a>(launch: gpu::LaunchOp<'c, 'a>) -> [Value<'c, 'a>; 6] {
    let grid = [launch.grid_size_x(), launch.grid_size_y(), launch.grid_size_z()];
    let block = [launch.block_size_x(), launch.block_size_y(), launch.block_size_z()];
    [grid[0], grid[1], grid[2], block[0], block[1], block[2]]
}

/// The meaning of an argument of the body.
pub enum EntryArgument<'c, 'a> {
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// An operand of the launch.
    Size(Value<'c, 'a>),
    /// The block's position in the grid: 0, 1, 2 for x, y, z.
    Block(usize),
    /// Something else that all threads of a block share: an id of the cluster, a size of the cluster.
    OfBlock,
    /// Workgroup or private memory.
    Memory,
}

/// Whether the op is a `gpu.launch`.
pub fn is_launch(op: OperationRef<'_, '_>) -> bool {
    name(op) == gpu::LaunchOp::NAME
}

/// The meaning of an argument of a launch's body; `None` for other values.
pub fn argument<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<EntryArgument<'c, 'a>> {
    let (block, number) = argument_of(value)?;
    let launch = gpu::LaunchOp::cast(block.parent_operation()?)?;
    let entry = launch.operation().region_at(0)?.first_block()?;
    if entry.to_raw().ptr != block.to_raw().ptr {
        return None;
    }
    let ids_of_cluster = if launch.cluster_size_x().is_none() { 12..12 } else { 12..18 };
    Some(match number {
        index @ 0..3 => EntryArgument::Block(index),
        index @ 3..6 => EntryArgument::Thread(index - 3),
        index @ 6..12 => EntryArgument::Size(sizes(launch)[index - 6]),
        index if ids_of_cluster.contains(&index) => EntryArgument::OfBlock,
        _ => EntryArgument::Memory,
    })
}

/// Whether `value` is defined outside of the launch at this address. Then all threads see the same, and outlining makes
/// it an argument of the kernel.
pub fn is_captured(value: Value<'_, '_>, launch: usize) -> bool {
    let mut around = std::iter::successors(parent_of(value), |op| op.parent_operation());
    around.all(|op| op.to_raw().ptr as usize != launch)
}
