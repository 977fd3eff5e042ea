//! What descriptors of matrix products name must be there.

use super::access::Access;
use super::core::Core;
use super::place::Place;
use super::problem::{Exec, Locate, invalid, problem};
use crate::check::Strength;
use crate::fault::FaultKind;
use crate::parse::Space;

impl Core<'_, '_> {
    /// 16 bytes that a descriptor names must be there, with a value.
    pub(crate) fn check_piece_of_operand(&mut self, lane: usize, offset: usize) -> Exec<()> {
        let (space, address) = (Space::Shared, offset as u64);
        if offset + 16 > self.env.shared_bytes {
            let detail =
                format!("the descriptor reads 16 bytes, a block has {} bytes of shared memory", self.env.shared_bytes);
            return Err(problem(FaultKind::OutOfBounds, detail)).lane(lane).address(space, address);
        }
        let (rank, init) = (self.rank, self.env.checks.init);
        let cta = self.cta();
        if cta.touches_object(offset, 16) {
            return Err(invalid("the descriptor reads a live mbarrier object")).lane(lane).address(space, address);
        }
        let missing = if init { cta.shared.init.missing(offset, 16) } else { 0 };
        if missing != 0 {
            let place = Place::Shared { rank, offset };
            let access = Access { lane, space, address, place, strength: Strength::WEAK };
            let byte = offset + missing.trailing_zeros() as usize;
            self.suspect(&access, byte, Self::memory_name(place));
        }
        Ok(())
    }
}
