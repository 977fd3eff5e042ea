//! Reads of memory without a value, which may be one side of a race.
//!
//! Where a barrier is missing, the reader may well come first and find nothing. What is wrong then is the barrier, so the
//! run goes on for a while: if another thread writes the bytes without order to the read, that race is reported, with both sides.
//! If none does, no thread has ever written them, and that is reported.

use super::access::Access;
use super::core::Core;
use super::place::Place;
use super::problem::{Exec, Problem, Suspect, problem};
use crate::check::Agent;
use crate::fault::FaultKind;

/// Instructions for which a run goes on after such a read.
const PATIENCE: u64 = 200_000;

impl Core<'_, '_> {
    /// Notes a read that found no value.
    pub(crate) fn suspect(&mut self, access: &Access, missing: usize, of: &str) {
        if self.env.suspect.is_none() {
            let problem = self.blamed(access, self.unwritten(access.place, missing, of));
            self.accuse(self.pc, problem);
        }
    }

    /// The instruction at `at` of this warp is the first that read memory without a value.
    pub(crate) fn accuse(&mut self, at: u32, problem: Box<Problem>) {
        let deadline = self.env.steps + PATIENCE;
        self.env.suspect = Some(Suspect { problem, at, by: self.agents(Agent::Thread), deadline });
    }

    /// A problem of an access by this instruction, which may be reported later.
    pub(crate) fn blamed(&self, access: &Access, problem: Box<Problem>) -> Box<Problem> {
        let mut problem = access.blame(problem);
        problem.at = Some((self.pc, self.block(), self.warp.index));
        problem
    }

    /// The byte at offset `missing` of what `place` is in has no value.
    pub(crate) fn unwritten(&self, place: Place, missing: usize, of: &str) -> Box<Problem> {
        let by = self.env.undefined.get(&(self.key(place).0, missing as u64));
        let detail = match by {
            None => format!("the byte at offset {missing} of {of} has never been written"),
            Some(&at) => format!(
                "the byte at offset {missing} of {of} has no value: an undefined one was written at {}",
                self.env.program.describe(at)
            ),
        };
        problem(FaultKind::Uninitialized, detail)
    }

    /// Takes the value of some of the bytes away that an access has written: those of undefined values.
    pub(crate) fn forget(&mut self, access: &Access, bytes: u32) {
        let (lane, offset) = (access.lane, access.place.offset());
        match access.place {
            Place::Local { .. } => {
                self.keep_cause((lane, offset), bytes);
                self.warp.local.forget(lane, offset, bytes);
            }
            Place::CallParam { .. } => self.warp.call_params.forget(lane, offset, bytes),
            Place::KernelParam { .. } => {}
            Place::Global { .. } | Place::Shared { .. } => {
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

    /// The memory that a place is in, for a message.
    pub(crate) fn memory_name(place: Place) -> &'static str {
        match place {
            Place::Global { .. } => "the allocation",
            Place::Shared { .. } => "shared memory",
            Place::Local { .. } => "local memory",
            Place::KernelParam { .. } | Place::CallParam { .. } => "the parameters",
        }
    }

    /// Whether nothing has been found so far whose consequences are not worth a word.
    pub(crate) fn unsuspicious(&self) -> bool {
        self.env.suspect.is_none()
    }
}

/// The result of a launch in which nothing else was found.
pub(crate) fn rest(suspect: Option<Suspect>) -> Exec<()> {
    suspect.map_or(Ok(()), |s| Err(s.judge(None)))
}
