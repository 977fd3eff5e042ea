//! Loads that a write of another thread follows without order.
//!
//! A compiler may load early (see [`super::doubt`]), and whether the value counts is known only later. So where a write
//! races with an earlier weak load, the launch is repeated, and in the second run this load does not touch the bytes that are
//! written and brings no value for them:
//!
//! ```text
//!   first run     warp 1: ld.shared %r1        warp 0: st.shared          a race, if %r1 counts
//!   second run    warp 1: %r1 is undefined     warp 0: st.shared
//!                 warp 1: st.global %r1                                   it counts: the race of the first run is reported
//! ```
//!
//! Under one schedule both runs are alike up to where the value counts.

use super::access::Access;
use super::core::Core;
use super::place::all_bytes;
use super::problem::{EarlyLoad, Problem, problem};
use crate::check::{Agent, Strength};
use crate::code::{Op, Program};
use crate::fault::FaultKind;
use crate::parse::Space;

impl EarlyLoad {
    /// The load that came before a write, the instruction `by`, which races with it; none where the problem is another one.
    pub(crate) fn of(problem: &Problem, by: Option<u32>, program: &Program, warps: u32) -> Option<Self> {
        let earlier = problem.earlier.filter(|_| problem.kind == FaultKind::Race)?;
        let (agent, _) = Agent::of(earlier.agents.warp, warps);
        let by_thread = agent == Agent::Thread && !earlier.proxy && !earlier.constant;
        let load = matches!(program.code[earlier.at as usize].op, Op::Load(_));
        let bytes = by.and_then(|by| match &program.code[by as usize].op {
            Op::Store(store) => Some(u64::from(store.element) * store.src.len() as u64),
            _ => None,
        });
        let range = |(space, first): (Space, u64)| Some((space, first..first.checked_add(bytes?)?));
        let written = problem.address.and_then(range);
        let found = Self { at: earlier.at, agents: earlier.agents, lanes: earlier.lanes, written };
        (load && by_thread && !earlier.write).then_some(found)
    }

    /// Which bytes of an access are written; all where that is not known.
    fn bytes(&self, access: &Access, bytes: usize) -> u32 {
        match &self.written {
            Some((space, written)) if *space == access.space => {
                let is_written = |at: &usize| written.contains(&access.address.wrapping_add(*at as u64));
                (0..bytes).filter(is_written).fold(0, |mask, at| mask | 1 << at)
            }
            _ => all_bytes(bytes),
        }
    }
}

impl Core<'_, '_> {
    /// Has an earlier run of the launch found that a write races with this load in some lanes?
    pub(crate) fn is_early(&self) -> bool {
        self.env.early.has(self.pc)
    }

    /// What is wrong with this load where an earlier run of the launch found that a write races with it; and the bytes that are
    /// written.
    pub(crate) fn raced(&self, access: &Access, bytes: usize) -> Option<(Box<Problem>, u32)> {
        if access.strength != Strength::WEAK {
            return None;
        }
        let loads = self.env.early.of(self.pc, self.agents(Agent::Thread)).iter();
        let of_lane = loads.filter(|(_, load)| load.lanes >> access.lane & 1 == 1);
        let mut written = of_lane.map(|(run, load)| (*run, load.bytes(access, bytes))).filter(|(_, bytes)| *bytes != 0);
        let (run, first) = written.next()?;
        let mut counts = problem(FaultKind::Race, "the value counts");
        counts.run = Some(run);
        Some((counts, written.fold(first, |all, (_, bytes)| all | bytes)))
    }
}
