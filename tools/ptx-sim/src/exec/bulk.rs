//! `cp.async.bulk` and `cp.reduce.async.bulk` between global and shared memory (PTX ISA 9.7.9.25.4).

use super::access::Access;
use super::cluster::segment;
use super::core::{Core, lanes};
use super::engine::{BarrierPlace, BulkMove, Change, Completion, Issuer, Part, Source, Work};
use super::perform::perform;
use super::problem::{Exec, Locate, invalid};
use crate::check::{Accessor, Agent, Agents, Alike, CopyKind, Event, Know, Strength, UNFINISHED};
use crate::code::{AsyncStore, Bulk, BulkCopy, Scope, Src};
use crate::memory::RANK_SHIFT;
use crate::parse::Space;
use crate::tensor_map::TENSOR_MAP_BYTES;

/// The agent that represents the reads or the writes of a bulk copy, and its time.
#[derive(Debug, Clone, Copy)]
struct Stand {
    agents: Agents,
    lane: u8,
    time: u32,
}

/// What a part of a copy's target receives.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    Memory(Access),
    /// A word, again and again.
    Fill([u8; 8]),
}

/// A part of a copy, with the accesses that it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub(super) source: Origin,
    pub(super) target: Access,
    pub(super) bytes: usize,
}

/// What a copy does with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    /// It writes, by the generic proxy.
    Store,
    /// It reads a tensor map, by a proxy of its own (see `check::map_order`).
    Map,
}

/// What a bulk copy moves, and how it completes.
#[derive(Clone, Copy)]
pub(super) struct Transfer<'p> {
    pub(super) parts: &'p [Moved],
    /// The bytes that the barrier counts.
    pub(super) bytes: u64,
    /// The address of the barrier; none: the copy belongs to a bulk group.
    pub(super) barrier: Option<u64>,
    pub(super) change: Change,
    /// The tensor map that it reads.
    pub(super) map: Option<Access>,
    /// What it does with its target.
    pub(super) written: Use,
}

/// The address in the block whose shared memory starts at `block` that has the offset of `address`.
pub(super) fn at_offset_of(address: u64, block: u64) -> u64 {
    block | address & ((1 << RANK_SHIFT) - 1)
}

impl Moved {
    fn part(&self) -> Part {
        let src = match self.source {
            Origin::Memory(access) => Source::Memory(access.place),
            Origin::Fill(word) => Source::Fill(word),
        };
        Part { src, dst: self.target.place, bytes: self.bytes }
    }
}

impl Core<'_, '_> {
    pub(crate) fn bulk(&mut self, op: &Bulk, active: u32) -> Exec<()> {
        match *op {
            Bulk::Commit => self.note(active, Event::BulkCommit),
            Bulk::Wait { pending, read } => self.note(active, |threads| Event::BulkWait { threads, pending, read }),
            Bulk::Copy(_) | Bulk::Box(_) | Bulk::Store(_) => {}
        }
        for lane in lanes(active) {
            match op {
                Bulk::Commit => self.warp.copies[lane].bulk_groups += 1,
                Bulk::Wait { pending, read } => self.bulk_wait(lane, *pending, *read)?,
                Bulk::Copy(copy) => self.bulk_copy(copy, lane).lane(lane)?,
                Bulk::Box(copy) => self.box_copy(copy, lane).lane(lane)?,
                Bulk::Store(store) => self.store_async(store, lane).lane(lane)?,
            }
        }
        Ok(())
    }

    fn bulk_copy(&mut self, op: &BulkCopy, lane: usize) -> Exec<()> {
        let (dst, src) = (self.addresses(&op.dst)[lane], self.addresses(&op.src)[lane]);
        let bytes = self.row(op.size)[lane] as usize;
        if bytes == 0 || !bytes.is_multiple_of(16) {
            return Err(invalid(format!("got {bytes} bytes, expected a multiple of 16")));
        }
        let source = self.access(lane, (op.src_space, op.src.within), src, bytes, 16, Strength::WEAK)?;
        let barrier = op.barrier.as_ref().map(|addr| self.addresses(addr)[lane]);
        let counts = &mut self.env.counts[self.pc as usize];
        counts.global_bytes +=
            if op.src_space == Space::Global || op.dst_space == Space::Global { bytes as u64 } else { 0 };
        counts.shared_bytes += bytes as u64;
        let part = |target: Access| Moved { source: Origin::Memory(source), target, bytes };
        if let Some(mask) = op.multicast {
            for block in self.receivers(mask, lane)? {
                let (to, barrier) = (at_offset_of(dst, block), barrier.map(|address| at_offset_of(address, block)));
                let target = self.access(lane, (Space::SharedCluster, op.dst.within), to, bytes, 16, Strength::WEAK)?;
                let parts = &[part(target)];
                let (bytes, change) = (bytes as u64, Change::None);
                self.bulk_issue(lane, Transfer { parts, bytes, barrier, change, map: None, written: Use::Write })?;
            }
            return Ok(());
        }
        let strength = op.reduction.map_or(Strength::WEAK, |word| Strength::strong(Scope::Gpu, word.bytes));
        let target = self.access(lane, (op.dst_space, op.dst.within), dst, bytes, 16, strength)?;
        let change = op.reduction.map_or(Change::None, Change::Reduced);
        let (parts, bytes) = (&[part(target)], bytes as u64);
        self.bulk_issue(lane, Transfer { parts, bytes, barrier, change, map: None, written: Use::Write })
    }

