//! Reads of memory without a value, which may be part of a race.
//!
//! If a barrier is missing, the reader may run first and find no value. The mistake is then the missing barrier, so the
//! run continues for a while: if another thread writes the bytes, unordered with the read, that race is reported with
//! both accesses. If none does, the read is reported.

use super::access::Access;
use super::core::Core;
use super::place::MemoryLocation;
use super::problem::{Exec, Problem, Suspect, problem};
use crate::check::Agent;
use crate::fault::FaultKind;

/// The number of instructions for which a run continues after such a read.
const PATIENCE: u64 = 200_000;

impl Core<'_, '_> {
    /// Notes a read that found no value.
    pub(crate) fn suspect(&mut self, access: &Access, missing: usize, memory: &str) {
        if self.env.suspect.is_none() {
            let problem = self.blamed(access, self.unwritten(access.place, missing, memory));
            self.accuse(self.pc, problem);
        }
    }

    /// Notes that instruction `at` of this warp is the first that read memory without a value.
    pub(crate) fn accuse(&mut self, at: u32, problem: Box<Problem>) {
        let deadline = self.env.steps + PATIENCE;
        self.env.suspect = Some(Suspect { problem, at, by: self.agents(Agent::Thread), deadline });
    }

    /// A problem of an access by this instruction, complete with its location so that it can be reported later.
    pub(crate) fn blamed(&self, access: &Access, problem: Box<Problem>) -> Box<Problem> {
        let mut problem = access.blame(problem);
        problem.at = Some((self.pc, self.block(), self.warp.index));
        problem
    }

    /// The problem that the byte at offset `missing` of the memory of `place` has no value.
    pub(crate) fn unwritten(&self, place: MemoryLocation, missing: usize, memory: &str) -> Box<Problem> {
        let by = self.env.undefined.get(&(self.key(place).0, missing as u64));
        let detail = match by {
            None => format!("the byte at offset {missing} of {memory} has never been written"),
            Some(&at) => format!(
                "the byte at offset {missing} of {memory} has no value: an undefined one was written at {}",
                self.env.program.describe(at)
            ),
        };
        problem(FaultKind::Uninitialized, detail)
    }

    /// Removes the value of those bytes of a write that come from undefined values.
    pub(crate) fn forget(&mut self, access: &Access, bytes: u32) {
        let (lane, offset) = (access.lane, access.place.offset());
        match access.place {
            MemoryLocation::Local { .. } => {
                self.keep_cause((lane, offset), bytes);
                self.warp.local.forget(lane, offset, bytes);
            }
            MemoryLocation::CallParam { .. } => self.warp.call_params.forget(lane, offset, bytes),
            MemoryLocation::KernelParam { .. } => {}
            MemoryLocation::Global { .. } | MemoryLocation::Shared { .. } => {
                let memory = self.key(access.place).0;
                for i in (0..32).filter(|i| bytes >> i & 1 == 1) {
                    self.env.undefined.insert((memory, (offset + i) as u64), self.pc);
                }
                if let Some(s) = super::cluster::segment(self.env.memory, self.cluster, access.place) {
                    s.forget(offset, bytes);
                }
            }
        }
    }

    /// The name of the memory that contains a place, for a message.
    pub(crate) fn memory_name(place: MemoryLocation) -> &'static str {
        match place {
            MemoryLocation::Global { .. } => "the allocation",
            MemoryLocation::Shared { .. } => "shared memory",
            MemoryLocation::Local { .. } => "local memory",
            MemoryLocation::KernelParam { .. } | MemoryLocation::CallParam { .. } => "the parameters",
        }
    }

    /// Whether no read without a value has been found so far; the consequences of one are not reported.
    pub(crate) fn unsuspicious(&self) -> bool {
        self.env.suspect.is_none()
    }
}

/// The result of a launch in which nothing else was found: the read without a value, if any.
pub(crate) fn rest(suspect: Option<Suspect>) -> Exec<()> {
    suspect.map_or(Ok(()), |s| Err(s.judge(None)))
}
