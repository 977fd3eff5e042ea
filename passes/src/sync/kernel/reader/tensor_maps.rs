//! Tensor maps that the kernel changes: in global memory, where copies through them read them.

use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::ir::{argument_of, defining_op};
use tile_dialect::ops::{CopyOp, UpdateMapOp};
use tile_isa::{Scope, WARP};
use tile_ops::{interface, tile};
use tile_plan::families::tensor_map::MAP_BYTES;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, Completion, Effect, Item, Op};

use super::KernelReader;
use crate::effects::Participants;
use crate::read::name;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// A change of a map: the first thread of the scope writes it, and then the scope's threads meet.
    pub(super) fn update_map(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let mut does = self.threads.reaching(op);
        if does.active.is_empty() {
            return Vec::new();
        }
        let update = UpdateMapOp(op);
        let (by, order) = match update.scope() {
            Scope::Warp => (Participants::Warps, Effect::WarpBarrier),
            _ => (Participants::BlockBarrier, Effect::Barrier),
        };
        match self.meet(op, &does, by) {
            Ok(true) => does.effects.push(order),
            Ok(false) => {}
            Err(why) => self.failures.refuse(op, format!("is not followed: {why}")),
        }
        let mut writers = ThreadSet::new();
        let is_first = |thread: &i64| update.scope() == Scope::Warp && thread % WARP == 0 || *thread == 0;
        does.active.iter().filter(is_first).for_each(|thread| writers.insert(thread));
        for bytes in [update.workspace(), update.scratch()].into_iter().flatten() {
            let access = self.addresses.start_of_tile(bytes, MAP_BYTES, &writers);
            does.accesses.push(Access { write: true, ..access });
        }
        // The map that is changed may have been changed before.
        if let Some(bytes) = update.map().and_then(UpdateMapOp::of).and_then(UpdateMapOp::workspace) {
            does.accesses.push(self.addresses.start_of_tile(bytes, MAP_BYTES, &writers));
        }
        vec![self.push(op, does)]
    }

    /// Adds the reads of changed maps by the threads that issue a copy; the maps stay until the copy is complete.
    pub(super) fn reads_of_maps(
        &mut self,
        copy: CopyOp<'c, 'a>,
        does: &mut Op,
        (by, completion): (ThreadSet, Completion),
    ) {
        for map in copy.maps() {
            if let Some(bytes) = UpdateMapOp::of(map).and_then(UpdateMapOp::workspace) {
                let access = self.addresses.start_of_tile(bytes, MAP_BYTES, &by);
                does.accesses.push(Access { completion, ..access });
            } else if !is_constant(map) {
                self.failures.refuse(copy.0, "is not followed: which operation makes its tensor map is not known");
            }
        }
    }
}

/// Whether a map is one that the host has made.
fn is_constant(map: Value<'_, '_>) -> bool {
    let is_of_function = |(block, _): (melior::ir::BlockRef<'_, '_>, usize)| {
        block.parent_operation().is_some_and(interface::is_function)
    };
    defining_op(map).is_some_and(|op| name(op) == tile::TensorMapOp::NAME)
        || argument_of(map).is_some_and(is_of_function)
}