    fn store_async(&mut self, op: &AsyncStore, lane: usize) -> Exec<()> {
        let (address, barrier) = (self.addresses(&op.dst)[lane], self.addresses(&op.barrier)[lane]);
        let (to, size) = ((Space::SharedCluster, op.dst.within), op.bytes as usize);
        let all = size * op.values.len();
        self.access(lane, to, address, all, all as u64, Strength::WEAK)?;
        let part = |(number, &value): (usize, &Src)| {
            let at = address.wrapping_add((number * size) as u64);
            let target = self.access(lane, to, at, size, size as u64, Strength::WEAK)?;
            Ok(Moved { source: Origin::Fill(self.row(value)[lane].to_le_bytes()), target, bytes: size })
        };
        let parts = op.values.iter().enumerate().map(part).collect::<Exec<Vec<_>>>()?;
        self.env.counts[self.pc as usize].shared_bytes += all as u64;
        let (barrier, change) = (Some(barrier), Change::None);
        let written = Use::Store;
        self.bulk_issue(lane, Transfer { parts: &parts, bytes: all as u64, barrier, change, map: None, written })
    }

    /// The first address of shared memory of each block that the mask of a multicast names.
    pub(super) fn receivers(&self, mask: Src, lane: usize) -> Exec<Vec<u64>> {
        let (mask, ranks) = (self.row(mask)[lane] & 0xffff, u64::from(self.env.shape.ranks));
        if mask == 0 || mask >> ranks != 0 {
            let detail =
                format!("got mask {mask:#b} in a cluster of {ranks}, expected one or more of its lowest {ranks} bits");
            return Err(invalid(detail));
        }
        let named = (0..ranks).filter(|rank| mask >> rank & 1 == 1);
        Ok(named.map(|rank| (rank + 1) << RANK_SHIFT).collect())
    }

    /// Issues a copy.
    pub(super) fn bulk_issue(&mut self, lane: usize, transfer: Transfer<'_>) -> Exec<()> {
        let Transfer { parts, bytes, barrier, change, map, written } = transfer;
        let (completion, reader, writer) = match barrier {
            Some(address) => {
                let (rank, offset) = self.locate_shared(Space::SharedCluster, address, 8, 8)?;
                if !self.lend_object(lane, rank, offset)? {
                    return Ok(());
                }
                let (block, warps) = (self.cluster.ctas[rank].number, self.env.warps);
                let object = super::cluster::object(&mut self.cluster.ctas[rank], offset);
                let (agents, slot, _) = object.address(Space::SharedCluster, address)?.agent(block, warps);
                let stand = Stand { agents, lane: slot, time: UNFINISHED };
                (Completion::Barrier(BarrierPlace { rank, offset }), stand, stand)
            }
            None => {
                let time = self.warp.copies[lane].bulk_groups + 1;
                let stand = |agent| Stand { agents: self.agents(agent), lane: lane as u8, time };
                (Completion::Group(time), stand(Agent::BulkRead), stand(Agent::BulkWrite))
            }
        };
        let counted = matches!(completion, Completion::Barrier(_));
        let number = self.begin_copy(lane, if counted { CopyKind::Counted } else { CopyKind::Group });
        if let Some(map) = &map {
            let mut alike = Alike::default();
            self.bulk_check(map, TENSOR_MAP_BYTES, reader, Use::Map, &mut alike)?;
            alike.forget(&mut self.env.races.overflow);
        }
        self.check_sources(parts, reader)?;
        let mut alike = Alike::default();
        for part in parts {
            self.bulk_check(&part.target, part.bytes, writer, written, &mut alike)?;
        }
        alike.forget(&mut self.env.races.overflow);
        if let Completion::Barrier(BarrierPlace { rank, offset }) = completion {
            self.check_made(lane, rank, offset)?;
        }
        let (parts, map) = (parts.iter().map(Moved::part).collect(), map.map(|map| map.place));
        self.enqueue(lane, Work::Bulk(BulkMove { parts, map, bytes, completion, number, change }));
        Ok(())
    }

