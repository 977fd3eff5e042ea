//! Declarations of this crate's C++ side (`cpp/Target.cpp`, `cpp/Capi.cpp`, `cpp/Pipeline.cpp`, `cpp/Ranges.cpp`,
//! `cpp/Registry.cpp`), made safe.

mod affine;
pub(crate) mod debug_location;
mod effects;
mod linalg;

use std::ffi::{CStr, c_void};

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::{Location, Module, OperationRef, RegionLike, Type, TypeLike, Value};
use mlir_sys::{
    MlirContext, MlirDialectRegistry, MlirLocation, MlirModule, MlirOperation, MlirStringRef, MlirType, MlirValue,
};
use tile_dialect::ir::Parts;
use tile_ops::{func, gpu, interface, llvm, name};

pub(crate) use affine::{lower_affine, lower_affine_of};
pub(crate) use effects::{
    MemoryEffects, StatedAccess, effects_on, is_copied_by_memcpy, is_destination_style, is_speculatable,
    memory_effects, stated_accesses,
};
pub(crate) use linalg::*;

/// `TilePassOptions`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PassOptions {
    pub chip: MlirStringRef,
    pub max_vector_bits: u32,
    pub argument_alignment: u32,
    pub variant_count: isize,
    pub variants: *const MlirStringRef,
    pub noalias: bool,
}

/// `MlirStringCallback`.
pub(crate) type StringCallback = unsafe extern "C" fn(MlirStringRef, *mut c_void);

/// Appends to a String.
///
/// # Safety
/// The second argument is a String that outlives the call.
pub(crate) unsafe extern "C" fn append(text: MlirStringRef, string: *mut c_void) {
    // SAFETY: by the function's own contract; MLIR passes a valid string.
    unsafe { (*string.cast::<String>()).push_str(&String::from_utf8_lossy(bytes(text))) }
}

unsafe extern "C" {
    fn tileModuleTargetCount(op: MlirOperation) -> isize;
    fn tileModuleTarget(op: MlirOperation, index: isize) -> RawModuleTarget;
    fn tileRetargetModule(op: MlirOperation, chip: MlirStringRef, features: MlirStringRef);
    fn tileSkipTargetCheck(op: MlirOperation);
    fn tileInsertBinary(op: MlirOperation, ptx: MlirStringRef);
    fn tileAddWorkgroupAttribution(
        op: MlirOperation,
        r#type: MlirType,
        location: MlirLocation,
        alignment: i64,
    ) -> MlirValue;
    fn tileAddLaunchAttribution(op: MlirOperation, r#type: MlirType, location: MlirLocation) -> MlirValue;
    fn tileAlignWorkgroupAttribution(op: MlirOperation, argument: isize, alignment: i64);
    fn tileSplitMemrefArgument(op: MlirOperation, index: isize);
    fn tileAppendArgument(op: MlirOperation, r#type: MlirType, location: MlirLocation) -> MlirValue;
    fn tileSetArgumentType(op: MlirOperation, index: isize, r#type: MlirType);
    fn tileSetKernelOperands(op: MlirOperation, count: isize, values: *const MlirValue);
    fn tileSetDynamicSharedMemory(op: MlirOperation, size: MlirValue);
    fn tileValueRange(solver: *const c_void, value: MlirValue, least: *mut i64, most: *mut i64) -> bool;
    fn tileBranchOperand(op: MlirOperation, successor: isize, argument: isize) -> MlirValue;
    fn tileGlobalSize(op: MlirOperation) -> GlobalSize;
    fn tileViewSource(op: MlirOperation) -> MlirValue;
    fn tileHasBufferValues(op: MlirOperation) -> bool;
    fn tileConvertBufferTypes(op: MlirOperation) -> bool;
    fn tileInlineCall(call: MlirOperation, callee: MlirOperation) -> bool;
    fn tileIsUnreferenced(function: MlirOperation) -> bool;
    fn tileIsPrivate(function: MlirOperation) -> bool;
    fn tileRegisterDialects(registry: MlirDialectRegistry);
    fn tileRegisterTransformOps(registry: MlirDialectRegistry);
    fn tileOmitOpsFromDiagnostics(context: MlirContext);
    fn tileRegisterPasses();
    fn tileParseModule(context: MlirContext, text: MlirStringRef, name: MlirStringRef) -> MlirModule;
    fn tileRemarksAsDiagnostics(context: MlirContext, category: MlirStringRef);
}

/// `TileModuleTarget`.
#[repr(C)]
struct RawModuleTarget {
    chip: MlirStringRef,
    features: MlirStringRef,
    level: i32,
}

/// Copies the body of a function before a call of it, and replaces the results of the call, which stays; `false` where the callee has
/// several blocks, and the call is in a region of one.
pub(crate) fn inline_call(call: OperationRef<'_, '_>, callee: OperationRef<'_, '_>) -> bool {
    assert_eq!((name(call), name(callee)), (func::CallOp::NAME, func::FuncOp::NAME));
    assert!(callee.region_at(0).is_some_and(|body| body.first_block().is_some()), "the callee has a body");
    // SAFETY: the ops are a func.call and a func.func with a body, which C++ casts them to; nothing is erased.
    unsafe { tileInlineCall(call.to_raw(), callee.to_raw()) }
}

/// Whether other modules cannot see a function.
pub(crate) fn is_private(function: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsPrivate(function.to_raw()) }
}

/// Whether nothing in the module around a function refers to it.
pub(crate) fn is_unreferenced(function: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive, and in a module.
    unsafe { tileIsUnreferenced(function.to_raw()) }
}

/// `TileGlobalSize`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalSize {
    pub bytes: u64,
    /// In bytes.
    pub alignment: u64,
}

/// The size and the alignment of an `llvm.mlir.global`.
pub(crate) fn global_size(op: OperationRef<'_, '_>) -> GlobalSize {
    assert_eq!(name(op), llvm::GlobalOp::NAME);
    // SAFETY: the op is an llvm.mlir.global, which C++ casts it to.
    unsafe { tileGlobalSize(op.to_raw()) }
}

/// The NVIDIA target that a `gpu.module` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModuleTarget {
    /// The chip's name, as written.
    pub chip: String,
    /// Features, as written.
    pub features: String,
    /// Level of optimization.
    pub level: i32,
}

