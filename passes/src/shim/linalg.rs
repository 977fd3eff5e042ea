//! What upstream's interfaces say of ops of linalg (`cpp/Linalg.cpp`).

use std::ffi::c_void;

use melior::ir::{Attribute, OperationRef, TypeLike, Value, ValueLike};
use mlir_sys::{MlirAttribute, MlirOperation, MlirValue};
use tile_dialect::ops::Scope;

use super::{StringCallback, append};

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
    fn tileTakesScalars(op: MlirOperation) -> bool;
    fn tileForallScope(op: MlirOperation) -> i64;
    fn tileMapForall(op: MlirOperation, block: *const i64, say: StringCallback, user_data: *mut c_void) -> bool;
    fn tileLoopsOfElements(op: MlirOperation) -> MlirOperation;
    fn tileLoopsOfThreads(op: MlirOperation, block: *const i32) -> MlirOperation;
    fn tileMostExtent(memref: MlirValue, dimension: i64) -> i64;
    fn tileAttributeWorkgroupMemory(root: MlirOperation);
    fn tileSplitLoops(op: MlirOperation, sizes: *const i64, count: isize) -> MlirOperation;
    fn tileDropUnitLoops(op: MlirOperation) -> MlirOperation;
    fn tileSeparateFactor(
        op: MlirOperation,
        factor: MlirValue,
        loops: *const i64,
        extents: *const i64,
        count: isize,
    ) -> MlirOperation;
    fn tileCopyAsLinalg(op: MlirOperation) -> MlirOperation;
    fn tileShareComputations(op: MlirOperation);
    fn tileAllocateLike(before: MlirOperation, memref: MlirValue, shape: *const i64, rank: isize) -> MlirValue;
    fn tileKeepResult(op: MlirOperation, shape: *const i64, rank: isize);
    fn tileVectorGroup(
        anchor: MlirOperation,
        take: unsafe extern "C" fn(MlirOperation, *mut c_void),
        user_data: *mut c_void,
    ) -> MlirOperation;
    fn tileWriteVectorGroup(anchor: MlirOperation, kernel: MlirOperation);
}

/// Puts an op of linalg on memrefs in loops over parts of these sizes, 0 for a loop that stays whole; no reference to it may be used
/// after that. The op of a part; `None`, and nothing changed, where upstream does not tile it.
pub(crate) fn split_loops<'c, 'a>(op: OperationRef<'c, 'a>, sizes: &[i64]) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the op is alive, and nothing else refers to it; the list is alive during the call.
    unsafe { OperationRef::from_option_raw(tileSplitLoops(op.to_raw(), sizes.as_ptr(), sizes.len() as isize)) }
}

/// The same op without loops of one iteration; no reference to another one than the result may be used after that.
pub(crate) fn drop_unit_loops<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the op is alive, and nothing else refers to it.
    unsafe { OperationRef::from_option_raw(tileDropUnitLoops(op.to_raw())) }
}

/// Computes a value of the body of a `linalg.generic`, which depends on inputs alone, in an op of its own, into memory with these extents
/// of these loops; no reference to the op may be used after that. The op that reads what is computed; `None`, and nothing changed, for
/// another op.
pub(crate) fn separate_factor<'c, 'a>(
    op: OperationRef<'c, 'a>,
    factor: Value<'c, 'a>,
    loops: &[(usize, i64)],
) -> Option<OperationRef<'c, 'a>> {
    let (loops, extents): (Vec<i64>, Vec<i64>) = loops.iter().map(|&(number, extent)| (number as i64, extent)).unzip();
    let (count, factor) = (loops.len() as isize, factor.to_raw());
    // SAFETY: the op and the value are alive, and nothing else refers to the op; the lists are alive during the call, and of that length.
    unsafe {
        let next = tileSeparateFactor(op.to_raw(), factor, loops.as_ptr(), extents.as_ptr(), count);
        OperationRef::from_option_raw(next)
    }
}

/// A `memref.copy` as an op of linalg; no reference to it may be used after that.
pub(crate) fn copy_as_linalg<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the op is alive, and nothing else refers to it.
    unsafe { OperationRef::from_option_raw(tileCopyAsLinalg(op.to_raw())) }
}

/// Makes one of what is computed several times below an op; no reference to an op without effects may be used after that.
pub(crate) fn share_computations(op: OperationRef<'_, '_>) {
    // SAFETY: the op is alive, and nothing else refers to what is erased.
    unsafe { tileShareComputations(op.to_raw()) }
}

