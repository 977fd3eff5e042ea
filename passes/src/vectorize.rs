//! `--tile-vectorize-copy`: rounds, threads and the widest vectors.

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::StageOp;

use crate::families::vector::{self, Vectors};
use crate::families::{Family, MALFORMED};
use crate::options::Options;
use crate::read::problem::Reader;
use tile_ops::Builder;

/// Replaces every `tile.aligned_copy` below the root; `false`, after errors, when one is left.
pub fn run(ir: &mut Ir<'_>, options: &Options) -> bool {
    let reader = Reader::new(options);
    let mut complete = true;
    for op in crate::walk::named(ir.root(), vector::CHOSEN) {
        let outcome = guard::quiet(|| vectorize(op, &reader, ir.rewriter(), options));
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
    options: &Options,
) -> Result<(), String> {
    let stage_op = StageOp(op);
    Vectors.check_variant(op)?;
    let plan = vector::read_aligned(stage_op, reader).ok_or(MALFORMED)?;
    let target = reader.target(op)?;
    let (mut vectors, narrowings) =
        tile_plan::vectorize(&plan, &target, options.max_vector_bits).map_err(|refusal| refusal.reason)?;
    if stage_op.predicate().is_some() {
        // A lane whose predicate is false would have nothing to give.
        vectors.exchange = 1;
    }
    let builder = Builder::before(rewriter, op);
    vector::build_vector(builder, stage_op, &vectors).ok_or("has a plan that makes no op")?;
    vector::took_vectors(op, &vectors, &narrowings);
    rewriter.erase(op);
    Ok(())
}
