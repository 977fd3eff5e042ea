//! The verdict on one program.

use std::collections::{BTreeMap, BTreeSet};

use ptx_sim::{FaultKind, Module, Schedule};
use serde::{Deserialize, Serialize};
use tile_oracle::ast::{Copy, Program, copies};
use tile_oracle::machine::{CompiledCopies, Reached};
use tile_oracle::text::Text;
use tile_oracle::twin::{Missing, skewed, twin, with_fewer_barriers};
use tile_oracle::{Flaw, Machine, Rng};

use super::compile::{Compiled, Compiler, found_in_reading};
use super::execute::{self, RunError};
use super::features;
use crate::tally::Outcome;

/// One copy of an accepted program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Its scope.
    pub scope: String,
    /// Its memories: `global -> shared`.
    pub way: String,
    /// The variant that did it.
    pub variant: String,
    /// Whether it was a `tile.copy_async`.
    pub asynchronous: bool,
    /// Its kinds.
    pub kinds: Vec<String>,
    /// The most threads that did it together; 0 if none reached it.
    pub most: usize,
}

/// The outcome of a program from which something was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// What was removed.
    pub missing: String,
    /// The report of the simulator.
    pub noticed: Option<String>,
}

/// All results for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its number.
    pub number: u64,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its copies.
    pub copies: Vec<Done>,
    /// Its features.
    pub features: BTreeSet<String>,
    /// The outcome of its twin, if it has one.
    pub twin: Option<Twin>,
    /// Whether `--tile-check-sync` accepts it without some of its barriers.
    pub fewer_barriers: Option<bool>,
}

/// Documented causes of a refusal: those that docs/remarks.md lists, and those that occur when a copy is read.
pub fn documented() -> BTreeSet<&'static str> {
    let page = include_str!("../../../../docs/remarks.md");
    let declines = page.split_once("\n## Declines\n").map_or("", |(_, rest)| rest);
    let first = |line: &'static str| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name);
    declines.lines().filter_map(first).chain(found_in_reading()).collect()
}

/// Compiles, executes and compares a program.
pub fn judge(compiler: &Compiler, program: &Program, number: u64) -> Verdict {
    let text = Text::of(program);
    let (copies, features) = (Vec::new(), features::of(program));
    let mut verdict = Verdict { number, outcome: Outcome::Right, copies, features, twin: None, fewer_barriers: None };
    let meaning = match Machine::run(program) {
        Ok(machine) => machine,
        Err(flaw) => {
            verdict.outcome = must_refuse(compiler, &text, flaw);
            return verdict;
        }
    };
    match compiler.compile(&text) {
        Compiled::Ptx(ptx, variants) => {
            verdict.copies = done(program, &variants, &meaning.reached);
            if let Err(finding) = compared(compiler, program, &ptx, &meaning, number) {
                verdict.outcome = finding;
                return verdict;
            }
            match with_fewer_barriers_of(compiler, program, &meaning, number) {
                Ok(accepted) => verdict.fewer_barriers = accepted,
                Err(finding) => verdict.outcome = finding,
            }
            if number.is_multiple_of(2) {
                verdict.twin = twin_of(compiler, program, number, &variants);
            } else if number % 4 == 1 {
                verdict.twin = skewed_of(compiler, program, number);
            }
        }
        refused => verdict.outcome = refusal(refused),
    }
    verdict
}

/// Whether `--tile-check-sync` accepts the program without some of its barriers. What it accepts must run as the program does.
fn with_fewer_barriers_of(
    compiler: &Compiler,
    program: &Program,
    meaning: &Machine,
    number: u64,
) -> Result<Option<bool>, Outcome> {
    let fewer = with_fewer_barriers(program, &mut Rng::new(number, 3));
    let text = Text::of(&fewer);
    if !compiler.is_ordered(&text) {
        return Ok(Some(false));
    }
    let Compiled::Ptx(ptx, _) = compiler.compile(&text) else { return Ok(None) };
    let accepted = |wrong| match wrong {
        Outcome::Finding(kind, what) => {
            finding(&format!("accepted by the check: {kind}"), format!("{what}\n{}", text.text))
        }
        other => other,
    };
    compared(compiler, &fewer, &ptx, meaning, number).map(|()| Some(true)).map_err(accepted)
}

fn finding(kind: &str, what: impl Into<String>) -> Outcome {
    Outcome::Finding(kind.to_owned(), what.into())
}

/// Checks that a program was refused for documented reasons.
fn refusal(compiled: Compiled) -> Outcome {
    match compiled {
        Compiled::Refused(causes, message) => {
            let known = documented();
            match causes.iter().find(|cause| !known.contains(cause.as_str())) {
                Some(cause) => finding("undocumented refusal", format!("{cause}: {message}")),
                None => Outcome::Refused(causes),
            }
        }
        Compiled::Failed(why) => finding("not compiled", why),
        Compiled::Ptx(..) => Outcome::Right,
    }
}

/// Checks that a program without a meaning is not accepted.
fn must_refuse(compiler: &Compiler, text: &Text, flaw: Flaw) -> Outcome {
    match compiler.compile(text) {
        Compiled::Ptx(..) => finding("accepted a program without a meaning", format!("the program {flaw}")),
        refused => refusal(refused),
    }
}

/// The schedules of a program; the third depends on its number.
fn schedules(number: u64) -> [Schedule; 3] {
    let third = if number.is_multiple_of(2) { Schedule::OneBlockAtATime } else { Schedule::Random(number ^ 0x5bd1) };
    [Schedule::Fair, Schedule::Reversed, third]
}

