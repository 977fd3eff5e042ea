//! The compiler as a library: a context that knows its dialects, and pipelines by their text.
//!
//! ```no_run
//! let context = tile_passes::embed::context();
//! let mut module = tile_passes::embed::parse(&context, "module {}").expect("valid IR");
//! tile_passes::embed::run(&mut module, "builtin.module(lower-tile-copy{chip=sm_90a})").unwrap();
//! ```

use std::ffi::c_void;
use std::sync::Once;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use mlir_sys::MlirStringRef;
use thiserror::Error;

use crate::shim;

/// Why a pipeline did not run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PipelineError {
    /// The text names no pipeline.
    #[error("cannot parse the pass pipeline '{pipeline}': {reason}")]
    Malformed {
        /// As given.
        pipeline: String,
        /// What MLIR says.
        reason: String,
    },
    /// A pass failed; its diagnostics are out.
    #[error("a pass failed")]
    PassFailed,
}

/// A context with every dialect that a kernel module may use, loaded, on one thread.
pub fn context() -> Context {
    let context = lazy_context();
    context.load_all_available_dialects();
    context
}

/// As [`context`], but a dialect is loaded when IR that is parsed names it, or a pass that runs depends on it.
pub fn lazy_context() -> Context {
    let registry = DialectRegistry::new();
    shim::register_dialects(&registry);
    register_passes();
    Context::new_with_registry(&registry, false)
}

/// Lets remarks about copies come as diagnostics of severity remark, as `--remark-format=emitRemark` prints them:
/// `[Passed] gmem_smem | Category:tile-copy | …`.
pub fn remarks_as_diagnostics(context: &Context) {
    shim::remarks_as_diagnostics(context, crate::report::CATEGORY);
}

/// Makes the passes known to textual pipelines; any number of calls is fine.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(shim::register_passes);
}

/// A module from its text; `None`, after diagnostics, when it is malformed.
pub fn parse<'c>(context: &'c Context, text: &str) -> Option<Module<'c>> {
    // MLIR reads up to a terminator.
    if text.contains('\0') {
        return None;
    }
    if let Err(place) = crate::nesting::check(text.as_bytes()) {
        eprintln!("{place}");
        return None;
    }
    Module::parse(context, text)
}

/// Runs a pipeline such as `builtin.module(lower-tile-copy,tile-to-nvvm)` on a module.
///
/// Passes free ops, so nobody holds a reference into the module meanwhile:
///
/// ```compile_fail,E0502
/// fn lower(module: &mut melior::ir::Module<'_>) {
///     let copies = tile_passes::walk::named(module.as_operation(), "tile.copy");
///     tile_passes::embed::run(module, "builtin.module(lower-tile-copy)").unwrap();
///     println!("{}", copies[0]);
/// }
/// ```
///
/// # Errors
/// A pipeline that cannot be parsed, or a pass that fails.
pub fn run(module: &mut Module<'_>, pipeline: &str) -> Result<(), PipelineError> {
    register_passes();
    let op = module.as_operation().to_raw();
    let mut reason = String::new();
    let text = |text: &str| MlirStringRef { data: text.as_ptr().cast(), length: text.len() };
    // SAFETY: the module, its context and the strings outlive the pass manager, which is destroyed here. The passes change
    // a module that is borrowed mutably.
    unsafe {
        let context = mlir_sys::mlirOperationGetContext(op);
        let manager = mlir_sys::mlirPassManagerCreateOnOperation(context, text("builtin.module"));
        let nested = mlir_sys::mlirPassManagerGetAsOpPassManager(manager);
        let user_data = (&raw mut reason).cast::<c_void>();
        let parsed = mlir_sys::mlirParsePassPipeline(nested, text(pipeline), Some(append), user_data);
        let passed = parsed.value != 0 && mlir_sys::mlirPassManagerRunOnOp(manager, op).value != 0;
        mlir_sys::mlirPassManagerDestroy(manager);
        match (parsed.value != 0, passed) {
            (false, _) => Err(PipelineError::Malformed { pipeline: pipeline.to_owned(), reason }),
            (true, false) => Err(PipelineError::PassFailed),
            (true, true) => Ok(()),
        }
    }
}

unsafe extern "C" fn append(text: MlirStringRef, reason: *mut c_void) {
    // SAFETY: `run` passes a String that outlives the call, and MLIR a valid string.
    unsafe { (*reason.cast::<String>()).push_str(shim::text(text)) }
}
