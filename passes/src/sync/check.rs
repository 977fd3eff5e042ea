//! `--tile-check-sync`: finds accesses that need an order and have none.

use std::collections::HashSet;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_plan::sync::{Finding, check_some};

use super::kernel::{Leader, SyncKernel, elects};
use super::say;
use crate::effects::concerns_order;
use crate::options::LoweringOptions;
use crate::read::ranges::Ranges;
use crate::read::{kernel, name, order};
use crate::{report, walk};

/// The maximum number of unordered accesses that are reported.
const MAX_SHOWN: usize = 100;

/// Checks every kernel at or below the root; `false`, after errors, where one has unordered accesses or is not
/// followed.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let mut complete = true;
    for function in kernels(ir.root()) {
        complete &= guard::on_op(function, false, || one(function, options));
    }
    complete
}

/// The functions and launches that copy, synchronize, or touch shared memory.
pub(super) fn kernels<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut functions: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in walk::matching(root, |_| true).into_iter().filter(|op| concerns_order(*op)) {
        let Some(function) = kernel::function(op) else { continue };
        let is_one =
            kernel::is_entry(function) || kernel::is_launch(function) || name(function) != tile_ops::func::FuncOp::NAME;
        if is_one && !functions.iter().any(|known| known.to_raw().ptr == function.to_raw().ptr) {
            functions.push(function);
        }
    }
    functions
}

/// Reads a kernel; `None`, after errors, where it is not followed or cannot be right.
pub fn read<'r, 'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &'r LoweringOptions,
    ranges: &'r Ranges<'r>,
) -> Option<SyncKernel<'r, 'c, 'a>> {
    sound(function, SyncKernel::read(function, options, ranges))
}

/// Reads a kernel as [`read`] does, but leaves phases to [`check_some`], which executes the program where it has to.
pub fn read_with_rings<'r, 'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &'r LoweringOptions,
    ranges: &'r Ranges<'r>,
) -> Option<SyncKernel<'r, 'c, 'a>> {
    sound(function, SyncKernel::with_rings(function, options, ranges, Leader::LAST))
}

/// The kernel, if all of it was read and nothing in it is wrong whatever the order; `None` after errors.
fn sound<'r, 'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    read: Result<SyncKernel<'r, 'c, 'a>, String>,
) -> Option<SyncKernel<'r, 'c, 'a>> {
    match read {
        Ok(kernel) => {
            let failures = kernel.failures();
            failures.unread().iter().for_each(|(op, why)| Diagnostic::error(why.clone()).emit(*op));
            failures.errors().iter().for_each(say::error);
            kernel.failures().is_empty().then_some(kernel)
        }
        Err(why) => {
            Diagnostic::error(why).emit(function);
            None
        }
    }
}

fn one(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    if let Err(reason) = order::is_by_hand(function) {
        Diagnostic::error(reason).emit(function);
        return false;
    }
    let ranges = Ranges::none();
    let Some(kernel) = read_with_rings(function, options, &ranges) else { return false };
    let fine = in_order(function, &kernel) && by_other_leaders(function, options);
    if fine && report::is_remark_enabled(function, RemarkKind::Passed) {
        let accesses: usize = kernel.program().ops.iter().map(|op| op.accesses.len()).sum();
        let args = [("Accesses", accesses.to_string()), ("Operations", kernel.program().ops.len().to_string())];
        let inside = kernel.ops().first().copied().unwrap_or(function);
        report::emit(inside, RemarkKind::Passed, "in-order", "all accesses that conflict are in order", &args);
    }
    fine
}

/// Whether all accesses of a kernel are in order, as it is written now, and all threads meet at its barriers; reports what
/// is not.
pub fn in_order_as_written(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    let ranges = Ranges::none();
    let Some(kernel) = read_with_rings(function, options, &ranges) else { return false };
    in_order(function, &kernel) && by_other_leaders(function, options)
}

/// As [`in_order_as_written`], but as if the last or the first lane of each warp led it, where a kernel elects leaders: every lane would
/// take much longer.
pub fn in_order_by_ends(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    let ranges = Ranges::none();
    let is_in_order = |leader| {
        let read = sound(function, SyncKernel::with_rings(function, options, &ranges, leader));
        read.is_some_and(|kernel| in_order(function, &kernel))
    };
    is_in_order(Leader::LAST) && (!elects(function) || is_in_order(Leader::FIRST))
}

/// Whether two threads of a kernel are known that access one byte without an order; reports the first such accesses. `false` where
/// the kernel is not followed, and where accesses only may conflict.
pub fn has_race(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    let ranges = Ranges::none();
    let Some(kernel) = read_with_rings(function, options, &ranges) else { return false };
    let is_known = |finding: &&Finding| matches!(finding, Finding::Conflict(conflict) if conflict.example.is_some());
    let findings = check_some(kernel.program(), MAX_SHOWN);
    let race = findings.iter().find(is_known);
    race.into_iter().for_each(|finding| say::finding(&kernel, finding));
    race.is_some()
}

/// For each of some operations of a kernel whether what it accesses is not known to be in order with all other accesses, as the kernel
/// is written now. Reports nothing.
pub fn out_of_order(
    function: OperationRef<'_, '_>,
    ops: &[OperationRef<'_, '_>],
    options: &LoweringOptions,
) -> Vec<bool> {
    if ops.is_empty() {
        return Vec::new();
    }
    let ranges = Ranges::none();
    let mut unknown = vec![false; ops.len()];
    let others = if elects(function) { Leader::others().collect() } else { Vec::new() };
    for leader in std::iter::once(Leader::LAST).chain(others) {
        let read = SyncKernel::with_rings(function, options, &ranges, leader);
        let Some(kernel) = read.ok().filter(|read| read.failures().is_empty()) else { return vec![true; ops.len()] };
        let findings = check_some(kernel.program(), MAX_SHOWN);
        let address = |op: &OperationRef<'_, '_>| op.to_raw().ptr;
        let is_of =
            |number: usize, op: &OperationRef<'_, '_>| kernel.ops().get(number).map(address) == Some(address(op));
        for (op, unknown) in ops.iter().zip(&mut unknown) {
            *unknown |= findings.len() == MAX_SHOWN
                || findings.iter().any(|finding| match finding {
                    Finding::Conflict(conflict) => is_of(conflict.first.0, op) || is_of(conflict.second.0, op),
                    Finding::Unfollowed { .. } => true,
                    _ => false,
                });
        }
    }
    unknown
}

/// Whether all accesses are also in order if other lanes lead their warps.
pub fn by_other_leaders(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    if !elects(function) {
        return true;
    }
    let ranges = Ranges::none();
    let read = |leader| sound(function, SyncKernel::with_rings(function, options, &ranges, leader));
    Leader::others().all(|leader| read(leader).is_some_and(|kernel| in_order(function, &kernel)))
}

/// Whether all accesses of a kernel are in order; reports those that are not.
fn in_order(function: OperationRef<'_, '_>, kernel: &SyncKernel<'_, '_, '_>) -> bool {
    let findings = check_some(kernel.program(), MAX_SHOWN + 1);
    let mut reported = HashSet::new();
    let first = |finding: &&Finding| say::written(kernel, finding).is_none_or(|both| reported.insert(both));
    findings.iter().take(MAX_SHOWN).filter(first).for_each(|finding| say::finding(kernel, finding));
    if findings.len() > MAX_SHOWN {
        let text = format!("has more unordered accesses than the {MAX_SHOWN} that are reported");
        Diagnostic::error(text).emit(function);
    }
    findings.is_empty()
}
