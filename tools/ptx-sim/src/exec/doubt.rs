//! Invalid loads whose values may never be used.
//!
//! ```text
//! ld.shared.b32 %r1, [tile];        LLVM moved it here out of the branch: another warp's copy is still in flight
//! @!%p bra done;                    most threads leave, and never use %r1
//! st.global.b32 [%rd1], %r1;        here the value is used, and the problem of the load is reported
//! ```
//! A compiler may load early, or more than it needs, from an address that can be read: this is not a mistake of the
//! program. So a load that races with a write, or finds no value, yields an undefined value (see [`super::poison`]);
//! once that value is stored or affects a decision, the load is reported.
//!
//! Storing it to the thread's local memory does not count: local memory is treated like registers.
//!
//! The opposite case, in which a write of another thread follows an early load, is handled in [`super::early`].

use super::access::Access;
use super::core::Core;
use super::place::{MemoryLocation, all_bytes};
use super::poison::Cause;
use super::problem::{Exec, Problem};
use crate::check::Strength;
use crate::code::Reg;
use crate::fault::FaultKind;

impl Core<'_, '_> {
    /// Reads bytes for a register; returns those without a value, because no thread wrote them or because of a race.
    pub(crate) fn read_register(&mut self, access: &Access, out: &mut [u8]) -> Exec<u32> {
        if let Some((problem, written)) = self.raced(access, out.len()) {
            self.doubt(access, problem);
            return Ok(self.read_bytes(access, out, written));
        }
        let may_wait = self.env.checks.init && access.strength == Strength::WEAK;
        match self.read_any(access, out) {
            // Arguments without a value may be passed to a call.
            // For a value that a thread has kept in its local memory, the load that it came from is to blame.
            Ok(missing) if self.kept_cause(access, missing).is_some() => Ok(missing),
            Ok(missing)
                if missing == all_bytes(out.len()) && !matches!(access.place, MemoryLocation::CallParam { .. }) =>
            {
                let problem = self.unwritten(access.place, access.place.offset(), Self::memory_name(access.place));
                self.doubt(access, problem);
                Ok(missing)
            }
            Err(problem) if may_wait && matches!(problem.kind, FaultKind::Race | FaultKind::InFlight) => {
                self.doubt(access, problem);
                Ok(self.read_bytes(access, out, 0))
            }
            result => result,
        }
    }

    /// Reads byte by byte, for a load with a problem in some bytes; returns those without a value or with a race. The
    /// bytes of `without` are not read.
    fn read_bytes(&mut self, access: &Access, out: &mut [u8], without: u32) -> u32 {
        let bytes = (0u32..).zip(out.chunks_exact_mut(1));
        bytes.fold(0, |missing, (number, byte)| {
            let at = u64::from(number);
            let place = access.place.moved(number as usize);
            if without >> number & 1 == 1 {
                byte.fill(0);
                return missing | 1 << number;
            }
            let one = Access { address: access.address.wrapping_add(at), place, ..*access };
            // If a byte races, the whole load is already in doubt.
            missing | self.read_any(&one, byte).unwrap_or(1) << number
        })
    }

    /// Keeps the problem of the load that is being executed; only its first problem is kept.
    fn doubt(&mut self, access: &Access, problem: Box<Problem>) {
        let (at, problem) = (self.pc, self.blamed(access, problem));
        let doubts = &mut self.warp.poison().doubts;
        if doubts.iter().all(|(cause, _)| *cause != at) {
            doubts.push((at, problem));
        }
    }

    /// Notes the load in doubt that is to blame for bytes without a value, when these are stored to local memory.
    pub(crate) fn keep_cause(&mut self, (lane, offset): (usize, usize), bytes: u32) {
        let uses = &self.env.program.info[self.pc as usize].uses;
        let Some(poison) = &mut self.warp.poison else { return };
        let mut causes = uses.iter().filter_map(|&r| poison.cause_of(r, 1 << lane, u64::BITS));
        let blamed = causes.find(|cause| poison.doubts.iter().any(|(load, _)| load == cause));
        for at in (0..32).filter(|at| bytes >> at & 1 == 1).map(|at| (lane, offset + at)) {
            match blamed {
                Some(cause) => poison.local.insert(at, cause),
                None => poison.local.remove(&at),
            };
        }
    }

    /// The load in doubt that is to blame for bytes without a value in local memory.
    pub(crate) fn kept_cause(&self, access: &Access, missing: u32) -> Option<Cause> {
        let MemoryLocation::Local { offset } = access.place else { return None };
        let poison = self.warp.poison.as_ref().filter(|poison| missing != 0 && !poison.local.is_empty())?;
        let bytes = (0..32).filter(|at| missing >> at & 1 == 1);
        bytes.filter_map(|at| poison.local.get(&(access.lane, offset + at))).next().copied()
    }

    /// An undefined value is used: if it came from a load in doubt, that load is reported. Returns true if the load
    /// found no value; the run then continues for a while, as after every such read.
    pub(crate) fn counts(&mut self, cause: Cause) -> Exec<bool> {
        let doubts = self.warp.poison.as_ref().map_or(&[][..], |poison| &poison.doubts);
        let Some((at, problem)) = doubts.iter().find(|(load, _)| *load == cause).cloned() else { return Ok(false) };
        if problem.kind != FaultKind::Uninitialized {
            return Err(problem);
        }
        if self.unsuspicious() {
            self.accuse(at, problem);
        }
        Ok(true)
    }

    /// Checks the lower `bits` bits of registers that are stored.
    pub(crate) fn stored(&mut self, uses: &[Reg], active: u32, bits: u32) -> Exec<()> {
        let Some(poison) = &self.warp.poison else { return Ok(()) };
        if poison.doubts.is_empty() {
            return Ok(());
        }
        let causes: Vec<Cause> = uses.iter().filter_map(|&r| poison.cause_of(r, active, bits)).collect();
        causes.into_iter().try_for_each(|cause| self.counts(cause).map(drop))
    }
}
