//! Executions of a program whose loops go round several numbers of times.
//!
//! Loops that go round once more begin with what they did before. So what the traces of one run and of the next have in common is
//! executed once, and the next run goes on from there:
//!
//! ```text
//!   3 times   make  k=0  k=1  k=2 ┬ end
//!   4 times                       └ k=3 ┬ end
//!   5 times                             └ k=4 ─ end
//! ```

use crate::sync::finding::Finding;
use crate::sync::program::Program;
use crate::sync::rings::decided::{Times, Unfollowed};
use crate::sync::rings::footprints::Footprints;
use crate::sync::rings::machine::Machine;
use crate::sync::rings::open::Open;
use crate::sync::rings::trace::{Names, Traces};

/// What the runs of a program share.
pub(super) struct Runs<'p> {
    program: &'p Program,
    footprints: &'p Footprints,
    /// The count of the innermost loops.
    by: Option<usize>,
    most: usize,
    names: Names,
}

impl<'p> Runs<'p> {
    /// So many findings are handed out at most.
    pub fn new(program: &'p Program, footprints: &'p Footprints, open: &[Open], most: usize) -> Self {
        Runs { program, footprints, by: open.first().map(|open| open.count), most, names: Names::new() }
    }

    /// Executes one after the other, until something is wrong.
    pub fn all(&mut self, all: &[Times]) -> Result<Vec<Finding>, Unfollowed> {
        let mut next = all.first().map(|times| self.traces(times));
        let mut begun: Option<Machine<'p>> = None;
        for after in 1..=all.len() {
            let Some(traces) = next.transpose()? else { break };
            next = all.get(after).map(|times| self.traces(times));
            let common = next.as_ref().and_then(|next| Some(common(&traces, next.as_ref().ok()?)));
            let slots = self.names.len();
            let mut machine = match begun.take() {
                None => Machine::new(self.program, self.footprints, traces, slots),
                Some(mut machine) => {
                    machine.resume(traces, slots);
                    machine
                }
            };
            // Where the next run has less in common with this one than this one with the last, it begins anew.
            if let Some(common) = common.filter(|common| machine.is_within(common)) {
                machine.run_up_to(&common, self.most);
                begun = Some(machine.clone());
            }
            let found = machine.run(self.most);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    fn traces(&mut self, times: &Times) -> Result<Traces, Unfollowed> {
        Traces::new(self.program, times, self.by, &mut self.names)
    }
}

/// How many steps of each agent two traces have in common, without the last ones: who is at its end is not waited for any more.
fn common(one: &Traces, next: &Traces) -> Vec<usize> {
    let lengths = one.steps.iter().zip(&next.steps).map(|(one, next)| one.len().min(next.len()));
    one.common(next).into_iter().zip(lengths).map(|(common, least)| common.min(least.saturating_sub(1))).collect()
}
