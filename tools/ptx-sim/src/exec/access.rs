//! Checked accesses by one lane.

use super::address::To;
use super::cluster::segment;
use super::core::{Core, accessor};
use super::place::{MemoryLocation, all_bytes};
use super::problem::{Exec, Locate, Problem, invalid};
use crate::check::{Agent, Know, SHARED, Strength};
use crate::parse::Space;

/// An access by one lane, with everything that a message needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub(crate) lane: usize,
    pub(crate) space: Space,
    pub(crate) address: u64,
    pub(crate) place: MemoryLocation,
    pub(crate) strength: Strength,
    /// The lanes that store the same value to the same address, if that is no race.
    pub(crate) equals: u32,
}

impl Access {
    /// A problem of this access.
    pub(crate) fn blame(&self, p: Box<Problem>) -> Box<Problem> {
        p.lane(self.lane).address(self.space, self.address)
    }

    fn at<T>(&self, result: Exec<T>) -> Exec<T> {
        result.lane(self.lane).address(self.space, self.address)
    }
}

impl Core<'_, '_> {
    /// Locates the memory of an access.
    pub(crate) fn access(
        &self,
        lane: usize,
        to: impl Into<To>,
        address: u64,
        bytes: usize,
        align: u64,
        strength: Strength,
    ) -> Exec<Access> {
        let to = to.into();
        let space = to.space;
        let place = self.locate(lane, space, address, bytes, align).lane(lane)?;
        self.check_variable(to, address, place, bytes).lane(lane)?;
        Ok(Access { lane, space, address, place, strength, equals: 0 })
    }

    /// Reads bytes, ordered after their last write; returns those without a value. If no byte has one, that is a
    /// mistake.
    pub(crate) fn read(&mut self, access: &Access, out: &mut [u8]) -> Exec<u32> {
        let missing = self.read_any(access, out)?;
        self.refuse_empty(access, missing, out.len());
        Ok(missing)
    }

    /// Like [`Core::read`], but bytes without a value are not yet a mistake.
    pub(crate) fn read_any(&mut self, access: &Access, out: &mut [u8]) -> Exec<u32> {
        let (lane, offset) = (access.lane, access.place.offset());
        let init = self.env.checks.init;
        Ok(match access.place {
            MemoryLocation::Local { .. } => {
                self.warp.local.read(lane, offset, out);
                if init { self.warp.local.missing(lane, offset, out.len()) } else { 0 }
            }
            MemoryLocation::CallParam { .. } => {
                self.warp.call_params.read(lane, offset, out);
                if init { self.warp.call_params.missing(lane, offset, out.len()) } else { 0 }
            }
            MemoryLocation::KernelParam { .. } => {
                out.copy_from_slice(&self.env.params[offset..offset + out.len()]);
                0
            }
            MemoryLocation::Global { .. } | MemoryLocation::Shared { .. } => {
                self.check_object(access, out.len())?;
                let missing = self.check_order(access, out.len())?;
                if let Some(s) = segment(self.env.memory, self.cluster, access.place) {
                    out.copy_from_slice(&s.data[offset..offset + out.len()]);
                }
                self.polled();
                missing
            }
        })
    }

    /// The checks of a read of up to 32 bytes of memory that threads share; returns those without a value.
    pub(crate) fn check_read(&mut self, access: &Access, bytes: usize) -> Exec<u32> {
        let missing = self.check_order(access, bytes)?;
        self.refuse_empty(access, missing, bytes);
        Ok(missing)
    }

    fn check_order(&mut self, access: &Access, bytes: usize) -> Exec<u32> {
        self.check_life(access, true)?;
        let agents = self.agents(Agent::Thread);
        let (races, cluster) = (self.env.checks.races, self.env.shape.ranks);
        let Some(s) = segment(self.env.memory, self.cluster, access.place) else { return Ok(0) };
        if races {
            let none = Know::default();
            let know = self.warp.know.get(access.lane).unwrap_or(&none);
            let who = accessor(&self.warp, know, agents, access.lane, access.strength, self.pc, cluster);
            let overflow = &mut self.env.races.overflow;
            if let Err(conflict) = s.shadow.read(access.place.offset(), bytes, &who, overflow) {
                return access.at(Err(self.env.race(conflict)));
            }
        }
        Ok(self.without_value(access, bytes))
    }

    /// The bytes without a value, of up to 32.
    fn without_value(&mut self, access: &Access, bytes: usize) -> u32 {
        match segment(self.env.memory, self.cluster, access.place) {
            Some(s) if self.env.checks.init => s.init.missing(access.place.offset(), bytes),
            _ => 0,
        }
    }

    /// A read in which no byte has a value is a mistake.
    fn refuse_empty(&mut self, access: &Access, missing: u32, bytes: usize) {
        // Arguments without a value may be passed to a call.
        if missing == all_bytes(bytes) && !matches!(access.place, MemoryLocation::CallParam { .. }) {
            self.suspect(access, access.place.offset(), Self::memory_name(access.place));
        }
    }

