//! What is around a copy: the kernel, its block size, and the chip.

use melior::ir::OperationRef;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::OperationLike;
use tile_plan::threads::MAX_BLOCK;

use super::name;
use crate::shim;

/// Ops whose regions are run by threads of a grid.
fn is_kernel_like(op: OperationRef<'_, '_>) -> bool {
    op.has_attribute("function_type") || name(op) == "gpu.launch"
}

/// The function (or `gpu.launch`) around an op.
pub fn function<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ancestors(op).find(|&parent| is_kernel_like(parent))
}

/// Ops around `op`, inner to outer.
pub fn ancestors<'c, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(op.parent_operation(), |parent| parent.parent_operation())
}

/// Threads of a block along x, y and z, as the function around an op promises them.
///
/// `known_block_size` of a `gpu.func`, `gpu.known_block_size` or `nvvm.reqntid` of another function.
///
/// # Errors
/// A block size that no GPU takes: got and expected.
pub fn block_size(function: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, String> {
    let names = ["known_block_size", "gpu.known_block_size", "nvvm.reqntid"];
    let Some(attribute) = names.iter().find_map(|name| function.attribute(name).ok()) else { return Ok(None) };
    let Ok(array) = DenseI32ArrayAttribute::try_from(attribute) else { return Ok(None) };
    let mut size = [1; 3];
    for (dimension, extent) in size.iter_mut().enumerate().take(array.len()) {
        *extent = array.element(dimension).map_or(1, i64::from);
    }
    let threads: i64 = size.iter().product();
    if size.iter().any(|&extent| extent < 1) || threads > MAX_BLOCK {
        return Err(format!("got block size {size:?}, expected extents of at least 1 and at most {MAX_BLOCK} threads"));
    }
    Ok(Some(size))
}

/// The chip that the `gpu.module` around an op names.
pub fn chip(op: OperationRef<'_, '_>) -> Option<String> {
    std::iter::once(op).chain(ancestors(op)).find_map(shim::module_chip)
}

/// The symbol of a function, for remarks.
pub fn symbol(function: OperationRef<'_, '_>) -> String {
    tile_dialect::ops::string(function, "sym_name").unwrap_or_default()
}
