//! `--tile-vectorize-copy`: rounds, threads and the widest vectors.

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::PlannedOp;
use tile_dialect::{Ctx, PlanAttr};
use tile_ops::tile;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::problem::role::Role;

use crate::families::vector;
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::walk;

/// Chooses the vectors of every plan of matched layouts below the root; `false`, after errors, where there are none.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let reader = Reader::new(options);
    let mut complete = true;
    for op in walk::matching(ir.root(), |name| name == PlannedOp::NAME) {
        let Some(CopyPlan::Partition(plan)) = PlannedOp(op).plan() else { continue };
        let outcome = guard::quiet(|| vectorize(op, plan, (&reader, options), ir.rewriter()));
        let outcome = outcome.unwrap_or_else(|panicked| Err(panicked.into()));
        if let Err(reason) = outcome {
            Diagnostic::error(reason).emit(op);
            complete = false;
        }
    }
    complete
}

/// Gives the op the plan with the widest vectors, whose run-time values are the same.
fn vectorize<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    plan: &MatchedCopy,
    (reader, options): (&Reader<'_>, &LoweringOptions),
    rewriter: Rewriter<'c, 'a>,
) -> Result<(), String> {
    let mut plan = plan.clone();
    let sides = plan.src.iter_mut().map(|src| (Role::Src, src)).chain([(Role::Dst, &mut plan.dst)]);
    for (role, side) in sides {
        // Whoever made the plan may have known less: a pattern of another compiler's conversion promises nothing of arguments.
        let known = PlannedOp(op).buffer(role).map(|buffer| reader.alignment(buffer));
        side.align_bytes = side.align_bytes.max(known.unwrap_or_default());
    }
    let (target, is_predicated) = (reader.target(op)?, PlannedOp(op).predicate().is_some());
    let (vectors, narrowings) =
        vector::widest(&plan, &target, options.max_vector_bits, is_predicated).map_err(|refusal| refusal.reason)?;
    vector::took_vectors(op, &vectors, &narrowings);
    let plan = PlanAttr::new(Ctx::of(op), CopyPlan::Vectors(vectors)).ok_or("has a plan that no op carries")?;
    let copy = tile::PlannedCopyOp::cast(op).ok_or("is no planned copy")?;
    copy.set_plan(rewriter, plan.as_attribute());
    Ok(())
}
