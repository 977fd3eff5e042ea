//! Calls of what every driver provides: assertions, formatted output, dynamic memory (CUDA C++ Programming Guide).

use super::core::{Core, Flow, lanes};
use super::place::MemoryLocation;
use super::problem::{Exec, Locate, Problem, invalid, problem};
use crate::code::{AssertFail, Op, ParamOffset, Print, Src};
use crate::fault::FaultKind;
use crate::parse::Space;
use crate::print::printed;

/// The most bytes of a text that are searched for its end.
const LONGEST: u64 = 4096;

impl Core<'_, '_> {
    /// Executes such a call; returns none if the operation is no such call.
    pub(crate) fn system(&mut self, op: &Op, active: u32) -> Option<Exec<Flow>> {
        let done = match op {
            Op::AssertFail(op) => Err(self.assertion(*op, active)),
            Op::Print(op) => self.print(*op, active),
            Op::Allocate { bytes, result } => {
                self.allocate(*bytes, *result, active);
                Ok(())
            }
            Op::Free { address } => self.free(*address, active),
            Op::NoFunction { target } => Err(self.no_function(*target, active)),
            _ => return None,
        };
        Some(done.map(|()| Flow::Next))
    }

    /// An argument of a call: a number of `bytes` bytes.
    fn argument(&self, lane: usize, offset: ParamOffset, bytes: usize) -> u64 {
        let mut word = [0; 8];
        self.warp.call_params.read(lane, self.param(offset), &mut word[..bytes]);
        u64::from_le_bytes(word)
    }

    /// The message of a failed assertion, from the first lane in which it fails.
    fn assertion(&self, op: AssertFail, active: u32) -> Box<Problem> {
        let lane = active.trailing_zeros() as usize;
        let text = |offset: ParamOffset| self.text(self.argument(lane, offset, 8));
        let line = self.argument(lane, op.line, 4);
        let mut failed = problem(FaultKind::Trap, format!("{}:{line}: {}", text(op.file), text(op.message)));
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

    /// `vprintf`: the arguments follow each other in memory, each at a multiple of its size.
    fn print(&mut self, op: Print, active: u32) -> Exec<()> {
        for lane in lanes(active) {
            let format = self.text(self.argument(lane, op.format, 8));
            let mut at = self.argument(lane, op.arguments, 8);
            let mut count = 0u32;
            let next = |bytes: u64| {
                let place = at.checked_next_multiple_of(bytes).unwrap_or(u64::MAX);
                (at, count) = (place.wrapping_add(bytes), count + 1);
                self.printed_argument(lane, place, bytes as usize)
            };
            let text = printed(&format, next, |address| self.text(address))?;
            let thread = self.warp.index * 32 + lane as u32;
            self.env.memory.printed.add(self.block(), thread, text);
            if let Some(result) = op.result {
                let result = self.param(result);
                self.warp.call_params.write(lane, result, &count.to_le_bytes());
            }
        }
        Ok(())
    }

    fn printed_argument(&self, lane: usize, address: u64, bytes: usize) -> Exec<u64> {
        let place = self.locate(lane, Space::Generic, address, bytes, 1).lane(lane)?;
        let mut word = [0; 8];
        match place {
            MemoryLocation::Local { offset } => self.warp.local.read(lane, offset, &mut word[..bytes]),
            MemoryLocation::Global { index, offset } => {
                let data = &self.env.memory.allocations[index].segment.data;
                word[..bytes].copy_from_slice(&data[offset..offset + bytes]);
            }
            _ => return Err(invalid("the arguments of `vprintf` are in local or global memory")).lane(lane),
        }
        Ok(u64::from_le_bytes(word))
    }

    /// `malloc`: null where the heap has no more room.
    fn allocate(&mut self, bytes: ParamOffset, result: Option<ParamOffset>, active: u32) {
        for lane in lanes(active) {
            let address = self.env.memory.heap_alloc(self.argument(lane, bytes, 8));
            if let Some(result) = result {
                let result = self.param(result);
                self.warp.call_params.write(lane, result, &address.unwrap_or(0).to_le_bytes());
            }
        }
        self.env.changed();
    }

    fn free(&mut self, address: ParamOffset, active: u32) -> Exec<()> {
        for lane in lanes(active) {
            let address = self.argument(lane, address, 8);
            if address != 0 && !self.env.memory.heap_free(address) {
                let detail = "`free` of an address that `malloc` has not given, or that was freed before";
                return Err(invalid(detail)).lane(lane).address(Space::Generic, address);
            }
        }
        Ok(())
    }

    fn no_function(&self, target: Src, active: u32) -> Box<Problem> {
        let lane = active.trailing_zeros() as usize;
        let detail = "a call of an address that is not that of a function with these parameters";
        let mut problem = invalid(detail).address(Space::Generic, self.row(target)[lane]);
        problem.lane = Some(lane);
        problem
    }
}
