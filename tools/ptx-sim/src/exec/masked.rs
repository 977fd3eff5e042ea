//! Accesses of 256 bits in which `_` marks elements that are not accessed (PTX ISA 9.7.9.8, 9.7.9.11), and loads for
//! which a pragma states that only some bytes are used (PTX ISA 12.2).
//!
//! ```text
//! st.global.v8.b32 [%rd1], {%r1, %r2, _, _, %r3, _, _, _};      two pieces: elements 0 and 1, and element 4
//! ```
//!
//! The address must be aligned for the whole access; memory must exist only for the elements that are accessed.

use std::ops::Range;

use super::core::{Core, lanes};
use super::loadstore::{load_strength, strength};
use super::place::{all_bytes, bytes_of};
use super::problem::Exec;
use super::traffic::Traffic;
use crate::code::{Load, SINK, Src, Store};
use crate::parse::Space;

/// The contiguous runs of elements or bytes that are accessed.
fn runs(kept: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (element, _) in kept.enumerate().filter(|(_, kept)| *kept) {
        match out.last_mut() {
            Some(run) if run.end == element => run.end += 1,
            _ => out.push(element..element + 1),
        }
    }
    out
}

impl Core<'_, '_> {
    /// Checks the alignment of the whole access.
    fn check_whole(&self, lane: usize, space: Space, address: u64, bytes: usize) -> Exec<()> {
        if address.is_multiple_of(bytes as u64) {
            return Ok(());
        }
        self.access(lane, space, address, bytes, bytes as u64, crate::check::Strength::WEAK).map(drop)
    }

    /// Reads the bytes that one lane's load uses; returns those without a value, which include the unused ones.
    pub(crate) fn load_used(
        &mut self,
        op: &Load,
        lane: usize,
        address: u64,
        buffer: &mut [u8; 32],
        traffic: &mut Traffic,
    ) -> Exec<u32> {
        self.check_whole(lane, op.space, address, op.bytes())?;
        let mut missing = !op.used;
        for run in runs((0..op.bytes()).map(|byte| op.used >> byte & 1 == 1)) {
            let from = address.wrapping_add(run.start as u64);
            let access = self.access(lane, (op.space, op.addr.within), from, run.len(), 1, load_strength(op))?;
            self.observe(&access, op.order);
            missing |= self.read_register(&access, &mut buffer[run.clone()])? << run.start;
            traffic.add(lane, access.place, address);
        }
        Ok(missing)
    }

    pub(crate) fn store_masked(&mut self, op: &Store, active: u32) -> Exec<()> {
        let (addresses, element) = (self.addresses(&op.addr), op.element as usize);
        let rows: Vec<_> = op.src.iter().map(|&src| self.row(src)).collect();
        let holes: Vec<_> = op.src.iter().map(|&src| self.undefined_row(src)).collect();
        let mut traffic = Traffic::new(element * op.src.len());
        for lane in lanes(active) {
            self.check_whole(lane, op.space, addresses[lane], element * op.src.len())?;
            for run in runs(op.src.iter().map(|&src| src != Src::Reg(SINK))) {
                let address = addresses[lane].wrapping_add((run.start * element) as u64);
                let values = rows[run.clone()].iter().map(|row| row[lane].to_le_bytes());
                let bytes: Vec<u8> = values.flat_map(|word| word.into_iter().take(element)).collect();
                let strength = strength(op.order, op.unit);
                let access =
                    self.access(lane, (op.space, op.addr.within), address, bytes.len(), element as u64, strength)?;
                self.write(&access, &bytes)?;
                let holes =
                    holes[run].iter().rev().fold(0, |m, row| m << element | bytes_of(row[lane]) & all_bytes(element));
                if holes != 0 {
                    self.forget(&access, holes);
                }
                self.release(&access, op.order, bytes.len(), false);
                traffic.add(lane, access.place, addresses[lane]);
            }
        }
        if op.order.release {
            self.tick();
        }
        self.count_traffic(&traffic);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn neighbours_are_one_run() {
        let kept = |text: &str| runs(text.chars().map(|c| c == '#'));
        assert_eq!(kept("##..#.##"), [0..2, 4..5, 6..8]);
        assert_eq!(kept("........"), []);
        assert_eq!(kept("####").first(), Some(&(0..4)));
    }
}