    /// The checks of a read that another agent will make: the bytes must have a value, and this lane must be ordered
    /// after their write. Returns whether they have a value.
    pub(crate) fn check_written(&mut self, access: &Access, bytes: usize) -> Exec<bool> {
        self.check_life(access, false)?;
        let agents = self.agents(Agent::Thread);
        let (races, cluster) = (self.env.checks.races, self.env.shape.ranks);
        if let Some(s) = segment(self.env.memory, self.cluster, access.place).filter(|_| races) {
            let none = Know::default();
            let know = self.warp.know.get(access.lane).unwrap_or(&none);
            let who = accessor(&self.warp, know, agents, access.lane, access.strength, self.pc, cluster);
            let offset = access.place.offset();
            let overflow = &mut self.env.races.overflow;
            // A read that finds no value is recorded, because it may be part of a race.
            let read = match s.init.is_empty(offset..offset + bytes) {
                true => s.shadow.read(offset, bytes, &who, overflow),
                false => s.shadow.look(offset, bytes, &who, overflow),
            };
            if let Err(conflict) = read {
                return access.at(Err(self.env.race(conflict)));
            }
        }
        let missing = self.without_value(access, bytes);
        self.refuse_empty(access, missing, bytes);
        Ok(missing == 0)
    }

    /// Writes bytes, ordered after all earlier accesses.
    pub(crate) fn write(&mut self, access: &Access, bytes: &[u8]) -> Exec<()> {
        let (lane, offset) = (access.lane, access.place.offset());
        let changed = match access.place {
            MemoryLocation::Local { .. } => self.warp.local.write(lane, offset, bytes),
            MemoryLocation::CallParam { .. } => self.warp.call_params.write(lane, offset, bytes),
            MemoryLocation::KernelParam { .. } => {
                return access.at(Err(invalid("kernel parameters cannot be written")));
            }
            MemoryLocation::Global { .. } | MemoryLocation::Shared { .. } => {
                self.check_write(access, bytes.len())?;
                self.keep_stale(access, bytes);
                segment(self.env.memory, self.cluster, access.place).is_some_and(|s| s.write(offset, bytes))
            }
        };
        if changed {
            self.env.changed();
        }
        Ok(())
    }

    /// The checks of a write to memory that threads share.
    pub(crate) fn check_write(&mut self, access: &Access, bytes: usize) -> Exec<()> {
        self.check_life(access, true)?;
        self.check_writable(access, bytes)?;
        if !self.env.checks.races {
            return Ok(());
        }
        let agents = self.agents(Agent::Thread);
        let cluster = self.env.shape.ranks;
        let key = self.key(access.place);
        let Some(s) = segment(self.env.memory, self.cluster, access.place) else { return Ok(()) };
        let none = Know::default();
        let know = self.warp.know.get(access.lane).unwrap_or(&none);
        let who = accessor(&self.warp, know, agents, access.lane, access.strength, self.pc, cluster);
        let who = who.with_equals(access.equals);
        match s.shadow.write(access.place.offset(), bytes, &who, &mut self.env.races.overflow) {
            Ok(false) => Ok(()),
            Ok(true) => {
                self.env.races.locations.overwrite(key.0, key.1, bytes as u64);
                Ok(())
            }
            Err(conflict) => access.at(Err(self.env.race(conflict))),
        }
    }

    /// Constant memory and live mbarrier objects must not be written.
    pub(crate) fn check_writable(&self, access: &Access, bytes: usize) -> Exec<()> {
        match access.place {
            MemoryLocation::Global { index, .. } if self.env.memory.allocations[index].read_only => {
                access.at(Err(invalid("constant memory cannot be written")))
            }
            _ => self.check_object(access, bytes),
        }
    }

    /// Only `mbarrier` instructions may touch a live object.
    pub(crate) fn check_object(&self, access: &Access, bytes: usize) -> Exec<()> {
        match access.place {
            MemoryLocation::Shared { rank, offset } if self.cluster.ctas[rank].touches_object(offset, bytes) => {
                access.at(Err(invalid("the bytes are those of a live mbarrier object: `mbarrier.inval` frees them")))
            }
            _ => Ok(()),
        }
    }

    /// The key of a word in the synchronization table.
    pub(crate) fn key(&self, place: MemoryLocation) -> (u64, u64) {
        match place {
            MemoryLocation::Global { index, offset } => {
                (self.env.memory.allocations[index].segment.shadow.memory, offset as u64)
            }
            MemoryLocation::Shared { rank, offset } => {
                (SHARED | u64::from(self.cluster.ctas[rank].number), offset as u64)
            }
            other => (u64::MAX, other.offset() as u64),
        }
    }
}
