//! Loads that a write of another thread follows without order.
//!
//! A compiler may load early (see [`super::doubt`]), and whether the value counts is known only later. So where a write
//! races with an earlier weak load, the launch is repeated, and in the second run this load does not touch memory and brings
//! no value:
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
use super::env::EarlyLoad;
use super::problem::{Problem, problem};
use crate::check::{Agent, Strength};
use crate::code::{Op, Program};
use crate::fault::FaultKind;

impl EarlyLoad {
    /// The load that came before a write which races with it; none where the problem is another one.
    pub(crate) fn of(problem: &Problem, program: &Program, warps: u32) -> Option<Self> {
        let earlier = problem.earlier.filter(|_| problem.kind == FaultKind::Race)?;
        let (agent, _) = Agent::of(earlier.agents.warp, warps);
        let by_thread = agent == Agent::Thread && !earlier.proxy && !earlier.constant;
        let load = matches!(program.code[earlier.at as usize].op, Op::Load(_));
        let found = Self { at: earlier.at, agents: earlier.agents, lanes: earlier.lanes };
        (load && by_thread && !earlier.write).then_some(found)
    }
}

impl Core<'_, '_> {
    /// Has an earlier run of the launch found that a write races with this load in some lanes?
    pub(crate) fn is_early(&self) -> bool {
        self.env.early.iter().any(|load| load.at == self.pc)
    }

    /// What is wrong with this load where an earlier run of the launch found that a write races with it.
    pub(crate) fn raced(&self, access: &Access) -> Option<Box<Problem>> {
        if self.env.early.is_empty() || access.strength != Strength::WEAK {
            return None;
        }
        let agents = self.agents(Agent::Thread);
        let found = self
            .env
            .early
            .iter()
            .position(|load| load.at == self.pc && load.agents == agents && load.lanes >> access.lane & 1 == 1)?;
        let mut counts = problem(FaultKind::Race, "the value counts");
        counts.run = Some(found);
        Some(counts)
    }
}
