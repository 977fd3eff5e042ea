//! Access from one reference to others: operands, results, regions and successors of an op by number, definitions, uses.
//!
//! melior has methods for these, but their error holds the printed op, and MLIR verifies everything around an op before it
//! prints it. So a request for an operand that does not exist takes the longer, the larger the module is.

use std::ffi::c_void;

use melior::ir::block::BlockArgument;
use melior::ir::operation::{OperationLike, OperationResult, WalkOrder, WalkResult};
use melior::ir::{BlockLike, BlockRef, Location, OperationRef, RegionRef, Value, ValueLike};
use mlir_sys::MlirOperation;

/// The parts of an op by number; `None` beyond the last.
#[expect(clippy::disallowed_methods, reason = "here the number is compared first")]
pub trait Parts<'c: 'a, 'a>: OperationLike<'c, 'a> + Sized {
    /// An operand.
    fn operand_at(&self, index: usize) -> Option<Value<'c, 'a>> {
        (index < self.operand_count()).then(|| self.operand(index).ok()).flatten()
    }

    /// A result.
    fn result_at(&self, index: usize) -> Option<OperationResult<'c, 'a>> {
        (index < self.result_count()).then(|| self.result(index).ok()).flatten()
    }

    /// A region.
    fn region_at(&self, index: usize) -> Option<RegionRef<'c, 'a>> {
        (index < self.region_count()).then(|| self.region(index).ok()).flatten()
    }

    /// A successor of a terminator.
    fn successor_at(&self, index: usize) -> Option<BlockRef<'c, 'a>> {
        (index < self.successor_count()).then(|| self.successor(index).ok()).flatten()
    }
}

impl<'c: 'a, 'a, T: OperationLike<'c, 'a>> Parts<'c, 'a> for T {}

/// The arguments of a block by number; `None` beyond the last.
#[expect(clippy::disallowed_methods, reason = "here the number is compared first")]
pub trait Arguments<'c: 'a, 'a>: BlockLike<'c, 'a> + Sized {
    /// An argument.
    fn argument_at(&self, index: usize) -> Option<BlockArgument<'c, 'a>> {
        (index < self.argument_count()).then(|| self.argument(index).ok()).flatten()
    }
}

impl<'c: 'a, 'a, T: BlockLike<'c, 'a>> Arguments<'c, 'a> for T {}

/// The op that defines `value`; `None` for a block argument.
pub fn defining_op<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // melior prints a value that is no result into its error.
    let result = value.is_operation_result().then(|| OperationResult::try_from(value).ok());
    Some(result??.owner())
}

/// The value as an argument of a block; `None` for a result.
pub fn as_argument<'c, 'a>(value: Value<'c, 'a>) -> Option<BlockArgument<'c, 'a>> {
    value.is_block_argument().then(|| BlockArgument::try_from(value).ok())?
}

/// The block that `value` is an argument of, and its number; `None` for a result.
pub fn argument_of<'c, 'a>(value: Value<'c, 'a>) -> Option<(BlockRef<'c, 'a>, usize)> {
    let argument = as_argument(value)?;
    let owner = argument.owner().to_raw();
    // SAFETY: the block lives as long as its argument; the reference borrowed from `argument` is only shorter.
    Some((unsafe { BlockRef::from_raw(owner) }, argument.argument_number()))
}

/// The op whose region a value is defined in: the one around its definition, or around the block whose argument it is.
pub fn parent_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    match defining_op(value) {
        Some(op) => op.parent_operation(),
        None => argument_of(value).and_then(|(block, _)| block.parent_operation()),
    }
}

/// Whether any op uses the value.
pub fn is_used(value: Value<'_, '_>) -> bool {
    // SAFETY: the value is alive, and its uses are not followed.
    unsafe { !mlir_sys::mlirOpOperandIsNull(mlir_sys::mlirValueGetFirstUse(value.to_raw())) }
}

/// The ops that use a value, each with the number of the operand.
pub fn uses<'c, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut uses = Vec::new();
    // SAFETY: the value is alive, and while it is borrowed nothing changes the list of its uses or frees their owners.
    unsafe {
        let mut next = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        while !mlir_sys::mlirOpOperandIsNull(next) {
            let owner = OperationRef::from_raw(mlir_sys::mlirOpOperandGetOwner(next));
            uses.push((owner, mlir_sys::mlirOpOperandGetOperandNumber(next) as usize));
            next = mlir_sys::mlirOpOperandGetNextUse(next);
        }
    }
    uses
}

