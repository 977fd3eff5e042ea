//! What is around a copy: the kernel and its functions.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike};
use tile_ops::{gpu, interface, nvvm};

use super::launch;

/// Ops whose regions are run by threads of a grid.
fn is_kernel_like(op: OperationRef<'_, '_>) -> bool {
    interface::is_function(op) || launch::is_launch(op)
}

/// Is a function started from the host, so that its arguments are the same for the whole grid? Others may be
/// called with arguments that each thread made.
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
