//! `mbarrier` objects (PTX ISA 9.7.13.15).
//!
//! The object's eight bytes in memory are opaque; its state is kept here, by offset in its block's shared memory.

use super::cluster::{complete_bytes, object};
use super::core::{Core, lanes};
use super::object::{MAX_OBJECTS, MOST, Made, Object};
use super::place::MemoryLocation;
use super::problem::{Exec, Locate, invalid};
use crate::check::{Agent, Conflict, Event, Hub, Know, Strength};
use crate::code::{Mbarrier, MbarrierOp, Scope};
use crate::memory::RANK_SHIFT;
use crate::parse::Space;

impl Core<'_, '_> {
    /// Checks an object that an asynchronous operation of this lane will use: it must have been initialized, ordered
    /// before this lane. Returns false if it has no value yet; whether that is a race is decided later.
    pub(crate) fn lend_object(&mut self, lane: usize, rank: usize, offset: usize) -> Exec<bool> {
        let (space, address) = (Space::SharedCluster, ((rank as u64 + 1) << RANK_SHIFT) + offset as u64);
        let strength = Strength::strong(Scope::Sys, 8);
        let access = super::access::Access {
            lane,
            space,
            address,
            place: MemoryLocation::Shared { rank, offset },
            strength,
            equals: 0,
        };
        if !self.check_written(&access, 8)? {
            return Ok(false);
        }
        object(&mut self.cluster.ctas[rank], offset).map(|_| true).lane(lane).address(space, address)
    }

    pub(crate) fn mbarrier(&mut self, op: &Mbarrier, active: u32) -> Exec<()> {
        let addresses = self.addresses(&op.addr);
        let mut complete = Vec::new();
        for lane in lanes(active) {
            let weak = matches!(op.what, MbarrierOp::Init { .. } | MbarrierOp::Inval);
            let strength = if weak { Strength::WEAK } else { Strength::strong(Scope::Sys, 8) };
            let (rank, offset) = self.locate_shared(op.space, addresses[lane], 8, 8).lane(lane)?;
            let place = MemoryLocation::Shared { rank, offset };
            self.check_variable((op.space, op.addr.within).into(), addresses[lane], place, 8).lane(lane)?;
            let access =
                super::access::Access { lane, space: op.space, address: addresses[lane], place, strength, equals: 0 };
            let result = self.mbarrier_lane(&op.what, &access, (rank, offset), &mut complete);
            result.lane(lane).address(op.space, addresses[lane])?;
        }
        if matches!(op.what, MbarrierOp::Arrive { release: Some(_), .. }) {
            self.tick();
        }
        if let MbarrierOp::Test { acquire: Some(scope), .. } = op.what {
            complete.into_iter().try_for_each(|(object, lanes)| self.acquire(object, scope, lanes))?;
        }
        Ok(())
    }

    /// Lanes acquire what has been released to the completed phases of an object.
    fn acquire(&mut self, (rank, offset): (usize, usize), scope: Scope, lanes: u32) -> Exec<()> {
        let complete = object(&mut self.cluster.ctas[rank], offset)?.complete.clone();
        for (_, know) in complete.seen(self.block(), scope, self.env.shape.ranks) {
            self.warp.know.update(lanes, |_, k| k.join(know));
        }
        Ok(())
    }

    /// Executes the instruction for one lane; adds the lane to those that find a phase of their object `complete`.
    fn mbarrier_lane(
        &mut self,
        what: &MbarrierOp,
        access: &super::access::Access,
        (rank, offset): (usize, usize),
        complete: &mut Vec<((usize, usize), u32)>,
    ) -> Exec<()> {
        let lane = access.lane;
        let value = |core: &Self, src| core.row(src)[lane];
        match what {
            MbarrierOp::Init { count } => self.init(access, rank, offset, value(self, *count))?,
            MbarrierOp::Inval => {
                let cta = &mut self.cluster.ctas[rank];
                object(cta, offset)?;
                if let Some(gone) = cta.objects.remove(&(offset as u64)) {
                    cta.object_times[gone.slot as usize] = gone.base + gone.phase + 1;
                }
                self.write(access, &[0; 8])?;
                self.cluster.ctas[rank].shared.init.remove(offset..offset + 8);
            }
            MbarrierOp::ExpectTx { bytes } => {
                let bytes = value(self, *bytes) as i64;
                if !self.use_object(access)? {
                    return Ok(());
                }
                object(&mut self.cluster.ctas[rank], offset)?.add_bytes(bytes)?;
            }
            MbarrierOp::CompleteTx { bytes } => {
                let bytes = value(self, *bytes);
                if !self.use_object(access)? {
                    return Ok(());
                }
                complete_bytes(&mut self.cluster.ctas[rank], self.env.warps, offset, bytes)?;
            }
            MbarrierOp::Arrive { .. } => self.arrive(what, access, rank, offset)?,
            MbarrierOp::Test { .. } => {
                if self.test(what, access, rank, offset)? {
                    match complete.iter_mut().find(|(object, _)| *object == (rank, offset)) {
                        Some((_, lanes)) => *lanes |= 1 << lane,
                        None => complete.push(((rank, offset), 1 << lane)),
                    }
                }
                return Ok(());
            }
        }
        self.env.changed();
        Ok(())
    }