/// Allocates memory of that shape before an op: the part of it that has the extents of a memref, which are not larger.
pub(crate) fn allocate_like<'c, 'a>(
    before: OperationRef<'c, 'a>,
    memref: Value<'c, 'a>,
    shape: &[i64],
) -> Value<'c, 'a> {
    // SAFETY: the op and the value are alive; the list is alive during the call.
    unsafe { Value::from_raw(tileAllocateLike(before.to_raw(), memref.to_raw(), shape.as_ptr(), shape.len() as isize)) }
}

/// Gives an op, for its only result, memory of that shape, which is copied from the result before it, and to the result after it.
pub(crate) fn keep_result(op: OperationRef<'_, '_>, shape: &[i64]) {
    // SAFETY: the op is alive; the list is alive during the call.
    unsafe { tileKeepResult(op.to_raw(), shape.as_ptr(), shape.len() as isize) }
}

/// The ops whose vectors depend on each other, and one of them that does not become an op of linalg.
pub(crate) fn vector_group<'c, 'a>(
    anchor: OperationRef<'c, 'a>,
) -> (Vec<OperationRef<'c, 'a>>, Option<OperationRef<'c, 'a>>) {
    unsafe extern "C" fn take(op: MlirOperation, ops: *mut c_void) {
        // SAFETY: C++ passes what it was given.
        unsafe { (*ops.cast::<Vec<MlirOperation>>()).push(op) }
    }
    let mut ops: Vec<MlirOperation> = Vec::new();
    // SAFETY: the op is alive, and so are those that have its vectors.
    unsafe {
        let other = OperationRef::from_option_raw(tileVectorGroup(anchor.to_raw(), take, (&raw mut ops).cast()));
        (ops.into_iter().map(|op| OperationRef::from_raw(op)).collect(), other)
    }
}

/// Writes a group, all of whose ops are followed, as ops of linalg; no reference to one of them may be used after that.
pub(crate) fn write_vector_group(anchor: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>) {
    // SAFETY: both are alive, and what is erased is nobody's else.
    unsafe { tileWriteVectorGroup(anchor.to_raw(), kernel.to_raw()) }
}

/// Whether a value is a vector.
pub(crate) fn is_vector(value: Value<'_, '_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { mlir_sys::mlirTypeIsAVector(value.r#type().to_raw()) }
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

/// Whether an op of linalg may read a scalar where it reads a memref without dimensions.
pub(crate) fn takes_scalars(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileTakesScalars(op.to_raw()) }
}

/// Whether an op copies the elements of its first operand to its second one, each to one place.
pub(crate) fn is_element_copy(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsElementCopy(op.to_raw()) }
}

/// The threads that do an iteration of an `scf.forall` together, by its mapping; `None` for another op, and without a mapping to a GPU.
pub(crate) fn forall_scope(op: OperationRef<'_, '_>) -> Option<Scope> {
    // SAFETY: the op is alive.
    Scope::from_code(unsafe { tileForallScope(op.to_raw()) })
}

/// Makes the iterations of an `scf.forall` those of the threads of a block, as upstream does; no reference to it may be used after that.
///
/// # Errors
/// Upstream's reason why not.
pub(crate) fn map_forall(op: OperationRef<'_, '_>, block: [i64; 3]) -> Result<(), String> {
    let mut reason = String::new();
    // SAFETY: the op is alive, and nothing else refers to it; the list and the string are alive during the call.
    let is_mapped = unsafe { tileMapForall(op.to_raw(), block.as_ptr(), append, (&raw mut reason).cast()) };
    if is_mapped { Ok(()) } else { Err(reason) }
}

/// Writes an op of linalg as loops over elements, as upstream does; no reference to it may be used after that. The outermost loop;
/// `None`, and nothing changed, where upstream does not.
pub(crate) fn loops_of_elements<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the op is alive, and nothing else refers to it.
    unsafe { OperationRef::from_option_raw(tileLoopsOfElements(op.to_raw())) }
}

/// Writes an op of linalg as loops over elements for the threads of a block of that size; no reference to it may be used after that. The last
/// loop; `None`, and nothing changed, where iterations share elements of a result, or where it is not known how many elements a row has.
pub(crate) fn loops_of_threads<'c, 'a>(op: OperationRef<'c, 'a>, block: [i32; 3]) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: the op is alive, and nothing else refers to it; the list is alive during the call.
    unsafe { OperationRef::from_option_raw(tileLoopsOfThreads(op.to_raw(), block.as_ptr())) }
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
