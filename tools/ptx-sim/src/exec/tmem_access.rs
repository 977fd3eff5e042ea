//! `tcgen05.ld` and `tcgen05.st`: the mapping between registers of lanes and cells (PTX ISA 9.7.16.2, 9.7.16.8).

use super::core::{Core, accessor, lanes};
use super::place::{all_bytes, bits_of, bytes_of};
use super::problem::{Exec, Locate, Problem, invalid, problem};
use super::tensor_memory::cell;
use crate::check::{Accessor, Agent, CopyKind, Event, Know, Originator, REGISTERS, Strength, Touch};
use crate::code::{Addr, LANES, Reg, Row, SINK, Shape, Src};
use crate::fault::FaultKind;

/// The row and column of a lane's register number `n`, relative to those of the address.
fn position(shape: Shape, lane: u64, n: u64) -> (u64, u64) {
    match shape {
        Shape::S32x32 => (lane, n),
        Shape::S16x32Twice(split) => (lane % 16, n + lane / 16 * split),
        Shape::S16x64 => (8 * (lane & 1) + (lane >> 2), 2 * n + (lane >> 1 & 1)),
        Shape::S16x128 => (8 * (n & 1) + (lane >> 2), 4 * (n >> 1) + (lane & 3)),
        Shape::S16x256 => (8 * (n >> 1 & 1) + (lane >> 2), 8 * (n >> 2) + 2 * (lane & 3) + (n & 1)),
    }
}

/// Columns that one step of a shape takes.
fn width(shape: Shape) -> u64 {
    match shape {
        Shape::S32x32 | Shape::S16x32Twice(_) => 1,
        Shape::S16x64 => 2,
        Shape::S16x128 => 4,
        Shape::S16x256 => 8,
    }
}

impl Core<'_, '_> {
    pub(crate) fn tensor_address(&self, addr: &Addr, active: u32) -> Exec<(u64, u64)> {
        let base = self.uniform(addr.base, active, "the tensor memory address")?;
        let address = base.wrapping_add_signed(addr.offset) & 0xffff_ffff;
        Ok((address >> 16, address & 0xffff))
    }

    /// Checks that the access is within the 32 rows that a warp can reach, which depend on its position in its
    /// warpgroup.
    fn tensor_reach(&mut self, shape: Shape, repeat: u32, (row, column): (u64, u64)) -> Exec<()> {
        let first = u64::from(self.warp.index % 4) * 32;
        let rows = if shape == Shape::S32x32 { 32 } else { 16 };
        if row != first && (rows == 32 || row != first + 16) {
            return Err(invalid(format!("got lane {row}, but this warp reaches lanes {first} to {} only", first + 31)));
        }
        let columns = width(shape) * u64::from(repeat);
        if let Shape::S16x32Twice(split) = shape {
            self.cta().tensor.check(row, rows, column + split, columns)?;
        }
        self.cta().tensor.check(row, rows, column, columns)
    }

    pub(crate) fn tensor_load(
        &mut self,
        shape: Shape,
        repeat: u32,
        dst: &[Reg],
        at: (u64, u64),
        active: u32,
    ) -> Exec<()> {
        self.tensor_reach(shape, repeat, at)?;
        let (checks, ranks, agents) = (self.env.checks, self.env.shape.ranks, self.agents(Agent::Thread));
        let none = Know::default();
        for (n, &d) in dst.iter().enumerate() {
            let mut holes = [0; LANES];
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
                let missing = if checks.init { cells.init.missing(offset, 4) } else { 0 };
                if missing == all_bytes(4) && self.env.suspect.is_none() {
                    return Err(unwritten(at.0 + row, at.1 + column)).lane(lane);
                }
                holes[lane] = bits_of(missing);
                let mut word = [0; 4];
                word.copy_from_slice(&cells.data[offset..offset + 4]);
                self.warp.regs[d as usize][lane] = u64::from(u32::from_le_bytes(word));
            }
            self.warp.taint(d, active, &holes, self.pc);
            if d != 0 {
                self.warp.pending.push((active, d));
            }
        }
        self.env.counts[self.pc as usize].tensor_bytes += 4 * dst.len() as u64 * u64::from(active.count_ones());
        self.loading(dst, active);
        Ok(())
    }

    /// Records that registers are being loaded.
    fn loading(&mut self, dst: &[Reg], active: u32) {
        if !self.env.traces() {
            return;
        }
        for lane in lanes(active) {
            self.begin_copy(lane, CopyKind::TmemLoad);
            dst.iter().filter(|&&d| d != SINK).for_each(|&d| self.touch_register(d, lane, true));
        }
        self.warp.loaded.extend(dst);
    }

    /// Records reads of registers that `tcgen05.ld` has written.
    pub(crate) fn note_registers(&mut self, active: u32) {
        let uses = &self.env.program.info[self.pc as usize].uses;
        let read: Vec<Reg> = uses.iter().copied().filter(|r| self.warp.loaded.contains(r)).collect();
        for lane in lanes(active) {
            read.iter().for_each(|&r| self.touch_register(r, lane, false));
        }
    }

    /// Records an access to a register, as if it were memory of the warp; a write is one of the load in flight.
    fn touch_register(&mut self, register: Reg, lane: usize, write: bool) {
        let (block, warp) = (self.block(), self.warp.index);
        let memory = REGISTERS | u64::from(block) << 10 | u64::from(warp);
        let offset = u64::from(register) * LANES as u64 + lane as u64;
        let by = if write { Originator::Copy } else { Originator::Thread(warp) };
        let (lane, strength) = (lane as u8, Strength::WEAK);
        let touch = Touch { memory, offset, bytes: 1, block, by, lane, strength, write, proxy: false };
        self.env.note(self.pc, || Event::Touch(touch));
    }

    pub(crate) fn tensor_store(
        &mut self,
        shape: Shape,
        repeat: u32,
        src: &[Src],
        at: (u64, u64),
        active: u32,
    ) -> Exec<()> {
        self.tensor_reach(shape, repeat, at)?;
        let (agent, thread) = (self.agents(Agent::TmemStore), self.agents(Agent::Thread));
        let none = Know::default();
        for (n, &s) in src.iter().enumerate() {
            let values: Row = self.row(s);
            let undefined = self.undefined_row(s);
            for lane in lanes(active) {
                self.begin_copy(lane, CopyKind::TmemStore);
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
                cells.forget(offset, bytes_of(undefined[lane]) & all_bytes(4));
            }
        }
        self.env.changed();
        self.env.counts[self.pc as usize].tensor_bytes += 4 * src.len() as u64 * u64::from(active.count_ones());
        Ok(())
    }

    /// Checks that no register that a load will write is read before `tcgen05.wait::ld`.
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
}
