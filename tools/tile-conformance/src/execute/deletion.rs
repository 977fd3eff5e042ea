//! The program of a case without each of its synchronizing instructions.

use std::fmt;

use ptx_sim::deletion::{Deletion, Silence, deletions, one_per_line};
use ptx_sim::{History, LaunchConfig, Module, Schedule, launch_recorded};

use super::image::Mask;
use super::run::Run;
use super::{SEEDS, Wrong, program, refused};
use crate::case::Case;
use crate::lower::Compiler;

/// Who makes progress.
const SCHEDULES: [Schedule; 3] = [Schedule::Fair, Schedule::Reversed, Schedule::Random(1)];

/// Warp instructions of a changed program, at most.
const STEPS: u64 = 200_000;

/// How many deletions ended in each way, and those that are missed.
#[derive(Debug, Default)]
pub struct Deletions {
    noticed: usize,
    redundant: usize,
    unexecuted: usize,
    unmodelled: usize,
    /// Each with its case.
    pub missed: Vec<String>,
}

impl Deletions {
    /// Deletes from the program of one more case; one that is refused, or whose copies race by its own doing, has none.
    pub fn add(&mut self, case: &Case, compiler: &Compiler) {
        match all(case, compiler) {
            Ok(outcomes) => outcomes.into_iter().for_each(|(deletion, silence)| self.count(case, &deletion, silence)),
            Err(Wrong::Lowering(_)) => {}
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

/// Each deletion, with why it goes unnoticed if it does.
fn all(case: &Case, compiler: &Compiler) -> Result<Vec<(Deletion, Option<Silence>)>, Wrong> {
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

fn recorded(case: &Case, module: &Module, schedule: Schedule) -> Result<History, Wrong> {
    let mut run = Run::prepare(case, SEEDS[0], &Mask::all())?;
    run.config.schedule = schedule;
    let (_, history) = launch_recorded(&mut run.memory, module, program::ENTRY, &run.config, &run.args)
        .map_err(|error| Wrong::Fault(error.to_string()))?;
    run.check(case)?;
    let history = history.ok_or_else(|| refused("too long to be written down"))?;
    history.check().map_err(|pair| Wrong::Fault(format!("goes unnoticed: {pair}")))?;
    Ok(history)
}

fn changed(case: &Case, module: &Module, schedule: Schedule) -> Result<(), Wrong> {
    let mut run = Run::prepare(case, SEEDS[0], &Mask::all())?;
    run.config = LaunchConfig { schedule, step_limit: STEPS, ..run.config };
    run.launch(module)?;
    run.check(case)
}
