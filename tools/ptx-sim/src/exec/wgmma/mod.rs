//! `wgmma`: products of a warpgroup (PTX ISA 9.7.15).
//!
//! Each warp of the warpgroup computes its 16 rows of D when it issues the instruction. Its reads of shared memory, of
//! all of A and of B, go through the asynchronous proxy and belong to the agent that represents products, until the
//! warp waits for their group; until then the registers may not be accessed ([`Products`](super::warpgroup::Products)).

mod multiply;
mod registers;

use super::core::{Core, Flow};
use super::problem::{Exec, invalid, problem};
use super::warpgroup::{Apart, Warpgroup};
use crate::check::{Agent, Event};
use crate::code::WgmmaOp;
use crate::fault::FaultKind;

/// The target that has these instructions; they exist on one architecture only, and on no later one.
const CHIP: &str = "sm_90a";

impl Core<'_, '_> {
    pub(crate) fn wgmma(&mut self, op: &WgmmaOp, mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        if active != u32::MAX {
            return Err(invalid(format!("all 32 lanes must take part, got {active:#010x}")));
        }
        if self.env.program.target != CHIP {
            return Err(invalid(format!("got the target {}, expected {CHIP}", self.env.program.target)));
        }
        match op {
            WgmmaOp::Fence => {
                self.in_step([0; 3])?;
                self.warp.products.fence();
            }
            WgmmaOp::Commit => {
                self.in_step([0; 3])?;
                self.note(active, Event::ProductCommit);
                self.warp.products.commit();
            }
            WgmmaOp::Wait(pending) => {
                self.in_step([0; 3])?;
                self.note(active, |threads| Event::ProductWait(threads, *pending));
                let (agent, done) = (self.agents(Agent::Product), self.warp.products.wait(*pending));
                if self.env.checks.races && done > 0 {
                    self.warp.know.update(active, |_, know| know.raise(agent, u32::MAX, done));
                }
            }
            WgmmaOp::Multiply(op) => self.multiply(op)?,
        }
        Ok(Flow::Next)
    }

    /// Checks that all four warps of the warpgroup execute the same instructions with the same `operands`.
    fn in_step(&mut self, operands: [u64; 3]) -> Exec<()> {
        let (threads, warp, at) = (self.env.shape.threads, self.warp.index, self.pc);
        let first = warp / 4 * 128;
        if threads < first + 128 {
            let detail = format!("a warpgroup has 128 threads: got {} from thread {first} on", threads - first);
            return Err(invalid(detail));
        }
        let groups = &mut self.cta().warpgroups;
        groups.resize_with(groups.len().max(warp as usize / 4 + 1), Warpgroup::default);
        groups[warp as usize / 4].step(warp as usize % 4, at, operands).map_err(|apart| self.apart(apart))
    }

    fn apart(&self, apart: Apart) -> Box<super::problem::Problem> {
        let base = self.warp.index / 4 * 4;
        invalid(match apart {
            Apart::Instruction(at) => format!(
                "all warps of a warpgroup must execute the same `wgmma` instructions: another one was at {} instead",
                self.env.program.describe(at)
            ),
            Apart::Operands { got, other } => format!(
                "descriptors and scales must be the same in all warps of a warpgroup: got {got:#x}, another one had \
                 {other:#x}"
            ),
            Apart::Ended(warp) => format!(
                "all warps of a warpgroup must execute the same `wgmma` instructions: warp {} has ended without this one",
                base + warp as u32
            ),
        })
    }

    /// Checks the end of a warp: it must have no product in flight, and must have executed all instructions of its
    /// warpgroup.
    pub(crate) fn end_products(&mut self) -> Exec<()> {
        if let Some(at) = self.warp.products.in_flight().filter(|_| self.env.checks.leaks) {
            let detail = "the warp ends before this product is complete: `wgmma.wait_group` is missing";
            let mut leak = problem(FaultKind::CopyLeak, detail);
            (leak.lane, leak.at) = (Some(0), Some((at, self.block(), self.warp.index)));
            return Err(leak);
        }
        let (group, warp) = (self.warp.index as usize / 4, self.warp.index as usize % 4);
        let Some(group) = self.cta().warpgroups.get_mut(group) else { return Ok(()) };
        match group.end(warp) {
            None => Ok(()),
            Some(at) => {
                let missed = self.env.program.describe(at);
                let detail = format!("the warp ends without {missed}, which other warps of its warpgroup execute");
                let mut p = invalid(detail);
                p.lane = Some(0);
                Err(p)
            }
        }
    }
}
