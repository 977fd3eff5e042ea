//! `atom` and `red` (PTX ISA 9.7.13.5, 9.7.13.6).

use super::core::{Core, lanes};
use super::loadstore::strength;
use super::place::all_bytes;
use super::problem::{Exec, Locate, invalid};
use super::traffic::Traffic;
use crate::code::{Atomic, Row, Src};
use crate::parse::Space;

impl Core<'_, '_> {
    /// The values of an operand of up to 128 bits.
    fn wide_row(&self, src: Src, bytes: usize) -> [u128; 32] {
        let low = self.row(src);
        let high: Row = if bytes > 8 { self.row(crate::decode::upper(src)) } else { [0; 32] };
        std::array::from_fn(|i| u128::from(high[i]) << 64 | u128::from(low[i]))
    }

    pub(crate) fn atomic(&mut self, op: &Atomic, active: u32) -> Exec<()> {
        if matches!(op.space, Space::Local | Space::Const | Space::Param) {
            return Err(invalid("atomics exist for global and shared memory"));
        }
        let bytes = op.bytes as usize;
        let first = self.addresses(&op.addr);
        let mut traffic = Traffic::new(bytes * (1 + op.more.len()));
        for (word, src) in std::iter::once(op.a).chain(op.more.iter().copied()).enumerate() {
            let addresses = first.map(|address| address.wrapping_add((word * bytes) as u64));
            self.atomic_word(op, (src, addresses, word == 0), active, &mut traffic)?;
        }
        if op.order.release {
            self.tick();
        }
        self.warp.yields = true;
        self.count_traffic(&traffic);
        Ok(())
    }

    /// One word of each lane; the first word of a vector must be aligned to the whole vector.
    fn atomic_word(
        &mut self,
        op: &Atomic,
        (src, addresses, is_first): (Src, [u64; 32], bool),
        active: u32,
        traffic: &mut Traffic,
    ) -> Exec<()> {
        let bytes = op.bytes as usize;
        let alignment = if is_first { bytes * (1 + op.more.len()) } else { bytes };
        let (a, b) = (self.wide_row(src, bytes), self.wide_row(op.b, bytes));
        let strength = strength(op.order, op.bytes);
        for lane in lanes(active) {
            let access =
                self.access(lane, (op.space, op.addr.within), addresses[lane], bytes, alignment as u64, strength)?;
            self.observe(&access, op.order);
            self.see_newest(&access, bytes);
            let mut buffer = [0; 16];
            let missing = self.read(&access, &mut buffer[..bytes])?;
            let old = u128::from_le_bytes(buffer);
            let new = (op.update)(old, a[lane], b[lane]);
            // A failed compare-and-swap writes the old value back, which changes nothing.
            self.write(&access, &new.to_le_bytes()[..bytes]).lane(lane)?;
            if missing != 0 {
                self.forget(&access, all_bytes(bytes));
            }
            self.release(&access, op.order, bytes, true);
            if is_first {
                traffic.add(lane, access.place, addresses[lane]);
            }
            if let Some(d) = op.dst {
                self.warp.regs[d as usize][lane] = old as u64;
                if bytes > 8 {
                    self.warp.regs[d as usize + 1][lane] = (old >> 64) as u64;
                }
                if missing != 0 {
                    let width = self.env.program.info[self.pc as usize].width;
                    let halves = if bytes > 8 { 2 } else { 1 };
                    (0..halves).for_each(|half| self.warp.taint(d + half, 1 << lane, &[width; 32], self.pc));
                }
            }
        }
        Ok(())
    }
}
