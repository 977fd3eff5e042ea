//! `--delete-sync`: runs the kernel without each of its synchronizing instructions in turn.

use ptx_sim::deletion::{Deletion, Silence, deletions, one_per_line};
use ptx_sim::{History, Module};

use crate::job::{Job, NotRun, Verdict};
use crate::say;
use crate::sim::{self, SimError};

/// The limit of warp instructions of a changed kernel: `MORE` times those of the original, plus `ANYWAY`. It ends loops
/// that no longer wait for anything.
const MORE: u64 = 4;
const ANYWAY: u64 = 20_000;

/// The number of deletions with each outcome.
#[derive(Default)]
struct Tally {
    noticed: usize,
    redundant: usize,
    unexecuted: usize,
    unmodelled: usize,
    missed: usize,
}

impl Job<'_> {
    /// Runs the kernel unchanged, then without each of its synchronizing instructions. The verdict is bad if the
    /// unchanged kernel is wrong, or if a deletion goes unnoticed although conflicting accesses need the instruction.
    pub(crate) fn delete_sync(&self) -> Result<Verdict, NotRun> {
        let text = one_per_line(&self.ptx);
        let module = Module::parse(&text)?;
        self.head(&format!("{}, simulated", module.target()));
        let mut histories = Vec::new();
        let mut issued = 0;
        for schedule in self.options.schedules() {
            let options = self.simulation(schedule, self.options.max_steps);
            let (report, history, left) =
                sim::run_recorded(&module, &self.kernel.name, &self.launch, &self.inputs, &options)
                    .map_err(NotRun::Simulator)?;
            if let Some(wrong) = self.wrong(&left) {
                say!("schedule {schedule}: {wrong}");
                return Ok(Verdict::Bad);
            }
            let Some(history) = history else {
                say!("the run is too long to record: nothing was deleted");
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

    /// The check that notices the deletion first, or the reason why none does.
    fn deleted(
        &self,
        deletion: &Deletion,
        histories: &[History],
        steps: u64,
    ) -> Result<Result<String, Silence>, NotRun> {
        // A file may have other kernels.
        if !histories.iter().any(|history| history.executed(deletion.line)) {
            return Ok(Err(Silence::Unexecuted));
        }
        let module = Module::parse(&deletion.text)?;
        for schedule in self.options.schedules() {
            let options = self.simulation(schedule, steps);
            match sim::run(&module, &self.kernel.name, &self.launch, &self.inputs, &options) {
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
