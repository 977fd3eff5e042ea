//! A request of a warp: the bytes that its lanes access by one instruction, and the units of memory that hold them.
//!
//! | memory | unit | rule |
//! | --- | --- | --- |
//! | global | sectors of 32 bytes, lines of 128 | those that the lanes touch, each once |
//! | shared | wavefronts | lanes in phases that fill the banks once: 32 of up to 4 bytes, 16 of 8, 8 of 16; in a phase as many as the bank with the most words |

use std::collections::BTreeSet;

use tile_isa::{Space, WARP};

use crate::target::{MAX_BANKS, SharedBanks};
use crate::touch::enumeration::Enumeration;

/// The accesses of a warp by one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpRequest {
    /// The memory.
    pub space: Space,
    /// Bytes of each lane.
    pub bytes: i64,
    /// The lanes that take part, ascending, each with its first byte.
    pub lanes: Vec<(i64, i64)>,
}

impl WarpRequest {
    /// The units of `size` bytes that the lanes touch.
    pub fn units(&self, size: i64) -> i64 {
        units(self.lanes.iter().map(|&(_, byte)| (byte, self.bytes)), size).len() as i64
    }

    /// The bytes that the lanes touch, each counted once.
    pub fn distinct_bytes(&self) -> i64 {
        let mut firsts: Vec<i64> = self.lanes.iter().map(|&(_, byte)| byte).collect();
        firsts.sort_unstable();
        let mut end = i64::MIN;
        firsts.into_iter().fold(0, |sum, first| {
            let last = first + self.bytes;
            let new = last - first.max(end).min(last);
            end = end.max(last);
            sum + new
        })
    }

    /// The wavefronts of an access of shared memory, and those without conflicts: one for each phase.
    pub fn wavefronts(&self, banks: SharedBanks) -> (i64, i64) {
        let phase = banks.lanes_per_phase(self.bytes);
        let phases = self.lanes.chunk_by(|one, other| one.0 / phase == other.0 / phase);
        phases.fold((0, 0), |(all, ideal), lanes| {
            let accesses = lanes.iter().map(|&(_, byte)| (byte, self.bytes));
            (all + conflicts(accesses, banks), ideal + 1)
        })
    }
}

/// The threads that reach a copy, by warp.
pub(crate) fn warps(by: &Enumeration<'_>) -> Vec<Vec<i64>> {
    let threads: Vec<i64> = by.active().iter().collect();
    threads.chunk_by(|one, other| one / WARP == other / WARP).map(<[i64]>::to_vec).collect()
}

/// The largest number of distinct words in one bank, of accesses given as first byte and bytes.
pub(crate) fn conflicts(accesses: impl IntoIterator<Item = (i64, i64)>, shared: SharedBanks) -> i64 {
    let word_log2 = shared.bank_bytes.ilog2();
    let touched = |(byte, bytes): (i64, i64)| byte >> word_log2..=(byte + bytes - 1) >> word_log2;
    // The first word of each bank, then others: most accesses have none.
    const NONE: i64 = i64::MIN;
    let (mut first, mut others, mut is_any) = ([NONE; MAX_BANKS], Vec::new(), false);
    for word in accesses.into_iter().flat_map(touched) {
        let bank = (word & (shared.banks - 1)) as usize;
        match first[bank] {
            NONE => (first[bank], is_any) = (word, true),
            known if known == word => (),
            _ => others.push((bank, word)),
        }
    }
    others.sort_unstable();
    others.dedup();
    let more = others.chunk_by(|one, other| one.0 == other.0).map(|bank| bank.len() as i64).max().unwrap_or(0);
    i64::from(is_any) + more
}

/// The units of `size` bytes that are touched.
fn units(accesses: impl IntoIterator<Item = (i64, i64)>, size: i64) -> BTreeSet<i64> {
    let touched = |(byte, bytes): (i64, i64)| byte.div_euclid(size)..=(byte + bytes - 1).div_euclid(size);
    accesses.into_iter().flat_map(touched).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::SECTOR_BYTES;

    const BANKS: SharedBanks = SharedBanks { banks: 32, bank_bytes: 4 };

    fn lanes(bytes: i64, step: i64) -> WarpRequest {
        WarpRequest { space: Space::Global, bytes, lanes: (0..32).map(|lane| (lane, lane * step)).collect() }
    }

    #[test]
    fn sectors_that_are_touched() {
        let sectors = |(bytes, step)| lanes(bytes, step).units(SECTOR_BYTES);
        assert_eq!([(16, 16), (4, 4), (4, 128), (1, 1), (16, 0)].map(sectors), [16, 4, 32, 1, 1]);
        let distinct = |(bytes, step)| lanes(bytes, step).distinct_bytes();
        assert_eq!([(16, 16), (4, 128), (16, 0), (16, 8)].map(distinct), [512, 128, 16, 264]);
    }

    #[test]
    fn wavefronts_of_phases() {
        let wavefronts = |(bytes, step)| lanes(bytes, step).wavefronts(BANKS);
        assert_eq!(
            [(4, 4), (4, 128), (4, 132), (8, 8), (16, 16), (16, 128), (2, 2)].map(wavefronts),
            [(1, 1), (32, 1), (1, 1), (2, 2), (4, 4), (32, 4), (1, 1)]
        );
        let one = WarpRequest { lanes: vec![(9, 0), (31, 128)], ..lanes(16, 16) };
        assert_eq!(one.wavefronts(BANKS), (2, 2), "two phases of one lane each");
    }
}
