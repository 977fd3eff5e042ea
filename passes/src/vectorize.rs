//! `--tile-vectorize-copy`: rounds, threads and the widest vectors.

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::StageOp;

use crate::families::vector::{self, Vectors};
use crate::families::{Family, MALFORMED, Planned, Plans};
use crate::options::Options;
use crate::read::name;
use crate::read::problem::Reader;
use tile_ops::Builder;

/// Replaces every `tile.matched_copy` below the root; `false`, after errors, when one is left. Ops in `plans` have their vectors
/// already, and are reported.
pub fn run(ir: &mut Ir<'_>, options: &Options, plans: &Plans) -> bool {
    let reader = Reader::new(options);
    let mut complete = true;
    let staged = Vectors.staged();
    for op in crate::walk::matching(ir.root(), |name| name == vector::CHOSEN || name == staged) {
        if name(op) == staged {
            plans.of(op).into_iter().for_each(|made| vector::took_vectors(op, &made.vectors, &made.narrowings));
            continue;
        }
        let outcome = guard::quiet(|| vectorize(op, &reader, ir.rewriter(), (options, plans)));
        let outcome = outcome.unwrap_or_else(|text| Err(format!("made the compiler fail: {text}")));
        if let Err(reason) = outcome {
            Diagnostic::error(reason).emit(op);
            complete = false;
        }
    }
    complete
}

fn vectorize<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
    rewriter: Rewriter<'c, 'a>,
    (options, plans): (&Options, &Plans),
) -> Result<(), String> {
    let stage_op = StageOp(op);
    Vectors.check_variant(op)?;
    let plan = vector::read_aligned(stage_op, reader).ok_or(MALFORMED)?;
    let (target, is_predicated) = (reader.target(op)?, stage_op.predicate().is_some());
    let (vectors, narrowings) =
        vector::widest(&plan, &target, options.max_vector_bits, is_predicated).map_err(|refusal| refusal.reason)?;
    let builder = Builder::before(rewriter, op);
    let made = vector::build_vector(builder, stage_op, &vectors).ok_or("has a plan that makes no op")?;
    vector::took_vectors(op, &vectors, &narrowings);
    plans.keep(made, Planned { vectors, narrowings });
    rewriter.erase(op);
    Ok(())
}
