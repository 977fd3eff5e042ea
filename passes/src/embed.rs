//! The compiler as a library, step by step: a context that knows its dialects, modules from text, pipelines by name.
//!
//! ```
//! use tile_passes::embed;
//!
//! let context = embed::context();
//! let mut module = embed::parse(&context, "module {}")?;
//! embed::run(&mut module, "builtin.module(lower-tile-copy{chip=sm_90a})")?;
//! # Ok::<(), tile_passes::Error>(())
//! ```

use std::ffi::{CString, c_void};
use std::sync::Once;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use tile_dialect::string_ref;
use tile_ops::builtin;

use crate::diagnostics::{Diagnostic, Location, Severity, collect};
use crate::error::Error;
use crate::shim;

/// A context with every dialect that a kernel module may use, loaded, on one thread.
///
/// ```
/// assert!(tile_passes::embed::context().is_registered_operation("tile.copy"));
/// ```
pub fn context() -> Context {
    let context = lazy_context();
    context.load_all_available_dialects();
    context
}

/// As [`context`], but a dialect is loaded when IR that is parsed names it, or a pass that runs depends on it.
///
/// ```
/// let context = tile_passes::embed::lazy_context();
/// assert!(context.loaded_dialect_count() < context.registered_dialect_count());
/// ```
pub fn lazy_context() -> Context {
    let registry = DialectRegistry::new();
    shim::register_dialects(&registry);
    register_passes();
    let context = Context::new_with_registry(&registry, false);
    shim::omit_ops_from_diagnostics(&context);
    context
}

/// Reports remarks about copies as diagnostics of severity remark, as `--remark-format=emitRemark` prints them.
///
/// ```
/// use tile_passes::{Options, Severity, compile, embed};
///
/// let context = embed::context();
/// embed::remarks_as_diagnostics(&context);
/// let mut module = embed::parse(&context, r#"
/// gpu.module @kernels {
///   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
///     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
///     gpu.return
///   }
/// }"#)?;
/// let ptx = compile(&mut module, &Options::new())?;
/// let taken = ptx.diagnostics.iter().find(|said| said.message.starts_with("[Passed]")).unwrap();
/// assert_eq!((taken.severity, taken.line()), (Severity::Remark, Some(6)));
/// assert!(taken.message.starts_with("[Passed] gmem_smem | Category:tile-copy | Function=load | "));
/// # Ok::<(), tile_passes::Error>(())
/// ```
pub fn remarks_as_diagnostics(context: &Context) {
    shim::remarks_as_diagnostics(context, crate::report::CATEGORY);
}

/// Runs `body` and returns its result, with the diagnostics that the context reports meanwhile. They reach no other handler.
///
/// ```
/// use tile_passes::embed;
///
/// let context = embed::context();
/// let (parsed, said) = embed::hearing(&context, || melior::ir::Module::parse(&context, "func.func @f() { }"));
/// assert!(parsed.is_none());
/// assert!(said[0].message.contains("expected non-empty function body"));
/// ```
pub fn hearing<R>(context: &Context, body: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    collect(context.to_raw(), body)
}

/// The message of the first error among some diagnostics.
///
/// ```
/// use tile_passes::embed;
///
/// let error = embed::parse(&embed::context(), "func.func @f(").unwrap_err();
/// assert_eq!(embed::first_error(error.diagnostics()), error.diagnostics()[0].message);
/// assert_eq!(embed::first_error(&[]), "no reason given");
/// ```
pub fn first_error(heard: &[Diagnostic]) -> String {
    let error = heard.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    error.map_or_else(|| "no reason given".to_owned(), |error| error.message.clone())
}

/// Registers the passes for textual pipelines; [`context`] and [`run`] do so, too, and it may be called any number of times.
///
/// ```
/// use melior::pass::PassManager;
///
/// tile_passes::embed::register_passes();
/// let context = tile_passes::embed::context();
/// let manager = PassManager::new(&context);
/// let text = "builtin.module(lower-tile-copy)";
/// assert!(melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), text).is_ok());
/// ```
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(shim::register_passes);
}

/// Adds the transform ops of the compiler, `transform.tile.convert` and others, to a registry.
///
/// # Safety
/// The registry is alive.
pub unsafe fn register_transform_ops(registry: mlir_sys::MlirDialectRegistry) {
    // SAFETY: by the function's own contract.
    unsafe { shim::register_transform_ops(registry) }
}

