//! `tcgen05`: dispatch, allocation and waits (PTX ISA 9.7.16.7 to 9.7.16.11).

use super::core::{Core, Flow};
use super::problem::{Exec, invalid};
use super::tensor_memory::{COLUMNS, ROWS, cell};
use super::warp::WarpState;
use crate::check::{Agent, CopyKind, Event, Strength};
use crate::code::{Group, TensorOp};
use crate::parse::Space;

impl Core<'_, '_> {
    pub(crate) fn tensor(&mut self, op: &TensorOp, mask: u32, active: u32) -> Exec<Flow> {
        let collective =
            !matches!(op, TensorOp::Copy { .. } | TensorOp::Multiply(_) | TensorOp::Commit { .. } | TensorOp::Fence);
        if collective && !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        match op {
            TensorOp::Alloc { group, space, dst, columns } => {
                self.blocks(*group)?;
                let address = self.addresses(dst)[active.trailing_zeros() as usize];
                let columns = self.uniform(*columns, active, "the number of columns")?;
                return self.tensor_alloc(*space, address, columns, active);
            }
            TensorOp::Dealloc { group, addr, columns } => {
                self.blocks(*group)?;
                let address = self.uniform(*addr, active, "the address")?;
                let columns = self.uniform(*columns, active, "the number of columns")?;
                self.tensor_free(address, columns)?;
            }
            TensorOp::Relinquish { group } => {
                self.blocks(*group)?;
                self.cta().tensor.relinquished = true;
            }
            TensorOp::Load { shape, repeat, dst, addr } => {
                let address = self.tensor_address(addr, active)?;
                self.tensor_load(*shape, *repeat, dst, address, active)?;
            }
            TensorOp::Store { shape, repeat, src, addr } => {
                let address = self.tensor_address(addr, active)?;
                self.tensor_store(*shape, *repeat, src, address, active)?;
            }
            TensorOp::WaitLoad => {
                self.note(active, |threads| Event::TensorWait(threads, CopyKind::TmemLoad));
                self.warp.pending.clear();
            }
            TensorOp::WaitStore => {
                self.note(active, |threads| Event::TensorWait(threads, CopyKind::TmemStore));
                let (agent, time) = (self.agents(Agent::TmemStore), self.warp.stores);
                self.warp.know.update(active, |mask, know| know.raise(agent, mask, time));
                self.warp.stores += 1;
            }
            TensorOp::Copy { group, shape, addr, descriptor } => {
                let blocks = self.blocks(*group)?;
                self.tmem_copy(&blocks, *shape, addr, *descriptor, active)?;
            }
            TensorOp::Multiply(op) => {
                let blocks = self.blocks(op.form.group())?;
                self.tensor_multiply(&blocks, op, active)?;
            }
            TensorOp::Commit { group, space, addr, multicast } => {
                self.blocks(*group)?;
                self.tensor_commit(*space, addr, *multicast, active)?;
            }
            // Waits and barriers alone order threads here; the fences add nothing.
            TensorOp::Fence => {}
        }
        Ok(Flow::Next)
    }

    /// The ranks of the blocks of a group; all instructions of a kernel must have the same group.
    ///
    /// Each block of a pair allocates and frees its own part: the ISA requires one warp of each block to do so.
    fn blocks(&mut self, group: Group) -> Exec<Vec<usize>> {
        if *self.cta().tensor.group.get_or_insert(group) != group {
            return Err(invalid("all `tcgen05` instructions of a kernel must have the same `.cta_group`"));
        }
        let peer = self.rank ^ 1;
        match group {
            Group::One => Ok(vec![self.rank]),
            Group::Pair if peer < self.cluster.ctas.len() => Ok(vec![self.rank & !1, self.rank | 1]),
            Group::Pair => Err(invalid("`cta_group::2` needs a cluster in which the block has a peer")),
        }
    }

    fn tensor_alloc(&mut self, space: Space, address: u64, columns: u64, active: u32) -> Exec<Flow> {
        if !columns.is_power_of_two() || !(32..=COLUMNS).contains(&columns) {
            return Err(invalid(format!("got {columns} columns, expected a power of two from 32 to {COLUMNS}")));
        }
        if self.cta().tensor.relinquished {
            return Err(invalid("the block has relinquished its permission to allocate"));
        }
        let Some(start) = self.cta().tensor.room(columns) else {
            let version = self.env.version;
            let path = &mut self.warp.paths[self.path];
            path.pc = self.pc;
            path.state = WarpState::Columns { version };
            return Ok(Flow::Yield);
        };
        self.cta().tensor.allocations.insert(start, columns);
        let lane = active.trailing_zeros() as usize;
        let access = self.access(lane, space, address, 4, 4, Strength::WEAK)?;
        self.write(&access, &(start as u32).to_le_bytes())?;
        self.synchronize_lanes(active);
        self.env.changed();
        Ok(Flow::Next)
    }

    fn tensor_free(&mut self, address: u64, columns: u64) -> Exec<()> {
        let tensor = &mut self.cta().tensor;
        if tensor.allocations.get(&address) != Some(&columns) {
            return Err(invalid(format!("no allocation of {columns} columns at tensor address {address:#x}")));
        }
        tensor.allocations.remove(&address);
        // The next allocation of these columns finds them without a value.
        for row in 0..ROWS {
            tensor.cells().init.remove(cell(row, address)..cell(row, address + columns));
        }
        self.env.changed();
        Ok(())
    }
}
