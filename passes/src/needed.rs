//! The steps of `--tile-build` that only some kernels need: those that need neither come out as they are written.
//!
//! | step | a kernel that needs it |
//! | --- | --- |
//! | pipeline | a loop in it requests stages, and does not wait for its copies itself |
//! | memory | its shared tiles take more than the static shared memory of a kernel |
//! | order | it has shared memory, and nothing in it synchronizes; or its copies were converted, which threads now share |

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::Ir;
use tile_dialect::ops::integers;
use tile_dialect::{CONVERTED, DYNAMIC_SHARED};
use tile_ops::{gpu, tile};
use tile_plan::sync::insert as insertions;

use crate::diagnostics::{first_error, quietly};
use crate::effects::inherent::is_other;
use crate::emit::STATIC_SHARED_BYTES;
use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::ranges::Ranges;
use crate::sync::{check, insert, memory, shared_buffers};
use crate::{pipeline, promise, report, walk};

/// Pipelines the loops at or below the root that request stages, in kernels that neither wait for copies in such a loop themselves
/// nor have lowered them, with `maps` through tensor maps where that is better; `false`, after errors, where one cannot be.
pub fn pipeline(ir: &mut Ir<'_>, options: &LoweringOptions, maps: bool) -> bool {
    pipeline::run_where(ir, options, maps, |function| {
        let inside: Vec<_> =
            pipeline::requesting(function).into_iter().flat_map(|op| walk::matching(op, |_| true)).collect();
        inside.iter().any(|op| name(*op) == tile::CopyAsyncOp::NAME) && !inside.iter().any(|op| is_other(*op))
    })
}

/// Plans the shared memory of the kernels at or below the root that have too much to be static, and orders the accesses of those
/// in which tiles share bytes; `false`, after errors, where that cannot be done.
pub fn plan_memory(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let mut complete = true;
    for kernel in shared_buffers::functions(root) {
        let scratch = shared_buffers::scratch_bytes(kernel, options);
        let others = shared_buffers::others(kernel).0.saturating_add(scratch);
        if bytes_apart(kernel).saturating_add(others) <= STATIC_SHARED_BYTES {
            continue;
        }
        complete &= shared_buffers::make_scratch(kernel, options, rewriter);
        let apart = bytes_apart(kernel);
        complete &= memory::one(root, kernel, options, rewriter)
            && (!share_bytes(kernel, apart) || insert::order(kernel, options, rewriter, false));
    }
    complete
}

/// Bytes of a kernel's shared tiles when none share any.
fn bytes_apart(kernel: OperationRef<'_, '_>) -> i64 {
    shared_buffers::tiles(kernel).iter().map(|tile| tile.storage.bytes).sum()
}

/// Whether tiles that take `apart` bytes when none share any were planned to take fewer.
fn share_bytes(kernel: OperationRef<'_, '_>, apart: i64) -> bool {
    integers(kernel, DYNAMIC_SHARED).first().is_none_or(|&bytes| bytes < apart)
}

/// Orders the accesses of the kernels at or below the root that have shared memory and no synchronization, and of those whose
/// copies were converted; in the latter, `remove` erases what is redundant. One of the former whose order is not found stays as it
/// is, with a warning.
pub fn order(ir: &mut Ir<'_>, options: &LoweringOptions, remove: bool) -> bool {
    let mut complete = true;
    for kernel in kernels(ir.root()).into_iter().filter(|kernel| may_need_order(*kernel)) {
        if kernel.has_attribute(CONVERTED) {
            ir.rewriter().remove_attribute(kernel, CONVERTED);
            complete &= insert::order(kernel, options, ir.rewriter(), remove);
        } else if let Some(op) = walk::matching(kernel, |_| true).into_iter().find(|op| is_other(*op)) {
            as_written(kernel, op, options);
        } else if let Some(why) = unknown(kernel, options) {
            let text = format!("stays without synchronization: it is not found what orders its accesses: {why}");
            Diagnostic::warning(text).emit(kernel);
        } else {
            complete &= insert::order(kernel, options, ir.rewriter(), remove);
        }
    }
    complete
}

/// Says of a kernel that it stays as it is since `op` in it synchronizes: a warning if two threads are known to race then.
fn as_written(kernel: OperationRef<'_, '_>, op: OperationRef<'_, '_>, options: &LoweringOptions) {
    let text = "the kernel synchronizes already, and is not changed; --tile-check-sync checks it";
    report::emit(op, RemarkKind::Missed, "order-as-written", text, &[]);
    if let (Ok(true), said) = quietly(kernel, || check::has_race(kernel, options)) {
        let text =
            "leaves the kernel as it is written, since it synchronizes here, and that does not order all accesses";
        let hint = "--tile-insert-sync inserts what is missing, --tile-check-sync lists it".to_owned();
        Diagnostic::warning(format!("{text}: {}", first_error(said))).note(op.location(), hint).emit(op);
    }
}

/// The kernels: entry functions and launches.
pub fn kernels<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = promise::kernels(root);
    found.extend(walk::named(root, gpu::LaunchOp::NAME));
    found
}

/// Whether copies were converted, or there is shared memory and no copy is planned yet: the order is found before that.
fn may_need_order(kernel: OperationRef<'_, '_>) -> bool {
    let has_shared_memory =
        || !shared_buffers::tiles(kernel).is_empty() || shared_buffers::others(kernel) != (0, false);
    let is_planned = || !walk::named(kernel, tile::PlannedCopyOp::NAME).is_empty();
    kernel.has_attribute(CONVERTED) || has_shared_memory() && !is_planned()
}

/// Why it is not known how to order a kernel's accesses, if it is not.
fn unknown(kernel: OperationRef<'_, '_>, options: &LoweringOptions) -> Option<String> {
    let ranges = Ranges::none();
    let (found, said) = quietly(kernel, || {
        let read = check::read_with_rings(kernel, options, &ranges)?;
        let found = insertions(read.program()).is_ok();
        (found || check::in_order_as_written(kernel, options)).then_some(())
    });
    match found {
        Ok(Some(())) => None,
        Ok(None) => Some(first_error(said)),
        Err(panic) => Some(format!("made the compiler fail: {panic}")),
    }
}
