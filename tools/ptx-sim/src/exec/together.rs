//! Weak loads and stores whose lanes all access one piece of memory: the common case, done for the warp as a whole.
//!
//! Anything unusual (another space, a fault, a race) is left to the lane-by-lane implementation, which repeats the
//! access from the start and reports the problem.

use super::address::To;
use super::cluster::segment;
use super::core::{Core, accessor, lanes};
use super::loadstore::{load_strength, sign_extend};
use super::place::MemoryLocation;
use super::special::shared_window;
use super::traffic::Traffic;
use crate::check::{Agent, Know, Strength};
use crate::code::{Load, Row, SINK, Store};
use crate::memory::RANK_SHIFT;
use crate::parse::Space;

/// A weak access.
#[derive(Clone, Copy)]
enum WeakAccess {
    Read(Strength),
    Write,
}

impl Core<'_, '_> {
    /// The piece of memory that all lanes access, and their offsets in it, if all are aligned and within bounds.
    fn together(&self, to: To, addresses: &Row, active: u32, bytes: usize) -> Option<(MemoryLocation, Row)> {
        let space = to.space;
        let first = addresses[active.trailing_zeros() as usize];
        let window = shared_window(self.block());
        let (place, base, len) = match space {
            Space::Shared => (MemoryLocation::Shared { rank: self.rank, offset: 0 }, 0, self.env.shared_bytes),
            Space::Generic if first.wrapping_sub(window) < 1 << RANK_SHIFT => {
                (MemoryLocation::Shared { rank: self.rank, offset: 0 }, window, self.env.shared_bytes)
            }
            Space::Global | Space::Const | Space::Generic => {
                let (index, _) = self.env.memory.find(first, bytes)?;
                let allocation = &self.env.memory.allocations[index];
                (MemoryLocation::Global { index, offset: 0 }, allocation.base, allocation.segment.len())
            }
            _ => return None,
        };
        let (low, high) = match place {
            MemoryLocation::Shared { .. } => self.variable(to.within, first.wrapping_sub(base))?,
            _ => (0, len as u64),
        };
        let last = (high - low).checked_sub(bytes as u64)?;
        let align = bytes as u64 - 1;
        let mut offsets = [0; 32];
        let mut bad = false;
        for lane in 0..32 {
            let used = active >> lane & 1 == 1;
            let offset = addresses[lane].wrapping_sub(base);
            bad |= used && (offset.wrapping_sub(low) > last || addresses[lane] & align != 0);
            offsets[lane] = offset;
        }
        if matches!(place, MemoryLocation::Shared { .. }) {
            let cta = &self.cluster.ctas[self.rank];
            bad = bad
                || !cta.objects.is_empty()
                    && lanes(active).any(|lane| cta.touches_object(offsets[lane] as usize, bytes));
        }
        (!bad).then_some((place, offsets))
    }

    /// Whether every lane's access is ordered after all earlier conflicting ones.
    fn ordered_together(
        &mut self,
        place: MemoryLocation,
        offsets: &Row,
        active: u32,
        bytes: usize,
        access: WeakAccess,
    ) -> bool {
        if !self.env.checks.races {
            return true;
        }
        let agents = self.agents(Agent::Thread);
        let (read, strength) = match access {
            WeakAccess::Read(strength) => (true, strength),
            WeakAccess::Write => (false, Strength::WEAK),
        };
        let (cluster, key) = (self.env.shape.ranks, self.key(place).0);
        let Some(s) = segment(self.env.memory, self.cluster, place) else { return false };
        let (none, races) = (Know::default(), &mut self.env.races);
        let unknown = active & !self.warp.know.over(active).fold(0, |m, (lanes, _)| m | lanes);
        for (mask, know) in self.warp.know.over(active).chain([(unknown, &none)]) {
            for lane in lanes(mask) {
                let who = accessor(&self.warp, know, agents, lane, strength, self.pc, cluster);
                let offset = offsets[lane] as usize;
                if read {
                    if s.shadow.read(offset, bytes, &who, &mut races.overflow).is_err() {
                        return false;
                    }
                    continue;
                }
                match s.shadow.write(offset, bytes, &who, &mut races.overflow) {
                    Err(_) => return false,
                    Ok(true) => races.locations.overwrite(key, offset as u64, bytes as u64),
                    Ok(false) => {}
                }
            }
        }
        true
    }

