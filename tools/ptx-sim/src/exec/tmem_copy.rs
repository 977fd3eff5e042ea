//! `tcgen05.cp` and `tcgen05.commit` (PTX ISA 9.7.16.9.1, 9.7.16.12).

use super::access::Access;
use super::cluster::Cluster;
use super::core::{Core, lanes};
use super::engine::{BarrierPlace, Piece, TmemMove, Work};
use super::operand::Descriptor;
use super::place::MemoryLocation;
use super::problem::{Exec, Locate, invalid, problem};
use super::tensor_memory::cell;
use crate::check::{Accessor, Agent, CopyKind, Know, Strength};
use crate::code::{Addr, CopyShape, Src};
use crate::fault::FaultKind;
use crate::parse::Space;

/// The rows of the source, its 16-byte columns, and the lanes of tensor memory that receive a row.
fn form(shape: CopyShape) -> (u64, u64, fn(u64) -> Vec<u64>) {
    match shape {
        CopyShape::S128x256 => (128, 2, |row| vec![row]),
        CopyShape::S128x128 => (128, 1, |row| vec![row]),
        CopyShape::S4x256 => (4, 2, |row| vec![32 * row]),
        CopyShape::S64x128Pairs0213 => (64, 1, |row| vec![row, row + 64]),
        CopyShape::S64x128Pairs0123 => (64, 1, |row| {
            let first = row / 32 * 64 + row % 32;
            vec![first, first + 32]
        }),
        CopyShape::S32x128 => (32, 1, |row| (0..4).map(|warp| 32 * warp + row).collect()),
    }
}

/// All pieces of a copy to (lane, column).
fn pieces(shape: CopyShape, descriptor: &Descriptor, lane: u64, column: u64) -> Vec<Piece> {
    let (rows, chunks, targets) = form(shape);
    let mut out = Vec::new();
    for row in 0..rows {
        for chunk in 0..chunks {
            let src = descriptor.offset(row, chunk) as usize;
            let to = |target| Piece { src, dst: cell(lane + target, column + 4 * chunk) };
            out.extend(targets(row).into_iter().map(to));
        }
    }
    out
}

impl Core<'_, '_> {
    /// Issues a copy in each of the blocks with the ranks `blocks`.
    pub(crate) fn tmem_copy(
        &mut self,
        blocks: &[usize],
        shape: CopyShape,
        addr: &Addr,
        descriptor: Src,
        active: u32,
    ) -> Exec<()> {
        let (addresses, descriptors) = (self.addresses(addr), self.row(descriptor));
        for lane in lanes(active) {
            let (row, column) = (addresses[lane] >> 16 & 0xffff, addresses[lane] & 0xffff);
            let descriptor = Descriptor::decode(descriptors[lane]).lane(lane)?;
            let (rows, chunks, targets) = form(shape);
            let last = targets(rows - 1).into_iter().max().unwrap_or(0);
            let pieces = pieces(shape, &descriptor, row, column);
            self.begin_copy(lane, CopyKind::TmemCopy);
            for &block in blocks {
                if block != self.rank && self.env.checks.races {
                    self.check_alive(block, lane).lane(lane)?;
                }
                self.cluster.ctas[block].tensor.check(row, last + 1, column, 4 * chunks).lane(lane)?;
                for piece in &pieces {
                    self.check_piece(lane, block, *piece).lane(lane)?;
                }
                let counts = &mut self.env.counts[self.pc as usize];
                counts.shared_bytes += 16 * rows * chunks;
                counts.tensor_bytes += 16 * pieces.len() as u64;
            }
            let time = self.warp.copies[lane].tensor_commits + 1;
            self.enqueue(lane, Work::TmemCopy(TmemMove { blocks: blocks.to_vec(), pieces, time }));
        }
        Ok(())
    }

