//! Prefetches of global memory into L2 (PTX ISA, prefetch, cp.async.bulk.prefetch).
//!
//! They read and order nothing. `prefetch` takes any address; a bulk prefetch is checked as the source of a bulk copy is.

use super::core::{Core, lanes};
use super::problem::{Exec, Locate, invalid};
use super::traffic::sectors;
use crate::check::Strength;
use crate::code::{Addr, LANES, Prefetch, Src};
use crate::parse::Space;

/// Bytes of a line of L2.
const LINE: u64 = 128;
/// Bytes of a sector of a line.
const SECTOR: u64 = 32;

impl Core<'_, '_> {
    pub(crate) fn prefetch(&mut self, op: &Prefetch, active: u32) -> Exec<()> {
        match op {
            Prefetch::Line(addr) => self.count_lines(&self.addresses(addr), active),
            Prefetch::Bytes { addr, size } => {
                let addresses = self.addresses(addr);
                for lane in lanes(active) {
                    self.bulk_prefetch(addr, lane, addresses[lane], *size).lane(lane)?;
                }
            }
            Prefetch::Box(corner) => {
                lanes(active).try_for_each(|lane| self.prefetch_box(corner, lane).lane(lane))?;
            }
            Prefetch::TensorMap { addr, space } => {
                let addresses = self.addresses(addr);
                for lane in lanes(active) {
                    self.prefetch_map(*space, addresses[lane], lane).lane(lane)?;
                }
            }
        }
        Ok(())
    }

    /// Counts the lines of a warp request, each once for its sectors.
    fn count_lines(&mut self, addresses: &[u64; LANES], active: u32) {
        let counts = &mut self.env.counts[self.pc as usize];
        counts.global_bytes += u64::from(active.count_ones()) * LINE;
        let numbered = addresses.map(|address| address / LINE * SECTOR);
        counts.sectors += sectors(&numbered, active, SECTOR) * (LINE / SECTOR);
    }

    fn bulk_prefetch(&mut self, addr: &Addr, lane: usize, address: u64, size: Src) -> Exec<()> {
        let bytes = self.row(size)[lane] as usize;
        if bytes == 0 || !bytes.is_multiple_of(16) {
            return Err(invalid(format!("got {bytes} bytes, expected a multiple of 16")));
        }
        self.access(lane, (Space::Global, addr.within), address, bytes, 16, Strength::WEAK)?;
        self.env.counts[self.pc as usize].global_bytes += bytes as u64;
        Ok(())
    }
}
