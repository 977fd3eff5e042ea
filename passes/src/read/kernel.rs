//! What is around a copy: the kernel, its block size, and the chip.

use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike};
use tile_ops::{gpu, nvvm};
use tile_plan::threads::MAX_BLOCK;

use super::launch;

/// Ops whose regions are run by threads of a grid.
fn is_kernel_like(op: OperationRef<'_, '_>) -> bool {
    op.has_attribute("function_type") || launch::is_launch(op)
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

/// Threads of a block along x, y and z, as the function around an op promises them.
///
/// `known_block_size` of a `gpu.func`, `gpu.known_block_size` or `nvvm.reqntid` of another function; constant sizes of
/// a `gpu.launch`.
///
/// # Errors
/// A block size that no GPU takes: got and expected.
pub fn block_size(function: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, String> {
    let promised = if launch::is_launch(function) { launch::block_size(function) } else { stated_size(function) };
    let Some(given) = promised else { return Ok(None) };
    let threads = given.iter().try_fold(1i64, |threads, &extent| threads.checked_mul(extent));
    let sound = given.iter().all(|&extent| extent >= 1) && threads.is_some_and(|threads| threads <= MAX_BLOCK);
    if !sound || given.len() > 3 {
        return Err(format!(
            "got block size {given:?}, expected up to 3 extents of at least 1 and at most {MAX_BLOCK} threads"
        ));
    }
    Ok(Some([0, 1, 2].map(|dimension| given.get(dimension).copied().unwrap_or(1))))
}

fn stated_size(function: OperationRef<'_, '_>) -> Option<Vec<i64>> {
    let names = ["known_block_size", gpu::attribute::KNOWN_BLOCK_SIZE, nvvm::attribute::REQNTID];
    let attribute = names.iter().find_map(|name| function.attribute(name).ok())?;
    let array = DenseI32ArrayAttribute::try_from(attribute).ok()?;
    Some((0..array.len()).filter_map(|index| array.element(index).ok()).map(i64::from).collect())
}

/// The symbol of a function, for remarks; of the function around it, for a `gpu.launch`.
pub fn symbol(function: OperationRef<'_, '_>) -> String {
    let mut around = std::iter::once(function).chain(ancestors(function));
    around.find_map(|op| tile_dialect::ops::string(op, "sym_name")).unwrap_or_default()
}