    /// Checks a piece, and records its read and write as those of the copy's agent until a thread waits for its
    /// barrier.
    fn check_piece(&mut self, lane: usize, block: usize, piece: Piece) -> Exec<()> {
        let bytes = self.env.shared_bytes;
        if piece.src + 16 > bytes {
            let detail = format!("the descriptor reads 16 bytes, a block has {bytes} bytes of shared memory");
            return Err(problem(FaultKind::OutOfBounds, detail)).address(Space::Shared, piece.src as u64);
        }
        let (checks, warps, thread) = (self.env.checks, self.env.warps, self.agents(Agent::Thread));
        let agent = self.agents(Agent::TmemCopy);
        let time = self.warp.copies[lane].tensor_commits + 1;
        let none = Know::default();
        let know = self.warp.know.get(lane).unwrap_or(&none);
        let who = Accessor::new(know, agent, lane as u8, time, Strength::WEAK, self.pc, self.env.shape.ranks);
        let cta = &mut self.cluster.ctas[block];
        if cta.touches_object(piece.src, 16) {
            return Err(invalid("the descriptor reads a live mbarrier object"))
                .address(Space::Shared, piece.src as u64);
        }
        let overflow = &mut self.env.races.overflow;
        if checks.races {
            let reader = who.on_behalf(thread, lane as u8, if checks.proxy { warps } else { 0 });
            let read = cta.shared.shadow.read(piece.src, 16, &reader, overflow);
            let writer = who.on_behalf(thread, lane as u8, 0);
            let both = read.and_then(|()| cta.tensor.cells().shadow.write(piece.dst, 16, &writer, overflow));
            if let Err(conflict) = both {
                return Err(self.env.race(conflict)).address(Space::Shared, piece.src as u64);
            }
        }
        if checks.init && cta.shared.init.is_empty(piece.src..piece.src + 16) {
            let place = MemoryLocation::Shared { rank: block, offset: piece.src };
            let (space, address) = (Space::Shared, piece.src as u64);
            let access = Access { lane, space, address, place, strength: Strength::WEAK, equals: 0 };
            self.suspect(&access, piece.src, Self::memory_name(place));
        }
        Ok(())
    }

    pub(crate) fn tensor_commit(&mut self, space: Space, addr: &Addr, multicast: Option<Src>, active: u32) -> Exec<()> {
        let addresses = self.addresses(addr);
        let mask = multicast.map(|m| self.row(m));
        let (agent, product) = (self.agents(Agent::TmemCopy), self.agents(Agent::TensorProduct));
        for lane in lanes(active) {
            let mut barriers = Vec::new();
            let (rank, offset) = self.locate_shared(space, addresses[lane], 8, 8).lane(lane)?;
            match mask {
                None => barriers.push(BarrierPlace { rank, offset }),
                Some(mask) => {
                    let ranks = (0..self.cluster.ctas.len()).filter(|r| mask[lane] >> r & 1 == 1);
                    barriers.extend(ranks.map(|rank| BarrierPlace { rank, offset }));
                }
            }
            let mut there = true;
            for b in &barriers {
                there &= self.lend_object(lane, b.rank, b.offset)?;
                self.check_made(lane, b.rank, b.offset)?;
            }
            if !there {
                continue;
            }
            let commits = &mut self.warp.copies[lane].tensor_commits;
            *commits += 1;
            let time = *commits;
            let (know, mut accesses) = (self.publish(1 << lane), Know::default());
            accesses.raise(agent, 1 << lane, time);
            accesses.raise(product, 1 << lane, time);
            let number = self.deliver(lane, CopyKind::TmemCopy);
            self.enqueue(lane, Work::TensorCommit { barriers, know, accesses, time, number });
        }
        self.tick();
        Ok(())
    }
}

/// Moves the data of a copy.
pub(crate) fn perform(cluster: &mut Cluster, copy: &TmemMove) {
    for &block in &copy.blocks {
        let cta = &mut cluster.ctas[block];
        for piece in &copy.pieces {
            let mut data = [0; 16];
            data.copy_from_slice(&cta.shared.data[piece.src..piece.src + 16]);
            let missing = cta.shared.init.missing(piece.src, 16);
            cta.tensor.cells().write(piece.dst, &data);
            cta.tensor.cells().forget(piece.dst, missing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_receive_rows() {
        let (rows, _, targets) = form(CopyShape::S64x128Pairs0123);
        assert_eq!(
            (targets(0), targets(31), targets(32), targets(rows - 1)),
            (vec![0, 32], vec![31, 63], vec![64, 96], vec![95, 127])
        );
        let (_, _, targets) = form(CopyShape::S64x128Pairs0213);
        assert_eq!((targets(0), targets(63)), (vec![0, 64], vec![63, 127]));
        let (_, _, targets) = form(CopyShape::S32x128);
        assert_eq!(targets(5), [5, 37, 69, 101]);
        let (_, _, targets) = form(CopyShape::S4x256);
        assert_eq!(targets(3), [96]);
    }
}
