//! Ops that should be gone: those of the tile dialect before `--tile-to-nvvm`, all but LLVM's after it.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use rustc_hash::FxHashSet;
use tile_dialect::STAYS;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ops::{ARRAY_OPS, string};
use tile_ops::{builtin, gpu, llvm, nvvm, tile};
use tile_plan::families::copy_plan::CopyPlan;

use crate::inspect;
use crate::read::{kernel, name, values};
use crate::walk;

/// Whether no op of the tile dialect is at or below `root`; `false` after errors that name the passes to run.
///
/// Buffers that only such ops use are not reported: they go with these.
pub fn check_tile(root: OperationRef<'_, '_>) -> bool {
    let (definitions, copies): (Vec<_>, Vec<_>) =
        walk::matching(root, |name| name.starts_with(tile::PREFIX) && name != tile::YieldOp::NAME)
            .into_iter()
            .partition(|&op| is_definition(op));
    let left = if copies.is_empty() { definitions } else { copies };
    for &op in &left {
        Diagnostic::error(format!("is not lowered; run {} before --tile-to-nvvm", passes(op))).emit(op);
    }
    left.is_empty()
}

fn is_definition(op: OperationRef<'_, '_>) -> bool {
    values::is_view(op) || matches!(name(op), tile::ViewOp::NAME | tile::AllocOp::NAME | tile::TmemOp::NAME)
}

/// Casts between the types of a converted op and of one that is not.
const CAST: &str = builtin::UnrealizedConversionCastOp::NAME;

/// The passes that lower an op.
fn passes(op: OperationRef<'_, '_>) -> &'static str {
    match (name(op), inspect::plan(op)) {
        (array, _) if ARRAY_OPS.contains(&array) => "--lower-tile-scan",
        (tile::VersionOp::NAME, _) => "--tile-expand-versions",
        (_, Some(CopyPlan::Partition(_))) => "--tile-vectorize-copy and --tile-expand-copy",
        (_, Some(_)) => "--tile-expand-copy",
        (_, None) => "--lower-tile-copy",
    }
}

/// Whether only ops of the LLVM dialect, launches, and the binaries that these name are outside of `gpu.module`s; `false` after
/// errors.
pub fn check_host(root: OperationRef<'_, '_>) -> bool {
    const KEPT: [&str; 4] =
        [builtin::ModuleOp::NAME, gpu::LaunchFuncOp::NAME, gpu::BinaryOp::NAME, gpu::GPUModuleOp::NAME];
    let outside =
        |op: &OperationRef<'_, '_>| kernel::ancestors(*op).all(|parent| name(parent) != gpu::GPUModuleOp::NAME);
    let mut left = walk::matching(root, |name| !name.starts_with(llvm::PREFIX) && !KEPT.contains(&name));
    left.retain(outside);
    none_left(left, "is left in host code: no conversion to the LLVM dialect takes it; lower it before")
}

/// Whether only ops of the LLVM and NVVM dialects are in the `gpu.module`s at or below `root`; `false` after errors.
pub fn check_llvm(root: OperationRef<'_, '_>) -> bool {
    let inside =
        |op: &OperationRef<'_, '_>| kernel::ancestors(*op).any(|parent| name(parent) == gpu::GPUModuleOp::NAME);
    let mut left = walk::matching(root, |name| !name.starts_with(llvm::PREFIX) && !name.starts_with(nvvm::PREFIX));
    left.retain(inside);
    none_left(left, "is left in a kernel: no conversion to the LLVM dialect takes it; lower it before --tile-to-nvvm")
}

/// An error at each op that is in no other. Casts are reported only where nothing else is left: one is left where a remaining op
/// uses its value.
fn none_left(mut left: Vec<OperationRef<'_, '_>>, reason: &str) -> bool {
    let all: FxHashSet<usize> = left.iter().map(|&op| walk::key(op)).collect();
    // What stands in an op goes with it, also what nobody has written, such as the linalg.yield of a linalg.copy.
    left.retain(|&op| !kernel::ancestors(op).any(|around| all.contains(&walk::key(around))));
    let (casts, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|&op| name(op) == CAST);
    let left = if others.is_empty() { casts } else { others };
    // One that was written out for several elements is one.
    let mut reported: FxHashSet<(&str, usize)> = FxHashSet::default();
    for &op in left.iter().filter(|&&op| reported.insert((name(op), op.location().to_raw().ptr as usize))) {
        with_reason(Diagnostic::error(reason), op).emit(op);
    }
    left.is_empty()
}

/// An error at an upstream copy, with the reason why that did not become a tile copy.
pub fn with_reason<'c>(error: Diagnostic<'c>, op: OperationRef<'c, '_>) -> Diagnostic<'c> {
    match string(op, STAYS) {
        Some(reason) => error.note(op.location(), format!("no tile op does it: {reason}")),
        None => error,
    }
}
