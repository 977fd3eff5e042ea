//! Loops whose iterations are threads, warps or warpgroups of a block: upstream computes their numbers, and what is inside is done by
//! that scope.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Rewriter, defining_op};
use tile_dialect::memref::space;
use tile_dialect::ops::Scope;
use tile_dialect::{CONVERTED, Ctx, SCOPE, Space};
use tile_ops::{memref, scf};
use tile_plan::linalg::{LinalgRefusal, LinalgSchedule};

use super::convert::Converter;
use super::read;
use super::refuse::Reports;
use super::tiles::memref_type;
use crate::options::LoweringOptions;
use crate::read::effects::only_computes_or_reads;
use crate::read::problem::Reader;
use crate::read::{alias, kernel, name};
use crate::{shim, walk};

/// Maps the loops at or below the root, from the innermost on, or says why they stay.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &LoweringOptions, reports: &Reports<'c, 'a>) {
    for forall in walk::named(root, scf::ForallOp::NAME).into_iter().rev() {
        let Some(scope) = shim::forall_scope(forall).filter(|scope| *scope != Scope::Cta) else { continue };
        let Some(kernel) = kernel::function(forall) else { continue };
        let outcome = match Reader::new(options).block(forall) {
            Ok(Some(block)) => {
                state_scope(forall, kernel, scope, reports);
                shim::map_forall(forall, block).map_err(|reason| LinalgRefusal::Forall { reason })
            }
            _ => Err(LinalgRefusal::BlockSize),
        };
        if let Err(refusal) = outcome {
            reports.stays(forall, &refusal);
        }
    }
    infer(root, options, reports.rewriter);
}

/// States the scope of ops in loops that upstream's transforms have mapped already: those that warps, or warpgroups, reach with operands of
/// their own. What ops do with memory that each thread allocates, they do in one scope.
fn infer<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) {
    let (reader, schedule) = (Reader::new(options), LinalgSchedule::default());
    let converter = Converter::new(&reader, options, schedule, rewriter);
    let ops = walk::matching(root, |_| true).into_iter().filter(|op| !op.has_attribute(SCOPE));
    let ops: Vec<_> = ops.filter_map(|op| Some((op, read::read(op)?.ok()?))).collect();
    let state = |op: OperationRef<'c, 'a>, scope: Scope| {
        rewriter.set_attribute(op, SCOPE, Ctx::of(op).string(scope.name()));
    };
    let mut waiting = Vec::new();
    for (op, reading) in &ops {
        let scopes = [Scope::Cta, Scope::Warpgroup, Scope::Warp];
        let shared = scopes.into_iter().find(|scope| converter.shared_by(*op, reading, *scope).is_ok());
        if let Some(scope) = shared.filter(|scope| *scope != Scope::Cta) {
            state(*op, scope);
            waiting.push((scope, reading));
        }
    }
    while let Some((scope, reading)) = waiting.pop() {
        for memory in reading.operands.iter().filter_map(|value| own_memory(*value)) {
            state(memory, scope);
            for (user, reading) in ops.iter().filter(|(user, _)| !user.has_attribute(SCOPE)) {
                let uses = reading.operands.iter().any(|value| own_memory(*value) == Some(memory));
                if uses && converter.shared_by(*user, reading, scope).is_ok() {
                    state(*user, scope);
                    waiting.push((scope, reading));
                }
            }
        }
    }
}

/// What allocates the memory of a memref for each thread.
fn own_memory<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let memory = std::iter::successors(Some(value), |value| alias::viewed(*value)).last()?;
    let is_shared = memref_type(memory).and_then(space) == Some(Space::Shared);
    defining_op(memory).filter(|made| !is_shared && is_allocation(*made))
}

fn is_allocation(op: OperationRef<'_, '_>) -> bool {
    [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name(op))
}

/// States which threads do the ops of a loop together, and that they have to be ordered.
fn state_scope<'c: 'a, 'a>(
    forall: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    scope: Scope,
    reports: &Reports<'c, 'a>,
) {
    let (context, rewriter) = (Ctx::of(forall), reports.rewriter);
    let is_launch = kernel::is_launch(kernel);
    for op in walk::matching(forall, |_| true) {
        if (is_allocation(op) || read::read(op).is_some()) && !op.has_attribute(SCOPE) {
            rewriter.set_attribute(op, SCOPE, context.string(scope.name()));
        }
        if op.region_count() == 0 && !only_computes_or_reads(op) {
            // Outlining keeps attributes of the ops in a launch, not of the launch.
            rewriter.set_attribute(if is_launch { op } else { kernel }, CONVERTED, context.unit());
        }
    }
}
