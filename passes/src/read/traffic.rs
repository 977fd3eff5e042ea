//! The accesses of a kernel to the memory behind a memref argument: whether it is read, and whether it is written.

use std::collections::HashSet;

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{results_of, uses};
use tile_ops::{affine, arith, llvm, memref, nvvm, vector};

use super::name;
use super::values::key;

/// Accesses to one memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// It may be read.
    pub read: bool,
    /// It may be written.
    pub written: bool,
}

impl Traffic {
    const BOTH: Self = Traffic { read: true, written: true };
    const READ: Self = Traffic { read: true, written: false };
    const WRITTEN: Self = Traffic { read: false, written: true };

    fn and(self, other: Self) -> Self {
        Traffic { read: self.read || other.read, written: self.written || other.written }
    }
}

/// Ops whose results are the same memory, or numbers and pointers derived from its address, by prefixes of their names.
const DERIVED: [&str; 14] = [
    memref::AssumeAlignmentOp::NAME,
    memref::CastOp::NAME,
    memref::CollapseShapeOp::NAME,
    memref::ExpandShapeOp::NAME,
    memref::ExtractAlignedPointerAsIndexOp::NAME,
    memref::ExtractStridedMetadataOp::NAME,
    memref::MemorySpaceCastOp::NAME,
    memref::ReinterpretCastOp::NAME,
    memref::SubViewOp::NAME,
    memref::TransposeOp::NAME,
    memref::ViewOp::NAME,
    arith::PREFIX,
    llvm::IntToPtrOp::NAME,
    llvm::GEPOp::NAME,
];

/// The accesses by any use of the memref and of all that is derived from it. An op that is not known may read and write.
pub fn of(memref: Value<'_, '_>) -> Traffic {
    let (mut waiting, mut met, mut found) = (vec![memref], HashSet::new(), Traffic::default());
    while let Some(value) = waiting.pop() {
        if !met.insert(key(value)) {
            continue;
        }
        for (op, operand) in uses(value) {
            let name = name(op);
            if DERIVED.iter().any(|derived| name.starts_with(derived)) {
                waiting.extend(results_of(op));
            } else {
                found = found.and(by(op, name, operand));
            }
        }
    }
    found
}

/// The access of an op to the memory of one of its operands.
fn by(op: OperationRef<'_, '_>, name: &str, operand: usize) -> Traffic {
    match (name, operand) {
        (memref::LoadOp::NAME | vector::LoadOp::NAME | affine::AffineLoadOp::NAME | llvm::LoadOp::NAME, 0) => {
            Traffic::READ
        }
        (memref::StoreOp::NAME | vector::StoreOp::NAME | llvm::StoreOp::NAME, 1) => Traffic::WRITTEN,
        (nvvm::CpAsyncOp::NAME, 1) => Traffic::READ,
        (memref::DimOp::NAME | memref::RankOp::NAME | memref::PrefetchOp::NAME, 0) => Traffic::default(),
        (llvm::InlineAsmOp::NAME, _) if only_reads(op) => Traffic::READ,
        _ => Traffic::BOTH,
    }
}

/// Whether it is one of the compiler's loads from global memory that only assembly can express.
fn only_reads(op: OperationRef<'_, '_>) -> bool {
    let text = llvm::InlineAsmOp::cast(op).and_then(|it| it.asm_string()).unwrap_or_default();
    let single = text.matches(';').count() == 1;
    single && (text.starts_with("ld.global") || text.starts_with("cp.async"))
}
