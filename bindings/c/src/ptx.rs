//! The kernels of a PTX text that any compiler has made.

use std::ffi::c_void;

use mlir_sys::MlirStringRef;

use crate::arguments::{ErrorHandler, text};
use crate::kernel::{KernelCallback, RawArgument, RawKernel};
use crate::simulate::parse;

/// Describes the kernels of a PTX text that the simulator can run.
///
/// # Safety
/// The text is null or valid; the function accepts the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileReadPtx(
    ptx: MlirStringRef,
    call: KernelCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let module = parse(unsafe { text("PTX", ptx)? })?;
        for kernel in module.kernels().filter_map(|name| module.kernel(name)) {
            let types: Vec<String> = kernel
                .params
                .iter()
                .map(|param| if param.array { format!("b8[{}]", param.size) } else { param.ty.clone() })
                .collect();
            let args: Vec<RawArgument> = kernel
                .params
                .iter()
                .zip(&types)
                .map(|(param, declared)| RawArgument::of_param(param, declared))
                .collect();
            // SAFETY: as above; the arguments live as long as the call.
            unsafe { RawKernel::of_ptx(kernel, &args).pass(call, user_data) }
        }
        Ok(true)
    })
}
