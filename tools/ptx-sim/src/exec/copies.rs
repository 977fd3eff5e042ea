//! `cp.async`: each lane copies 4, 8 or 16 bytes from global to shared memory (PTX ISA 9.7.9.25.3).

use super::access::Access;
use super::core::{Core, lanes};
use super::engine::{BarrierPlace, Issuer, Job, LaneCopies, Pending, Work, due};
use super::problem::{Exec, Locate, invalid};
use super::traffic::Traffic;
use crate::check::{Accessor, Agent, CopyKind, Event, Know, Strength};
use crate::code::{Addr, CpAsync, PredSrc, Src};
use crate::parse::Space;

impl Core<'_, '_> {
    pub(crate) fn cp_async(&mut self, op: &CpAsync, active: u32) -> Exec<()> {
        match op {
            CpAsync::Copy { dst, src, bytes, read, ignore } => {
                self.issue(dst, src, *bytes as usize, *read, *ignore, active)
            }
            CpAsync::Commit => {
                self.note(active, Event::Commit);
                for lane in lanes(active) {
                    let copies = &mut self.warp.copies[lane];
                    let ticket = copies.close();
                    copies.groups.push(ticket);
                }
                Ok(())
            }
            CpAsync::Wait(pending) => {
                self.note(active, |threads| Event::Wait(threads, Some(*pending)));
                for lane in lanes(active) {
                    let groups = &self.warp.copies[lane].groups;
                    let done = pending
                        .checked_add(1)
                        .and_then(|n| (groups.len() as u64).checked_sub(n))
                        .map(|i| groups[i as usize]);
                    self.complete(lane, done.unwrap_or(0));
                }
                Ok(())
            }
            CpAsync::WaitAll => {
                self.note(active, |threads| Event::Wait(threads, None));
                for lane in lanes(active) {
                    let ticket = self.warp.copies[lane].close();
                    self.complete(lane, ticket);
                }
                Ok(())
            }
            CpAsync::Arrive { addr, space, noinc } => self.copy_arrive(addr, *space, *noinc, active),
        }
    }

    fn issue(
        &mut self,
        dst: &Addr,
        src: &Addr,
        bytes: usize,
        read: Option<Src>,
        ignore: Option<PredSrc>,
        active: u32,
    ) -> Exec<()> {
        let (to, from) = (self.addresses(dst), self.addresses(src));
        let read = read.map_or([bytes as u64; 32], |r| self.row(r));
        let ignore = ignore.map_or(0, |p| self.predicate(p));
        let (mut loads, mut stores) = (Traffic::new(bytes), Traffic::new(bytes));
        for lane in lanes(active) {
            let wanted = if ignore >> lane & 1 == 1 { 0 } else { read[lane] as usize };
            if wanted > bytes {
                return Err(invalid(format!("got a source size of {wanted} bytes, expected at most {bytes}")))
                    .lane(lane);
            }
            let (mut data, mut missing) = ([0; 16], 0);
            if wanted > 0 {
                // Only the bytes that are read must exist, but the address must be aligned to the whole size.
                let a = self.access(lane, Space::Global, from[lane], wanted, bytes as u64, Strength::WEAK)?;
                missing = self.read(&a, &mut data[..wanted])?;
                loads.add(lane, a.place, from[lane]);
            }
            let a = self.access(lane, (Space::Shared, dst.within), to[lane], bytes, bytes as u64, Strength::WEAK)?;
            self.begin_copy(lane, CopyKind::Async);
            self.check_copy(&a, bytes)?;
            stores.add(lane, a.place, to[lane]);
            let ticket = self.warp.copies[lane].tickets + 1;
            let pending = Pending { ticket, rank: self.rank, offset: a.place.offset(), bytes, data, missing };
            self.warp.copies[lane].pending.push(pending);
        }
        self.count_traffic(&loads);
        self.count_traffic(&stores);
        Ok(())
    }

