//! Runs the program of a case with each of its synchronizing instructions removed in turn.

use std::fmt;

use ptx_sim::deletion::{Deletion, Silence, deletions, one_per_line};
use ptx_sim::{History, LaunchConfig, Module, Schedule};

use super::image::Mask;
use super::run::Run;
use super::{RunError, SEEDS, program, refused};
use crate::case::Case;
use crate::lower::Compiler;

/// The schedules under which the programs run.
const SCHEDULES: [Schedule; 3] = [Schedule::Fair, Schedule::Reversed, Schedule::Random(1)];

/// The most warp instructions of a changed program.
const STEPS: u64 = 200_000;

/// The number of deletions with each outcome, and those that are missed.
#[derive(Debug, Default)]
pub struct Deletions {
    noticed: usize,
    redundant: usize,
    unexecuted: usize,
    unmodelled: usize,
    /// The missed deletions, each with its case.
    pub missed: Vec<String>,
}

impl Deletions {
    /// Adds the deletions of one more case; a case that is refused, or whose copies race by design, has none.
    pub fn add(&mut self, case: &Case, compiler: &Compiler) {
        match all(case, compiler) {
            Ok(outcomes) => outcomes.into_iter().for_each(|(deletion, silence)| self.count(case, &deletion, silence)),
            Err(RunError::Lowering(_)) => {}
            Err(wrong) => self.missed.push(format!("{}: {wrong}", case.id)),
        }
    }

    /// Adds the counts of another run.
    pub fn join(&mut self, other: Deletions) {
        self.noticed += other.noticed;
        self.redundant += other.redundant;
        self.unexecuted += other.unexecuted;
        self.unmodelled += other.unmodelled;
        self.missed.extend(other.missed);
    }

    fn count(&mut self, case: &Case, deletion: &Deletion, silence: Option<Silence>) {
        match silence {
            None => self.noticed += 1,
            Some(Silence::Redundant) => self.redundant += 1,
            Some(Silence::Unexecuted) => self.unexecuted += 1,
            Some(Silence::Unmodelled(_)) => self.unmodelled += 1,
            Some(hole) => self.missed.push(format!("{}: {deletion}: {hole}", case.id)),
        }
    }
}

impl fmt::Display for Deletions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deletions { noticed, redundant, unexecuted, unmodelled, missed } = self;
        let missed = missed.len();
        write!(
            f,
            "{noticed} noticed, {redundant} redundant, {unexecuted} not executed, {unmodelled} not modelled, {missed} missed"
        )
    }
}

/// Each deletion, with the reason if it goes unnoticed.
fn all(case: &Case, compiler: &Compiler) -> Result<Vec<(Deletion, Option<Silence>)>, RunError> {
    if !super::checks(case).races {
        return Ok(Vec::new());
    }
    let (ptx, _) = super::lowered(case, compiler)?;
    let text = one_per_line(&ptx);
    let module = Module::parse(&text).map_err(refused)?;
    let histories =
        SCHEDULES.iter().map(|&schedule| recorded(case, &module, schedule)).collect::<Result<Vec<_>, _>>()?;
    let one = |deletion: Deletion| {
        let module = Module::parse(&deletion.text).map_err(refused)?;
        let noticed = SCHEDULES.iter().any(|&schedule| changed(case, &module, schedule).is_err());
        let silence = (!noticed).then(|| deletion.silence(&histories));
        Ok((deletion, silence))
    };
    deletions(&text).into_iter().map(one).collect()
}

fn recorded(case: &Case, module: &Module, schedule: Schedule) -> Result<History, RunError> {
    let mut run = Run::prepare(case, SEEDS[0], &Mask::all())?;
    run.config.schedule = schedule;
    let report = run.call.record(module, program::ENTRY, &run.config);
    let (_, history) = report.map_err(|error| RunError::Fault(error.to_string()))?;
    run.check(case)?;
    let history = history.ok_or_else(|| refused("the run is too long to be recorded"))?;
    history.check().map_err(|pair| RunError::Fault(format!("goes unnoticed: {pair}")))?;
    Ok(history)
}

fn changed(case: &Case, module: &Module, schedule: Schedule) -> Result<(), RunError> {
    let mut run = Run::prepare(case, SEEDS[0], &Mask::all())?;
    run.config = LaunchConfig { schedule, step_limit: STEPS, ..run.config };
    run.launch(module)?;
    run.check(case)
}
