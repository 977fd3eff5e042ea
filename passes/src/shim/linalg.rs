//! What upstream's interfaces say of ops of linalg (`cpp/Linalg.cpp`).

use melior::ir::{Attribute, OperationRef, Value, ValueLike};
use mlir_sys::{MlirAttribute, MlirOperation, MlirValue};

/// `TileStructured`.
#[repr(C)]
struct Structured {
    inputs: usize,
    loops: usize,
    reductions: u64,
    maps: MlirAttribute,
    is_bufferized: bool,
}

unsafe extern "C" {
    fn tileStructured(op: MlirOperation, structured: *mut Structured) -> bool;
    fn tileIsElementCopy(op: MlirOperation) -> bool;
    fn tileIsMappedToBlocks(op: MlirOperation) -> bool;
    fn tileMostExtent(memref: MlirValue, dimension: i64) -> i64;
    fn tileAttributeWorkgroupMemory(root: MlirOperation);
}

/// What the interface of structured ops says of an op.
pub(crate) struct RawStructured<'c> {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of loops.
    pub loops: usize,
    /// A bit for each loop that reduces.
    pub reductions: u64,
    /// The map of each operand.
    pub maps: Attribute<'c>,
    /// Whether all its operands are memrefs, or scalars that it reads.
    pub is_bufferized: bool,
}

/// A structured op; `None` for another one.
pub(crate) fn structured<'c>(op: OperationRef<'c, '_>) -> Option<RawStructured<'c>> {
    let null = MlirAttribute { ptr: std::ptr::null() };
    let mut raw = Structured { inputs: 0, loops: 0, reductions: 0, maps: null, is_bufferized: false };
    // SAFETY: the op is alive; the attribute, where there is one, lives as long as its context.
    unsafe {
        let is_one = tileStructured(op.to_raw(), &raw mut raw);
        let maps = Attribute::from_option_raw(raw.maps).filter(|_| is_one)?;
        let Structured { inputs, loops, reductions, is_bufferized, .. } = raw;
        Some(RawStructured { inputs, loops, reductions, maps, is_bufferized })
    }
}

/// Whether an op copies the elements of its first operand to its second one, each to one place.
pub(crate) fn is_element_copy(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsElementCopy(op.to_raw()) }
}

/// Whether an op is an `scf.forall` whose iterations are blocks.
pub(crate) fn is_mapped_to_blocks(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsMappedToBlocks(op.to_raw()) }
}

/// Makes workgroup memory that is allocated in kernels at or below the root, or for them, theirs. No reference to what allocates or
/// frees it may be used after that.
pub(crate) fn attribute_workgroup_memory(root: OperationRef<'_, '_>) {
    // SAFETY: the op is alive, and what is erased below it is nobody's else.
    unsafe { tileAttributeWorkgroupMemory(root.to_raw()) }
}

/// The largest value of an extent of a memref; `None` where it is not known.
pub(crate) fn most_extent(memref: Value<'_, '_>, dimension: usize) -> Option<i64> {
    // SAFETY: the value is a memref of more dimensions.
    let most = unsafe { tileMostExtent(memref.to_raw(), dimension as i64) };
    (most > 0).then_some(most)
}
