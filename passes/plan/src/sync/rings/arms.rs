//! Arms that may not be taken: an agent follows all arms of a branch, one after the other, and then knows what it knows behind each.
//!
//! ```text
//!   A; if c { wait for A; B; barrier }; C        knows  before   A in flight
//!                                                       arm 0    A over, B over ─┐
//!                                                       arm 1    A in flight   ──┴─ behind: A in flight; B, where it was, over
//! ```
//!
//! What is known of events before the branch is the least that is known behind any arm. What is known of an event in an arm is what
//! was known at the end of that arm: where it was not taken, there is no such event. An order that holds so holds whichever arms
//! are taken, since an arm that is not taken makes fewer accesses, and only takes away barriers to wait at.

use std::rc::Rc;

use crate::sync::access::Completion;
use crate::sync::items::{Branch, Item, Taken};
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::rings::agent::Agent;
use crate::sync::rounds::Together;

/// The most branches for which each arm is executed on its own.
pub(super) const MAX_CHOICES: usize = 4;

/// An arm that may not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Arm {
    /// The branch, by its address in the program.
    pub branch: usize,
    pub number: usize,
    /// The number of loops around the branch.
    pub depth: usize,
    /// Which threads of a block take the same arm.
    pub together: Together,
}

/// The arms around a step, outer to inner.
pub(super) type Arms = Rc<Vec<Arm>>;

/// The edge of an arm in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArmEdge {
    /// The begin of the first arm.
    Begin,
    /// The end of an arm, and the begin of the next.
    Next,
    /// The end of the last arm.
    End,
}

/// The number by which [`TripCounts`](crate::sync::rings::decided::TripCounts) hold the arm that is assumed to be taken.
pub(super) fn number_of(branch: &Branch) -> usize {
    std::ptr::from_ref(branch).addr()
}

/// The branches outside of loops that all threads take alike, and whose arms are executed one by one since phases of mbarriers
/// depend on them: the number of each, and its last arm.
pub(super) fn choices(program: &SyncProgram) -> Vec<(usize, i64)> {
    // Other blocks of a cluster may take other arms.
    let mut choices = Vec::new();
    if program.cluster.is_none() {
        collect(program, &program.body, &mut choices);
    }
    choices.truncate(MAX_CHOICES);
    choices
}

fn collect(program: &SyncProgram, items: &[Item], choices: &mut Vec<(usize, i64)>) {
    for item in items {
        let Item::Branch(branch) = item else { continue };
        if is_choice(program, branch) {
            choices.push((number_of(branch), branch.arms.len() as i64 - 1));
        }
        branch.arms.iter().for_each(|arm| collect(program, arm, choices));
    }
}

/// Whether each arm of a branch outside of loops can be executed on its own, and has to be.
pub(super) fn is_choice(program: &SyncProgram, branch: &Branch) -> bool {
    program.cluster.is_none()
        && branch.taken == Taken::Together
        && branch.when.is_none()
        && branch.arms.iter().any(|arm| unjoined(program, arm, Together::Block).is_some())
}

/// The first operation of an arm whose effects cannot be joined with those of other arms, where `together` take the same arm.
pub(super) fn unjoined(program: &SyncProgram, items: &[Item], together: Together) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Op(op) => {
            let all = program.of_all_blocks().filter(|(number, _)| number == op);
            all.into_iter().any(|(_, does)| !is_joined(does, together)).then_some(*op)
        }
        Item::Loop(_, body) => unjoined(program, body, together),
        Item::Branch(branch) => branch.arms.iter().find_map(|arm| unjoined(program, arm, together)),
    })
}

/// Whether an operation neither changes mbarriers nor the barrier of the cluster, whose phases count in all arms.
fn is_joined(op: &Op, together: Together) -> bool {
    let counts = |effect: &Effect| {
        matches!(
            effect,
            Effect::Mbarrier(_)
                | Effect::MbarrierFence
                | Effect::PhaseWait(_)
                | Effect::TensorCommit
                | Effect::ClusterBarrier
                | Effect::ClusterArrive { .. }
                | Effect::ClusterWait
        )
    };
    let by_phase = |completion: Completion| {
        matches!(completion, Completion::Phase(_) | Completion::Arrival(_) | Completion::Commit)
    };
    let orders = op.effects.iter().all(|effect| !counts(effect) && effect.needs() <= together);
    // Threads of one agent that may take different arms do not know what each other have done.
    let apart = together == Together::Threads && !op.effects.is_empty();
    orders && !apart && !op.accesses.iter().any(|access| by_phase(access.completion))
}

impl Arm {
    /// Whether two agents take the same arm.
    pub fn is_common(&self, one: &Agent, other: &Agent) -> bool {
        one.rank == other.rank
            && match self.together {
                Together::Block => true,
                Together::Warps => one.threads.warps() == other.threads.warps(),
                Together::Threads => false,
            }
    }
}
