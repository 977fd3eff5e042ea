//! Rewrite patterns for any driver.

use std::ffi::c_void;

use mlir_sys::{MlirContext, MlirRewritePatternSet, MlirStringRef};
use tile_passes::patterns;

use crate::arguments::{ErrorHandler, context, string_ref, with_dialect};
use crate::compile::{RawOptions, printed, read};

/// `MlirTileNameFilter`.
pub type NameFilter = Option<unsafe extern "C" fn(MlirStringRef, *mut c_void) -> bool>;

/// Adds the patterns whose names are wanted.
///
/// # Safety
/// Set and context are null, or alive, and the set is of the context; options are null or valid, with valid strings; the function
/// accepts its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTilePopulatePatterns(
    set: MlirRewritePatternSet,
    raw: MlirContext,
    options: *const RawOptions,
    wanted: NameFilter,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> isize {
    on_error.run(-1, || {
        // SAFETY: by the function's own contract.
        let (context, options) = unsafe { (context(raw)?, read(options)?) };
        if set.ptr.is_null() {
            return Err("got a null pattern set, expected one".to_owned());
        }
        // SAFETY: the context is alive.
        let context = unsafe { context.to_ref() };
        with_dialect(context)?;
        context.load_all_available_dialects();
        // SAFETY: the caller's function takes its own data, and the string during the call.
        let wanted = |name: &str| wanted.is_none_or(|wanted| unsafe { wanted(string_ref(name), user_data) });
        // SAFETY: by the function's own contract; the dialects are loaded.
        let count = unsafe { patterns::populate(set, raw, &options, wanted) }.map_err(printed)?;
        isize::try_from(count).map_err(|error| error.to_string())
    })
}
