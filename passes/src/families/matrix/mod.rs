//! `ldmatrix` and `stmatrix`.

mod expand;

use melior::ir::OperationRef;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_isa::WARP;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Kind, MatrixCopy, Space};

use super::sides::{Sides, guards, read_guards, read_side, stage};
use super::{Family, MALFORMED, StagePlan, Staged, chosen};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::passed;

/// The family.
pub struct Matrices;

impl Family for Matrices {
    fn staged(&self) -> &'static str {
        tile::MatrixCopyOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::Matrix]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        let Aligned::Matrix(plan) = plan else { return None };
        let (src, dst) = if plan.load { (&plan.shared, &plan.registers) } else { (&plan.registers, &plan.shared) };
        let sides = Sides::of_copy(builder, copy, src, dst)?;
        let op = stage!(tile::matrix_copy, builder, sides; "ldstmatrix", &plan.shape, plan.row_stride);
        let op = op.transposed(plan.trans).guards(guards(&plan.guards).as_deref());
        Some(op.build().operation())
    }

    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        if let Aligned::Matrix(plan) = plan {
            took_matrix(op, plan);
        }
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        chosen(read_matrix(StageOp(op), reader), Aligned::Matrix)
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_matrix(op, staged.reader).ok_or(MALFORMED)?;
        plan.verify().map_err(|refusal| refusal.reason)?;
        staged.counts_threads(plan.threads, None)?;
        expand::expand(emit, op, &plan, staged.scope)
    }
}

/// A `tile.matrix_copy` as the planner's plan.
fn read_matrix(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<MatrixCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let own = tile::MatrixCopyOp::cast(op.0)?;
    let load = src.buffer.space() == Space::Shared;
    let (shared, registers) = if load { (&src, &dst) } else { (&dst, &src) };
    let shape: [i64; 6] = own.shape().try_into().ok()?;
    Some(MatrixCopy {
        load,
        trans: own.transposed(),
        num: shape[4],
        threads: shape[0].checked_mul(WARP)?,
        shape,
        row_stride: own.row_stride()?,
        shared: read_side(shared, reader),
        registers: read_side(registers, reader),
        guards: read_guards(&own.guards()),
    })
}

/// The *passed* remark of a copy by matrix instructions.
fn took_matrix(op: OperationRef<'_, '_>, plan: &MatrixCopy) {
    let instructions = format!("{} {}", plan.steps(), plan.instruction());
    let bytes = plan.steps() * plan.num * 4;
    let args = vec![
        ("Variant", "ldstmatrix".to_owned()),
        ("VectorBits", "128".to_owned()),
        ("Rounds", plan.steps().to_string()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", instructions.clone()),
    ];
    passed(op, "ldstmatrix", &format!("copied by ldstmatrix: {instructions}, {bytes} bytes per thread"), &args);
}
