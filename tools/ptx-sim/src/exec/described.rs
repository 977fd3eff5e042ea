//! Operands of matrix products that descriptors describe: the checks that their bytes of shared memory exist, have a
//! value, and are ordered after their writes.

use super::access::Access;
use super::core::Core;
use super::operand::Operand;
use super::place::MemoryLocation;
use super::problem::{Exec, Locate, invalid, problem};
use crate::check::{Accessor, Agent, Alike, Conflict, CopyKind, Know, Overflow, Shadow, Strength};
use crate::fault::FaultKind;
use crate::parse::Space;

impl Core<'_, '_> {
    /// Lanes that represent all lanes of the warp: the first and the last of each group with the same knowledge.
    fn speakers(&self) -> Vec<usize> {
        let groups: Vec<u32> = self.warp.know.over(u32::MAX).map(|(lanes, _)| lanes).collect();
        let rest = !groups.iter().fold(0, |all, lanes| all | lanes);
        let ends = |lanes: u32| [lanes.trailing_zeros() as usize, 31 - lanes.leading_zeros() as usize];
        let mut lanes: Vec<usize> =
            groups.into_iter().chain([rest]).filter(|&lanes| lanes != 0).flat_map(ends).collect();
        lanes.dedup();
        lanes
    }

    /// Checks the operands that the warp reads, and records that they are being read until the warp waits for the
    /// product.
    pub(super) fn read_operands(&mut self, operands: &[Operand]) -> Exec<()> {
        let mut pieces = Vec::new();
        for operand in operands {
            let first = pieces.len();
            operand.pieces(&mut pieces);
            if !self.is_ready(&pieces[first..]) {
                pieces[first..]
                    .iter()
                    .try_for_each(|&piece| self.check_piece_of_operand(self.rank, 0, piece as usize))?;
            }
        }
        // Each warp is charged a quarter of the bytes that the four warps read together.
        self.env.counts[self.pc as usize].shared_bytes += 16 * pieces.len() as u64 / 4;
        if !self.env.checks.races {
            return Ok(());
        }
        let (agent, thread, at) = (self.agents(Agent::Product), self.agents(Agent::Thread), self.pc);
        let proxy = if self.env.checks.proxy { self.env.warps } else { 0 };
        let (time, ranks, none) = (self.warp.products.open(), self.env.shape.ranks, Know::default());
        let speakers = self.speakers();
        // The recording has the reads of one lane after another.
        for lanes in speakers.chunks(if self.env.traces() { 1 } else { speakers.len() }) {
            for &lane in lanes {
                self.begin_copy(lane, CopyKind::Product);
            }
            let who = |&lane: &usize| {
                let know = self.warp.know.get(lane).unwrap_or(&none);
                let who = Accessor::new(know, agent, lane as u8, time, Strength::WEAK, at, ranks);
                who.on_behalf(thread, lane as u8, proxy)
            };
            let readers: Vec<Accessor<'_>> = lanes.iter().map(who).collect();
            let (shadow, overflow) = (&mut self.cluster.ctas[self.rank].shared.shadow, &mut self.env.races.overflow);
            if let Err((piece, reader, conflict)) = read_pieces(shadow, &pieces, &readers, overflow) {
                return Err(self.env.race(conflict)).lane(lanes[reader]).address(Space::Shared, piece);
            }
        }
        Ok(())
    }

    /// Whether all bytes from the first to the last piece of an operand exist, have a value and are not those of an
    /// mbarrier object.
    fn is_ready(&self, pieces: &[u64]) -> bool {
        let cta = &self.cluster.ctas[self.rank];
        let (Some(&first), Some(&last)) = (pieces.iter().min(), pieces.iter().max()) else { return true };
        let (first, end) = (first as usize, last as usize + 16);
        end <= self.env.shared_bytes
            && !cta.touches_object(first, end - first)
            && (!self.env.checks.init || cta.shared.init.first_missing(first..end).is_none())
    }

    /// Checks that 16 bytes of an operand in the shared memory of the block of `rank` exist and have a value.
    pub(crate) fn check_piece_of_operand(&mut self, rank: usize, lane: usize, offset: usize) -> Exec<()> {
        let (space, address) = (Space::Shared, offset as u64);
        if offset + 16 > self.env.shared_bytes {
            let detail =
                format!("the descriptor reads 16 bytes, a block has {} bytes of shared memory", self.env.shared_bytes);
            return Err(problem(FaultKind::OutOfBounds, detail)).lane(lane).address(space, address);
        }
        let init = self.env.checks.init;
        let cta = &mut self.cluster.ctas[rank];
        if cta.touches_object(offset, 16) {
            return Err(invalid("the descriptor reads a live mbarrier object")).lane(lane).address(space, address);
        }
        let missing = if init { cta.shared.init.missing(offset, 16) } else { 0 };
        if missing != 0 {
            let place = MemoryLocation::Shared { rank, offset };
            let access = Access { lane, space, address, place, strength: Strength::WEAK, equals: 0 };
            let byte = offset + missing.trailing_zeros() as usize;
            self.suspect(&access, byte, Self::memory_name(place));
        }
        Ok(())
    }
}

/// Records reads of pieces of operands by each of `readers`; a conflict comes with its piece and the number of the reader.
pub(super) fn read_pieces(
    shadow: &mut Shadow,
    pieces: &[u64],
    readers: &[Accessor<'_>],
    overflow: &mut Overflow,
) -> Result<(), (u64, usize, Conflict)> {
    let mut alike = Alike::default();
    let read = |&piece: &u64| {
        let read = shadow.read_alike(piece as usize, 16, readers, overflow, &mut alike);
        read.map_err(|(reader, conflict)| (piece, reader, conflict))
    };
    let result = pieces.iter().try_for_each(read);
    alike.forget(overflow);
    result
}
