//! The functions that C++ calls (`cpp/Bridge.h`). None of them unwinds.

use std::ffi::c_void;

use melior::ir::OperationRef;
use mlir_sys::{MlirOperation, MlirStringRef};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;

use crate::options::Options;
use crate::shim::{PassOptions, StringCallback, text};
use crate::{align, expand, kernels, ptx, scan, vectorize};

fn pass(op: MlirOperation, raw: PassOptions, run: impl FnOnce(OperationRef<'_, '_>, &Options) -> bool) -> bool {
    // SAFETY: C++ passes a valid op.
    let op = unsafe { OperationRef::from_raw(op) };
    guard::on_op(op, false, || Options::read(op, raw).is_some_and(|options| run(op, &options)))
}

#[unsafe(no_mangle)]
extern "C" fn tileAlignCopy(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, align::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileVectorizeCopy(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, vectorize::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileExpandCopy(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, expand::run)
}

#[unsafe(no_mangle)]
extern "C" fn tileLowerCopy(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, |op, options| align::run(op, options) && vectorize::run(op, options) && expand::run(op, options))
}

#[unsafe(no_mangle)]
extern "C" fn tileLowerScan(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, scan::run)
}

#[unsafe(no_mangle)]
extern "C" fn tilePrepareKernels(op: MlirOperation, options: PassOptions) -> bool {
    pass(op, options, kernels::prepare)
}

#[unsafe(no_mangle)]
extern "C" fn tileFinishKernels(op: MlirOperation) -> bool {
    // SAFETY: C++ passes a valid op.
    let op = unsafe { OperationRef::from_raw(op) };
    guard::on_op(op, false, || {
        kernels::finish(op);
        true
    })
}

#[unsafe(no_mangle)]
extern "C" fn tileToPtx(
    module: MlirOperation,
    chip: MlirStringRef,
    gpu_module: MlirStringRef,
    print: StringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes a valid op and valid strings.
    let (module, chip, gpu_module) = unsafe { (OperationRef::from_raw(module), text(chip), text(gpu_module)) };
    guard::on_op(module, false, || {
        let name = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        match ptx::print(module, name(chip), name(gpu_module)) {
            Ok(text) => {
                // SAFETY: the callback takes the string during the call.
                unsafe { print(MlirStringRef { data: text.as_ptr().cast(), length: text.len() }, user_data) };
                true
            }
            Err(ptx::PtxError::Reported) => false,
            Err(error) => {
                Diagnostic::error(error.to_string()).emit(module);
                false
            }
        }
    })
}
