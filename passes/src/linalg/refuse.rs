//! Reports of what stays as it is.

use std::cell::Cell;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Parts, Rewriter, results_of, uses};
use tile_dialect::ops::{Scope, string};
use tile_dialect::{Ctx, STAYS};
use tile_ops::{builtin, gpu};
use tile_plan::linalg::LinalgRefusal;

use super::tiles;
use crate::read::{kernel, name};
use crate::{report, shim, walk};

/// How it is reported that an op stays.
pub struct Reports<'c, 'a> {
    /// Whether that is an error.
    pub is_strict: bool,
    /// Whether the reason is kept for errors of later passes.
    pub keeps_reasons: bool,
    /// Writes the reasons.
    pub rewriter: Rewriter<'c, 'a>,
    /// Whether an error was reported.
    pub has_failed: Cell<bool>,
}

impl<'c: 'a, 'a> Reports<'c, 'a> {
    /// Says that an op stays.
    pub fn stays(&self, op: OperationRef<'c, 'a>, refusal: &LinalgRefusal) {
        let blocks = kernel::ancestors(op).find(|around| shim::forall_scope(*around) == Some(Scope::Cta));
        if let (LinalgRefusal::NotAKernel, Some(blocks)) = (refusal, blocks) {
            let text = "is in an scf.forall that is mapped to blocks, expected a gpu.launch, which \
                        transform.gpu.map_forall_to_blocks makes";
            return self.fail(Diagnostic::error(text).note(blocks.location(), "mapped here"), op);
        }
        // Nothing in --tile-build lowers such an op in a kernel.
        let is_of_kernel = kernel::function(op).is_some_and(|kernel| name(kernel) == gpu::GPUFuncOp::NAME);
        let is_refused = shim::structured(op).is_some() || matches!(refusal, LinalgRefusal::Forall { .. });
        let is_last = self.keeps_reasons && is_of_kernel && is_refused;
        if is_last || self.is_strict && *refusal != LinalgRefusal::NotAKernel {
            return self.fail(Diagnostic::error(format!("stays as it is: {refusal}")), op);
        }
        if report::is_remark_enabled(op, RemarkKind::Missed) {
            let text = format!("{} stays as it is", name(op));
            report::emit(op, RemarkKind::Missed, refusal.name(), &text, &[("Reason", refusal.to_string())]);
        }
        let mut operands = (0..op.operand_count()).filter_map(|index| op.operand_at(index));
        if self.keeps_reasons || operands.any(|value| tiles::tile(value).is_some()) {
            self.rewriter.set_attribute(op, STAYS, Ctx::of(op).string(&refusal.to_string()));
        }
    }

    /// Reports ops that stay though their memory has become a tile: nothing lowers them.
    pub fn check_left(&self, root: OperationRef<'c, 'a>) {
        let casts = walk::named(root, builtin::UnrealizedConversionCastOp::NAME).into_iter();
        let values = casts.filter(|cast| tiles::tile_of_cast(*cast).is_some()).flat_map(results_of);
        for (user, _) in values.flat_map(uses) {
            let reason = string(user, STAYS).unwrap_or_else(|| "its operand is not converted".to_owned());
            self.fail(Diagnostic::error(format!("stays, though its memory has become a tile: {reason}")), user);
        }
    }

    fn fail(&self, error: Diagnostic<'c>, op: OperationRef<'c, 'a>) {
        error.emit(op);
        self.has_failed.set(true);
    }
}
