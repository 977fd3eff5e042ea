//! Branches of which an agent may take any arm: what it knows behind them.

use crate::sync::rings::agent::OpenBranch;
use crate::sync::rings::arms::ArmEdge;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::trace::TraceStep;

impl Execution<'_> {
    /// An agent comes to the edge of an arm.
    pub fn edge(&mut self, agent: usize, step: &TraceStep, edge: ArmEdge) {
        let state = &mut self.agents[agent];
        if edge == ArmEdge::Begin {
            let (before, closed) = (state.knows.clone(), state.closed);
            return state.branches.push(OpenBranch { before, behind: None, closed });
        }
        self.events.leave(&self.agents, agent, step, self.parts);
        let state = &mut self.agents[agent];
        let Some(mut branch) = state.branches.pop() else { return };
        for (groups, (first, behind)) in state.uncertain.iter_mut().zip(branch.closed.iter().zip(state.closed)) {
            groups.retain(|group| group < first);
            groups.extend(*first..behind);
        }
        let mut behind = state.knows.clone();
        branch.behind.iter().for_each(|others| behind.meet(others));
        if edge == ArmEdge::End {
            state.knows = behind;
            return;
        }
        state.knows.clone_from(&branch.before);
        (branch.behind, branch.closed) = (Some(behind), state.closed);
        state.branches.push(branch);
    }
}
