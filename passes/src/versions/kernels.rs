//! `--tile-version-kernels`: makes the body of a kernel a `tile.version`, by the promises with which its copies would take fewer
//! accesses.
//!
//! ```text
//!   gpu.func @k(%A: memref<?x?xf16>, …) kernel {       gpu.func @k(%A: memref<?x?xf16>, …) kernel {
//!     tile.copy %a[%i, 0] [1, 512] to …         ──▶      tile.version %A divisible_by 8 { tile.copy %a[%i, 0] [1, 512] to … }
//!     gpu.return                                         gpu.return
//! ```
//! The branch is in the kernel, so nothing that launches it has to know of it. It takes the registers of the copy of the body that
//! needs more, as that copy alone would, and shared memory once.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::Ctx;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Ir, Parts, Rewriter, argument_of};
use tile_dialect::ops::CopyOp;
use tile_ops::{Builder, tile};
use tile_plan::families::{in_vectors, select};

use super::clause::{self, Clause};
use super::copier::copy_ops;
use super::wanted;
use crate::options::LoweringOptions;
use crate::read::kernel;
use crate::read::problem::Reader;
use crate::{needed, promise, report, shim, walk};

/// Makes a version of each kernel at or below the root whose copies want promises, by at most `most` of them.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, most: usize) {
    promise::write_alignment(ir, options);
    let reader = Reader::new(options);
    for kernel in needed::kernels(ir.root()) {
        let clauses = clauses(kernel, &reader, most);
        if !clauses.is_empty() {
            wrap(kernel, &clauses, ir.rewriter());
        }
    }
}

/// The promises that copies of a kernel want of its arguments, in the order of the text: of each copy all, or none where that would
/// be too many. None for a kernel that has versions already.
fn clauses<'c: 'a, 'a>(function: OperationRef<'c, 'a>, reader: &Reader<'_>, most: usize) -> Vec<Clause<'c, 'a>> {
    let mut found = Vec::new();
    if !walk::named(function, tile::VersionOp::NAME).is_empty() {
        return found;
    }
    for op in walk::matching(function, CopyOp::is_name) {
        let mut more = found.clone();
        if add(&mut more, op, function, reader).is_none() {
            continue;
        }
        match more.len() <= most {
            true => found = more,
            false => report::emit(
                op,
                RemarkKind::Missed,
                "version-limit",
                "no version of the kernel for this copy",
                &[("Reason", format!("{} promises in all, expected at most {most}", more.len()))],
            ),
        }
    }
    found
}

/// Adds the promises that one copy wants; `None` where it wants none that are about arguments of the kernel.
fn add<'c: 'a, 'a>(
    clauses: &mut Vec<Clause<'c, 'a>>,
    op: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Option<()> {
    let reading = reader.read(CopyOp(op)).ok()?;
    let (plan, _) = select(&reading.problem, &reading.target).ok()?;
    let plan = in_vectors(&plan, &reading.problem, &reading.target)?;
    let (more, _) = wanted::promises(CopyOp(op), &plan, &reading.target, reading.problem.max_vector_bits)?;
    more.iter().all(|clause| is_argument(clause.value, function)).then(|| {
        more.into_iter().for_each(|clause| wanted::add(clauses, clause));
    })
}

/// Whether a value is an argument of a kernel, or is captured by a launch.
fn is_argument<'c: 'a, 'a>(value: Value<'c, 'a>, function: OperationRef<'c, 'a>) -> bool {
    if kernel::is_launch(function) {
        return kernel::is_captured(value, function.to_raw().ptr as usize);
    }
    let entry = function.region_at(0).and_then(|body| body.first_block());
    argument_of(value).zip(entry).is_some_and(|((block, number), entry)| {
        block.to_raw().ptr == entry.to_raw().ptr && number < shim::inputs(function)
    })
}

/// Moves the body of a kernel, but for its end, into a version.
fn wrap<'c: 'a, 'a>(function: OperationRef<'c, 'a>, clauses: &[Clause<'c, 'a>], rewriter: Rewriter<'c, 'a>) {
    let Some(block) = function.region_at(0).and_then(|body| body.first_block()) else { return };
    let first = block.first_operation().filter(|first| first.next_in_block().is_some());
    let Some(first) = first.filter(|_| block.next_in_region().is_none()) else { return };
    let ops: Vec<_> = std::iter::successors(Some(first), |op| op.next_in_block()).collect();
    let (_, body) = ops.split_last().expect("a body has an end");
    rewriter.set_insertion_point_before(first);
    let builder = Builder { rewriter, location: function.location(), context: Ctx::of(function) };
    let version = clause::version(builder, clauses);
    builder.fill(version, 0, |_| {
        copy_ops(rewriter, body.iter().copied(), &mut Default::default());
        tile::r#yield(builder, &[]).build();
    });
    body.iter().rev().for_each(|&op| rewriter.erase(op));
    if report::is_remark_enabled(version, RemarkKind::Passed) {
        let line = clause::line(clauses);
        report::passed(version, "kernel-versioned", "the kernel is a version", &[("Version", line)]);
    }
}
