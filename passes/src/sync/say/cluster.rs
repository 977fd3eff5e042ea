//! Diagnostics about the blocks of a cluster.

use melior::ir::operation::OperationLike;
use tile_dialect::emit::Diagnostic;
use tile_plan::sync::Outside;

use crate::sync::kernel::SyncKernel;

/// The text that names a thread's block, where there are several.
pub(super) fn of_block(rank: Option<usize>) -> String {
    rank.map(|rank| format!(" of block {rank}")).unwrap_or_default()
}

/// The same for two threads.
pub(super) fn of_blocks(ranks: Option<[usize; 2]>) -> [String; 2] {
    [0, 1].map(|at| of_block(ranks.map(|ranks| ranks[at])))
}

/// The error of an access to shared memory of a block that may not have begun, or may have ended.
pub(super) fn outside(kernel: &SyncKernel<'_, '_, '_>, outside: &Outside) {
    let (op, number) = outside.at;
    let (rank, thread) = outside.by;
    let access = &kernel.program().op(rank, op).accesses[number];
    let does = if access.write { "writes" } else { "reads" };
    let owner = outside.owner.map_or_else(|| "another block".to_owned(), |owner| format!("block {owner}"));
    let example = format!("for example thread {thread} of block {rank}");
    let wanted = "expected nvvm.cluster.arrive, then nvvm.cluster.wait";
    let (text, place) = match outside.ended {
        false => (format!("{does} shared memory of {owner}, which may not have begun: {example}"), "before it"),
        true => (format!("{does} shared memory of {owner}, which may have ended by then: {example}"), "before the end"),
    };
    let error = Diagnostic::error(format!("{text}; {wanted} {place}"));
    let ends = kernel.program().end.and_then(|end| kernel.ops().get(end)).filter(|_| outside.ended);
    let noted = match ends {
        Some(end) => error.note(end.location(), "the block ends here, and its shared memory with it".to_owned()),
        None => error,
    };
    noted.emit(kernel.ops()[op]);
}
