//! What ops of any dialect do to memory, by MLIR's interfaces.

use std::ffi::c_void;

use melior::ir::{OperationRef, Value};
use mlir_sys::{MlirOperation, MlirValue};
use tile_isa::Scope;

unsafe extern "C" {
    fn tileIsCopiedByMemcpy(op: MlirOperation) -> bool;
    fn tileMemoryEffects(op: MlirOperation) -> MemoryEffects;
    fn tileIsSpeculatable(op: MlirOperation) -> bool;
    fn tileEffectsOnOperand(op: MlirOperation, operand: isize) -> MemoryEffects;
    fn tileIsDestinationStyle(op: MlirOperation) -> bool;
    fn tileStatedAccesses(op: MlirOperation, scope: *mut i32, take: TakeAccess, user_data: *mut c_void) -> bool;
}

/// `TileAccessCallback`.
type TakeAccess = unsafe extern "C" fn(RawAccess, *mut c_void);

/// `TileAccessRef`.
#[repr(C)]
struct RawAccess {
    operand: isize,
    reads: bool,
    writes: bool,
    engine: i32,
    offset_count: isize,
    offsets: *const i64,
    size_count: isize,
    sizes: *const i64,
    value_count: isize,
    values: *const MlirValue,
    mbarrier: isize,
}

/// An access that an op of another dialect states: `tile::MemoryAccess`.
pub(crate) struct StatedAccess<'c, 'a> {
    /// The number of the operand whose memory it is; `None` for other memory.
    pub operand: Option<usize>,
    pub reads: bool,
    pub writes: bool,
    /// What performs it, by the number of the `tile::AccessEngine`.
    pub engine: i32,
    /// The start of the region, `DYNAMIC` for a value; no sizes for all of the operand.
    pub offsets: Vec<i64>,
    pub sizes: Vec<i64>,
    pub values: Vec<Value<'c, 'a>>,
    /// The number of the operand that is the mbarrier that completes it, if one does.
    pub mbarrier: Option<usize>,
}

/// # Safety
/// The list has that many elements, or is null.
unsafe fn list<T: Copy>(data: *const T, count: isize) -> Vec<T> {
    match usize::try_from(count) {
        // SAFETY: by the function's own contract.
        Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(data, count) }.to_vec(),
        _ => Vec::new(),
    }
}

/// # Safety
/// The lists of the access are valid, its values are alive for as long as those of the list, and `accesses` is a
/// `Vec<StatedAccess>`.
unsafe extern "C" fn take_access(raw: RawAccess, accesses: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe {
        let accesses = &mut *accesses.cast::<Vec<StatedAccess<'_, '_>>>();
        accesses.push(StatedAccess {
            operand: usize::try_from(raw.operand).ok(),
            reads: raw.reads,
            writes: raw.writes,
            engine: raw.engine,
            offsets: list(raw.offsets, raw.offset_count),
            sizes: list(raw.sizes, raw.size_count),
            values: list(raw.values, raw.value_count).into_iter().map(|value| Value::from_raw(value)).collect(),
            mbarrier: usize::try_from(raw.mbarrier).ok(),
        });
    }
}

/// What an op of another dialect states by `TileAccessOpInterface`: the threads that execute it together, and its accesses. `None` where it
/// does not implement the interface.
pub(crate) fn stated_accesses<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Scope, Vec<StatedAccess<'c, 'a>>)> {
    let (mut scope, mut accesses) = (0, Vec::<StatedAccess<'c, 'a>>::new());
    // SAFETY: the op is alive, and its operands live as long; C++ passes valid lists, and the vector to the callback alone.
    let states =
        unsafe { tileStatedAccesses(op.to_raw(), &raw mut scope, take_access, (&raw mut accesses).cast::<c_void>()) };
    states.then(|| (Scope::from_code(scope.into()).unwrap_or(Scope::Thread), accesses))
}

/// `TileMemoryEffects`: what an op may do to memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryEffects {
    pub reads: bool,
    /// It writes, allocates or frees.
    pub writes: bool,
}

/// What an op may do to memory by MLIR's interface, the ops in it aside; everything, where the op does not implement it.
pub(crate) fn memory_effects(op: OperationRef<'_, '_>) -> MemoryEffects {
    // SAFETY: the op is alive.
    unsafe { tileMemoryEffects(op.to_raw()) }
}

/// Whether an op is defined for all operands, by MLIR's interface.
pub(crate) fn is_speculatable(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsSpeculatable(op.to_raw()) }
}

/// What an op does to the memory of an operand, the ops in it aside, or to memory that no operand names; everything to each, where
/// the op does not implement MLIR's interface. What it allocates does not count.
pub(crate) fn effects_on(op: OperationRef<'_, '_>, operand: Option<usize>) -> MemoryEffects {
    let number = operand.map_or(-1, |operand| isize::try_from(operand).unwrap_or(isize::MAX));
    // SAFETY: the op is alive.
    unsafe { tileEffectsOnOperand(op.to_raw(), number) }
}

/// Whether an op of any dialect computes what it writes from what it reads, all of it itself, as those of linalg do.
pub(crate) fn is_destination_style(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsDestinationStyle(op.to_raw()) }
}

/// Whether MLIR's conversion to LLVM makes a `memcpy` of a `memref.copy`, and no call of its host runtime.
pub(crate) fn is_copied_by_memcpy(copy: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsCopiedByMemcpy(copy.to_raw()) }
}