/// A module from its text, which diagnostics call `-`.
///
/// ```
/// use tile_passes::{Error, embed};
///
/// let context = embed::context();
/// let error = embed::parse(&context, "module {\n  tile.allocate\n}").unwrap_err();
/// assert!(matches!(error, Error::Malformed { .. }));
/// assert_eq!(error.diagnostics()[0].location.as_ref().unwrap().line, 2);
/// ```
///
/// # Errors
/// [`Error::Malformed`].
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, Error> {
    parse_named(context, text, "-")
}

/// As [`parse`], from a text that diagnostics and line information call `name`.
///
/// ```
/// let context = tile_passes::embed::context();
/// let error = tile_passes::embed::parse_named(&context, "tile.allocate", "copy.mlir").unwrap_err();
/// assert!(error.to_string().starts_with("copy.mlir:1:1: error: "));
/// ```
///
/// # Errors
/// [`Error::Malformed`].
pub fn parse_named<'c>(context: &'c Context, text: &str, name: &str) -> Result<Module<'c>, Error> {
    let place = |line, column| Some(Location { file: name.to_owned(), line, column });
    let malformed =
        |location, message: &str| Error::Malformed { diagnostics: vec![Diagnostic::error(location, message)] };
    // MLIR reads up to the terminating NUL.
    let Ok(terminated) = CString::new(text) else {
        return Err(malformed(place(1, 1), "got a NUL byte in the text, expected none"));
    };
    if let Err(deep) = crate::nesting::check(text.as_bytes()) {
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let location = place(number(deep.line), number(deep.column));
        return Err(malformed(location, &format!("nests deeper than {} levels", crate::nesting::LIMIT)));
    }
    let (module, said) = collect(context.to_raw(), || shim::parse_module(context, &terminated, name));
    module.ok_or(Error::Malformed { diagnostics: said })
}

/// Runs a pipeline such as `builtin.module(lower-tile-copy,tile-to-nvvm)` on a module; returns warnings and remarks.
///
/// ```
/// use tile_passes::{Error, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, "module {}")?;
/// assert!(embed::run(&mut module, "builtin.module(lower-tile-copy{chip=sm_90a},tile-to-nvvm)")?.is_empty());
/// let error = embed::run(&mut module, "builtin.module(lower-tile-copies)").unwrap_err();
/// assert!(matches!(error, Error::Pipeline { .. }));
/// # Ok::<(), Error>(())
/// ```
///
/// Passes free ops, so no reference into the module may be held meanwhile:
///
/// ```compile_fail,E0502
/// fn lower(module: &mut melior::ir::Module<'_>) {
///     let copies = tile_dialect::ir::named(module.as_operation(), "tile.copy");
///     tile_passes::embed::run(module, "builtin.module(lower-tile-copy)").unwrap();
///     println!("{}", copies[0]);
/// }
/// ```
///
/// # Errors
/// [`Error::Pipeline`] and [`Error::Refused`].
pub fn run(module: &mut Module<'_>, pipeline: &str) -> Result<Vec<Diagnostic>, Error> {
    // SAFETY: the module is alive.
    let context = unsafe { mlir_sys::mlirOperationGetContext(module.as_operation().to_raw()) };
    let (outcome, said) = collect(context, || run_reporting(module, pipeline));
    match outcome {
        Ok(()) => Ok(said),
        Err(error) => Err(error.with(said)),
    }
}

/// As [`run`], but diagnostics go to the context's own handlers, and are not in the error.
pub(crate) fn run_reporting(module: &mut Module<'_>, pipeline: &str) -> Result<(), Error> {
    register_passes();
    let op = module.as_operation().to_raw();
    let mut reason = String::new();
    // SAFETY: the module, its context and the strings outlive the pass manager, which is destroyed here. The passes change
    // a module that is borrowed mutably.
    unsafe {
        let context = mlir_sys::mlirOperationGetContext(op);
        let manager = mlir_sys::mlirPassManagerCreateOnOperation(context, string_ref(builtin::ModuleOp::NAME));
        let nested = mlir_sys::mlirPassManagerGetAsOpPassManager(manager);
        let user_data = (&raw mut reason).cast::<c_void>();
        let parsed = mlir_sys::mlirParsePassPipeline(nested, string_ref(pipeline), Some(shim::append), user_data);
        let passed = parsed.value != 0 && mlir_sys::mlirPassManagerRunOnOp(manager, op).value != 0;
        mlir_sys::mlirPassManagerDestroy(manager);
        match (parsed.value != 0, passed) {
            (false, _) => Err(Error::Pipeline { pipeline: pipeline.to_owned(), reason }),
            (true, false) => Err(Error::refused()),
            (true, true) => Ok(()),
        }
    }
}