/// Whether LLVM merges narrow loads without stating which bytes are used, which it cannot state before PTX 8.3. The
/// other bytes may be ones that no thread has written, or that other threads are writing.
fn reads_too_much(program: &Program) -> bool {
    program.chip == "sm_80"
}

/// Whether a fault may be due to bytes that are loaded but not used.
fn may_be_unused(wrong: &Result<(), RunError>) -> bool {
    matches!(wrong, Err(RunError::Fault(FaultKind::Uninitialized | FaultKind::Race, _)))
}

/// Runs a program that has such a fault again. Its results must be correct, and with PTX that states which bytes are
/// used there must be no fault at all.
fn used_bytes(
    compiler: &Compiler,
    program: &Program,
    (module, schedule): (&Module, Schedule),
    before: &Machine,
    meaning: &Machine,
) -> Result<(), RunError> {
    execute::run_unchecked(program, module, schedule, before, meaning)?;
    match compiler.compile_saying_used_bytes(&Text::of(program)) {
        Compiled::Ptx(ptx, _) => {
            let module = Module::parse(&ptx).map_err(|error| RunError::Launch(error.to_string()))?;
            execute::run(program, &module, schedule, before, meaning)
        }
        Compiled::Refused(_, why) | Compiled::Failed(why) => Err(RunError::Launch(format!("with PTX 8.3: {why}"))),
    }
}

fn compared(compiler: &Compiler, program: &Program, ptx: &str, meaning: &Machine, number: u64) -> Result<(), Outcome> {
    let module = Module::parse(ptx).map_err(|error| finding("PTX not understood", error.to_string()))?;
    let before = Machine::new(program);
    schedules(number).into_iter().try_for_each(|schedule| {
        let ran = match execute::run(program, &module, schedule, &before, meaning) {
            wrong if may_be_unused(&wrong) && reads_too_much(program) => {
                used_bytes(compiler, program, (&module, schedule), &before, meaning)
            }
            other => other,
        };
        ran.map_err(|wrong| match wrong {
            RunError::Launch(why) => finding("not launched", why),
            RunError::Fault(kind, what) => finding(&kind.to_string(), what),
            RunError::Memory(what) => finding("wrong elements", what),
        })
    })
}

fn done(program: &Program, variants: &BTreeMap<usize, String>, reached: &[Reached]) -> Vec<Done> {
    let one = |copy: &Copy| {
        let space = |buffer: usize| program.buffers[buffer].space.name();
        let mut kinds: Vec<String> = features::kinds(program, copy).into_iter().map(str::to_owned).collect();
        let partial = reached.get(copy.id).is_some_and(|reached| reached.partial);
        kinds.extend(partial.then(|| features::KINDS[features::KINDS.len() - 1].to_owned()));
        Done {
            kinds,
            scope: copy.scope.name().to_owned(),
            way: format!("{} -> {}", space(copy.src.buffer), space(copy.dst.buffer)),
            variant: variants.get(&copy.id).cloned().unwrap_or_else(|| "erased".to_owned()),
            asynchronous: copy.issue.is_some(),
            most: reached.get(copy.id).map_or(0, |reached| reached.most),
        }
    };
    copies(&program.body).into_iter().map(one).collect()
}

/// The program with a region whose start differs between the threads of a scope: it must be refused.
fn skewed_of(compiler: &Compiler, program: &Program, number: u64) -> Option<Twin> {
    let skewed = skewed(program, &mut Rng::new(number, 2))?;
    let noticed = match compiler.compile(&Text::of(&skewed)) {
        Compiled::Ptx(..) => None,
        Compiled::Refused(causes, _) => Some(causes.join(", ")),
        Compiled::Failed(_) => Some("an error".to_owned()),
    };
    Some(Twin { missing: "common begin".to_owned(), noticed })
}

/// The variants that go through shared memory, between barriers.
const WITH_BARRIERS: [&str; 4] = ["realign", "realign_reg", "scratch", "transpose"];

/// The program without a barrier, or without a wait for a `cp.async`: the simulator must notice.
fn twin_of(compiler: &Compiler, program: &Program, number: u64, variants: &BTreeMap<usize, String>) -> Option<Twin> {
    let in_flight = variants.values().any(|name| name == "ldgsts");
    let missing = if in_flight && number.is_multiple_of(4) { Missing::Wait } else { Missing::Barrier };
    let became = |names: &[&str]| -> BTreeSet<usize> {
        variants.iter().filter(|(_, name)| names.contains(&name.as_str())).map(|(&copy, _)| copy).collect()
    };
    let (asynchronous, with_barriers) = (became(&["ldgsts"]), became(&WITH_BARRIERS));
    let numbers = copies(&program.body).into_iter().map(|copy| copy.id);
    let compiled =
        CompiledCopies { at_once: numbers.filter(|copy| !asynchronous.contains(copy)).collect(), with_barriers };
    let broken = twin(program, &mut Rng::new(number, 1), missing, &compiled)?;
    let Compiled::Ptx(ptx, _) = compiler.compile(&Text::of(&broken)) else { return None };
    let module = Module::parse(&ptx).ok()?;
    let (before, meaning) = (Machine::new(program), Machine::run(program).ok()?);
    let noticed = schedules(number).into_iter().find_map(|schedule| {
        match execute::run(&broken, &module, schedule, &before, &meaning) {
            Err(RunError::Fault(kind, _)) => Some(kind.to_string()),
            _ => None,
        }
    });
    let name = if missing == Missing::Wait { "wait" } else { "barrier" };
    Some(Twin { missing: name.to_owned(), noticed })
}