    /// Checks what a copy reads: it may carry bytes without a value, but not only such bytes.
    fn check_sources(&mut self, parts: &[Moved], reader: Stand) -> Exec<()> {
        let memory = |part: &Moved| match part.source {
            Origin::Memory(access) => Some((access, part.bytes)),
            Origin::Fill(_) => None,
        };
        let sources: Vec<(Access, usize)> = parts.iter().filter_map(memory).collect();
        let mut alike = Alike::default();
        for (source, bytes) in &sources {
            self.bulk_check(source, *bytes, reader, Use::Read, &mut alike)?;
        }
        alike.forget(&mut self.env.races.overflow);
        let mut empty = |&(access, bytes): &(Access, usize)| {
            let offset = access.place.offset();
            let segment = segment(self.env.memory, self.cluster, access.place);
            segment.is_some_and(|s| s.init.is_empty(offset..offset + bytes))
        };
        if self.env.checks.init
            && sources.iter().all(&mut empty)
            && let Some((first, _)) = sources.first()
        {
            self.suspect(first, first.place.offset(), Self::memory_name(first.place));
        }
        Ok(())
    }

    /// Checks that the reads or writes of a copy are ordered after what its issuer is ordered after, and records them
    /// as those of the agent; `alike` is that of all reads, or all writes, of the copy.
    fn bulk_check(&mut self, a: &Access, bytes: usize, stand: Stand, what: Use, alike: &mut Alike) -> Exec<()> {
        self.check_life(a, false)?;
        let writes = matches!(what, Use::Write | Use::Store);
        if writes {
            self.check_writable(a, bytes)?;
        } else {
            self.check_object(a, bytes)?;
        }
        let (checks, warps, thread) = (self.env.checks, self.env.warps, self.agents(Agent::Thread));
        let none = Know::default();
        let know = self.warp.know.get(a.lane).unwrap_or(&none);
        let proxy = if checks.proxy && matches!(what, Use::Read | Use::Write) { warps } else { 0 };
        let Stand { agents, lane, time } = stand;
        let who = Accessor::new(know, agents, lane, time, a.strength, self.pc, self.env.shape.ranks).on_behalf(
            thread,
            a.lane as u8,
            proxy,
        );
        let Some(s) = segment(self.env.memory, self.cluster, a.place) else { return Ok(()) };
        let offset = a.place.offset();
        let mut result = Ok(());
        if checks.races && writes {
            result = s.shadow.write_alike(offset, bytes, &who, &mut self.env.races.overflow, alike);
        } else if checks.races {
            let read = s.shadow.read_alike(offset, bytes, &[who], &mut self.env.races.overflow, alike);
            result = read.map_err(|(_, conflict)| conflict);
        }
        if let Err(conflict) = result {
            return Err(self.env.race(conflict)).address(a.space, a.address);
        }
        Ok(())
    }

    /// Waits until at most `pending` groups are pending; with `read`, only until the sources of the others have been
    /// read.
    fn bulk_wait(&mut self, lane: usize, pending: u64, read: bool) -> Exec<()> {
        let groups = u64::from(self.warp.copies[lane].bulk_groups);
        let done = groups.saturating_sub(pending) as u32;
        let me = Issuer { rank: self.rank, warp: self.warp.index, lane };
        let cluster = (self.block() / self.env.shape.ranks) as usize;
        let mine = |job: &super::engine::Job| {
            let group = match &job.work {
                Work::Bulk(BulkMove { completion: Completion::Group(group), .. }) => *group,
                _ => return false,
            };
            job.cluster == cluster && job.issuer == me && group <= done
        };
        while let Some(job) = self.env.engine.take(mine) {
            perform(self.env, self.cluster, job)?;
        }
        if !self.env.checks.races || done == 0 {
            return Ok(());
        }
        let (reads, writes) = (self.agents(Agent::BulkRead), self.agents(Agent::BulkWrite));
        self.warp.know.update(1 << lane, |_, know| {
            know.raise(reads, 1 << lane, done);
            if !read {
                know.raise(writes, 1 << lane, done);
            }
        });
        Ok(())
    }
}
