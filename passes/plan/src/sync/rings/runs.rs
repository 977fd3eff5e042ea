//! Executions of a program with several trip counts of its loops.
//!
//! A larger trip count starts with the same iterations. The common prefix of the traces of one run and the next is
//! therefore executed only once, and the next run continues from there:
//!
//! ```text
//!   3 times   make  k=0  k=1  k=2 ┬ end
//!   4 times                       └ k=3 ┬ end
//!   5 times                             └ k=4 ─ end
//! ```

use std::rc::Rc;

use crate::sync::finding::Finding;
use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::decided::TripCounts;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::open::Open;
use crate::sync::rings::trace::{Names, Traces};
use crate::sync::unfollowed::Unfollowed;

/// The state that the executions of a program share.
pub(super) struct Runs<'p> {
    accesses: Rc<AgentAccesses<'p>>,
    /// The count of the most deeply nested open loops.
    by: Option<usize>,
    most: usize,
    names: Names,
}

impl<'p> Runs<'p> {
    /// Executions that report at most `most` findings.
    pub fn new(accesses: &Rc<AgentAccesses<'p>>, open: &[Open], most: usize) -> Self {
        Runs { accesses: Rc::clone(accesses), by: open.first().map(|open| open.count), most, names: Names::new() }
    }

    /// Executes the program with each of the given trip counts, until there is a finding.
    pub fn all(&mut self, all: &[TripCounts]) -> Result<Vec<Finding>, Unfollowed> {
        let mut next = all.first().map(|times| self.traces(times));
        let mut begun: Option<Execution<'p>> = None;
        for after in 1..=all.len() {
            let Some(traces) = next.transpose()? else { break };
            next = all.get(after).map(|times| self.traces(times));
            let is_cluster = self.accesses.program.cluster.is_some();
            let common = next.as_ref().and_then(|next| Some(common(&traces, next.as_ref().ok()?, is_cluster)));
            let slots = self.names.len();
            let mut machine = match begun.take() {
                None => Execution::new(Rc::clone(&self.accesses), traces, slots),
                Some(mut machine) => {
                    machine.resume(traces, slots);
                    machine
                }
            };
            // If this run is already past what it shares with the next one, the next one starts from the beginning.
            if let Some(common) = common.filter(|common| machine.is_within(common)) {
                machine.run_up_to(&common, self.most);
                begun = Some(machine.clone());
            }
            let findings = machine.run(self.most);
            if !findings.is_empty() {
                return Ok(findings);
            }
        }
        Ok(Vec::new())
    }

    fn traces(&mut self, times: &TripCounts) -> Result<Traces, Unfollowed> {
        Traces::new(self.accesses.executed(), times, self.by, &mut self.names)
    }
}

/// The number of steps of each agent that two traces share. In a cluster, others no longer wait for an agent at its end, so where only one
/// trace ends, its last step is not shared.
fn common(one: &Traces, next: &Traces, is_cluster: bool) -> Vec<usize> {
    let lengths = one.steps.iter().zip(&next.steps).map(|(one, next)| (one.len(), next.len()));
    let shared = |(common, (one, next)): (usize, (usize, usize))| {
        if is_cluster && one != next { common.min(one.min(next).saturating_sub(1)) } else { common }
    };
    one.common(next).into_iter().zip(lengths).map(shared).collect()
}
