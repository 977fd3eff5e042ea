//! The patterns, as C++ adds them to a set.

use std::ffi::c_void;

use mlir_sys::{MlirContext, MlirRewritePatternSet, MlirStringRef};
use tile_dialect::{guard, string_ref};

use crate::options::LoweringOptions;
use crate::patterns;
use crate::shim::{PassOptions, StringCallback};

#[unsafe(no_mangle)]
extern "C" fn tilePopulateCopyPatterns(
    set: MlirRewritePatternSet,
    context: MlirContext,
    raw: PassOptions,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes a set of the context, which has the dialects: the caller's target names their ops.
    let add = |options: &LoweringOptions| unsafe {
        patterns::add_written_out(set, context, |_| true) + patterns::add_copies(set, context, options, |_| true)
    };
    populate(raw, add, say, user_data)
}

#[unsafe(no_mangle)]
extern "C" fn tilePopulatePatterns(
    set: MlirRewritePatternSet,
    context: MlirContext,
    raw: PassOptions,
    wanted: unsafe extern "C" fn(MlirStringRef, *mut c_void) -> bool,
    filter: *mut c_void,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: the callback takes the string during the call.
    let wanted = |name: &str| unsafe { wanted(string_ref(name), filter) };
    // SAFETY: as above.
    let add = |options: &LoweringOptions| unsafe { patterns::add_all(set, context, options, wanted) };
    populate(raw, add, say, user_data)
}

/// Adds patterns with options that C++ passes; `false`, after saying why, where these are not valid.
fn populate(
    raw: PassOptions,
    add: impl FnOnce(&LoweringOptions) -> usize,
    say: StringCallback,
    user_data: *mut c_void,
) -> bool {
    let checked = || LoweringOptions::check(raw).map(|options| _ = add(&options));
    let outcome = guard::quiet(checked).unwrap_or_else(|panicked| Err(panicked.into()));
    if let Err(reason) = &outcome {
        // SAFETY: the callback takes the string during the call.
        unsafe { say(string_ref(reason), user_data) };
    }
    outcome.is_ok()
}
