//! `--tile-expand-versions`: a `tile.version` becomes an `scf.if` on its promises.
//!
//! ```text
//!   tile.version %n divisible_by 8 { … %n … }   ──▶   %rest = arith.remui %n, 8
//!                                                     %m = tile.assume %n divisible_by 8
//!                                                     scf.if %rest == 0 { … %m … } else { … %n … }
//! ```
//! All passes that plan copies begin with this one.

mod clause;
mod copier;
mod uniform;
mod wanted;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Parts, Rewriter, is_used, results_of};
use tile_dialect::memref::space;
use tile_dialect::ops::CopyOp;
use tile_dialect::{BufferType, Ctx, STAGES, STAGES_IF_ASYNC, Space, VERSIONED};
use tile_ops::{Builder, arith, memref, scf, tile};
use tile_plan::families::vector::plan::MatchedCopy;

use crate::options::LoweringOptions;
use crate::read::problem::ProblemReading;
use crate::{promise, report, walk};
use clause::VersionClause;
use copier::Copier;

/// Expands the versions at or below the root, those around others first; `false`, after errors, where one cannot be. `once`: keeps
/// the region without promises alone.
pub fn expand(ir: &mut Ir<'_>, options: &LoweringOptions, once: bool) -> bool {
    if walk::named(ir.root(), tile::VersionOp::NAME).is_empty() {
        return true;
    }
    promise::write_alignment(ir, options);
    // The first is at the end.
    let (mut left, mut complete) = (outermost(ir.root()), true);
    left.reverse();
    while let Some(op) = left.pop() {
        let clauses: Vec<_> = VersionClause::of(op).into_iter().filter(|clause| !once && !clause.is_known()).collect();
        if let Err(unreadable) = uniform::check(op, &clauses, options) {
            unreadable.emit(op);
            complete = false;
            continue;
        }
        let inside = walk::named(op, tile::VersionOp::NAME).len() > 1;
        let made =
            if clauses.is_empty() { inline(op, ir.rewriter()) } else { vec![branch(op, &clauses, ir.rewriter())] };
        if inside {
            left.extend(made.into_iter().flat_map(outermost).collect::<Vec<_>>().into_iter().rev());
        }
    }
    complete
}

/// The versions at or below an op that are in no other below it.
fn outermost<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut versions: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in walk::named(root, tile::VersionOp::NAME) {
        if !versions.last().is_some_and(|last| tile_dialect::ir::is_inside(op, *last)) {
            versions.push(op);
        }
    }
    versions
}

/// Replaces a version by its region, where nothing is to be tested; the ops of the region.
fn inline<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    rewriter.set_insertion_point_before(op);
    let (made, yielded) = Copier::new(op, rewriter).body();
    rewriter.replace(op, &yielded);
    made
}

/// Replaces a version by a branch on its promises.
fn branch<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    clauses: &[VersionClause<'c, 'a>],
    rewriter: Rewriter<'c, 'a>,
) -> OperationRef<'c, 'a> {
    share_allocations(op, rewriter);
    let builder = Builder::before(rewriter, op);
    let tests = clauses.iter().flat_map(|clause| clause.tests(builder)).collect::<Vec<_>>().into_iter();
    let all = tests.reduce(|all, test| arith::andi(builder, all, test).value());
    let types: Vec<_> = results_of(op).iter().map(|result| result.r#type()).collect();
    let condition = all.expect("a promise that is not known takes a test");
    let made = scf::r#if(builder, condition, &types, builder.body(&[]), builder.body(&[])).build().operation();
    rewriter.set_attribute(made, VERSIONED, builder.context.unit());
    let mut promised = Copier::new(op, rewriter);
    let of_memrefs = clauses.iter().map(VersionClause::of_memref);
    let of_memrefs: Vec<_> = of_memrefs.map(|clause| Some(promised.assume(&clause?))).collect();
    let assumed: Vec<_> = clauses.iter().map(|clause| promised.assume(clause)).collect();
    promised.derive();
    for (region, mut copier) in [promised, Copier::new(op, rewriter)].into_iter().enumerate() {
        builder.fill(made, region, |_| {
            let (copies, yielded) = copier.body();
            if region == 1 {
                stages_if_async(&copies, rewriter);
            }
            scf::r#yield(builder, &yielded).build();
        });
    }
    for ((clause, assumed), of_memref) in clauses.iter().zip(assumed).zip(of_memrefs).rev() {
        drop_unused(op, clause, [Some(assumed), of_memref], rewriter);
    }
    if report::is_remark_enabled(op, RemarkKind::Passed) {
        let promises: Vec<_> = clauses.iter().map(|clause| clause.to_string()).collect();
        let text = "compiled twice: with promises that are tested at run time, and without";
        report::passed(op, "versioned", text, &[("Promises", promises.join(", "))]);
    }
    rewriter.replace(op, &results_of(made));
    made
}

/// Lets loops with stages be without, since their copies may be synchronous where nothing is promised.
fn stages_if_async<'c: 'a, 'a>(ops: &[OperationRef<'c, 'a>], rewriter: Rewriter<'c, 'a>) {
    let loops = ops.iter().flat_map(|op| walk::matching(*op, |_| true)).filter(|op| op.has_attribute(STAGES));
    loops.for_each(|op| rewriter.set_attribute(op, STAGES_IF_ASYNC, Ctx::of(op).unit()));
}

