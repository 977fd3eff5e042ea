//! The verdict on a kernel: what the passes say, against what the kernel does.

use melior::Context;
use ptx_sim::{FaultKind, Module};
use tile_passes::{Diagnostic, Error, Options, compile, embed};

use super::ast::{ARGUMENTS, Kernel};
use super::execute::{End, difference, execute, expected};
use super::interpret::{Leaves, Run, interpret, wrap};
use super::text::{MEMORIES, Text, text};
use crate::tally::{Outcome, Verdict};

const CHECK: &str = "builtin.module(tile-check-bounds{strict=true})";
const INSERT: &str = "builtin.module(tile-insert-bounds-traps)";
/// The most executions of each kind.
const MAX_EXECUTIONS: usize = 6;

/// Tables of the report.
const SAID: &str = "kernels by what the check says, and what they do";
const EXAMPLES: &str = "statements of the check about values";
const EXECUTED: &str = "executions";
const FEATURES: &str = "accepted kernels that contain";
const COUNTED: [&str; 23] = [
    "affine.apply",
    "affine.for",
    "affine.min",
    "arith.ceildiv",
    "arith.divsi",
    "arith.divui",
    "arith.floordivsi",
    "arith.index_castui",
    "arith.muli",
    "arith.remsi",
    "arith.remui",
    "arith.select",
    "arith.shrui",
    "arith.trunci",
    "index.",
    "masked",
    "overflow<",
    "scf.for",
    "scf.for unsigned",
    "scf.if",
    "scope(thread)",
    "scope(warp)",
    "tile.subview",
];

fn finding(kind: impl Into<String>, what: impl Into<String>) -> Outcome {
    Outcome::Finding(kind.into(), what.into())
}

/// Judges a kernel.
pub fn judge(context: &Context, kernel: &Kernel, number: u64) -> Verdict {
    let mut judge = Judge { context, kernel, text: text(kernel), runs: Vec::new(), counted: Vec::new() };
    let runs =
        kernel.arguments.iter().filter_map(|arguments| Some((arguments.to_vec(), interpret(kernel, arguments)?)));
    judge.runs = runs.collect();
    let outcome = match judge.outcome() {
        Ok(outcome) | Err(outcome) => outcome,
    };
    Verdict { number, outcome, counted: judge.counted }
}

struct Judge<'j> {
    context: &'j Context,
    kernel: &'j Kernel,
    text: Text,
    /// What the kernel does for the arguments for which it is defined.
    runs: Vec<(Vec<i64>, Run)>,
    counted: Vec<(String, String)>,
}

