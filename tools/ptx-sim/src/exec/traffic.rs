//! The cost of a warp's access: sectors of global memory, passes over the banks of shared memory.

use super::core::{Core, lanes};
use super::place::MemoryLocation;
use crate::code::LANES;

/// Bytes of a sector.
const SECTOR: u64 = 32;
const BANKS: usize = 32;

/// The addresses of one warp request.
#[derive(Debug)]
pub(crate) struct Traffic {
    bytes: u64,
    global: u32,
    shared: u32,
    private: u32,
    addresses: [u64; LANES],
}

impl Traffic {
    /// A request of `bytes` bytes for each lane.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes: bytes as u64, global: 0, shared: 0, private: 0, addresses: [0; LANES] }
    }

    /// A request whose lanes all access the same memory as `place`, at these addresses (in shared memory: offsets).
    pub(crate) fn uniform(bytes: usize, place: MemoryLocation, active: u32, addresses: [u64; LANES]) -> Self {
        let mut out = Self { addresses, ..Self::new(bytes) };
        match place {
            MemoryLocation::Global { .. } => out.global = active,
            _ => out.shared = active,
        }
        out
    }

    pub(crate) fn add(&mut self, lane: usize, place: MemoryLocation, address: u64) {
        let bit = 1 << lane;
        self.addresses[lane] = address;
        match place {
            MemoryLocation::Global { .. } => self.global |= bit,
            MemoryLocation::Shared { offset, rank } => {
                self.shared |= bit;
                // Other blocks' memory has separate banks: distinguish the words.
                self.addresses[lane] = offset as u64 | (rank as u64) << 32;
            }
            MemoryLocation::Local { .. } => self.private |= bit,
            MemoryLocation::KernelParam { .. } | MemoryLocation::CallParam { .. } => {}
        }
    }
}

impl Core<'_, '_> {
    pub(crate) fn count_traffic(&mut self, t: &Traffic) {
        let counts = &mut self.env.counts[self.pc as usize];
        if t.global != 0 {
            counts.global_bytes += u64::from(t.global.count_ones()) * t.bytes;
            counts.sectors += sectors(&t.addresses, t.global, t.bytes);
        }
        if t.shared != 0 {
            counts.shared_bytes += u64::from(t.shared.count_ones()) * t.bytes;
            let (passes, ideal) = wavefronts(&t.addresses, t.shared, t.bytes);
            counts.wavefronts += passes;
            counts.ideal_wavefronts += ideal;
        }
        counts.local_bytes += u64::from(t.private.count_ones()) * t.bytes;
    }
}

/// Distinct sectors that the lanes of `mask` touch.
pub(crate) fn sectors(addresses: &[u64; LANES], mask: u32, bytes: u64) -> u64 {
    let mut seen = [0u64; 2 * LANES];
    let mut n = 0;
    let mut sorted = true;
    for lane in lanes(mask) {
        for sector in addresses[lane] / SECTOR..=(addresses[lane] + bytes - 1) / SECTOR {
            if n > 0 && seen[n - 1] == sector {
                continue;
            }
            sorted &= n == 0 || seen[n - 1] < sector;
            seen[n] = sector;
            n += 1;
        }
    }
    if !sorted {
        seen[..n].sort_unstable();
        let mut distinct = 1;
        for i in 1..n {
            distinct += u64::from(seen[i] != seen[i - 1]);
        }
        return distinct;
    }
    n as u64
}

/// The passes that an access takes, and those that it would take without conflicts. A phase is 32 lanes of up to 4
/// bytes, 16 of 8 or 8 of 16; in a phase, each bank delivers one word to all lanes that request it, and each further
/// word of the bank takes another pass.
pub(crate) fn wavefronts(addresses: &[u64; LANES], mask: u32, bytes: u64) -> (u64, u64) {
    let width = match bytes {
        0..=4 => 32,
        5..=8 => 16,
        9..=16 => 8,
        _ => 4,
    };
    let (mut passes, mut ideal) = (0, 0);
    for first in (0..LANES).step_by(width) {
        let phase = mask & ((1u64 << (first + width)) - (1u64 << first)) as u32;
        if phase != 0 {
            ideal += 1;
            passes += phase_passes(addresses, phase, bytes);
        }
    }
    (passes, ideal)
}

/// The passes of one phase: the largest number of distinct words that any bank delivers.
fn phase_passes(addresses: &[u64; LANES], phase: u32, bytes: u64) -> u64 {
    let mut first = [u64::MAX; BANKS];
    let mut count = [1u8; BANKS];
    // Words that are not the first of their bank.
    let mut others = [0u64; 2 * LANES];
    let mut n = 0;
    for lane in lanes(phase) {
        for word in addresses[lane] / 4..=(addresses[lane] + bytes - 1) / 4 {
            let bank = word as usize % BANKS;
            if first[bank] == u64::MAX {
                first[bank] = word;
            } else if first[bank] != word && !others[..n].contains(&word) {
                others[n] = word;
                n += 1;
                count[bank] += 1;
            }
        }
    }
    u64::from(count.iter().copied().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(f: impl Fn(u64) -> u64) -> [u64; LANES] {
        std::array::from_fn(|i| f(i as u64))
    }

    #[test]
    fn sectors_are_distinct_32_byte_pieces() {
        assert_eq!(sectors(&map(|i| 4 * i), u32::MAX, 4), 4);
        assert_eq!(sectors(&map(|i| 16 * i), u32::MAX, 16), 16);
        assert_eq!(sectors(&map(|i| 4 * i + 4), u32::MAX, 4), 5);
        assert_eq!(sectors(&map(|i| 128 * (31 - i)), u32::MAX, 4), 32);
        assert_eq!(sectors(&map(|_| 64), 0xff, 4), 1);
        assert_eq!(sectors(&map(|i| 4 * (i % 2)), u32::MAX, 4), 1);
    }

    #[test]
    fn banks() {
        assert_eq!(wavefronts(&map(|i| 4 * i), u32::MAX, 4), (1, 1));
        assert_eq!(wavefronts(&map(|i| 128 * i), u32::MAX, 4), (32, 1));
        assert_eq!(wavefronts(&map(|i| 132 * i), u32::MAX, 4), (1, 1));
        assert_eq!(wavefronts(&map(|_| 12), u32::MAX, 4), (1, 1));
        assert_eq!(wavefronts(&map(|i| 8 * i), u32::MAX, 4), (2, 1));
        assert_eq!(wavefronts(&map(|i| 8 * i), u32::MAX, 8), (2, 2));
        assert_eq!(wavefronts(&map(|i| 16 * i), u32::MAX, 16), (4, 4));
        assert_eq!(wavefronts(&map(|i| 128 * i), u32::MAX, 16), (32, 4));
        assert_eq!(wavefronts(&map(|i| 2 * i), u32::MAX, 2), (1, 1));
        assert_eq!(wavefronts(&map(|i| 16 * i), 0x1, 16), (1, 1));
    }
}