    fn init(&mut self, access: &super::access::Access, rank: usize, offset: usize, count: u64) -> Exec<()> {
        if count == 0 || count > MOST {
            return Err(invalid(format!("got a count of {count}, expected 1 to {MOST}")));
        }
        self.write(access, &count.to_le_bytes())?;
        let lane = access.lane as u8;
        let made = Made { agents: self.agents(Agent::Thread), lane, time: self.warp.time, at: self.pc };
        let cta = &mut self.cluster.ctas[rank];
        let used: Vec<u32> = cta.objects.values().map(|o| o.slot).collect();
        let slot = (0..).find(|s| !used.contains(s)).unwrap_or(0);
        if slot >= MAX_OBJECTS {
            return Err(invalid(format!("more than {} mbarrier objects in a block", MAX_OBJECTS)));
        }
        if cta.object_times.len() <= slot as usize {
            cta.object_times.resize(slot as usize + 1, 1);
        }
        let base = cta.object_times[slot as usize];
        let expected = count as u32;
        let (gathered, complete) = Default::default();
        let object = Object { expected, pending: expected, tx: 0, phase: 0, gathered, complete, slot, base, made };
        cta.objects.insert(offset as u64, object);
        Ok(())
    }

    /// Checks that the object has been initialized, ordered before this thread. Returns false if it has no value yet;
    /// whether that is a race is decided later.
    fn use_object(&mut self, access: &super::access::Access) -> Exec<bool> {
        let there = self.check_read(access, 8)? == 0;
        if let MemoryLocation::Shared { rank, offset } = access.place {
            self.check_made(access.lane, rank, offset)?;
        }
        Ok(there)
    }

    /// A thread that uses an object of another block must also be ordered after a fence that follows its
    /// `mbarrier.init`.
    pub(crate) fn check_made(&self, lane: usize, rank: usize, offset: usize) -> Exec<()> {
        let Some(object) = self.cluster.ctas[rank].objects.get(&(offset as u64)) else { return Ok(()) };
        let Made { agents, lane: by, time, at } = object.made;
        if rank == self.rank || !self.env.checks.races || agents.block == self.block() {
            return Ok(());
        }
        let fenced = |know: &Know| know.made.unknown(agents, 1 << by, time) == 0;
        if self.warp.know.get(lane).is_some_and(fenced) {
            return Ok(());
        }
        let conflict = Conflict {
            agents,
            lane: by,
            lanes: 1 << by,
            write: true,
            at,
            unfinished: false,
            proxy: false,
            map: None,
            made: true,
            constant: false,
        };
        Err(self.env.race(conflict)).lane(lane)
    }

    fn arrive(&mut self, what: &MbarrierOp, access: &super::access::Access, rank: usize, offset: usize) -> Exec<()> {
        let &MbarrierOp::Arrive { state, count, expect, drop, no_complete, release } = what else { return Ok(()) };
        let lane = access.lane;
        let count = self.row(count)[lane];
        let bytes = expect.map(|e| self.row(e)[lane] as i64);
        if !self.use_object(access)? {
            return Ok(());
        }
        let released = release.filter(|_| self.env.checks.races).map(|scope| (scope, self.publish(1 << lane)));
        let (warps, by) = (self.env.warps, self.block());
        let cta = &mut self.cluster.ctas[rank];
        let block = cta.number;
        let object = object(cta, offset)?;
        let token = u64::from(object.phase) << 32 | u64::from(object.pending);
        if let Some(bytes) = bytes {
            object.add_bytes(bytes)?;
        }
        if drop {
            object.expected = object.expected.saturating_sub(count as u32);
        }
        object.arrive(count)?;
        if no_complete && object.pending == 0 {
            return Err(invalid("`.noComplete` would complete the phase"));
        }
        let hub = object.hub(block, warps);
        if let Some((scope, know)) = &released {
            object.gathered.add(by, *scope, know);
        }
        object.settle(block, warps);
        if let Some((scope, _)) = released {
            self.note(1 << lane, |threads| Event::Arrive(threads, hub, scope));
        }
        if let Some(d) = state {
            self.warp.regs[d as usize][lane] = token;
        }
        Ok(())
    }

    /// Tests a phase for one lane; returns whether it is complete.
    fn test(&mut self, what: &MbarrierOp, access: &super::access::Access, rank: usize, offset: usize) -> Exec<bool> {
        let &MbarrierOp::Test { d, state, parity, acquire, .. } = what else { return Ok(false) };
        let lane = access.lane;
        let state = self.row(state)[lane];
        if !self.use_object(access)? {
            self.set_predicate(d, 1 << lane, 0);
            self.polled();
            return Ok(false);
        }
        let (block, warps) = (self.cluster.ctas[rank].number, self.env.warps);
        let object = object(&mut self.cluster.ctas[rank], offset)?;
        let phase = if parity { u64::from(object.phase & 1) } else { u64::from(object.phase) };
        let asked = if parity { state & 1 } else { state >> 32 };
        if !parity && asked != phase && asked + 1 != phase {
            return Err(invalid(format!("the state is of phase {asked}, the object is in phase {phase}")));
        }
        let done = asked != phase;
        if done && let Some(scope) = acquire {
            let (agents, slot, time) = object.agent(block, warps);
            // A parity can refer to the phase before the first one, which no thread has completed.
            let hub = (object.phase > 0).then_some(Hub::Phase { agents, lane: slot, time: time - 1 });
            if let Some(hub) = hub {
                self.note(1 << lane, |threads| Event::Leave(threads, hub, scope));
            }
        }
        self.set_predicate(d, 1 << lane, if done { u32::MAX } else { 0 });
        self.polled();
        self.warp.yields |= !done;
        Ok(done)
    }
}
