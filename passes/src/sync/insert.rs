//! `--tile-insert-sync`: inserts the operations that order the accesses of a kernel, and removes those that are redundant.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::{Builder, scf};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Effect, Insertion, insert, redundant};

use super::check::{self, kernels};
use super::kernel::{Leader, SyncKernel, elects};
use super::say;
use crate::effects::{barriers, fences, groups};
use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::ranges::Ranges;
use crate::report;

/// Orders every kernel at or below the root; `false`, after errors, where insertions cannot order one.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, remove: bool) -> bool {
    let mut complete = true;
    for function in kernels(ir.root()) {
        let rewriter = ir.rewriter();
        complete &= guard::on_op(function, false, || order(function, options, rewriter, remove));
    }
    complete
}

/// Orders one kernel; `false`, after errors, where insertions cannot order it.
pub fn order<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    remove: bool,
) -> bool {
    let ranges = Ranges::none();
    let Some(kernel) = check::read_with_rings(function, options, &ranges) else { return false };
    match insert(kernel.program()) {
        Ok(insertions) => {
            let Some(numbers) = numbers(&kernel, &insertions) else {
                Diagnostic::error("needs more named barriers than there are free numbers from 1 to 15").emit(function);
                return false;
            };
            for (place, insertions) in by_place(&kernel, &insertions) {
                insertions.into_iter().for_each(|new| insert_operation(&kernel, (place, new), &numbers, rewriter));
            }
            if remove && insertions.is_empty() {
                remove_redundant(function, &kernel, options, rewriter);
            }
            let written = remove || !insertions.is_empty();
            drop(kernel);
            if written {
                check::in_order_as_written(function, options)
            } else {
                check::by_other_leaders(function, options)
            }
        }
        Err(findings) => {
            findings.iter().for_each(|finding| say::finding(&kernel, finding));
            false
        }
    }
}

/// A barrier number for each set of warps, from the highest down: the programmer's own numbers start at 0.
fn numbers(kernel: &SyncKernel<'_, '_, '_>, insertions: &[Insertion]) -> Option<Vec<(ThreadSet, i64)>> {
    let mut free = kernel.free_barriers();
    let mut barriers: Vec<(ThreadSet, i64)> = Vec::new();
    for insertion in insertions.iter().filter(|insertion| insertion.effect == Effect::Barrier) {
        if insertion.active != kernel.program().block && !barriers.iter().any(|(set, _)| *set == insertion.active) {
            barriers.push((insertion.active, free.next()?));
        }
    }
    Some(barriers)
}

/// The insertions before each operation of the IR, without duplicates: the program has the first region of an `scf.while`
/// twice, before the loop and in it.
fn by_place<'i, 'c: 'a, 'a>(
    kernel: &SyncKernel<'_, 'c, 'a>,
    insertions: &'i [Insertion],
) -> Vec<(OperationRef<'c, 'a>, Vec<&'i Insertion>)> {
    // By operation, and by the number of branches and loops around it in the program.
    let mut visits: Vec<(OperationRef<'c, 'a>, usize, Vec<&Insertion>)> = Vec::new();
    for insertion in insertions {
        let levels = kernel.levels(insertion.before);
        let depth = levels.len().saturating_sub(insertion.out);
        let place = levels.get(depth).copied().unwrap_or(kernel.ops()[insertion.before]);
        match visits.iter_mut().find(|(op, around, _)| op.to_raw().ptr == place.to_raw().ptr && *around == depth) {
            Some((.., list)) => list.push(insertion),
            None => visits.push((place, depth, vec![insertion])),
        }
    }
    let mut places: Vec<(OperationRef<'c, 'a>, Vec<&Insertion>)> = Vec::new();
    for (place, _, list) in visits {
        match places.iter_mut().find(|(op, _)| op.to_raw().ptr == place.to_raw().ptr) {
            Some((_, earlier)) => *earlier = both(earlier, list),
            None => places.push((place, list)),
        }
    }
    places
}

/// A list that orders as much as each of two lists: the longer one, where it contains the other as a subsequence, else both.
fn both<'i>(one: &[&'i Insertion], other: Vec<&'i Insertion>) -> Vec<&'i Insertion> {
    let alike = |a: &Insertion, b: &Insertion| a.effect == b.effect && a.active == b.active;
    let within = |few: &[&Insertion], many: &[&Insertion]| {
        let mut many = many.iter();
        few.iter().all(|wanted| many.any(|present| alike(present, wanted)))
    };
    match () {
        () if within(&other, one) => one.to_vec(),
        () if within(one, &other) => other,
        () => [one, &other].concat(),
    }
}

/// Inserts one operation.
fn insert_operation<'c: 'a, 'a>(
    kernel: &SyncKernel<'_, 'c, 'a>,
    (place, insertion): (OperationRef<'c, 'a>, &Insertion),
    numbers: &[(ThreadSet, i64)],
    rewriter: Rewriter<'c, 'a>,
) {
    let builder = Builder::before(rewriter, place);
    let made = match insertion.effect {
        Effect::Barrier if insertion.active == kernel.program().block => Some(barriers::of_block(builder)),
        Effect::Barrier => {
            let number = numbers.iter().find(|(set, _)| *set == insertion.active).map_or(0, |(_, number)| *number);
            Some(barriers::of_warps(builder, number, insertion.active.warps().count_ones().into()))
        }
        Effect::WarpBarrier => Some(barriers::of_warp(builder)),
        Effect::ClusterBarrier => Some(barriers::of_cluster(builder)),
        Effect::Commit(queue) => groups::commit(builder, queue),
        Effect::Wait { queue, pending, reads } => groups::wait(builder, queue, pending, reads),
        ref effect => fences::write(builder, effect),
    };
    let Some(made) = made else { return };
    report::emit(made, RemarkKind::Passed, "inserted", &format!("'{}' orders what comes before it", name(made)), &[]);
}

/// Erases operations that order nothing.
fn remove_redundant<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    kernel: &SyncKernel<'_, 'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) {
    let vain = redundant(kernel.program());
    if elects(function) {
        let ranges = Ranges::none();
        let agrees = |leader| {
            let other = SyncKernel::with_rings(function, options, &ranges, leader);
            other.is_ok_and(|other| redundant(other.program()) == vain)
        };
        if !Leader::others().all(agrees) {
            let text = "which operations are redundant depends on the lane that leads its warp; all are kept";
            report::emit(kernel.ops()[0], RemarkKind::Missed, "depends-on-leader", text, &[]);
            return;
        }
    }
    let twice =
        |op: OperationRef<'c, 'a>| kernel.ops().iter().filter(|one| one.to_raw().ptr == op.to_raw().ptr).count() > 1;
    for op in vain.into_iter().map(|op| kernel.ops()[op]).filter(|&op| !twice(op) && name(op) != scf::WhileOp::NAME) {
        report::emit(
            op,
            RemarkKind::Passed,
            "redundant",
            &format!("all that '{}' orders is in order without it", name(op)),
            &[],
        );
        rewriter.erase(op);
    }
}
