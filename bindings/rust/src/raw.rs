//! The declarations of `tile-c/Compile.h`.

use std::ffi::{c_char, c_void};

/// `MlirStringRef`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StringRef {
    data: *const c_char,
    length: usize,
}

impl StringRef {
    pub fn of(text: &str) -> Self {
        StringRef { data: text.as_ptr().cast(), length: text.len() }
    }
}

impl StringRef {
    /// A copy of the text.
    ///
    /// # Safety
    /// The string is valid.
    pub unsafe fn to_text(self) -> String {
        if self.length == 0 {
            return String::new();
        }
        // SAFETY: by the function's own contract.
        let bytes = unsafe { std::slice::from_raw_parts(self.data.cast::<u8>(), self.length) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// `MlirStringCallback`.
pub type StringCallback = unsafe extern "C" fn(StringRef, *mut c_void);

/// `MlirTileErrorHandler`.
#[repr(C)]
pub struct ErrorHandler {
    pub say: StringCallback,
    pub user_data: *mut c_void,
}

/// `MlirTileCompileOptions`.
#[repr(C)]
pub struct CompileOptions {
    pub chip: StringRef,
    pub features: StringRef,
    pub gpu_module: StringRef,
    pub max_vector_bits: u32,
    pub argument_alignment: u32,
    pub line_info: bool,
    pub noalias: bool,
    pub passes: StringRef,
}

pub type DefaultOptions = unsafe extern "C" fn() -> CompileOptions;

/// `MlirTileArgument`.
#[repr(C)]
pub struct RawArgument {
    pub kind: i32,
    pub bits: u32,
    pub alignment: u64,
    pub declared: StringRef,
    pub number: i32,
    pub dimension: isize,
}

/// `MlirTileKernel`.
#[repr(C)]
pub struct RawKernel {
    pub name: StringRef,
    pub threads: [u32; 3],
    pub cluster: [u32; 3],
    pub static_shared: u64,
    pub dynamic_shared: u64,
    arg_count: isize,
    args: *const RawArgument,
}

impl RawKernel {
    /// # Safety
    /// There are `arg_count` arguments.
    pub unsafe fn arguments(&self) -> &[RawArgument] {
        let count = usize::try_from(self.arg_count).unwrap_or(0);
        // SAFETY: by the function's own contract.
        if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.args, count) } }
    }
}

/// `MlirTileRemark`.
#[repr(C)]
pub struct RawRemark {
    pub passed: bool,
    pub name: StringRef,
    pub category: StringRef,
    pub function: StringRef,
    /// `MlirLocation`.
    location: *const c_void,
    arg_count: isize,
    keys: *const StringRef,
    values: *const StringRef,
}

impl RawRemark {
    /// # Safety
    /// There are `arg_count` keys and values.
    pub unsafe fn pairs(&self) -> impl Iterator<Item = (StringRef, StringRef)> {
        let count = usize::try_from(self.arg_count).unwrap_or(0);
        // SAFETY: by the function's own contract.
        (0..count).map(|at| unsafe { (self.keys.add(at).read(), self.values.add(at).read()) })
    }
}

/// `MlirTileCompileListener`.
#[repr(C)]
pub struct Listener {
    pub ptx: StringCallback,
    pub kernel: unsafe extern "C" fn(*const RawKernel, *mut c_void),
    pub remark: unsafe extern "C" fn(*const RawRemark, *mut c_void),
    pub warning: StringCallback,
    pub user_data: *mut c_void,
}

pub type CompileTextWith =
    unsafe extern "C" fn(StringRef, StringRef, *const CompileOptions, *const Listener, ErrorHandler) -> bool;

pub type LowerText = unsafe extern "C" fn(
    StringRef,
    StringRef,
    StringRef,
    StringCallback,
    StringCallback,
    *mut c_void,
    ErrorHandler,
) -> bool;

/// Appends to a `String`.
///
/// # Safety
/// The string is valid during the call, and the data is a `String` that nothing else uses meanwhile.
pub unsafe extern "C" fn append(text: StringRef, string: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe { (*string.cast::<String>()).push_str(&text.to_text()) }
}
