//! The tiles of sums whose products a wait may leave in flight.
//!
//! The walk goes back from the wait through all that may have been executed before it, to the last groups, which are as many as the
//! wait leaves. Arms of a condition are alternatives; the body of a loop may have been executed any number of times:
//!
//! ```text
//!   products of %p, commit                 ▲ 2. the group before: complete
//!   products of %q, commit                 │ 1. the last group: in flight
//!   scf.if %c { … wait 1: %p has its sums; … wait 0 }
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::{nvvm, scf};

use crate::effects::wgmma::{is_product, multiplies, tile_of_sums};
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::walk::before;

/// The tiles whose products a wait may leave in flight; `None` where that is not known, and for the wait of a product that puts its sums
/// into their tile after it.
pub(super) fn in_flight(wait: OperationRef<'_, '_>) -> Option<HashSet<usize>> {
    let groups = nvvm::WgmmaWaitGroupSyncOp::cast(wait)?.group()?;
    if before(wait)?.last().is_some_and(|op| name(*op) == nvvm::WgmmaGroupSyncAlignedOp::NAME) {
        return None;
    }
    let mut walk = FlightWalk { tiles: HashSet::new(), is_known: true };
    let (mut at, mut place) = (wait, Some(Place { groups, is_inside: false }));
    while let Some(here) = place {
        place = walk.through(&before(at)?, here);
        let Some(around) = at.parent_operation() else { break };
        walk.is_known &= bodies(around).is_some();
        if Some(around) == kernel::function(wait) {
            break;
        }
        if name(around) != scf::IfOp::NAME {
            place = place.and_then(|here| walk.repeated(around, here));
        }
        at = around;
    }
    walk.is_known.then_some(walk.tiles)
}

/// The operations of each region; `None` where one has several blocks.
fn bodies<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<Vec<OperationRef<'c, 'a>>>> {
    let body = |block: Option<BlockRef<'c, 'a>>| {
        let Some(block) = block else { return Some(Vec::new()) };
        let ops = || std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
        block.next_in_region().is_none().then(ops)
    };
    op.regions().map(|region| body(region.first_block())).collect()
}

/// Where the walk is: how many groups may be in flight that end before here, and whether here is inside of one that may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    groups: i64,
    is_inside: bool,
}

struct FlightWalk {
    tiles: HashSet<usize>,
    /// Whether all products have their sums in tiles.
    is_known: bool,
}

impl FlightWalk {
    /// Goes back through operations; `None` where all before is complete.
    fn through(&mut self, ops: &[OperationRef<'_, '_>], from: Place) -> Option<Place> {
        ops.iter().rev().try_fold(from, |place, op| self.step(*op, place))
    }

    fn step(&mut self, op: OperationRef<'_, '_>, Place { groups, is_inside }: Place) -> Option<Place> {
        let place = match name(op) {
            nvvm::WgmmaGroupSyncAlignedOp::NAME => Place { groups: groups - 1, is_inside: true },
            nvvm::WgmmaWaitGroupSyncOp::NAME => {
                let left = nvvm::WgmmaWaitGroupSyncOp::cast(op).and_then(|wait| wait.group()).unwrap_or(groups);
                Place { groups: groups.min(left), is_inside }
            }
            scf::IfOp::NAME => return self.alternatives(op, Place { groups, is_inside }),
            _ if is_product(op) => {
                self.add(op);
                Place { groups, is_inside }
            }
            _ if multiplies(op) => return self.repeated(op, Place { groups, is_inside }),
            _ => Place { groups, is_inside },
        };
        (place.groups > 0 || place.groups == 0 && place.is_inside).then_some(place)
    }

    /// The last of the places that the regions of an operation lead to.
    fn alternatives(&mut self, op: OperationRef<'_, '_>, from: Place) -> Option<Place> {
        let Some(bodies) = bodies(op) else {
            self.is_known = false;
            return None;
        };
        bodies.iter().map(|ops| self.through(ops, from)).max().flatten()
    }

    /// Goes back through a loop, or what else may be executed repeatedly, as often as that finds more. What is before it may be in flight
    /// as if it was not executed at all.
    fn repeated(&mut self, op: OperationRef<'_, '_>, from: Place) -> Option<Place> {
        let mut place = Some(from);
        while let Some(here) = place {
            place = self.alternatives(op, here).filter(|reached| *reached < here);
        }
        Some(from)
    }

    fn add<'c: 'a, 'a>(&mut self, product: OperationRef<'c, 'a>) {
        let mut first = product;
        while let Some(before) = first.operand_at(0).and_then(defining_op).filter(|op| is_product(*op)) {
            first = before;
        }
        match tile_of_sums(first) {
            Some(tile) => _ = self.tiles.insert(key(tile)),
            None => self.is_known = false,
        }
    }
}
