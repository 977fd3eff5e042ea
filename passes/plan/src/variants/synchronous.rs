//! An asynchronous copy that asked for nothing that only an asynchronous one has: done at once.

use crate::asynchronous::Completion;
use crate::plan::{Aligned, Decline, Refusal};
use crate::problem::{Problem, Space, Which};
use crate::require::only_wishes;
use crate::select::{SelectError, select};
use crate::target::Target;
use crate::variants::Variant;

/// Whatever a synchronous copy would be, by a variant that may be chosen. The caller's commit and wait stay right: there
/// is nothing left to wait for.
///
/// A `cp.async` group that the copy was to close must still be closed, empty, because the caller counts groups.
pub(crate) struct Synchronous;

impl Variant for Synchronous {
    fn name(&self) -> &'static str {
        "synchronous"
    }

    fn priority(&self) -> u32 {
        0
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<Aligned, Refusal> {
    for which in [Which::Src, Which::Dst] {
        if problem.operand(which).space == Space::Tmem {
            let reason = "loads and stores do not reach tensor memory; needed global, shared or local";
            return Err(Refusal::of(which, "tensor-memory", reason));
        }
    }
    only_wishes(problem, &["group"])?;
    let group = problem.asynchronous.as_ref().is_some_and(|wishes| wishes.completion == Completion::Group);
    if group && !target.has_cp_async() {
        let reason = format!("a cp.async group needs sm_80 or later; got {target}");
        return Err(Refusal::new("chip-lacks-cp-async", reason));
    }
    let at_once = Problem { asynchronous: None, forced: None, ..problem.clone() };
    match select(&at_once, target) {
        Ok((aligned, _)) => Ok(aligned),
        Err(error) => Err(nobody(error)),
    }
}

/// The declines of the synchronous variants, in one.
fn nobody(error: SelectError) -> Refusal {
    let reason = match error {
        SelectError::Declined { declines } => {
            let each: Vec<String> = declines.iter().map(ToString::to_string).collect();
            format!("no synchronous variant takes the copy: {}", each.join("; "))
        }
        unknown => unknown.to_string(),
    };
    Refusal::new("no-synchronous-variant", reason)
}
