//! The accesses of a kernel to the memory behind a memref argument: whether it is read, and whether it is written.

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, arguments_of, defining_op, results_of, uses};
use tile_ops::llvm::AtomicOrdering;
use tile_ops::{arith, llvm, memref, nvvm, vector};

use super::alias::{self, Root};
use super::values::key;
use super::{arithmetic, effects, kernel, name};

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

/// The accesses by any use of the memref and of all that is derived from it. An op that is not known may read and write.
pub fn accesses(memref: Value<'_, '_>) -> Traffic {
    let (mut waiting, mut met, mut traffic) = (vec![memref], HashSet::new(), Traffic::default());
    while let Some(value) = waiting.pop() {
        if !met.insert(key(value)) {
            continue;
        }
        for (op, operand) in uses(value) {
            if is_derived(op) {
                waiting.extend(results_of(op).into_iter().take(addresses(op)));
            } else {
                traffic = traffic.and(by(op, name(op), operand));
            }
        }
    }
    traffic
}

/// Whether the results of an op may be the same memory, or numbers and pointers derived from its address: an op that touches no
/// memory keeps what it is given nowhere else.
fn is_derived(op: OperationRef<'_, '_>) -> bool {
    let computes = op.region_count() == 0 && op.result_count() > 0 && effects::touches_nothing(op);
    // Extents say nothing of the address.
    computes && ![memref::DimOp::NAME, memref::RankOp::NAME].contains(&name(op))
}

/// The largest mask of which what is left of an address says where it is in a vector, and no more.
const MAX_PLACE: i64 = 31;

/// How many results of such an op say something of the address from which another could be computed: offsets, extents and strides
/// do not, nor does a comparison, such as a test of its alignment, or its place in a vector.
fn addresses(op: OperationRef<'_, '_>) -> usize {
    let places = 0..=MAX_PLACE;
    match name(op) {
        memref::ExtractStridedMetadataOp::NAME => 1,
        arith::CmpIOp::NAME => 0,
        arith::AndIOp::NAME
            if op
                .operands()
                .filter_map(defining_op)
                .filter_map(arithmetic::constant)
                .any(|constant| places.contains(&constant)) =>
        {
            0
        }
        _ => op.result_count(),
    }
}

/// The access of an op to the memory of one of its operands.
fn by(op: OperationRef<'_, '_>, name: &str, operand: usize) -> Traffic {
    match (name, operand) {
        (llvm::LoadOp::NAME, 0) if is_ordered_load(op) => Traffic::BOTH,
        (llvm::LoadOp::NAME, 0) => Traffic::READ,
        (memref::StoreOp::NAME | vector::StoreOp::NAME | llvm::StoreOp::NAME, 1) => Traffic::WRITTEN,
        (nvvm::CpAsyncOp::NAME, 1) => Traffic::READ,
        (memref::DimOp::NAME | memref::RankOp::NAME, 0) => Traffic::default(),
        _ if effects::is_prefetch(op) => Traffic::default(),
        (llvm::InlineAsmOp::NAME, _) if only_reads(op) => Traffic::READ,
        _ if op.region_count() == 0 && op.result_count() > 0 && effects::only_computes_or_reads(op) => Traffic::READ,
        _ => Traffic::BOTH,
    }
}

/// Whether an op is a volatile or atomic load: something else writes what it reads while it waits for that.
pub fn is_ordered_load(op: OperationRef<'_, '_>) -> bool {
    let is_ordered = |load: llvm::LoadOp<'_, '_>| {
        load.volatile() || load.ordering().is_some_and(|ordering| ordering != AtomicOrdering::NotAtomic)
    };
    llvm::LoadOp::cast(op).is_some_and(is_ordered)
}

/// Whether an op loads from an argument of a kernel that the kernel only reads. If memory that the kernel writes is reached through
/// no other argument ([`alias::noalias`]), the op loads the same from the same address whenever it is executed.
pub fn is_load_of_read_only(op: OperationRef<'_, '_>) -> bool {
    let memory = op.operand_at(0).filter(|_| effects::is_shared_load(op)).map(alias::root);
    let body = kernel::function(op).and_then(|function| function.region_at(0)?.first_block());
    let (Some(Root::Argument(number)), Some(body)) = (memory, body) else { return false };
    arguments_of(body).into_iter().find(|arg| key(*arg) == number).is_some_and(|arg| !accesses(arg).written)
}

/// Whether it is one of the compiler's loads from global memory that only assembly can express.
fn only_reads(op: OperationRef<'_, '_>) -> bool {
    let text = llvm::InlineAsmOp::cast(op).and_then(|assembly| assembly.asm_string()).unwrap_or_default();
    let single = text.matches(';').count() == 1;
    single && (text.starts_with("ld.global") || text.starts_with("cp.async"))
}
