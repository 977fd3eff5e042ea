//! Judges whether a case passes.

mod assemble;
mod issued;
mod ptx;
mod recorded;

pub use assemble::Assembler;

use std::fmt;

use tile_dialect::guard;

use crate::case::{Case, Expect, View, Wanted};
use crate::evaluate::evaluate;
use crate::execute::execute;
use crate::kernel::{Kernel, kernel};
use crate::lower::{Compiler, LoweredPlan, Lowering, Said, Severity};

/// The group of copies that are refused.
pub const REFUSED: &str = "refused";

const LOST: &str = "lost";

/// The verdict on one case.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The case.
    pub id: String,
    /// The variant that was recorded; if none was, the one that accepted the copy, or [`REFUSED`].
    pub group: String,
    /// All mismatches; empty if the case passes.
    pub mismatches: Vec<Mismatch>,
    /// The outcome of the copy, in one line.
    pub outcome: String,
    /// What one access of a thread moves: `128 bits`, `4 matrices`; empty if the copy was refused.
    pub access: String,
    /// The compiler's diagnostics.
    pub heard: Vec<Said>,
}

/// A difference from the expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The quantity that differs.
    pub what: String,
    /// Its actual value.
    pub got: String,
    /// Its expected value.
    pub expected: String,
}

impl Mismatch {
    /// A mismatch: `what` is `got` instead of `expected`.
    pub fn new(what: impl Into<String>, got: impl fmt::Display, expected: impl fmt::Display) -> Self {
        Mismatch { what: what.into(), got: got.to_string(), expected: expected.to_string() }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: got {}, expected {}", self.what, self.got, self.expected)
    }
}

/// Lowers a case and judges the result; with an assembler, also whether the program assembles.
pub fn judge(case: &Case, compiler: &Compiler, assembler: Option<&Assembler>) -> Verdict {
    let kernel = kernel(case);
    let lowering = compiler.lower(&kernel, |_, _| {});
    let mut judged = guard::quiet(|| match &lowering {
        Lowering::Refused { stage, heard } => refused(case, &kernel, stage, heard),
        Lowering::Lost { stage, why, .. } => vec![Mismatch::new("lowering", format!("{why} ({stage})"), "a program")],
        Lowering::Lowered { plan, ptx, .. } => {
            let mut mismatches = lowered(case, plan, ptx, compiler);
            mismatches.extend(assembler.iter().filter_map(|assembler| assembler.objection(&case.chip, ptx)));
            mismatches
        }
    });
    if let (Some(forced), Ok(mismatches)) = (left_to_fallback(case, &lowering), &mut judged) {
        mismatches.extend(judge(&forced, compiler, assembler).mismatches);
    }
    let (taken, outcome, access, heard) = match lowering {
        Lowering::Refused { stage, heard } => (REFUSED, format!("{REFUSED} by {stage}"), String::new(), heard),
        Lowering::Lost { stage, heard, .. } => (LOST, format!("{LOST} by {stage}"), String::new(), heard),
        Lowering::Lowered { plan, heard, .. } => {
            (plan.variant(), recorded::describe(&plan), recorded::access(&plan), heard)
        }
    };
    Verdict {
        id: case.id.clone(),
        group: group(case, taken),
        mismatches: judged.unwrap_or_else(|panic| vec![Mismatch::new("check", panic, "no panic")]),
        outcome,
        access,
        heard,
    }
}

/// For a copy that was recorded with one thread and is now done by several: the same case with that variant named,
/// which must match the recording.
fn left_to_fallback(case: &Case, lowering: &Lowering) -> Option<Case> {
    let Lowering::Lowered { plan, .. } = lowering else { return None };
    let expect = recorded(case)?;
    let one_thread = expect.variant.as_deref() == Some("fallback") && case.forced.is_none();
    let forced = Some("fallback".to_owned());
    (one_thread && recorded::shares_otherwise(expect, plan)).then(|| Case { forced, ..case.clone() })
}

/// The group in which the case is counted.
fn group(case: &Case, taken: &str) -> String {
    match &case.wanted {
        Wanted::Same(expect) => expect.variant.clone().unwrap_or_else(|| REFUSED.to_owned()),
        Wanted::Right => taken.to_owned(),
    }
}

/// A refusal is correct if one was recorded or is allowed, and if it gives a reason at the copy or at one of its
/// buffers.
fn refused(case: &Case, kernel: &Kernel, stage: &str, messages: &[Said]) -> Vec<Mismatch> {
    let errors: Vec<&Said> = messages.iter().filter(|message| message.severity == Severity::Error).collect();
    let mut mismatches = Vec::new();
    if let Wanted::Same(expect) = &case.wanted
        && let Some(variant) = &expect.variant
    {
        let why = errors.first().map_or_else(|| "no reason".to_owned(), ToString::to_string);
        mismatches.push(Mismatch::new("variant", format!("a refusal by {stage} ({why})"), variant));
    }
    let located = |message: &&&Said| message.line.is_some_and(|line| kernel.own_lines.contains(&line));
    // The ops that fill or drain a buffer may be refused for the same reason, an unknown chip.
    let reasons: Vec<&str> = errors.iter().filter(located).map(|message| reason(message)).collect();
    if errors.is_empty() || !errors.iter().all(|message| reasons.contains(&reason(message))) {
        let got = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let got = if got.is_empty() { "no error".to_owned() } else { got };
        let expected = format!("errors at the copy (line {}) or at its buffers", kernel.copy_line);
        mismatches.push(Mismatch::new("refusal", got, expected));
    }
    mismatches
}

/// The text of an error without the name of its op.
fn reason(message: &Said) -> &str {
    message.text.split_once("' op ").map_or(message.text.as_str(), |(_, reason)| reason)
}

fn lowered(case: &Case, plan: &LoweredPlan, ptx: &str, compiler: &Compiler) -> Vec<Mismatch> {
    let mut mismatches = match &case.wanted {
        Wanted::Right => Vec::new(),
        Wanted::Same(expect) => recorded::compare(case, expect, plan, ptx),
    };
    // The plan contains neither the effect of a mask nor run-time values; such cases are checked by execution alone.
    let masked = !case.wording.margins.is_empty();
    let open = [&case.src, &case.dst].into_iter().any(|side| !side.open.is_empty());
    let cast = case.wording.views.iter().flatten().any(|view| *view == View::Cast);
    if let (false, Err(fault)) = (masked || open || cast, evaluate(case, plan)) {
        mismatches.push(Mismatch::new("elements", fault, "exactly the region moved"));
    }
    match execute(case, plan, compiler) {
        Ok(_) if masked => {}
        Ok(report) => mismatches.extend(issued::instructions(case, recorded(case), plan, &report)),
        Err(wrong) => mismatches.push(Mismatch::new("execution", wrong, "exactly the region moved")),
    }
    mismatches
}

/// The recording, if it must be reproduced.
fn recorded(case: &Case) -> Option<&Expect> {
    match &case.wanted {
        Wanted::Same(expect) => Some(expect),
        Wanted::Right => None,
    }
}
