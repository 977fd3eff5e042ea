//! MLIR: read, verified, printed in each form, lowered by each pass and pipeline, printed as PTX, executed.

use std::ffi::c_void;

use melior::Context;
use melior::ir::{Module, OperationRef};
use mlir_sys::MlirStringRef;
use tile_passes::{Options, compile, embed};

use super::Steps;

/// Each pass alone, the stages in order, and nested forms.
const PIPELINES: [&str; 16] = [
    "builtin.module(tile-align-layouts)",
    "builtin.module(tile-vectorize-copy)",
    "builtin.module(tile-expand-copy)",
    "builtin.module(tile-align-layouts,tile-vectorize-copy,tile-expand-copy)",
    "builtin.module(lower-tile-copy{chip=sm_100a})",
    "builtin.module(lower-tile-copy{max-vector-bits=32 argument-alignment=4})",
    "builtin.module(gpu.module(gpu.func(lower-tile-copy)))",
    "builtin.module(func.func(lower-tile-copy))",
    "builtin.module(gpu.module(lower-tile-copy{chip=sm_90a},tile-to-nvvm))",
    "builtin.module(lower-tile-copy,tile-to-nvvm)",
    "builtin.module(tile-inline,tile-convert-buffers)",
    "builtin.module(lower-tile-scan)",
    "builtin.module(lower-tile-scan,lower-tile-copy,canonicalize,cse)",
    "builtin.module(canonicalize,cse,loop-invariant-code-motion,inline)",
    "builtin.module(tile-to-nvvm)",
    "builtin.module(tile-align-layouts,canonicalize,cse,tile-vectorize-copy,inline,tile-expand-copy,tile-to-nvvm)",
];

pub(super) struct Ir {
    context: Context,
}

impl Ir {
    pub(super) fn new() -> Self {
        // SAFETY: registering passes again is allowed; nothing else runs.
        unsafe { mlir_sys::mlirRegisterTransformsPasses() };
        let context = embed::context();
        // SAFETY: the context is alive; the handler needs no data, and does not unwind.
        unsafe {
            let context = context.to_raw();
            mlir_sys::mlirContextAttachDiagnosticHandler(context, Some(hear), std::ptr::null_mut(), None);
        }
        Ir { context }
    }

    pub(super) fn run(&self, bytes: &[u8], steps: &Steps) {
        steps.begin("read");
        let Some(mut module) = read(&self.context, bytes) else { return };
        let op = module.as_operation();
        steps.begin("print");
        // SAFETY: the op outlives the call.
        unsafe { mlir_sys::mlirOperationPrint(op.to_raw(), Some(forget), std::ptr::null_mut()) };
        steps.begin("print as bytecode");
        bytecode(op);
        for pipeline in PIPELINES {
            steps.begin(pipeline);
            // A pass may fail; it has then printed the reason.
            let _ = embed::run(&mut copy(&module), pipeline);
        }
        steps.begin("--tile-to-ptx");
        let Ok(ptx) = compile(&mut module, &Options::new()) else { return };
        super::ptx::run(&ptx.text, steps);
    }
}

/// Accepts text, which need not be valid UTF-8, and drops it.
unsafe extern "C" fn forget(_: MlirStringRef, _: *mut c_void) {}

/// Prints a diagnostic, because the printing of diagnostics is tested, too.
unsafe extern "C" fn hear(diagnostic: mlir_sys::MlirDiagnostic, _: *mut c_void) -> mlir_sys::MlirLogicalResult {
    // SAFETY: MLIR passes a diagnostic that is alive.
    unsafe { mlir_sys::mlirDiagnosticPrint(diagnostic, Some(forget), std::ptr::null_mut()) };
    mlir_sys::MlirLogicalResult { value: 1 }
}

/// A deep copy of a module.
fn copy<'c>(module: &Module<'c>) -> Module<'c> {
    // SAFETY: the copy of a module is a module of the same context, and belongs to nothing else.
    unsafe {
        let copy = mlir_sys::mlirOperationClone(module.as_operation().to_raw());
        Module::from_raw(mlir_sys::mlirModuleFromOperation(copy))
    }
}

/// Parses text or bytecode, which MLIR distinguishes. MLIR reads up to a terminator, and bytecode from an aligned
/// address.
fn read<'c>(context: &'c Context, bytes: &[u8]) -> Option<Module<'c>> {
    let mut aligned = vec![0_u128; bytes.len() / 16 + 1];
    let data = aligned.as_mut_ptr().cast::<u8>();
    // SAFETY: the words have room for the bytes and a zero after them, outlive the call, and overlap nothing.
    unsafe {
        data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        let text = MlirStringRef { data: data.cast(), length: bytes.len() };
        Module::from_option_raw(mlir_sys::mlirModuleCreateParse(context.to_raw(), text))
    }
}

/// Writes an op as bytecode, and drops it.
fn bytecode(op: OperationRef<'_, '_>) {
    // SAFETY: the op outlives the call.
    unsafe { mlir_sys::mlirOperationWriteBytecode(op.to_raw(), Some(forget), std::ptr::null_mut()) };
}
