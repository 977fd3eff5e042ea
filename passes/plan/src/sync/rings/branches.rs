//! Branches whose arms an agent may all take: what it knows behind them.

use crate::queue::Queue;
use crate::sync::rings::agent::OpenBranch;
use crate::sync::rings::arms::ArmEdge;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::trace::TraceStep;

impl Execution<'_> {
    /// An agent comes to the edge of an arm.
    pub fn edge(&mut self, agent: usize, step: &TraceStep, edge: ArmEdge) {
        let state = &mut self.agents[agent];
        if edge == ArmEdge::Begin {
            let (before, closed, is_begun) = (state.knows.clone(), state.closed, state.is_begun());
            return state.branches.push(OpenBranch { before, behind: None, closed, is_begun });
        }
        self.events.leave(&self.agents, agent, step, self.parts);
        let state = &mut self.agents[agent];
        let Some(mut branch) = state.branches.pop() else { return };
        for queue in 0..Queue::COUNT {
            let (first, behind) = (branch.closed[queue], state.closed[queue]);
            state.uncertain[queue].retain(|group| *group < first);
            state.uncertain[queue].extend(first..behind);
            state.mixed[queue].extend(Some(first).filter(|_| branch.is_begun[queue] && first < behind));
            state.mixed[queue].sort_unstable();
        }
        let mut behind = state.knows.clone();
        branch.behind.iter().for_each(|others| behind.meet(others));
        if edge == ArmEdge::End {
            state.knows = behind;
            return;
        }
        state.knows.clone_from(&branch.before);
        (branch.behind, branch.closed, branch.is_begun) = (Some(behind), state.closed, state.is_begun());
        state.branches.push(branch);
    }
}
