//! The state of an `mbarrier` object.

use super::problem::{Exec, invalid};
use crate::check::{Agent, Agents, Hub, Releases};

/// The most mbarrier objects that a block can have at the same time.
pub(crate) const MAX_OBJECTS: u32 = 4096;

/// The most arrivals, and bytes, of a phase.
pub(crate) const MOST: u64 = (1 << 20) - 1;

/// A live object.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// Arrivals that each phase needs.
    pub(crate) expected: u32,
    /// Arrivals that the phase still needs.
    pub(crate) pending: u32,
    /// Bytes that are expected and have not arrived; negative if more have arrived than were expected so far.
    pub(crate) tx: i64,
    pub(crate) phase: u32,
    /// What arrivals have released.
    pub(crate) gathered: Releases,
    /// What the arrivals of the completed phases had released.
    pub(crate) complete: Releases,
    /// The number, among the block's barrier agents, of the agent that represents the copies that this object counts.
    pub(crate) slot: u32,
    /// The agent's time in phase 0.
    pub(crate) base: u32,
    pub(crate) made: Made,
}

/// The `mbarrier.init` of an object: the thread, its time, and the instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub(crate) agents: Agents,
    pub(crate) lane: u8,
    pub(crate) time: u32,
    pub(crate) at: u32,
}

impl Object {
    /// The agent, its lane, and its time in the current phase.
    pub(crate) fn agent(&self, block: u32, warps: u32) -> (Agents, u8, u32) {
        let warp = Agent::Barrier.warp(0, warps) + (self.slot / 32) as u16;
        (Agents { block, warp }, (self.slot % 32) as u8, self.base + self.phase)
    }

    /// The current phase, as a hub of the recording.
    pub(crate) fn hub(&self, block: u32, warps: u32) -> Hub {
        let (agents, lane, time) = self.agent(block, warps);
        Hub::Phase { agents, lane, time }
    }

    /// Ends the phase if no arrival and no byte is missing.
    pub(crate) fn settle(&mut self, block: u32, warps: u32) {
        if self.pending != 0 || self.tx != 0 {
            return;
        }
        let (agents, lane, time) = self.agent(block, warps);
        self.gathered.raise(block, agents, lane, time);
        self.complete = self.gathered.clone();
        self.phase += 1;
        self.pending = self.expected;
    }

    pub(crate) fn arrive(&mut self, count: u64) -> Exec<()> {
        match u32::try_from(count).ok().filter(|&c| c > 0 && c <= self.pending) {
            Some(count) => {
                self.pending -= count;
                Ok(())
            }
            None => Err(invalid(format!("{count} arrivals where the phase needs {}", self.pending))),
        }
    }

    pub(crate) fn add_bytes(&mut self, bytes: i64) -> Exec<()> {
        self.tx += bytes;
        if self.tx.unsigned_abs() > MOST {
            return Err(invalid(format!("a transaction count of {}, at most {MOST} is possible", self.tx)));
        }
        Ok(())
    }

    /// One more arrival is pending in this phase (`cp.async.mbarrier.arrive` without `.noinc`).
    pub(crate) fn expect_one(&mut self) {
        self.pending += 1;
    }
}