/// The NVIDIA targets that a `gpu.module` names; none for another op.
pub(crate) fn module_targets(op: OperationRef<'_, '_>) -> Vec<ModuleTarget> {
    // SAFETY: the op is alive and the indices are below the count; the strings live as long as its context.
    unsafe {
        let read = |index| tileModuleTarget(op.to_raw(), index);
        let copy = |raw: RawModuleTarget| ModuleTarget {
            chip: text(raw.chip).to_owned(),
            features: text(raw.features).to_owned(),
            level: raw.level,
        };
        (0..tileModuleTargetCount(op.to_raw())).map(|index| copy(read(index))).collect()
    }
}

/// Makes a `gpu.module` name one NVIDIA target: this chip, with these features, or with its usual ones if empty.
pub(crate) fn retarget_module(op: OperationRef<'_, '_>, chip: &str, features: &str) {
    assert_eq!(name(op), gpu::GPUModuleOp::NAME);
    // SAFETY: the op is a gpu.module, which C++ casts it to; MLIR copies the strings.
    unsafe {
        let text = |text: &str| MlirStringRef { data: text.as_ptr().cast(), length: text.len() };
        tileRetargetModule(op.to_raw(), text(chip), text(features));
    }
}

/// Inserts a `gpu.binary` with the PTX before a `gpu.module` that names an NVIDIA target.
pub(crate) fn insert_binary(op: OperationRef<'_, '_>, ptx: &str) {
    assert_eq!(name(op), gpu::GPUModuleOp::NAME);
    // SAFETY: the op is a gpu.module, which C++ casts it to; MLIR copies the string.
    unsafe { tileInsertBinary(op.to_raw(), MlirStringRef { data: ptx.as_ptr().cast(), length: ptx.len() }) }
}

/// Keeps MLIR from checking the ops of a `gpu.module` against upstream's table of chips.
pub(crate) fn skip_target_check(op: OperationRef<'_, '_>) {
    assert_eq!(name(op), gpu::GPUModuleOp::NAME);
    // SAFETY: the op is a gpu.module, which C++ casts it to.
    unsafe { tileSkipTargetCheck(op.to_raw()) }
}

