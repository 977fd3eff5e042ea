//! The size of a block.

use melior::ir::OperationRef;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::OperationLike;
use tile_layout::by_x;
use tile_ops::{gpu, nvvm};
use tile_plan::problem::threads::MAX_BLOCK;

use crate::read::error::ReadError;
use crate::read::kernel;

/// The attributes of functions that state the size of a block.
const SIZES: [&str; 3] = ["known_block_size", gpu::attribute::KNOWN_BLOCK_SIZE, nvvm::attribute::REQNTID];

/// Threads of a block along x, y and z, as the function around an op promises them.
///
/// `known_block_size` of a `gpu.func`, `gpu.known_block_size` or `nvvm.reqntid` of another function; constant sizes of
/// a `gpu.launch`.
///
/// # Errors
/// A block size that no GPU takes: got and expected.
pub fn size(function: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, ReadError> {
    let promised = if kernel::is_launch(function) { of_launch(function) } else { stated_size(function) };
    let Some(given) = promised else { return Ok(None) };
    let threads = given.iter().try_fold(1i64, |threads, &extent| threads.checked_mul(extent));
    let sound = given.iter().all(|&extent| extent >= 1) && threads.is_some_and(|threads| threads <= MAX_BLOCK);
    if !sound || given.len() > 3 {
        return Err(ReadError::BlockSize(given));
    }
    Ok(Some([0, 1, 2].map(|dimension| given.get(dimension).copied().unwrap_or(1))))
}

/// Where the size of a block comes from, for notes at the function.
pub fn origin(function: OperationRef<'_, '_>) -> String {
    if kernel::is_launch(function) {
        return match of_launch(function) {
            Some(size) => format!("the launch has blocks of {} threads", by_x(size)),
            None => "the launch has blocks of a size that is not constant".to_owned(),
        };
    }
    match stated_by(function).zip(stated_size(function)) {
        Some((name, size)) => format!("the kernel has blocks of {} threads, by {name}", by_x(size)),
        None => {
            "the kernel does not state the size of its blocks; expected known_block_size = array<i32: …>".to_owned()
        }
    }
}

/// The attribute by which a function states the size of its blocks.
pub fn stated_by(function: OperationRef<'_, '_>) -> Option<&'static str> {
    SIZES.into_iter().find(|name| function.has_attribute(name))
}

/// Blocks of a grid along x, y and z, as the function around an op promises them; `None` for one that is not known.
///
/// `known_grid_size` of a `gpu.func`, constant sizes of a `gpu.launch`.
pub fn grid(function: OperationRef<'_, '_>) -> [Option<i64>; 3] {
    if let Some(launch) = gpu::LaunchOp::cast(function) {
        let sizes = [launch.grid_size_x(), launch.grid_size_y(), launch.grid_size_z()];
        return sizes.map(|size| super::infer(size).constant());
    }
    let stated = stated(function, &["known_grid_size", gpu::attribute::KNOWN_GRID_SIZE]);
    let extent_at = |extents: &Vec<i64>, dimension: usize| extents.get(dimension).copied().unwrap_or(1);
    [0, 1, 2].map(|dimension| stated.as_ref().map(|extents| extent_at(extents, dimension)).filter(|&extent| extent > 0))
}

/// Blocks of a cluster along x, y and z, as `nvvm.cluster_dim` states it.
pub fn cluster(function: OperationRef<'_, '_>) -> Option<[i64; 3]> {
    let stated = stated(function, &[nvvm::attribute::CLUSTER_DIM])?;
    Some([0, 1, 2].map(|dimension| stated.get(dimension).copied().unwrap_or(1)))
}

fn stated_size(function: OperationRef<'_, '_>) -> Option<Vec<i64>> {
    stated(function, &SIZES)
}

fn stated(function: OperationRef<'_, '_>, names: &[&str]) -> Option<Vec<i64>> {
    let attribute = names.iter().find_map(|name| function.attribute(name).ok())?;
    let array = DenseI32ArrayAttribute::try_from(attribute).ok()?;
    Some((0..array.len()).filter_map(|index| array.element(index).ok()).map(i64::from).collect())
}

/// Threads of a block along x, y and z, where the launch has constants for all three.
fn of_launch(launch: OperationRef<'_, '_>) -> Option<Vec<i64>> {
    let launch = gpu::LaunchOp::cast(launch)?;
    let sizes = [launch.block_size_x(), launch.block_size_y(), launch.block_size_z()];
    sizes.into_iter().map(|size| super::infer(size).constant()).collect()
}