/// The results of an op, for as long as the op lives.
pub fn results_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    // SAFETY: results live as long as their op; those borrowed from `op` are only shorter.
    op.results().map(|result| unsafe { Value::from_raw(result.to_raw()) }).collect()
}

/// The arguments of a block, for as long as the block lives.
pub fn arguments_of<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let arguments = (0..block.argument_count()).filter_map(|index| block.argument_at(index));
    // SAFETY: arguments live as long as their block; those borrowed from `block` are only shorter.
    arguments.map(|argument| unsafe { Value::from_raw(argument.to_raw()) }).collect()
}

/// Whether an op is `outer` or anywhere below it.
pub fn is_inside(op: OperationRef<'_, '_>, outer: OperationRef<'_, '_>) -> bool {
    std::iter::successors(Some(op), |op| op.parent_operation()).any(|op| op == outer)
}

/// Whether an op comes before another one of the same block. MLIR numbers the ops of a block, so this does not walk over them.
pub fn precedes(op: OperationRef<'_, '_>, other: OperationRef<'_, '_>) -> bool {
    let block = |op: OperationRef<'_, '_>| op.block().map(|block| block.to_raw().ptr);
    // SAFETY: both ops are alive, and in the same block.
    block(op).is_some()
        && block(op) == block(other)
        && unsafe { mlir_sys::mlirOperationIsBeforeInBlock(op.to_raw(), other.to_raw()) }
}

/// Every op below `root` (and itself) whose name `wanted` accepts, in textual order. `wanted` is called once for each
/// name: names are interned.
pub fn matching<'c, 'a>(root: OperationRef<'c, 'a>, mut wanted: impl FnMut(&str) -> bool) -> Vec<OperationRef<'c, 'a>> {
    let mut accepted_ops = Vec::new();
    let mut known: Vec<(*const c_void, bool)> = Vec::new();
    root.walk(WalkOrder::PreOrder, |op| {
        let name = op.name();
        let key = name.to_raw().ptr;
        let decided = known.iter().find(|(known, _)| *known == key).map(|&(_, decided)| decided);
        let accepted = decided.unwrap_or_else(|| {
            let accepted = wanted(name.as_string_ref().as_str().unwrap_or_default());
            known.push((key, accepted));
            accepted
        });
        if accepted {
            // SAFETY: an op below the root lives as long as references into the root's IR do.
            accepted_ops.push(unsafe { OperationRef::from_raw(op.to_raw()) });
        }
        WalkResult::Advance
    });
    accepted_ops
}

/// Every op of that name below `root`.
pub fn named<'c, 'a>(root: OperationRef<'c, 'a>, name: &str) -> Vec<OperationRef<'c, 'a>> {
    matching(root, |candidate| candidate == name)
}

/// # Safety
/// The op is valid.
pub(super) unsafe fn has_users(op: MlirOperation) -> bool {
    // SAFETY: the op is valid, and so are its results.
    let op = unsafe { OperationRef::from_raw(op) };
    op.results().any(|result| is_used(result.into()))
}

/// The location of a value's definition.
pub fn location_of<'c>(value: Value<'c, '_>) -> Location<'c> {
    // SAFETY: the value is alive; its location lives as long as the context.
    unsafe { Location::from_raw(mlir_sys::mlirValueGetLocation(value.to_raw())) }
}

/// The name of a value as printed for an operand, such as `%arg0` or `%3`, numbered as in the text of its function.
pub fn operand_name(value: Value<'_, '_>) -> String {
    unsafe extern "C" fn append(text: mlir_sys::MlirStringRef, name: *mut std::ffi::c_void) {
        // SAFETY: the string is valid during the call, and the pointer is that of the string below.
        let (text, name) = unsafe { (crate::shim::bytes(text), &mut *name.cast::<String>()) };
        name.push_str(&String::from_utf8_lossy(text));
    }
    let mut name = String::new();
    // SAFETY: the value is alive; flags and state are freed once; the callback is called during the call only, and copies.
    unsafe {
        let flags = mlir_sys::mlirOpPrintingFlagsCreate();
        mlir_sys::mlirOpPrintingFlagsUseLocalScope(flags);
        let state = mlir_sys::mlirAsmStateCreateForValue(value.to_raw(), flags);
        mlir_sys::mlirValuePrintAsOperand(value.to_raw(), state, Some(append), (&raw mut name).cast());
        mlir_sys::mlirAsmStateDestroy(state);
        mlir_sys::mlirOpPrintingFlagsDestroy(flags);
    }
    name
}