/// Number of arguments of a function that are its inputs.
pub(crate) fn inputs(function: OperationRef<'_, '_>) -> usize {
    let Some(function_type) = interface::function_type(function) else { return 0 };
    // SAFETY: the type is asked for inputs only when it is a function type.
    unsafe {
        let raw = function_type.to_raw();
        if !mlir_sys::mlirTypeIsAFunction(raw) {
            return 0;
        }
        mlir_sys::mlirFunctionTypeGetNumInputs(raw) as usize
    }
}

/// Adds workgroup memory of a memref type to a `gpu.func`.
pub(crate) fn add_workgroup_attribution<'c, 'a>(
    function: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    location: Location<'c>,
    alignment: i64,
) -> Value<'c, 'a> {
    assert_eq!(name(function), gpu::GPUFuncOp::NAME);
    // SAFETY: the op is a gpu.func, which C++ casts it to.
    unsafe {
        Value::from_raw(tileAddWorkgroupAttribution(function.to_raw(), r#type.to_raw(), location.to_raw(), alignment))
    }
}

/// Splits a memref argument of a function with a body into a pointer and an index for each number that the memref's type leaves
/// to run time.
pub(crate) fn split_memref_argument(function: OperationRef<'_, '_>, index: usize) {
    assert!(index < inputs(function), "the function has the argument");
    // SAFETY: the op has inputs, as functions have, which C++ casts it to, and one of that number.
    unsafe { tileSplitMemrefArgument(function.to_raw(), index as isize) }
}

/// Appends an argument to the inputs of a function with a body.
pub(crate) fn append_argument<'c, 'a>(
    function: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    location: Location<'c>,
) -> Value<'c, 'a> {
    assert!(function.region_at(0).is_some_and(|region| region.first_block().is_some()), "the function has a body");
    // SAFETY: the op has inputs and a body, as functions have, which C++ casts it to.
    unsafe { Value::from_raw(tileAppendArgument(function.to_raw(), r#type.to_raw(), location.to_raw())) }
}

/// Changes the type of an argument of a function with a body; the caller converts its uses.
pub(crate) fn set_argument_type<'c>(function: OperationRef<'c, '_>, index: usize, r#type: Type<'c>) {
    assert!(index < inputs(function), "the function has the argument");
    // SAFETY: the op has inputs, as functions have, which C++ casts it to, and one of that number.
    unsafe { tileSetArgumentType(function.to_raw(), index as isize, r#type.to_raw()) }
}

/// Passes other values to the kernel of a `gpu.launch_func`.
pub(crate) fn set_kernel_operands(launch: OperationRef<'_, '_>, values: &[Value<'_, '_>]) {
    assert_eq!(name(launch), gpu::LaunchFuncOp::NAME);
    let raw: Vec<_> = values.iter().map(melior::ir::ValueLike::to_raw).collect();
    // SAFETY: the op is a gpu.launch_func, which C++ casts it to; the list has that many values, which are alive.
    unsafe { tileSetKernelOperands(launch.to_raw(), raw.len() as isize, raw.as_ptr()) }
}

/// Sets the bytes of dynamic shared memory of a `gpu.launch` or a `gpu.launch_func`.
pub(crate) fn set_dynamic_shared_memory(launch: OperationRef<'_, '_>, size: Value<'_, '_>) {
    assert!([gpu::LaunchOp::NAME, gpu::LaunchFuncOp::NAME].contains(&name(launch)), "the op launches a kernel");
    // SAFETY: the op is one of the two, which C++ casts it to; the value is alive.
    unsafe { tileSetDynamicSharedMemory(launch.to_raw(), melior::ir::ValueLike::to_raw(&size)) }
}

/// Whether loops, branches, selects or functions below an op pass tiles.
pub(crate) fn has_buffer_values(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is valid.
    unsafe { tileHasBufferValues(op.to_raw()) }
}

/// Converts such tiles to pointers and numbers; `false`, after errors, where that is not possible. Nothing refers to what is
/// below the op.
pub(crate) fn convert_buffer_types(ir: &mut tile_dialect::ir::Ir<'_>) -> bool {
    // SAFETY: the op is valid; nothing refers to what C++ erases below it, since the IR is borrowed alone.
    unsafe { tileConvertBufferTypes(ir.root().to_raw()) }
}

/// Adds workgroup memory of a memref type to a `gpu.launch`.
pub(crate) fn add_launch_attribution<'c, 'a>(
    launch: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    location: Location<'c>,
) -> Value<'c, 'a> {
    assert_eq!(name(launch), gpu::LaunchOp::NAME);
    // SAFETY: the op is a gpu.launch, which C++ casts it to.
    unsafe { Value::from_raw(tileAddLaunchAttribution(launch.to_raw(), r#type.to_raw(), location.to_raw())) }
}

/// Aligns the workgroup memory that an argument of a `gpu.func`'s body is to this many bytes at least; does nothing for an
/// argument that is not workgroup memory.
pub(crate) fn align_workgroup_attribution(function: OperationRef<'_, '_>, argument: usize, alignment: i64) {
    assert_eq!(name(function), gpu::GPUFuncOp::NAME);
    // SAFETY: the op is a gpu.func, which C++ casts it to; C++ checks the number.
    unsafe { tileAlignWorkgroupAttribution(function.to_raw(), argument as isize, alignment) }
}

/// Least and largest value of an integer, read as signed, where something is known of it.
///
/// # Safety
/// `solver` is an `mlir::DataFlowSolver`, `value` is alive.
pub(crate) unsafe fn value_range(solver: *const c_void, value: MlirValue) -> Option<(i64, i64)> {
    let (mut least, mut most) = (0, 0);
    // SAFETY: by the function's own contract; the numbers are written during the call.
    let known = unsafe { tileValueRange(solver, value, &raw mut least, &raw mut most) };
    known.then_some((least, most))
}

/// The operand of a branch that becomes an argument of its successor; `None` where no operand does.
pub(crate) fn branch_operand<'c, 'a>(
    branch: OperationRef<'c, 'a>,
    successor: usize,
    argument: usize,
) -> Option<Value<'c, 'a>> {
    // SAFETY: the op is alive; its operand lives as long.
    unsafe {
        let raw = tileBranchOperand(branch.to_raw(), successor as isize, argument as isize);
        (!raw.ptr.is_null()).then(|| Value::from_raw(raw))
    }
}

/// The buffer or pointer that a view is of; `None` for an op that is not a view.
pub(crate) fn view_source<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    // SAFETY: the op is alive; its operand lives as long.
    unsafe {
        let raw = tileViewSource(op.to_raw());
        (!raw.ptr.is_null()).then(|| Value::from_raw(raw))
    }
}

/// Adds every dialect and interface that a kernel module may use.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is alive.
    unsafe { tileRegisterDialects(registry.to_raw()) }
}

/// Adds the transform ops of the compiler.
///
/// # Safety
/// The registry is alive.
pub unsafe fn register_transform_ops(registry: MlirDialectRegistry) {
    // SAFETY: by the function's own contract.
    unsafe { tileRegisterTransformOps(registry) }
}

/// Leaves out of diagnostics the whole operation in its generic form, which MLIR would add as a note.
pub fn omit_ops_from_diagnostics(context: &Context) {
    // SAFETY: the context is alive.
    unsafe { tileOmitOpsFromDiagnostics(context.to_raw()) }
}

/// The module of a text that diagnostics call `name`.
pub(crate) fn parse_module<'c>(context: &'c Context, text: &CStr, name: &str) -> Option<Module<'c>> {
    let source = MlirStringRef { data: text.as_ptr(), length: text.count_bytes() };
    let name = MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
    // SAFETY: the context is alive, and the strings outlive the call; no other code owns the module, if there is one.
    unsafe { Module::from_option_raw(tileParseModule(context.to_raw(), source, name)) }
}

/// Registers the passes for textual pipelines. Call it once per process.
pub fn register_passes() {
    // SAFETY: MLIR's registry is global and guarded.
    unsafe { tileRegisterPasses() }
}

/// Reports remarks of a category, a regular expression, as diagnostics.
pub(crate) fn remarks_as_diagnostics(context: &Context, category: &str) {
    let category = MlirStringRef { data: category.as_ptr().cast(), length: category.len() };
    // SAFETY: the context is alive, and C++ copies the string.
    unsafe { tileRemarksAsDiagnostics(context.to_raw(), category) }
}

/// # Safety
/// The string is valid and lives for 'a.
pub(crate) unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: by the function's own contract.
    unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) }
}

/// # Safety
/// The string is valid and lives for 'a.
pub(crate) unsafe fn text<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: by the function's own contract.
    std::str::from_utf8(unsafe { bytes(text) }).unwrap_or_default()
}