impl Judge<'_> {
    fn count(&mut self, table: &str, row: impl Into<String>) {
        self.counted.push((table.to_owned(), row.into()));
    }

    fn outcome(&mut self) -> Result<Outcome, Outcome> {
        let mut module = embed::parse(self.context, &self.text.text).map_err(|error| malformed(&error))?;
        if self.runs.is_empty() {
            return Ok(Outcome::Refused(vec!["undefined, or too long, for all arguments".to_owned()]));
        }
        let diagnostics = match embed::run(&mut module, CHECK) {
            Ok(_) => Vec::new(),
            Err(error) => error.diagnostics().to_vec(),
        };
        let leaving = self.runs.iter().filter(|(_, run)| !run.leaves.is_empty()).count();
        let does = match leaving {
            0 => "stays inside",
            leaving if leaving == self.runs.len() => "leaves for all arguments",
            _ => "leaves for some arguments",
        };
        let mut outside = false;
        for diagnostic in &diagnostics {
            outside |= self.statement(diagnostic)?;
        }
        let says = match (outside, diagnostics.is_empty()) {
            (true, _) => "outside",
            (false, false) => "undecided",
            (false, true) => "inside",
        };
        self.count(SAID, format!("{says}: {does}"));
        if diagnostics.is_empty() {
            self.accepted()?;
        }
        if outside { self.refused_by_insert() } else { self.executed(!diagnostics.is_empty()) }
    }

    /// No copy of an accepted kernel leaves.
    fn accepted(&mut self) -> Result<(), Outcome> {
        if let Some((arguments, leaves)) = self.runs.iter().find_map(|(args, run)| Some((args, *run.leaves.first()?))) {
            return Err(finding("false proof", described(arguments, leaves)));
        }
        let parts: Vec<&str> = COUNTED.into_iter().filter(|part| self.text.text.contains(part)).collect();
        parts.into_iter().for_each(|part| self.count(FEATURES, part));
        Ok(())
    }

    /// Checks what a diagnostic states; returns whether it states that a region leaves.
    fn statement(&mut self, diagnostic: &Diagnostic) -> Result<bool, Outcome> {
        let copy = diagnostic.line().and_then(|line| self.text.copies.get(&line).copied());
        let Some(copy) = copy else { return Err(finding("another error", diagnostic.message.clone())) };
        let outside = diagnostic.message.contains("leaves its buffer in dimension ");
        let Some(dimension) = number_after(&diagnostic.message, "in dimension ") else {
            return Err(finding("another error", diagnostic.message.clone()));
        };
        let dimension = usize::from(dimension != 0);
        if outside {
            // An argument may decide whether the copy is executed; where it is, the region leaves.
            let reaching: Vec<_> = self.runs.iter().filter(|(_, run)| run.reached.contains(&copy)).collect();
            let leaves = |run: &Run| run.leaves.iter().any(|left| left.copy == copy && left.dimension == dimension);
            if let Some((arguments, _)) = reaching.iter().find(|(_, run)| !leaves(run)) {
                return Err(finding("false error", format!("{}: not with {arguments:?}", diagnostic.message)));
            }
            let row =
                if reaching.is_empty() { "an error about a copy that no argument reaches" } else { "a right error" };
            self.count(EXAMPLES, row);
            self.example(&diagnostic.message, copy, dimension)?;
        }
        for note in diagnostic.notes.iter().filter(|note| note.message.starts_with("for example ")) {
            self.example(&note.message, copy, dimension)?;
        }
        Ok(outside)
    }

    /// With the values that a message names, the region begins where it says.
    fn example(&mut self, message: &str, copy: usize, dimension: usize) -> Result<(), Outcome> {
        let begin = number_after(message, " begins at ");
        let named: Vec<Option<i64>> = (0..ARGUMENTS.len())
            .map(|at| {
                let value = number_after(message, &format!("%arg{} = ", MEMORIES + at))?;
                Some(wrap(i128::from(value), ARGUMENTS[at]))
            })
            .collect();
        // Arguments without a value do not matter, as long as the kernel is defined.
        let mut reached = 0;
        for tried in &self.kernel.arguments {
            let arguments: Vec<i64> = named.iter().zip(tried).map(|(named, tried)| named.unwrap_or(*tried)).collect();
            let Some(run) = interpret(self.kernel, &arguments) else { continue };
            reached += usize::from(run.reached.contains(&copy));
            let same = |left: &Leaves| left.copy == copy && left.dimension == dimension && Some(left.begin) == begin;
            if run.leaves.iter().any(same) {
                self.count(EXAMPLES, "values with which the region leaves");
                return Ok(());
            }
        }
        if reached == 0 {
            self.count(EXAMPLES, "values for which the copy is not reached, or the kernel is undefined or too long");
            return Ok(());
        }
        Err(finding("false example", message))
    }

    /// A kernel that leaves its buffers is refused, unless an earlier assertion may stop it before it does.
    fn refused_by_insert(&mut self) -> Result<Outcome, Outcome> {
        let mut module = embed::parse(self.context, &self.text.text).map_err(|error| malformed(&error))?;
        if embed::run(&mut module, INSERT).is_err() {
            return Ok(Outcome::Right);
        }
        self.count(EXECUTED, "kernels with an error that another trap may precede");
        self.executed(true)
    }

    /// Executes a kernel without traps and, if `traps`, with them.
    fn executed(&mut self, traps: bool) -> Result<Outcome, Outcome> {
        let plain = match self.compiled(false) {
            Ok(plain) => plain,
            Err(Compiled::Refused(reason)) => return Ok(Outcome::Refused(vec![reason])),
            Err(Compiled::Failed(outcome)) => return Err(outcome),
        };
        let (stays, leaves): (Vec<_>, Vec<_>) =
            self.runs.clone().into_iter().partition(|(_, run)| run.leaves.is_empty());
        let [stays, leaves] = [stays, leaves].map(|all| all.into_iter().take(MAX_EXECUTIONS).collect::<Vec<_>>());
        for (arguments, run) in &stays {
            self.inside(&plain, arguments, run, "without traps")?;
        }
        for (arguments, _) in &leaves {
            let faults = matches!(execute(self.kernel, &plain, arguments), End::Fault(FaultKind::OutOfBounds, _));
            let how = if faults { "leaves all memory" } else { "leaves its buffer only" };
            self.count(EXECUTED, format!("without traps: {how}"));
        }
        if !traps {
            return Ok(Outcome::Right);
        }
        let trapped = match self.compiled(true) {
            Ok(trapped) => trapped,
            Err(Compiled::Refused(reason)) => return Err(finding("not compiled with traps", reason)),
            Err(Compiled::Failed(outcome)) => return Err(outcome),
        };
        for (arguments, run) in &stays {
            self.inside(&trapped, arguments, run, "with traps")?;
        }
        for (arguments, run) in &leaves {
            let what = run.leaves.first().map(|first| described(arguments, *first)).unwrap_or_default();
            match execute(self.kernel, &trapped, arguments) {
                End::Fault(FaultKind::Trap, _) => self.count(EXECUTED, "with traps: trap"),
                End::Fault(kind, fault) => {
                    return Err(finding(format!("no trap, but {kind}"), format!("{what}: {fault}")));
                }
                End::Memory(_) => return Err(finding("no trap", what)),
                End::NotLaunched(why) => return Err(finding("not launched", why)),
            }
        }
        Ok(Outcome::Right)
    }

    /// A run that stays inside leaves the right memory.
    fn inside(&mut self, module: &Module, arguments: &[i64], run: &Run, traps: &str) -> Result<(), Outcome> {
        match execute(self.kernel, module, arguments) {
            End::Memory(got) => match difference(&got, &expected(self.kernel, run)) {
                None => self.count(EXECUTED, format!("{traps}: the right memory")),
                Some(what) => return Err(finding(format!("other memory {traps}"), format!("{arguments:?}: {what}"))),
            },
            End::Fault(kind, fault) => {
                return Err(finding(format!("{kind} {traps}"), format!("{arguments:?}: {fault}")));
            }
            End::NotLaunched(why) => return Err(finding("not launched", why)),
        }
        Ok(())
    }

    fn compiled(&self, traps: bool) -> Result<Module, Compiled> {
        let wrong = |kind: &str, what: String| Compiled::Failed(finding(kind, what));
        let mut module =
            embed::parse(self.context, &self.text.text).map_err(|error| Compiled::Failed(malformed(&error)))?;
        if traps {
            embed::run(&mut module, INSERT).map_err(|error| wrong("traps not inserted", error.to_string()))?;
        }
        let ptx =
            compile(&mut module, &Options::new().as_written()).map_err(|error| Compiled::Refused(reason(&error)))?;
        Module::parse(&ptx.text).map_err(|error| wrong("PTX not understood", error.to_string()))
    }
}

/// Why there is no PTX.
enum Compiled {
    Refused(String),
    Failed(Outcome),
}

fn malformed(error: &Error) -> Outcome {
    finding("not valid", error.to_string())
}

fn described(arguments: &[i64], leaves: Leaves) -> String {
    let Leaves { copy, dimension, begin, thread } = leaves;
    format!("with {arguments:?}, thread {thread} begins copy {copy} at {begin} in dimension {dimension}")
}

/// The first error, without numbers and names.
fn reason(error: &Error) -> String {
    let heard = error.diagnostics();
    let text = if heard.is_empty() { error.to_string() } else { embed::first_error(heard) };
    let short = text.lines().next().unwrap_or_default().replace(|letter: char| letter.is_ascii_digit(), "#");
    format!("not compiled: {short}")
}

/// The number that follows some words.
fn number_after(text: &str, words: &str) -> Option<i64> {
    let rest = &text[text.find(words)? + words.len()..];
    let end = rest.find(|letter: char| letter != '-' && !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
