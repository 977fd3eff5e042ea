//! The verifiers of ops.

use melior::ir::OperationRef;
use mlir_sys::{MlirOperation, MlirStringRef};

use crate::shim::bytes;
use crate::{guard, verify};

#[unsafe(no_mangle)]
extern "C" fn tileViewVerify(op: MlirOperation) -> bool {
    check(op, verify::view)
}

#[unsafe(no_mangle)]
extern "C" fn tileAllocVerify(op: MlirOperation) -> bool {
    check(op, verify::alloc)
}

#[unsafe(no_mangle)]
extern "C" fn tileExtentsVerify(op: MlirOperation) -> bool {
    check(op, verify::extents)
}

#[unsafe(no_mangle)]
extern "C" fn tileLocalViewVerify(op: MlirOperation) -> bool {
    check(op, verify::local_view)
}

#[unsafe(no_mangle)]
extern "C" fn tileAssumeVerify(op: MlirOperation) -> bool {
    check(op, verify::assume)
}

#[unsafe(no_mangle)]
extern "C" fn tileBlockOrderVerify(op: MlirOperation) -> bool {
    check(op, verify::block_order)
}

#[unsafe(no_mangle)]
extern "C" fn tileReturnIfVerify(op: MlirOperation) -> bool {
    check(op, verify::return_if)
}

#[unsafe(no_mangle)]
extern "C" fn tileVersionVerify(op: MlirOperation) -> bool {
    check(op, verify::version)
}

#[unsafe(no_mangle)]
extern "C" fn tileTmemVerify(op: MlirOperation) -> bool {
    check(op, verify::tmem)
}

#[unsafe(no_mangle)]
extern "C" fn tileCopyVerify(op: MlirOperation) -> bool {
    check(op, verify::copy)
}

#[unsafe(no_mangle)]
extern "C" fn tilePlannedCopyVerify(op: MlirOperation) -> bool {
    check(op, verify::planned_copy)
}

#[unsafe(no_mangle)]
extern "C" fn tileDerivedVerify(op: MlirOperation) -> bool {
    check(op, verify::derived)
}

#[unsafe(no_mangle)]
extern "C" fn tilePartsVerify(op: MlirOperation) -> bool {
    check(op, verify::parts)
}

#[unsafe(no_mangle)]
extern "C" fn tileScanVerify(op: MlirOperation) -> bool {
    check(op, verify::scan)
}

#[unsafe(no_mangle)]
extern "C" fn tileChainedVerify(op: MlirOperation) -> bool {
    check(op, verify::chained)
}

#[unsafe(no_mangle)]
extern "C" fn tileSortVerify(op: MlirOperation) -> bool {
    check(op, verify::sort)
}

#[unsafe(no_mangle)]
extern "C" fn tileMmaVerify(op: MlirOperation) -> bool {
    check(op, verify::mma)
}

#[unsafe(no_mangle)]
extern "C" fn tileWarpgroupMmaVerify(op: MlirOperation) -> bool {
    check(op, verify::warpgroup_mma)
}

#[unsafe(no_mangle)]
extern "C" fn tileMapVerify(op: MlirOperation) -> bool {
    check(op, verify::map)
}

#[unsafe(no_mangle)]
extern "C" fn tileReduceVerify(op: MlirOperation) -> bool {
    check(op, verify::reduce)
}

#[unsafe(no_mangle)]
extern "C" fn tileTotalVerify(op: MlirOperation) -> bool {
    check(op, verify::total)
}

#[unsafe(no_mangle)]
extern "C" fn tileBlockScanVerify(op: MlirOperation) -> bool {
    check(op, verify::block_scan)
}

#[unsafe(no_mangle)]
extern "C" fn tileTensorMapVerify(op: MlirOperation) -> bool {
    check(op, verify::tensor_map)
}

#[unsafe(no_mangle)]
extern "C" fn tileUpdateMapVerify(op: MlirOperation) -> bool {
    check(op, verify::update_map)
}

#[unsafe(no_mangle)]
extern "C" fn tileAttributeVerify(op: MlirOperation, name: MlirStringRef) -> bool {
    // SAFETY: C++ passes a valid op, and the name of one of its attributes.
    let (op, name) = unsafe { (OperationRef::from_raw(op), bytes(name)) };
    guard::on_op(op, false, || verify::attribute(op, name))
}

fn check(op: MlirOperation, verify: fn(OperationRef<'_, '_>) -> bool) -> bool {
    // SAFETY: C++ passes a valid op.
    let op = unsafe { OperationRef::from_raw(op) };
    guard::on_op(op, false, || verify(op))
}