    pub(crate) fn load_together(&mut self, op: &Load, addresses: &Row, active: u32) -> bool {
        let element = op.element as usize;
        let bytes = element * op.dst.len();
        let Some((place, offsets)) = self.together((op.space, op.addr.within).into(), addresses, active, bytes) else {
            return false;
        };
        if !self.ordered_together(place, &offsets, active, bytes, WeakAccess::Read(load_strength(op))) {
            return false;
        }
        let check = self.env.checks.init;
        let Some(s) = segment(self.env.memory, self.cluster, place) else { return false };
        if check && !lanes(active).all(|lane| s.init.has(offsets[lane] as usize, bytes)) {
            return false;
        }
        for (i, &d) in op.dst.iter().enumerate() {
            let row = &mut self.warp.regs[d as usize];
            match element {
                1 => gather::<1>(&s.data, &offsets, i, active, row),
                2 => gather::<2>(&s.data, &offsets, i, active, row),
                4 => gather::<4>(&s.data, &offsets, i, active, row),
                _ => gather::<8>(&s.data, &offsets, i, active, row),
            }
            if op.extend != 0 {
                lanes(active).for_each(|lane| row[lane] = sign_extend(row[lane], op.element, op.extend));
            }
        }
        self.warp.regs[SINK as usize] = [0; 32];
        self.polled();
        self.count_together(place, &offsets, addresses, active, bytes);
        true
    }

    pub(crate) fn store_together(&mut self, op: &Store, addresses: &Row, active: u32) -> bool {
        let element = op.element as usize;
        let bytes = element * op.src.len();
        if op.src.iter().any(|&src| self.undefined_lanes(src) & active != 0) {
            return false;
        }
        let Some((place, offsets)) = self.together((op.space, op.addr.within).into(), addresses, active, bytes) else {
            return false;
        };
        let plain = match place {
            MemoryLocation::Global { index, .. } => !self.env.memory.allocations[index].read_only,
            _ => true,
        };
        if !plain || !self.ordered_together(place, &offsets, active, bytes, WeakAccess::Write) {
            return false;
        }
        let mut changed = false;
        for (i, &src) in op.src.iter().enumerate() {
            let row = self.row(src);
            let Some(s) = segment(self.env.memory, self.cluster, place) else { return false };
            changed |= match element {
                1 => scatter::<1>(&mut s.data, &offsets, i, active, &row),
                2 => scatter::<2>(&mut s.data, &offsets, i, active, &row),
                4 => scatter::<4>(&mut s.data, &offsets, i, active, &row),
                _ => scatter::<8>(&mut s.data, &offsets, i, active, &row),
            };
        }
        let Some(s) = segment(self.env.memory, self.cluster, place) else { return false };
        for lane in lanes(active) {
            let at = offsets[lane] as usize;
            if !s.init.has(at, bytes) {
                s.init.insert(at..at + bytes);
                changed = true;
            }
        }
        if changed {
            self.env.changed();
        }
        self.count_together(place, &offsets, addresses, active, bytes);
        true
    }

    fn count_together(&mut self, place: MemoryLocation, offsets: &Row, addresses: &Row, active: u32, bytes: usize) {
        let at = if matches!(place, MemoryLocation::Global { .. }) { addresses } else { offsets };
        self.count_traffic(&Traffic::uniform(bytes, place, active, *at));
    }
}

/// Reads element `i` of `N` bytes from each offset on.
fn gather<const N: usize>(data: &[u8], offsets: &Row, i: usize, active: u32, row: &mut Row) {
    for lane in lanes(active) {
        let at = offsets[lane] as usize + i * N;
        let mut word = [0; 8];
        word[..N].copy_from_slice(&data[at..at + N]);
        row[lane] = u64::from_le_bytes(word);
    }
}

/// Writes element `i` of `N` bytes from each offset on; returns whether anything changed.
fn scatter<const N: usize>(data: &mut [u8], offsets: &Row, i: usize, active: u32, row: &Row) -> bool {
    let mut changed = false;
    for lane in lanes(active) {
        let at = offsets[lane] as usize + i * N;
        let mut word = [0; 8];
        word[..N].copy_from_slice(&data[at..at + N]);
        let old = u64::from_le_bytes(word);
        let new = row[lane] & u64::MAX >> (64 - 8 * N);
        changed |= old != new;
        data[at..at + N].copy_from_slice(&new.to_le_bytes()[..N]);
    }
    changed
}
