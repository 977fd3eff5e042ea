//! Tensor memory: allocation, loads and stores, waiting (PTX ISA 9.7.16.1 to 9.7.16.11).
//!
//! A block has 128 lanes of 512 columns of 32 bits. An address is `lane << 16 | column`.

use std::collections::BTreeMap;

use super::core::{Core, Flow, accessor, lanes};
use super::problem::{Exec, Locate, Problem, invalid, problem};
use super::warp::State;
use crate::check::{Accessor, Agent, Know, Strength};
use crate::code::{LANES, Reg, Row, Shape, Src, TensorOp};
use crate::fault::FaultKind;
use crate::memory::Segment;

pub(crate) const COLUMNS: u64 = 512;
const ROWS: u64 = 128;

/// One block's tensor memory.
#[derive(Debug, Default)]
pub(crate) struct TensorMemory {
    /// The cells, row by row; made when they are first needed.
    cells: Option<Box<Segment>>,
    /// First columns of allocations and how many there are.
    pub(crate) allocations: BTreeMap<u64, u64>,
    relinquished: bool,
}

/// The byte offset of a cell.
pub(crate) fn cell(row: u64, column: u64) -> usize {
    ((row * COLUMNS + column) * 4) as usize
}

impl TensorMemory {
    pub(crate) fn cells(&mut self) -> &mut Segment {
        self.cells.get_or_insert_with(|| Box::new(Segment::new(cell(ROWS, 0), 0xcd)))
    }

    /// The first place with room for `columns` columns.
    fn room(&self, columns: u64) -> Option<u64> {
        let free = |start: u64| self.allocations.iter().all(|(&at, &n)| at + n <= start || start + columns <= at);
        (0..=COLUMNS - columns).step_by(32).find(|&start| free(start))
    }

    /// `columns` columns from `first` on must belong to one allocation, and `rows` rows must be there.
    pub(crate) fn check(&self, row: u64, rows: u64, first: u64, columns: u64) -> Exec<()> {
        let inside = |(&at, &n): (&u64, &u64)| at <= first && first + columns <= at + n;
        if row + rows <= ROWS && self.allocations.iter().any(inside) {
            return Ok(());
        }
        let detail = format!(
            "lanes {row} to {} and columns {first} to {} of tensor memory are not inside an allocation",
            row + rows - 1,
            first + columns - 1
        );
        Err(problem(FaultKind::OutOfBounds, detail))
    }
}

/// The row and column of a lane's register number `n`, from the address's own on.
fn position(shape: Shape, lane: u64, n: u64) -> (u64, u64) {
    match shape {
        Shape::S32x32 => (lane, n),
        Shape::S16x64 => (8 * (lane & 1) + (lane >> 2), 2 * n + (lane >> 1 & 1)),
        Shape::S16x128 => (8 * (n & 1) + (lane >> 2), 4 * (n >> 1) + (lane & 3)),
        Shape::S16x256 => (8 * (n >> 1 & 1) + (lane >> 2), 8 * (n >> 2) + 2 * (lane & 3) + (n & 1)),
    }
}

/// Columns that one step of a shape takes.
fn width(shape: Shape) -> u64 {
    match shape {
        Shape::S32x32 => 1,
        Shape::S16x64 => 2,
        Shape::S16x128 => 4,
        Shape::S16x256 => 8,
    }
}

