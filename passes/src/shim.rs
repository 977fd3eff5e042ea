//! Declarations of this crate's C++ side (`cpp/Target.cpp`, `cpp/Pipeline.cpp`, `cpp/Ranges.cpp`, `cpp/Registry.cpp`), made safe.

use std::ffi::c_void;

use melior::dialect::DialectRegistry;
use melior::ir::{Location, OperationRef, Type, TypeLike, Value};
use mlir_sys::{MlirDialectRegistry, MlirLocation, MlirOperation, MlirStringRef, MlirType, MlirValue};

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

unsafe extern "C" {
    fn tileModuleChip(op: MlirOperation) -> MlirStringRef;
    fn tileAddWorkgroupAttribution(
        op: MlirOperation,
        r#type: MlirType,
        location: MlirLocation,
        alignment: i64,
    ) -> MlirValue;
    fn tileAddLaunchAttribution(op: MlirOperation, r#type: MlirType, location: MlirLocation) -> MlirValue;
    fn tileAlignWorkgroupAttribution(op: MlirOperation, argument: isize, alignment: i64);
    fn tileValueRange(solver: *const c_void, value: MlirValue, least: *mut i64, most: *mut i64) -> bool;
    fn tileRegisterDialects(registry: MlirDialectRegistry);
    fn tileRegisterPasses();
}

/// The chip that a `gpu.module` names for NVIDIA.
pub(crate) fn module_chip(op: OperationRef<'_, '_>) -> Option<String> {
    // SAFETY: the op is alive; the string lives as long as its context.
    let chip = unsafe { text(tileModuleChip(op.to_raw())) };
    (!chip.is_empty()).then(|| chip.to_owned())
}

/// Adds workgroup memory of a memref type to a `gpu.func`.
pub(crate) fn add_workgroup_attribution<'c, 'a>(
    function: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    location: Location<'c>,
    alignment: i64,
) -> Value<'c, 'a> {
    assert_eq!(crate::read::name(function), "gpu.func");
    // SAFETY: the op is a gpu.func, which C++ casts it to.
    unsafe {
        Value::from_raw(tileAddWorkgroupAttribution(function.to_raw(), r#type.to_raw(), location.to_raw(), alignment))
    }
}

/// Adds workgroup memory of a memref type to a `gpu.launch`.
pub(crate) fn add_launch_attribution<'c, 'a>(
    launch: OperationRef<'c, 'a>,
    r#type: Type<'c>,
    location: Location<'c>,
) -> Value<'c, 'a> {
    assert_eq!(crate::read::name(launch), "gpu.launch");
    // SAFETY: the op is a gpu.launch, which C++ casts it to.
    unsafe { Value::from_raw(tileAddLaunchAttribution(launch.to_raw(), r#type.to_raw(), location.to_raw())) }
}

/// Aligns the workgroup memory that an argument of a `gpu.func`'s body is to this many bytes at least; nothing for an
/// argument that is no workgroup memory.
pub(crate) fn align_workgroup_attribution(function: OperationRef<'_, '_>, argument: usize, alignment: i64) {
    assert_eq!(crate::read::name(function), "gpu.func");
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

/// Adds every dialect and interface that a kernel module may use.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is alive.
    unsafe { tileRegisterDialects(registry.to_raw()) }
}

/// Makes the passes known to textual pipelines. Call it once per process.
pub fn register_passes() {
    // SAFETY: MLIR's registry is global and guarded.
    unsafe { tileRegisterPasses() }
}

/// # Safety
/// The string is valid and lives for 'a.
pub(crate) unsafe fn text<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: by the function's own contract.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).unwrap_or_default()
}
