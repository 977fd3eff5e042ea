//! Contracts: what a copy, a product, a kernel or a module denies by `tile.deny` is an error where it would be a remark.
//!
//! ```mlir
//!   gpu.module @kernels attributes {tile.deny = ["fallback"]} {
//!     gpu.func @k(…) kernel attributes {tile.deny = ["conflicts", "spills"]} {
//!       tile.copy %a to %s scope(cta) {tile.deny = ["masks"]} : …           denies all three
//! ```

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef};
use tile_dialect::emit::{Diagnostic, error_at};
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::text_of;
use tile_dialect::{Ctx, DENY};
use tile_isa::words::one_of;
use tile_ops::{builtin, func, gpu};
use tile_plan::contract::{BrokenContract, Denial};
use tile_plan::problem::refusal::Decline;

use crate::read::kernel::ancestors;
use crate::{report, walk};

/// The nearest op, of `op` and those around it, that denies a cost.
pub fn denier<'c: 'a, 'a>(op: OperationRef<'c, 'a>, denial: Denial) -> Option<OperationRef<'c, 'a>> {
    std::iter::once(op).chain(ancestors(op)).find(|around| words(*around).iter().any(|word| word == denial.word()))
}

fn words(op: OperationRef<'_, '_>) -> Vec<String> {
    op.attribute(DENY).ok().and_then(|attribute| listed(attribute)).unwrap_or_default()
}

/// The strings of a list; `None` for other attributes.
fn listed(attribute: Attribute<'_>) -> Option<Vec<String>> {
    let list = ArrayAttribute::try_from(attribute).ok()?;
    (0..list.len()).map(|place| text_of(list.element(place).ok()?)).collect()
}

/// Gives an op that stands for a part of another one its contract.
pub fn carry<'c: 'a, 'a>(from: OperationRef<'c, 'a>, to: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    if let Ok(attribute) = from.attribute(DENY) {
        rewriter.set_attribute(to, DENY, attribute);
    }
}

/// The error of what breaks a contract at `op`; `false`.
pub fn report<'c: 'a, 'a>(op: OperationRef<'c, 'a>, by: OperationRef<'c, 'a>, broken: &BrokenContract) -> bool {
    refusal(op, by, broken).emit(op);
    false
}

fn refusal<'c: 'a, 'a>(op: OperationRef<'c, 'a>, by: OperationRef<'c, 'a>, broken: &BrokenContract) -> Diagnostic<'c> {
    let error = Diagnostic::error(format!("breaks its contract, which denies {broken}"));
    if by == op { error } else { error.note(by.location(), format!("the contract is the {DENY} here")) }
}

/// Whether `check`, which is told what the contracts deny, finds nothing denied in the plan of an op; `false` after an error at the op,
/// with the reasons of the variants that have declined it.
pub fn keeps(
    op: OperationRef<'_, '_>,
    check: impl FnOnce(&dyn Fn(Denial) -> bool) -> Result<(), BrokenContract>,
    declines: &[Decline],
) -> bool {
    if !is_valid(op) {
        return false;
    }
    let Err(broken) = check(&|denial| denier(op, denial).is_some()) else { return true };
    let Some(by) = denier(op, broken.denial) else { return true };
    let refusal = refusal(op, by, &broken);
    if broken.denial == Denial::Fallback {
        report::with_declines(refusal, op.location(), declines).emit(op);
    } else {
        refusal.emit(op);
    }
    false
}

/// Whether the contracts of modules and kernels at, below and around the root can be read; `false` after errors.
pub fn are_valid(root: OperationRef<'_, '_>) -> bool {
    let names = [
        builtin::ModuleOp::NAME,
        gpu::GPUModuleOp::NAME,
        gpu::GPUFuncOp::NAME,
        func::FuncOp::NAME,
        gpu::LaunchOp::NAME,
    ];
    let inside = walk::matching(root, |name| names.contains(&name));
    ancestors(root).chain(inside).filter(|op| !is_valid(*op)).count() == 0
}

fn is_valid(op: OperationRef<'_, '_>) -> bool {
    let known = Denial::ALL.map(Denial::word);
    let refused = |text: String| Diagnostic::error(text).emit(op);
    let Ok(attribute) = op.attribute(DENY) else { return true };
    let Some(words) = listed(attribute) else {
        refused(format!("got {DENY} = {attribute}, expected a list of strings, such as [\"{}\"]", known[0]));
        return false;
    };
    let unknown = words.iter().find_map(|word| one_of(DENY, word, known).err());
    unknown.is_none_or(|error| {
        refused(error.to_string());
        false
    })
}

/// Makes the root deny costs, besides those that it denies already; `false`, after an error, for words that name none.
pub fn deny(ir: &mut Ir<'_>, denied: &[String]) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    if let Some(error) = denied.iter().find_map(|word| one_of("costs", word, Denial::ALL.map(Denial::word)).err()) {
        error_at(root.location(), &format!("in the options of the pass: {error}"));
        return false;
    }
    let context = Ctx::of(root);
    let mut all = words(root);
    all.extend(denied.iter().filter(|word| !all.contains(word)).cloned().collect::<Vec<_>>());
    let all: Vec<_> = all.iter().map(|word| context.string(word)).collect();
    rewriter.set_attribute(root, DENY, context.array(&all));
    true
}
