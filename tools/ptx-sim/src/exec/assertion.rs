//! Assertions that fail.

use super::core::Core;
use super::problem::{Problem, problem};
use crate::code::AssertFail;
use crate::fault::FaultKind;

/// The most bytes of a text that are searched for its end.
const LONGEST: u64 = 4096;

impl Core<'_, '_> {
    /// The message of a failed assertion, from the first lane in which it fails.
    pub(crate) fn assertion(&self, op: AssertFail, active: u32) -> Box<Problem> {
        let lane = active.trailing_zeros() as usize;
        let number = |offset: u64, bytes: usize| {
            let mut word = [0; 8];
            self.warp.call_params.read(lane, offset as usize, &mut word[..bytes]);
            u64::from_le_bytes(word)
        };
        let (message, file) = (self.text(number(op.message, 8)), self.text(number(op.file, 8)));
        let mut failed = problem(FaultKind::Trap, format!("{file}:{}: {message}", number(op.line, 4)));
        failed.lane = Some(lane);
        failed
    }

    /// The text at a generic address in global memory, up to its zero byte.
    fn text(&self, address: u64) -> String {
        let byte = |at: u64| {
            let (index, offset) = self.env.memory.find(at, 1)?;
            self.env.memory.allocations[index].segment.data.get(offset).copied()
        };
        let bytes: Vec<u8> =
            (address..address.saturating_add(LONGEST)).map_while(byte).take_while(|&b| b != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
