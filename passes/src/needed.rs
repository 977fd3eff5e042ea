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
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::{CopyOp, integers};
use tile_dialect::{BY_HAND, CONVERTED, DYNAMIC_SHARED, ORDER, STAGES, guard};
use tile_ops::{gpu, tile};
use tile_plan::sync::insert as insertions;

use crate::diagnostics::{first_error, quietly};
use crate::effects::inherent::is_other;
use crate::effects::{concerns_order, known_effects};
use crate::emit::STATIC_SHARED_BYTES;
use crate::options::LoweringOptions;
use crate::read::ranges::Ranges;
use crate::read::{kernel, name, order};
use crate::sync::{check, insert, memory, shared_buffers};
use crate::{pipeline, promise, report, unwritten, upstream_copies, walk};

/// Pipelines the loops at or below the root that request stages, in kernels that neither wait for copies in such a loop themselves
/// nor have lowered them, with `maps` through tensor maps where that is better; `false`, after errors, where one cannot be, or another
/// op requests stages. Other loops that request stages are errors, too, unless `allow_unordered`, or the kernel is ordered by hand:
/// their author counts on a ring.
pub fn pipeline(ir: &mut Ir<'_>, options: &LoweringOptions, maps: bool, allow_unordered: bool) -> bool {
    let complete = pipeline::run_where(ir, options, maps, |function| {
        let inside: Vec<_> =
            pipeline::requesting(function).into_iter().flat_map(|op| walk::matching(op, |_| true)).collect();
        let is_by_copies = inside.iter().any(|op| name(*op) == tile::CopyAsyncOp::NAME);
        is_by_copies && !inside.iter().any(|op| is_other(*op)) || pipeline::is_misplaced(function)
    });
    if !complete || allow_unordered {
        return complete;
    }
    let is_by_hand =
        |op| kernel::function(op).is_some_and(|kernel| order::is_by_hand(kernel).is_ok_and(|by_hand| by_hand));
    let left: Vec<_> = pipeline::requesting(ir.root()).into_iter().filter(|op| !is_by_hand(*op)).collect();
    left.iter().for_each(|op| refuse_loop(*op));
    left.is_empty()
}

/// Says of a loop that requests stages why it becomes no ring.
fn refuse_loop(ring_loop: OperationRef<'_, '_>) {
    // Where one loop of a kernel does, the others are not pipelined, either.
    let loops = pipeline::requesting(kernel::function(ring_loop).unwrap_or(ring_loop)).into_iter();
    let waits = loops.flat_map(|op| walk::matching(op, |_| true)).find(|op| is_other(*op));
    let why = match waits {
        Some(_) => format!("the kernel synchronizes in such a loop itself; expected none of that, or no {STAGES}"),
        None => {
            format!("none of its copies is asynchronous; expected {} in it, or no {STAGES}", tile::CopyAsyncOp::NAME)
        }
    };
    let hint = format!("{} on the kernel leaves the loop as it is", by_hand());
    let text = format!("has {STAGES}, but becomes no ring: {why}");
    let note = waits.map_or(ring_loop.location(), |op| op.location());
    Diagnostic::error(text).note(note, hint).emit(ring_loop);
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
/// copies were converted; in these, `remove` erases what is redundant. One with synchronization of its own stays as it is. `false`,
/// after errors, where it is not found that all accesses are in order then; with `allow_unordered`, and where the kernel is ordered by
/// hand, that is a warning at most. Shared tiles that nothing writes are warned about.
pub fn order(ir: &mut Ir<'_>, options: &LoweringOptions, (remove, allow_unordered): (bool, bool)) -> bool {
    let mut complete = true;
    for kernel in kernels(ir.root()) {
        let may_need_order = may_need_order(kernel);
        if may_need_order {
            unwritten::warn(kernel);
        }
        complete &= match order::is_by_hand(kernel) {
            Err(reason) => {
                Diagnostic::error(reason).emit(kernel);
                false
            }
            Ok(by_hand) if unmark_converted(kernel, ir.rewriter()) => {
                unsynchronized(kernel, options, ir.rewriter(), (remove, allow_unordered || by_hand))
            }
            Ok(_) if !may_need_order => true,
            Ok(true) => {
                let text = "the kernel is ordered by hand, and is not changed; --tile-check-sync checks it";
                report::emit(kernel, RemarkKind::Missed, AS_WRITTEN, text, &[]);
                warn_of_race(kernel, kernel, options);
                true
            }
            Ok(false) => match walk::matching(kernel, |_| true).into_iter().find(|op| is_other(*op)) {
                Some(op) => as_written(kernel, op, options, allow_unordered),
                None => unsynchronized(kernel, options, ir.rewriter(), (remove, allow_unordered)),
            },
        };
    }
    complete
}

/// The cause of the remark about a kernel that stays as it is written.
const AS_WRITTEN: &str = "order-as-written";

/// Leaves a kernel as it is since `op` in it synchronizes; `false`, after errors, where that is not known to order all accesses.
fn as_written(
    kernel: OperationRef<'_, '_>,
    op: OperationRef<'_, '_>,
    options: &LoweringOptions,
    allow_unordered: bool,
) -> bool {
    let text = "the kernel synchronizes already, and is not changed; --tile-check-sync checks it";
    report::emit(op, RemarkKind::Missed, AS_WRITTEN, text, &[]);
    if allow_unordered || has_impossible_copy(kernel, options) {
        warn_of_race(kernel, op, options);
        return true;
    }
    if matches!(quietly(kernel, || check::in_order_by_ends(kernel, options)), (Ok(true), _)) {
        return true;
    }
    say_again(kernel, options);
    let text =
        "is left as it is written, since it synchronizes itself, and that is not known to order all its accesses";
    let diagnostic = Diagnostic::error(text).note(op.location(), "it synchronizes here".to_owned());
    let hint = format!("--tile-insert-sync inserts what is missing; {} on the kernel leaves it as it is", by_hand());
    diagnostic.note(kernel.location(), hint).emit(kernel);
    false
}

/// Orders a kernel that has no synchronization, or whose copies threads share only now.
fn unsynchronized<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    (remove, allow_unordered): (bool, bool),
) -> bool {
    let Some(why) = unknown(kernel, options) else { return insert::order(kernel, options, rewriter, remove) };
    if allow_unordered || has_impossible_copy(kernel, options) {
        let text = format!("stays without synchronization: it is not found what orders its accesses: {why}");
        Diagnostic::warning(text).emit(kernel);
        return true;
    }
    say_again(kernel, options);
    let text = "gets no synchronization: it is not found what orders its accesses";
    let hint = format!("{} on the kernel leaves it as it is", by_hand());
    Diagnostic::error(text).note(kernel.location(), hint).emit(kernel);
    false
}