    /// Checks that the copy's write is ordered after everything that the thread is ordered after, and records it as a
    /// write of the agent until a thread waits for it.
    fn check_copy(&mut self, a: &Access, bytes: usize) -> Exec<()> {
        self.check_writable(a, bytes)?;
        if !self.env.checks.races {
            return Ok(());
        }
        let (agent, thread) = (self.agents(Agent::Copy), self.agents(Agent::Thread));
        let ticket = self.warp.copies[a.lane].tickets + 1;
        let none = Know::default();
        let know = self.warp.know.get(a.lane).unwrap_or(&none);
        let lane = a.lane as u8;
        let who = Accessor::new(know, agent, lane, ticket, Strength::WEAK, self.pc, self.env.shape.ranks)
            .on_behalf(thread, lane, 0);
        let shared = &mut self.cluster.ctas[self.rank].shared;
        match shared.shadow.write(a.place.offset(), bytes, &who, &mut self.env.races.overflow) {
            Ok(_) => Ok(()),
            Err(conflict) => Err(self.env.race(conflict)).lane(a.lane).address(a.space, a.address),
        }
    }

    /// Completes a lane's copies up to `ticket`; the lane is then ordered after them.
    pub(crate) fn complete(&mut self, lane: usize, ticket: u32) {
        let agent = self.agents(Agent::Copy);
        let done = take(&mut self.warp.copies[lane], ticket);
        for copy in &done {
            copy.arrive(&mut self.cluster.ctas[copy.rank].shared);
        }
        if !done.is_empty() {
            self.env.changed();
        }
        if self.env.checks.races && ticket > 0 {
            self.warp.know.update(1 << lane, |_, k| k.raise(agent, 1 << lane, ticket));
        }
    }

    fn copy_arrive(&mut self, addr: &Addr, space: Space, noinc: bool, active: u32) -> Exec<()> {
        let addresses = self.addresses(addr);
        let agent = self.agents(Agent::Copy);
        for lane in lanes(active) {
            let (rank, offset) = self.locate_shared(space, addresses[lane], 8, 8).lane(lane)?;
            let barrier = BarrierPlace { rank, offset };
            if !self.lend_object(lane, rank, offset)? {
                continue;
            }
            let result = super::cluster::object(&mut self.cluster.ctas[rank], offset);
            let object = result.lane(lane).address(space, addresses[lane])?;
            if !noinc {
                object.expect_one();
            }
            let ticket = self.warp.copies[lane].close();
            let (know, mut accesses) = (self.publish(1 << lane), Know::default());
            accesses.raise(agent, 1 << lane, ticket);
            let number = self.deliver(lane, CopyKind::Async);
            self.enqueue(lane, Work::CopyArrive { ticket, barrier, know, accesses, number });
        }
        self.tick();
        Ok(())
    }

    /// Records that a lane issues a copy; returns its number.
    pub(crate) fn begin_copy(&mut self, lane: usize, kind: CopyKind) -> u32 {
        let number = self.env.copy_number();
        self.note(1 << lane, |threads| Event::Copy { threads, number, kind });
        number
    }

    /// Records that an operation will deliver a lane's knowledge and its copies; returns the operation's number.
    pub(crate) fn deliver(&mut self, lane: usize, kind: CopyKind) -> u32 {
        let number = self.env.copy_number();
        self.note(1 << lane, |threads| Event::Deliver { threads, number, kind });
        number
    }

    /// Passes an operation to the engine.
    pub(crate) fn enqueue(&mut self, lane: usize, work: Work) {
        let due = due(self.env.steps, self.env.config.schedule, &mut self.env.random);
        let issuer = Issuer { rank: self.rank, warp: self.warp.index, lane };
        let cluster = (self.block() / self.env.shape.ranks) as usize;
        self.env.engine.issue(Job { due, seq: 0, cluster, issuer, at: self.pc, work });
    }
}

fn take(copies: &mut LaneCopies, ticket: u32) -> Vec<Pending> {
    let (done, left) = std::mem::take(&mut copies.pending).into_iter().partition(|p| p.ticket <= ticket);
    copies.pending = left;
    done
}

/// Completes the copies of a lane whose warp is not running.
pub(crate) fn complete_lane(cluster: &mut super::cluster::Cluster, issuer: Issuer, ticket: u32) {
    let warp = &mut cluster.ctas[issuer.rank].warps[issuer.warp as usize];
    for copy in take(&mut warp.copies[issuer.lane], ticket) {
        copy.arrive(&mut cluster.ctas[copy.rank].shared);
    }
}
