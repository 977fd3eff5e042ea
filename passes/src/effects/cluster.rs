//! Access to memory of other blocks of a cluster.

use melior::ir::OperationRef;
use tile_dialect::ops::CopyOp;
use tile_ops::nvvm;

use super::Effects;
use crate::read::name;

/// `mapa` makes a pointer to memory of another block: what accesses that has the effects.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    (name(op) == nvvm::MapaOp::NAME).then(Effects::default)
}

/// Whether an operation accesses memory of another block, or makes a pointer to it.
pub fn reaches_other_blocks(op: OperationRef<'_, '_>) -> bool {
    let copies = |copy: CopyOp<'_, '_>| copy.remote_cta().is_some() || copy.cta_mask().is_some();
    name(op) == nvvm::MapaOp::NAME || CopyOp::is_name(name(op)) && copies(CopyOp(op))
}