/// Whether a kernel has a copy that no variant does: the lowering says why.
fn has_impossible_copy(kernel: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    let copies = walk::matching(kernel, CopyOp::is_name).into_iter();
    copies.map(|op| upstream_copies::can_copy(op, options)).any(|outcome| outcome.is_err())
}

/// What a kernel states that is ordered by hand.
fn by_hand() -> String {
    format!("{ORDER} = \"{BY_HAND}\"")
}

/// Says to the user why the accesses of a kernel are not known to be in order.
fn say_again(kernel: OperationRef<'_, '_>, options: &LoweringOptions) {
    if let Err(panicked) = guard::quiet(|| check::in_order_by_ends(kernel, options)) {
        Diagnostic::error(panicked).emit(kernel);
    }
}

/// Warns at an operation of a kernel that stays as it is written if two threads are known to race then.
fn warn_of_race(kernel: OperationRef<'_, '_>, op: OperationRef<'_, '_>, options: &LoweringOptions) {
    if let (Ok(true), said) = quietly(kernel, || check::has_race(kernel, options)) {
        let text = "leaves the kernel as it is written, and that does not order all accesses";
        let hint = "--tile-insert-sync inserts what is missing, --tile-check-sync lists it".to_owned();
        Diagnostic::warning(format!("{text}: {}", first_error(said))).note(op.location(), hint).emit(op);
    }
}

/// Removes the marks of converted copies; whether there were any.
fn unmark_converted<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    let marked: Vec<_> =
        walk::matching(kernel, |_| true).into_iter().filter(|op| op.has_attribute(CONVERTED)).collect();
    marked.iter().for_each(|op| rewriter.remove_attribute(*op, CONVERTED));
    !marked.is_empty()
}

/// The kernels: entry functions and launches.
pub fn kernels<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut kernels = promise::kernels(root);
    kernels.extend(walk::named(root, gpu::LaunchOp::NAME));
    kernels
}

/// Whether there is shared memory that something accesses, and no copy is planned yet: the order is found before that.
fn may_need_order(kernel: OperationRef<'_, '_>) -> bool {
    let has_shared_memory =
        || !shared_buffers::tiles(kernel).is_empty() || shared_buffers::others(kernel) != (0, false);
    let is_planned = || !walk::named(kernel, tile::PlannedCopyOp::NAME).is_empty();
    let may_access =
        |op: OperationRef<'_, '_>| concerns_order(op) || op.region_count() == 0 && known_effects(op).is_none();
    has_shared_memory() && !is_planned() && walk::matching(kernel, |_| true).into_iter().any(may_access)
}

/// Why it is not known how to order a kernel's accesses, if it is not.
fn unknown(kernel: OperationRef<'_, '_>, options: &LoweringOptions) -> Option<String> {
    let ranges = Ranges::none();
    let (outcome, errors) = quietly(kernel, || {
        let read = check::read_with_rings(kernel, options, &ranges)?;
        let is_ordered = insertions(read.program()).is_ok();
        (is_ordered || check::in_order_as_written(kernel, options)).then_some(())
    });
    match outcome {
        Ok(Some(())) => None,
        Ok(None) => Some(first_error(errors)),
        Err(panicked) => Some(panicked.into()),
    }
}
