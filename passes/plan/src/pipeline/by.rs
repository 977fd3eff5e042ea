//! What completes the copies of a ring.

use crate::problem::scope::Space;
use crate::sync::{Access, Completion, Effect, Op, Queue};

/// What completes copies of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Groups of `cp.async`: each iteration closes one.
    Groups,
    /// Phases of an mbarrier of each stage.
    Phases {
        /// Arrivals that complete a phase: those of the copies of an iteration.
        arrivals: i64,
    },
}

impl By {
    /// What a copy of a loop is completed by: of a bulk copy that names no mbarrier the ring's. `None` where the program
    /// completes it itself.
    pub fn of(copy: &Op) -> Option<By> {
        let access = destination(copy)?;
        let named = copy.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_)));
        match access.completion {
            Completion::Group(Queue::CpAsync) => Some(By::Groups),
            Completion::Arrival if !named => Some(By::Phases { arrivals: copy.makers(access).len() }),
            _ => None,
        }
    }

    /// What completes some copies together: groups first, so that an iteration waits for these before phases.
    pub(super) fn of_all<'p>(copies: impl Iterator<Item = &'p Op>) -> Vec<By> {
        let all: Vec<By> = copies.filter_map(By::of).collect();
        let of_phases = |by: &By| if let By::Phases { arrivals } = by { *arrivals } else { 0 };
        let arrivals: i64 = all.iter().map(of_phases).sum();
        let groups = all.contains(&By::Groups).then_some(By::Groups);
        groups.into_iter().chain((arrivals > 0).then_some(By::Phases { arrivals })).collect()
    }
}

/// What a copy writes of shared memory.
pub(super) fn destination(op: &Op) -> Option<&Access> {
    op.accesses.iter().find(|access| access.write && access.space == Space::Shared)
}
