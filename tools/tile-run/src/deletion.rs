//! `--delete-sync`: the kernel with one synchronizing instruction less, each in turn.

use ptx_sim::deletion::{Deletion, Silence, deletions, one_per_line};
use ptx_sim::{History, Module};

use crate::job::{Job, NotRun, Verdict};
use crate::say;
use crate::sim::{self, SimError};

/// Warp instructions that a changed kernel may issue: so many times what the original issued, and some more. A loop that
/// waits for no other ends there.
const MORE: u64 = 4;
const ANYWAY: u64 = 20_000;

/// How many deletions ended in each way.
#[derive(Default)]
struct Tally {
    noticed: usize,
    redundant: usize,
    unexecuted: usize,
    unmodelled: usize,
    missed: usize,
}

impl Job<'_> {
    /// Runs the kernel as it is, then without each of its synchronizing instructions. Bad: it is wrong as it is, or a
    /// deletion goes unnoticed although conflicting accesses need it.
    pub(crate) fn delete_sync(&self) -> Result<Verdict, NotRun> {
        let text = one_per_line(&self.ptx);
        let module = Module::parse(&text)?;
        self.head(&format!("{}, simulated", module.target()));
        let mut histories = Vec::new();
        let mut issued = 0;
        for schedule in self.options.schedules() {
            let options = self.simulation(schedule, self.options.max_steps);
            let (report, history, left) =
                sim::run_recorded(&module, &self.signature.name, &self.launch, &self.inputs, &options)
                    .map_err(NotRun::Simulator)?;
            if let Some(wrong) = self.wrong(&left) {
                say!("schedule {schedule}: {wrong}");
                return Ok(Verdict::Bad);
            }
            let Some(history) = history else {
                say!("too long to be written down: nothing was deleted");
                return Ok(Verdict::Bad);
            };
            if let Err(pair) = history.check() {
                say!("schedule {schedule}: NOT NOTICED: {pair}");
                return Ok(Verdict::Bad);
            }
            issued = issued.max(report.by_opcode().values().map(|counts| counts.warps).sum());
            histories.push(history);
        }
        let mut tally = Tally::default();
        for deletion in deletions(&text) {
            let outcome = self.deleted(&deletion, &histories, issued * MORE + ANYWAY)?;
            tally.count(&outcome);
            match outcome {
                Ok(noticed) => say!("{deletion}: noticed: {noticed}"),
                Err(silence) => say!("{deletion}: {silence}"),
            }
        }
        say!(
            "{} noticed, {} redundant, {} not executed, {} not modelled, {} missed",
            tally.noticed,
            tally.redundant,
            tally.unexecuted,
            tally.unmodelled,
            tally.missed
        );
        Ok(if tally.missed == 0 { Verdict::Good } else { Verdict::Bad })
    }

    /// What notices the deletion first; otherwise why nothing does.
    fn deleted(
        &self,
        deletion: &Deletion,
        histories: &[History],
        steps: u64,
    ) -> Result<Result<String, Silence>, NotRun> {
        // Files have many kernels.
        if !histories.iter().any(|history| history.executed(deletion.line)) {
            return Ok(Err(Silence::Unexecuted));
        }
        let module = Module::parse(&deletion.text)?;
        for schedule in self.options.schedules() {
            let options = self.simulation(schedule, steps);
            match sim::run(&module, &self.signature.name, &self.launch, &self.inputs, &options) {
                Ok((_, left)) => {
                    if let Some(wrong) = self.wrong(&left) {
                        return Ok(Ok(format!("schedule {schedule}: {wrong}")));
                    }
                }
                Err(SimError::Fault(fault)) => {
                    let kind = fault.fault().map(|fault| fault.kind.to_string());
                    return Ok(Ok(format!("schedule {schedule}: {}", kind.unwrap_or_default())));
                }
                Err(error) => return Err(NotRun::Simulator(error)),
            }
        }
        Ok(Err(deletion.silence(histories)))
    }
}

impl Tally {
    fn count(&mut self, outcome: &Result<String, Silence>) {
        let counter = match outcome {
            Ok(_) => &mut self.noticed,
            Err(Silence::Redundant) => &mut self.redundant,
            Err(Silence::Unexecuted) => &mut self.unexecuted,
            Err(Silence::Unmodelled(_)) => &mut self.unmodelled,
            Err(Silence::Hole(_)) => &mut self.missed,
        };
        *counter += 1;
    }
}
