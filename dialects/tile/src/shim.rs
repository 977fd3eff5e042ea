//! Declarations of the C++ side (`cpp/Capi.h`, `cpp/Bridge.h`).

use std::ffi::c_void;

use mlir_sys::{MlirAttribute, MlirContext, MlirDialectHandle, MlirLocation, MlirOperation, MlirStringRef, MlirType};

use crate::stated_copy::CopyPart;

/// `TileLayoutRef`: a layout as the attribute stores it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LayoutRef {
    pub shard: *const i64,
    pub shard_size: isize,
    pub replica: *const i64,
    pub replica_size: isize,
    pub offset: *const i64,
    pub offset_size: isize,
    pub swizzle: *const i64,
    pub swizzle_size: isize,
}

/// `TileBufferRef`: a buffer type's parameters.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct BufferRef {
    pub shape: *const i64,
    pub rank: isize,
    pub element: MlirType,
    pub space: i32,
    pub layout: MlirAttribute,
    pub fragment: MlirAttribute,
    pub is_auto: bool,
}

/// `TileNote`.
#[repr(C)]
pub(crate) struct Note {
    pub location: MlirLocation,
    pub text: MlirStringRef,
}

/// `TileRemark`.
#[repr(C)]
pub(crate) struct RawRemark {
    pub name: MlirStringRef,
    pub category: MlirStringRef,
    pub function: MlirStringRef,
    pub text: MlirStringRef,
    pub arg_count: isize,
    pub keys: *const MlirStringRef,
    pub values: *const MlirStringRef,
}

/// `TileOpParts`.
#[repr(C)]
pub(crate) struct OpParts {
    pub name: MlirStringRef,
    pub location: MlirLocation,
    pub operand_count: isize,
    pub operands: *const mlir_sys::MlirValue,
    pub result_count: isize,
    pub results: *const MlirType,
    pub attribute_count: isize,
    pub names: *const MlirStringRef,
    pub attributes: *const MlirAttribute,
    pub region_count: isize,
    pub regions: *const mlir_sys::MlirRegion,
}

/// `TileSegments`.
#[repr(C)]
pub(crate) struct Segments {
    pub sizes: *const i32,
    pub count: isize,
}

/// `MlirStringCallback`.
pub(crate) type StringCallback = unsafe extern "C" fn(MlirStringRef, *mut c_void);

/// `TileLayoutCallback`.
pub(crate) type LayoutCallback = unsafe extern "C" fn(LayoutRef, *mut c_void);

/// `TilePlanCallback`.
pub(crate) type PlanCallback = unsafe extern "C" fn(*const c_void, *mut c_void);

/// `TileMistakeCallback`.
pub(crate) type MistakeCallback = unsafe extern "C" fn(isize, MlirStringRef, *mut c_void);

/// `TileSchedule`.
#[repr(C)]
pub(crate) struct ScheduleRef {
    pub instruction: MlirStringRef,
    pub over: *const i64,
    pub over_size: isize,
    pub stages: i64,
    pub epilogue: MlirStringRef,
    pub tile: *const i64,
    pub tile_size: isize,
    pub threads: i64,
    pub group: i64,
    pub attribute: MlirAttribute,
}

unsafe extern "C" {
    pub(crate) fn tileScheduleOf(op: MlirOperation, schedule: *mut ScheduleRef) -> bool;
    pub(crate) fn tileNotifyMatchFailure(
        rewriter: mlir_sys::MlirPatternRewriter,
        op: MlirOperation,
        reason: MlirStringRef,
    );
    pub(crate) fn tileStatesCopy(op: MlirOperation) -> bool;
    pub(crate) fn tileMakeStatedCopy(op: MlirOperation, other: *mut CopyPart) -> MlirOperation;
    pub(crate) fn tileAddStatedCopyPattern(
        set: mlir_sys::MlirRewritePatternSet,
        callbacks: mlir_sys::MlirRewritePatternCallbacks,
        state: *mut c_void,
    );
    pub(crate) fn tileAttributeIsALayout(attribute: MlirAttribute) -> bool;
    pub(crate) fn tileLayoutAttrGetParts(layout: MlirAttribute) -> LayoutRef;
    pub(crate) fn tileLayoutAttrGet(location: MlirLocation, layout: LayoutRef) -> MlirAttribute;
    pub(crate) fn tileFragmentAttrGet(location: MlirLocation, name: MlirStringRef) -> MlirAttribute;
    pub(crate) fn tileFragmentAttrGetName(attribute: MlirAttribute) -> MlirStringRef;
    pub(crate) fn tilePlanAttrGetPlan(attribute: MlirAttribute) -> *const c_void;
    pub(crate) fn tilePlanAttrGet(context: MlirContext, plan: *const c_void) -> MlirAttribute;
    pub(crate) fn tileTypeIsABuffer(r#type: MlirType) -> bool;
    pub(crate) fn tileBufferTypeGetParts(r#type: MlirType) -> BufferRef;
    pub(crate) fn tileBufferTypeGet(location: MlirLocation, buffer: BufferRef) -> MlirType;
    pub(crate) fn tileTensorMapTypeGet(context: MlirContext, fields: MlirStringRef) -> MlirType;
    pub(crate) fn tileTensorMapTypeFields(r#type: MlirType) -> MlirStringRef;
    pub(crate) fn tileEmit(
        op: MlirOperation,
        severity: i32,
        text: MlirStringRef,
        note_count: isize,
        notes: *const Note,
    );
    pub(crate) fn tileCreateOp(parts: OpParts) -> MlirOperation;
    pub(crate) fn tileOperandSegments(op: MlirOperation) -> Segments;
    pub(crate) fn tileIsMemoryEffectFree(op: MlirOperation) -> bool;
    pub(crate) fn tileRemarksEnabled(context: MlirContext, kind: i32, category: MlirStringRef) -> bool;
    pub(crate) fn tileEmitRemark(location: MlirLocation, kind: i32, remark: RawRemark);
    fn mlirGetDialectHandle__tile__() -> MlirDialectHandle;
}

/// The handle that registers or loads the dialect.
pub fn dialect_handle() -> melior::dialect::DialectHandle {
    // SAFETY: the function takes nothing and returns a handle to static data.
    unsafe { melior::dialect::DialectHandle::from_raw(mlirGetDialectHandle__tile__()) }
}

/// A string in the form that C++ takes; valid while `text` is.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// The bytes of a string that C++ passes; an empty one may have a null address.
///
/// # Safety
/// The string is valid for 'a.
pub(crate) unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: by the function's own contract.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}
