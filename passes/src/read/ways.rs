//! The ways in which a copy is done: a masked one whose region may be inside of its buffer is split in two when it is lowered.
//! Whoever asks before what a copy will do reads each way.

use melior::ir::operation::OperationLike;
use tile_dialect::Space;
use tile_dialect::ir::{Parts, uses};
use tile_dialect::ops::{CopyOp, defining_op};
use tile_ops::tile;

use super::{kernel, mask, name, tensor_map};

/// A way in which a copy is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it is written.
    Written,
    /// Without a mask, since its regions are inside.
    Inside,
    /// With the mask, since a region may not be inside.
    AtEdges {
        /// Whether it fills with zeros what it does not read.
        zeroed: bool,
    },
}

/// The way in which a copy is done, and the other one where it depends on run-time values which of the two the threads of its
/// scope take.
pub fn of(copy: CopyOp<'_, '_>) -> (Way, Option<Way>) {
    // A tensor map needs no mask.
    if !copy.masked() || tensor_map::is_requested(copy) {
        return (Way::Written, None);
    }
    let bounds = mask::bounds(copy);
    if bounds.is_empty() {
        return (Way::Inside, None);
    }
    // An mbarrier counts arrivals, and their number depends on the variant: it is one for all tiles.
    if bounds.iter().any(|bound| bound.inside() == Some(false)) || copy.barrier().is_some() {
        return (Way::Written, None);
    }
    (Way::AtEdges { zeroed: is_first(copy) }, Some(Way::Inside))
}

/// Whether a copy without a filler goes to registers that nothing has written since they were made: what is outside has no value then.
fn is_first(copy: CopyOp<'_, '_>) -> bool {
    let Some(alloc) = copy.dst().and_then(|dst| defining_op(dst.value)).filter(|op| name(*op) == tile::AllocOp::NAME)
    else {
        return false;
    };
    let is_local = copy.dst().is_some_and(|dst| dst.buffer.space() == Space::Local);
    let is_filled = copy.filler().is_some() || tile::CopyOp::cast(copy.0).is_none();
    if !is_local || is_filled || alloc.block() != copy.0.block() {
        return false;
    }
    let later: Vec<_> = std::iter::successors(copy.0.next_in_block(), |op| op.next_in_block()).collect();
    let is_later = |op| kernel::ancestors(op).chain([op]).any(|around| later.contains(&around));
    alloc.result_at(0).is_some_and(|made| uses(made.into()).into_iter().all(|(op, _)| op == copy.0 || is_later(op)))
}
