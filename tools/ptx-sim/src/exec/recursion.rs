//! Calls of functions that have an open call already.
//!
//! Every function has its own registers and memory. A recursive call first spills the caller's registers to a stack; the callee's memory,
//! local and of call parameters, is displaced to behind that of all open calls.
//!
//! ```text
//!   f ─▶ f ─▶ f      registers   of the call that runs │ spilled by the 1st call │ spilled by the 2nd call
//!                    memory      of the 1st call │ … of the kernel │ of the 2nd call │ of the 3rd call
//! ```
//! Lanes that have the same calls open have the same displacement, so they can run together.

use super::core::{Core, Flow, lanes};
use super::frame::Registers;
use super::problem::{Exec, Locate, invalid, problem};
use super::warp::Warp;
use crate::code::ParamOffset;
use crate::fault::FaultKind;

/// The most bytes of registers and memory that the open calls of a thread may take.
const MAX_STACK: u64 = 512 << 10;

impl Core<'_, '_> {
    /// The offset of a call parameter.
    pub(crate) fn param(&self, offset: ParamOffset) -> usize {
        let frame = &self.warp.paths[self.path].frame;
        (match offset {
            ParamOffset::Fixed(offset) => offset,
            ParamOffset::Own(offset) => frame.displacement + offset,
            ParamOffset::Next(offset) => frame.top + offset,
        }) as usize
    }

    /// A recursive call, by the frames of caller and callee.
    pub(crate) fn recurse(&mut self, mask: u32, active: u32, caller: u32, callee: u32) -> Exec<Flow> {
        if active == 0 {
            return Ok(Flow::Next);
        }
        let program = self.env.program;
        let (from, to) = (&program.frames[caller as usize], &program.frames[callee as usize]);
        let lane = active.trailing_zeros() as usize;
        if self.warp.has_registers_in_flight(active) {
            let detail =
                "a recursive call while `wgmma` or `tcgen05.ld` uses registers is not simulated: wait for it first";
            return Err(invalid(detail)).lane(lane);
        }
        let here = self.warp.paths[self.path].frame;
        let next = here.after(from);
        if next.bytes() > MAX_STACK {
            let depth = self.warp.paths[self.path].stack.len();
            let limit = MAX_STACK >> 10;
            let detail = format!("a stack overflow: {depth} calls are open, and the next needs more than {limit} KiB");
            return Err(problem(FaultKind::OutOfBounds, detail)).lane(lane);
        }
        let Warp { regs, preds, poison, spilled, .. } = &mut self.warp;
        spilled.spill(from, here, active, &Registers { regs, preds, poison: poison.as_deref_mut() });
        self.warp.local.grow(next.top as usize);
        self.warp.call_params.grow(next.top as usize);
        lanes(active).for_each(|lane| self.warp.local.clear(lane, here.top as usize..next.top as usize));
        Ok(self.enter(mask, active, to.entry, next, Some(caller)))
    }

    /// Restores the registers of a frame whose call has returned to the running path.
    pub(super) fn reload(&mut self, frame: u32, active: u32) {
        let frame = &self.env.program.frames[frame as usize];
        let at = self.warp.paths[self.path].frame;
        let Warp { regs, preds, poison, spilled, .. } = &mut self.warp;
        spilled.reload(frame, at, active, &mut Registers { regs, preds, poison: poison.as_deref_mut() });
    }
}

impl Warp {
    fn has_registers_in_flight(&self, active: u32) -> bool {
        !self.products.flights.is_empty() || self.pending.iter().any(|(lanes, _)| lanes & active != 0)
    }
}
