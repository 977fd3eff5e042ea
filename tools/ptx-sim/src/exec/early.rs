//! Loads that are followed by an unordered write of another thread.
//!
//! A compiler may load early (see [`super::doubt`]), and only later is it known whether the value is used. So if a
//! write races with an earlier weak load, the launch is repeated, and in the second run this load does not access the
//! bytes that are written and yields no value for them:
//!
//! ```text
//!   first run     warp 1: ld.shared %r1        warp 0: st.shared          a race, if %r1 is used
//!   second run    warp 1: %r1 is undefined     warp 0: st.shared
//!                 warp 1: st.global %r1                                   it is used: the race of the first run is reported
//! ```
//!
//! Under one schedule, both runs are identical up to the use of the value. If the second run finds another race first, it goes on
//! without looking for more: the value may be used much later, and where one barrier is missing in a loop, each iteration of each
//! warp has a race of its own.

use super::access::Access;
use super::core::Core;
use super::place::all_bytes;
use super::problem::{EarlyLoad, Problem, problem};
use crate::check::{Agent, Strength};
use crate::code::{Op, Program};
use crate::fault::FaultKind;
use crate::parse::Space;

impl EarlyLoad {
    /// The earlier load with which the write of instruction `by` races; none if the problem is a different one.
    pub(crate) fn of(problem: &Problem, by: Option<u32>, program: &Program, warps: u32) -> Option<Self> {
        let earlier = problem.earlier.filter(|_| problem.kind == FaultKind::Race)?;
        let (agent, _) = Agent::of(earlier.agents.warp, warps);
        let by_thread = agent == Agent::Thread && !earlier.proxy && earlier.map.is_none() && !earlier.constant;
        // A strong load is made where it stands.
        let load = matches!(&program.code[earlier.at as usize].op, Op::Load(load) if load.order.scope.is_none());
        let bytes = by.and_then(|by| match &program.code[by as usize].op {
            Op::Store(store) => Some(u64::from(store.element) * store.src.len() as u64),
            _ => None,
        });
        let range = |(space, first): (Space, u64)| Some((space, first..first.checked_add(bytes?)?));
        let written = problem.address.and_then(range);
        let early = Self { at: earlier.at, agents: earlier.agents, lanes: earlier.lanes, written };
        (load && by_thread && !earlier.write).then_some(early)
    }

    /// The bytes of an access that are written; all if that is unknown.
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
    /// Whether an earlier run of the launch found that a write races with this load in some lanes.
    pub(crate) fn is_early(&self) -> bool {
        self.env.early.has(self.pc)
    }

    /// The problem of this load, and the bytes that are written, if an earlier run of the launch found that a write
    /// races with it.
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
