//! Registration.

use mlir_sys::MlirDialectRegistry;
use tile_passes::embed;

use crate::arguments::{ErrorHandler, quietly};

unsafe extern "C" {
    // `passes/cpp/Registry.cpp`
    fn tileRegisterDialects(registry: MlirDialectRegistry);
}

/// Adds all dialects to a registry.
///
/// # Safety
/// The registry is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileRegisterAllDialects(registry: MlirDialectRegistry, on_error: ErrorHandler) -> bool {
    on_error.run(false, || {
        if registry.ptr.is_null() {
            return Err("got a null registry, expected one".to_owned());
        }
        // SAFETY: the registry is alive.
        unsafe { tileRegisterDialects(registry) };
        Ok(true)
    })
}

/// Makes the passes known.
#[unsafe(no_mangle)]
pub extern "C" fn mlirTileRegisterAllPasses() {
    quietly((), embed::register_passes);
}
