//! What `tile-c/Compile.h` declares.

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
}

pub type DefaultOptions = unsafe extern "C" fn() -> CompileOptions;

pub type CompileText = unsafe extern "C" fn(
    StringRef,
    StringRef,
    *const CompileOptions,
    StringCallback,
    *mut c_void,
    ErrorHandler,
) -> bool;

/// Appends to a `String`.
///
/// # Safety
/// The string is valid during the call, and the data is a `String` that nobody else uses meanwhile.
pub unsafe extern "C" fn append(text: StringRef, string: *mut c_void) {
    if text.length == 0 {
        return;
    }
    // SAFETY: by the function's own contract.
    unsafe {
        let bytes = std::slice::from_raw_parts(text.data.cast::<u8>(), text.length);
        (*string.cast::<String>()).push_str(&String::from_utf8_lossy(bytes));
    }
}