impl Core<'_, '_> {
    pub(crate) fn tensor(&mut self, op: &TensorOp, mask: u32, active: u32) -> Exec<Flow> {
        let collective = !matches!(op, TensorOp::Copy { .. } | TensorOp::Commit { .. } | TensorOp::Fence);
        if collective && !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        match op {
            TensorOp::Alloc { space, dst, columns } => {
                let address = self.addresses(dst)[active.trailing_zeros() as usize];
                let columns = self.uniform(*columns, active, "the number of columns")?;
                return self.tensor_alloc(*space, address, columns, active);
            }
            TensorOp::Dealloc { addr, columns } => {
                let address = self.uniform(*addr, active, "the address")?;
                let columns = self.uniform(*columns, active, "the number of columns")?;
                self.tensor_free(address, columns)?;
            }
            TensorOp::Relinquish => self.cta().tensor.relinquished = true,
            TensorOp::Load { shape, repeat, dst, addr } => {
                let address = self.tensor_address(addr, active)?;
                self.tensor_load(*shape, *repeat, dst, address, active)?;
            }
            TensorOp::Store { shape, repeat, src, addr } => {
                let address = self.tensor_address(addr, active)?;
                self.tensor_store(*shape, *repeat, src, address, active)?;
            }
            TensorOp::WaitLoad => self.warp.pending.clear(),
            TensorOp::WaitStore => {
                let (agent, time) = (self.agents(Agent::TensorStore), self.warp.stores);
                self.warp.know.update(active, |mask, know| know.raise(agent, mask, time));
                self.warp.stores += 1;
            }
            TensorOp::Copy { shape, addr, descriptor } => self.tensor_copy(*shape, addr, *descriptor, active)?,
            TensorOp::Commit { space, addr, multicast } => self.tensor_commit(*space, addr, *multicast, active)?,
            // Order between threads is what waits and barriers give; the fences add nothing to that here.
            TensorOp::Fence => {}
        }
        Ok(Flow::Next)
    }

    fn tensor_alloc(&mut self, space: crate::parse::Space, address: u64, columns: u64, active: u32) -> Exec<Flow> {
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
            path.state = State::Columns { version };
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
        // Whoever allocates them next finds them without a value.
        for row in 0..ROWS {
            tensor.cells().init.remove(cell(row, address)..cell(row, address + columns));
        }
        self.env.changed();
        Ok(())
    }

    fn tensor_address(&self, addr: &crate::code::Addr, active: u32) -> Exec<(u64, u64)> {
        let base = self.uniform(addr.base, active, "the tensor memory address")?;
        let address = base.wrapping_add_signed(addr.offset) & 0xffff_ffff;
        Ok((address >> 16, address & 0xffff))
    }

    /// A warp reaches only the 32 rows of its place in its warpgroup.
    fn tensor_reach(&mut self, shape: Shape, repeat: u32, (row, column): (u64, u64)) -> Exec<()> {
        let own = u64::from(self.warp.index % 4) * 32;
        let rows = if shape == Shape::S32x32 { 32 } else { 16 };
        if row != own && (rows == 32 || row != own + 16) {
            return Err(invalid(format!("got lane {row}, but this warp reaches lanes {own} to {} only", own + 31)));
        }
        self.cta().tensor.check(row, rows, column, width(shape) * u64::from(repeat))
    }

    fn tensor_load(&mut self, shape: Shape, repeat: u32, dst: &[Reg], at: (u64, u64), active: u32) -> Exec<()> {
        self.tensor_reach(shape, repeat, at)?;
        let (checks, ranks, agents) = (self.env.checks, self.env.shape.ranks, self.agents(Agent::Thread));
        let none = Know::default();
        for (n, &d) in dst.iter().enumerate() {
            for lane in lanes(active) {
                let (row, column) = position(shape, lane as u64, n as u64);
                let offset = cell(at.0 + row, at.1 + column);
                let cells = self.cluster.ctas[self.rank].tensor.cells();
                if checks.races {
                    let know = self.warp.know.get(lane).unwrap_or(&none);
                    let who = accessor(&self.warp, know, agents, lane, Strength::WEAK, self.pc, ranks);
                    if let Err(conflict) = cells.shadow.read(offset, 4, &who, &mut self.env.races.overflow) {
                        return Err(self.env.race(conflict)).lane(lane);
                    }
                }
                if checks.init && cells.init.first_missing(offset..offset + 4).is_some() {
                    return Err(unwritten(at.0 + row, at.1 + column)).lane(lane);
                }
                let mut word = [0; 4];
                word.copy_from_slice(&cells.data[offset..offset + 4]);
                self.warp.regs[d as usize][lane] = u64::from(u32::from_le_bytes(word));
            }
            if d != 0 {
                self.warp.pending.push((active, d));
            }
        }
        self.env.counts[self.pc as usize].tensor_bytes += 4 * dst.len() as u64 * u64::from(active.count_ones());
        Ok(())
    }

