//! Running a pipeline on the text of a module.

use std::ffi::c_void;

use crate::raw::{self, ErrorHandler, StringRef};
use crate::{Error, library};

/// The result of a pipeline on a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lowered {
    /// The module, as the tools print it.
    pub text: String,
    /// The warnings, with their locations.
    pub warnings: Vec<String>,
}

/// Runs a pipeline on the text of a module; errors refer to it as `name`.
///
/// ```
/// let lowered = tile::lower(r#"
/// gpu.module @kernels {
///   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
///     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
///     gpu.return
///   }
/// }"#, "load.mlir", "builtin.module(lower-tile-copy{chip=sm_90a})")?;
/// assert!(lowered.text.contains("vector<4xf32>") && !lowered.text.contains("tile.copy"));
/// let error = tile::lower("tile.allocate", "load.mlir", "builtin.module()").unwrap_err();
/// assert!(error.to_string().starts_with("load.mlir:1:1: error: "));
/// # Ok::<(), tile::Error>(())
/// ```
///
/// # Errors
/// See [`Error`].
pub fn lower(text: &str, name: &str, pipeline: &str) -> Result<Lowered, Error> {
    let library = library::get().map_err(Error)?;
    let (mut lowered, mut message) = (Lowered::default(), String::new());
    let on_error = ErrorHandler { say: raw::append, user_data: (&raw mut message).cast() };
    let user_data = (&raw mut lowered).cast();
    let [text, name, pipeline] = [text, name, pipeline].map(StringRef::of);
    // SAFETY: the functions have the types of `tile-c/Compile.h`; all strings outlive the call.
    let fine = unsafe { (library.lower_text)(text, name, pipeline, on_text, on_warning, user_data, on_error) };
    if fine { Ok(lowered) } else { Err(Error(message)) }
}

/// # Safety
/// The string is valid, and the data is a [`Lowered`] that nothing else uses meanwhile.
unsafe extern "C" fn on_text(text: StringRef, lowered: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe { (*lowered.cast::<Lowered>()).text.push_str(&text.to_text()) }
}

/// # Safety
/// As [`on_text`].
unsafe extern "C" fn on_warning(text: StringRef, lowered: *mut c_void) {
    // SAFETY: by the function's own contract.
    unsafe { (*lowered.cast::<Lowered>()).warnings.push(text.to_text()) }
}