/// Erases assumptions of a clause on which the region does not rely, with a warning if these are all.
fn drop_unused<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    clause: &VersionClause<'c, 'a>,
    assumed: [Option<OperationRef<'c, 'a>>; 2],
    rewriter: Rewriter<'c, 'a>,
) {
    let is_relied_on = |assumed: &OperationRef<'c, 'a>| results_of(*assumed).into_iter().any(is_used);
    let (used, unused): (Vec<_>, Vec<_>) = assumed.into_iter().flatten().partition(is_relied_on);
    if used.is_empty() {
        Diagnostic::warning(format!("promises {clause}, which its region does not use")).emit(op);
    }
    unused.into_iter().for_each(|assumed| rewriter.erase(assumed));
}

/// Whether an op is where nothing is promised of a version.
fn is_without_promises(op: OperationRef<'_, '_>) -> bool {
    let is_other_arm = |(inner, around): (OperationRef<'_, '_>, OperationRef<'_, '_>)| {
        let arm = around.region_at(1).and_then(|arm| arm.first_block());
        around.has_attribute(VERSIONED) && arm.is_some() && inner.block() == arm
    };
    let around: Vec<_> = std::iter::successors(Some(op), |op| op.parent_operation()).collect();
    around.windows(2).any(|pair| is_other_arm((pair[0], pair[1])))
}

/// The remark of a copy that would take fewer accesses in a version, with the line that begins it; none where the copy is what a
/// version has for numbers of which nothing is promised.
pub fn offer<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, plan: &MatchedCopy, reading: &ProblemReading) {
    if !report::is_remark_enabled(copy.0, RemarkKind::Missed) || is_without_promises(copy.0) {
        return;
    }
    let Some((clauses, bits)) = wanted::promises(copy, plan, &reading.target, reading.problem.max_vector_bits) else {
        return;
    };
    if !clauses.iter().all(wanted::is_versioned) {
        let args = [("Version", clause::line(&clauses)), ("VectorBits", bits.to_string())];
        let text = format!("would take accesses of {bits} bits in a version");
        report::emit(copy.0, RemarkKind::Missed, "version-would-widen", &text, &args);
    }
}

/// Makes the shared memory of a version's region in front of it, so that both copies of the region have the same: it is static,
/// one array for each op.
fn share_allocations<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    for alloc in walk::matching(op, |name| [tile::AllocOp::NAME, memref::AllocOp::NAME].contains(&name)) {
        let r#type = alloc.result_at(0).map(|result| result.r#type());
        let of_tile = r#type.and_then(BufferType::from_type).map(BufferType::space);
        let memory = of_tile.or_else(|| space(MemRefType::try_from(r#type?).ok()?));
        if memory != Some(Space::Shared) || alloc.operand_count() > 0 {
            continue;
        }
        rewriter.set_insertion_point_before(op);
        let shared = rewriter.insert_clone(alloc, &[]);
        rewriter.replace(alloc, &results_of(shared));
    }
}
