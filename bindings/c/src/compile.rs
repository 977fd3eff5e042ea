//! Pipelines and PTX.

use std::ffi::c_void;
use std::mem::ManuallyDrop;

use melior::ir::Module;
use mlir_sys::{MlirModule, MlirStringRef};
use tile_passes::{Error, Options, Severity, embed};

use crate::arguments::{ErrorHandler, StringCallback, emit, string_ref, text};

/// `MlirTileCompileOptions`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawOptions {
    chip: MlirStringRef,
    features: MlirStringRef,
    gpu_module: MlirStringRef,
    max_vector_bits: u32,
    argument_alignment: u32,
    line_info: bool,
    noalias: bool,
    passes: MlirStringRef,
}

/// The defaults.
#[unsafe(no_mangle)]
pub extern "C" fn mlirTileCompileOptionsGetDefault() -> RawOptions {
    let none = string_ref("");
    RawOptions {
        chip: none,
        features: none,
        gpu_module: none,
        max_vector_bits: 128,
        argument_alignment: 256,
        line_info: false,
        noalias: true,
        passes: none,
    }
}

/// Runs a pipeline.
///
/// # Safety
/// The module is null, or alive and used by no other code during the call; the string is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileRunPipeline(raw: MlirModule, pipeline: MlirStringRef, on_error: ErrorHandler) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (mut module, pipeline) = unsafe { (module(raw)?, text("pipeline", pipeline)?) };
        embed::run(&mut module, pipeline).map_err(printed)?;
        Ok(true)
    })
}

/// Compiles a module.
///
/// # Safety
/// The module is null, or alive and used by no other code during the call; options are null or valid, with valid
/// strings; the function accepts its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileCompile(
    raw: MlirModule,
    options: *const RawOptions,
    ptx: StringCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (mut module, options) = unsafe { (module(raw)?, read(options)?) };
        let compiled = tile_passes::compile(&mut module, &options).map_err(printed)?;
        emit(ptx, user_data, &compiled.text);
        Ok(true)
    })
}

/// Compiles a text.
///
/// # Safety
/// Strings are null or valid; options are null or valid, with valid strings; the function accepts its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileCompileText(
    source: MlirStringRef,
    name: MlirStringRef,
    options: *const RawOptions,
    ptx: StringCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (source, name, options) = unsafe { (text("text", source)?, text("name", name)?, read(options)?) };
        let context = embed::context();
        let mut module = embed::parse_named(&context, source, named(name)).map_err(printed)?;
        let compiled = tile_passes::compile(&mut module, &options).map_err(printed)?;
        emit(ptx, user_data, &compiled.text);
        Ok(true)
    })
}

/// Runs a pipeline on a text.
///
/// # Safety
/// Strings are null or valid; the functions accept their data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLowerText(
    source: MlirStringRef,
    name: MlirStringRef,
    pipeline: MlirStringRef,
    lowered: StringCallback,
    warning: StringCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (source, name) = unsafe { (text("text", source)?, text("name", name)?) };
        // SAFETY: as above.
        let pipeline = unsafe { text("pipeline", pipeline)? };
        let context = embed::context();
        let mut module = embed::parse_named(&context, source, named(name)).map_err(printed)?;
        let heard = embed::run(&mut module, pipeline).map_err(printed)?;
        let warnings = heard.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
        warnings.for_each(|diagnostic| emit(warning, user_data, &diagnostic.to_string()));
        // With a final line break, as the tools write files.
        emit(lowered, user_data, &format!("{}\n", module.as_operation()));
        Ok(true)
    })
}

/// The name of a text in errors: `-` if the caller gives none.
pub(crate) fn named(name: &str) -> &str {
    if name.is_empty() { "-" } else { name }
}

/// All diagnostics of the compiler, as the tools print them.
pub(crate) fn printed(error: Error) -> String {
    let lines: Vec<String> = error.diagnostics().iter().map(ToString::to_string).collect();
    if lines.is_empty() { error.to_string() } else { lines.join("\n") }
}

/// The caller's module, which the caller continues to own.
///
/// # Safety
/// The module is null, or alive for `'c` and used by no other code.
unsafe fn module<'c>(raw: MlirModule) -> Result<ManuallyDrop<Module<'c>>, String> {
    // SAFETY: by the function's own contract.
    let module = unsafe { Module::from_option_raw(raw) };
    module.map(ManuallyDrop::new).ok_or_else(|| "got a null module, expected one".to_owned())
}

/// # Safety
/// The options are null, or valid with valid strings.
pub(crate) unsafe fn read(raw: *const RawOptions) -> Result<Options, String> {
    // SAFETY: by the function's own contract.
    let Some(raw) = (unsafe { raw.as_ref() }) else { return Ok(Options::new()) };
    // SAFETY: as above.
    let (chip, features) = unsafe { (text("chip", raw.chip)?, text("features", raw.features)?) };
    // SAFETY: as above.
    let (gpu_module, passes) =
        unsafe { (text("name of the gpu.module", raw.gpu_module)?, text("passes", raw.passes)?) };
    let mut options = Options::new()
        .max_vector_bits(raw.max_vector_bits)
        .argument_alignment(raw.argument_alignment)
        .line_info(raw.line_info)
        .noalias(raw.noalias);
    if !chip.is_empty() {
        options = options.chip(chip);
    }
    if !features.is_empty() {
        options = options.features(features);
    }
    if !gpu_module.is_empty() {
        options = options.gpu_module(gpu_module);
    }
    if !passes.is_empty() {
        options = options.passes(passes);
    }
    Ok(options)
}