    fn tensor_store(&mut self, shape: Shape, repeat: u32, src: &[Src], at: (u64, u64), active: u32) -> Exec<()> {
        self.tensor_reach(shape, repeat, at)?;
        let (agent, thread) = (self.agents(Agent::TensorStore), self.agents(Agent::Thread));
        let none = Know::default();
        for (n, &s) in src.iter().enumerate() {
            let values: Row = self.row(s);
            for lane in lanes(active) {
                let (row, column) = position(shape, lane as u64, n as u64);
                let offset = cell(at.0 + row, at.1 + column);
                let cells = self.cluster.ctas[self.rank].tensor.cells();
                if self.env.checks.races {
                    let know = self.warp.know.get(lane).unwrap_or(&none);
                    let (slot, ranks) = (lane as u8, self.env.shape.ranks);
                    let who = Accessor::new(know, agent, slot, self.warp.stores, Strength::WEAK, self.pc, ranks)
                        .on_behalf(thread, slot, 0);
                    if let Err(conflict) = cells.shadow.write(offset, 4, &who, &mut self.env.races.overflow) {
                        return Err(self.env.race(conflict)).lane(lane);
                    }
                }
                cells.write(offset, &(values[lane] as u32).to_le_bytes());
            }
        }
        self.env.changed();
        self.env.counts[self.pc as usize].tensor_bytes += 4 * src.len() as u64 * u64::from(active.count_ones());
        Ok(())
    }

    /// Registers that a load will write must not be read before `tcgen05.wait::ld`.
    pub(crate) fn check_pending(&self, active: u32) -> Exec<()> {
        let uses = &self.env.program.info[self.pc as usize].uses;
        match self.warp.pending.iter().find(|(mask, reg)| mask & active != 0 && uses.contains(reg)) {
            None => Ok(()),
            Some((mask, _)) => {
                let detail = "a register is read that a `tcgen05.ld` still writes: `tcgen05.wait::ld` is missing";
                Err(problem(FaultKind::InFlight, detail)).lane((mask & active).trailing_zeros() as usize % LANES)
            }
        }
    }
}

fn unwritten(row: u64, column: u64) -> Box<Problem> {
    problem(FaultKind::Uninitialized, format!("lane {row}, column {column} of tensor memory has never been written"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_shape_covers_its_rectangle_once() {
        for (shape, rows, registers) in
            [(Shape::S32x32, 32, 1), (Shape::S16x64, 16, 1), (Shape::S16x128, 16, 2), (Shape::S16x256, 16, 4)]
        {
            for repeat in [1, 2, 8] {
                let all: BTreeSet<_> =
                    (0..32).flat_map(|lane| (0..registers * repeat).map(move |n| position(shape, lane, n))).collect();
                let columns = width(shape) * repeat;
                let want: BTreeSet<_> = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).collect();
                assert_eq!(all, want, "{shape:?}.x{repeat}");
            }
        }
    }

    #[test]
    fn allocations_fill_the_columns() {
        let mut t = TensorMemory::default();
        for want in [0, 128, 256, 384] {
            let at = t.room(128).unwrap();
            assert_eq!(at, want);
            t.allocations.insert(at, 128);
        }
        assert_eq!(t.room(32), None);
        t.allocations.remove(&128);
        assert_eq!(t.room(64), Some(128));
        assert!(t.check(0, 128, 100, 28).is_ok() && t.check(0, 128, 100, 29).is_err());
        assert!(t.check(97, 32, 0, 1).is_err());
    }
}
