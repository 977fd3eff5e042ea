//! Loops, branches and accesses of the affine dialect (`cpp/AffineStructure.cpp`).

use melior::ir::OperationRef;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn tileLowerAffine(root: MlirOperation);
    fn tileLowerAffineOf(function: MlirOperation);
}

/// Makes those of `scf`, `memref` and `vector` of them, in functions that passes read; attributes of loops stay. No reference to one of these
/// ops may be used after that.
pub(crate) fn lower_affine(root: OperationRef<'_, '_>) {
    // SAFETY: the op is alive, and nothing refers to what is below it.
    unsafe { tileLowerAffine(root.to_raw()) }
}

/// The same in one function, or launch.
pub(crate) fn lower_affine_of(function: OperationRef<'_, '_>) {
    // SAFETY: as above.
    unsafe { tileLowerAffineOf(function.to_raw()) }
}
