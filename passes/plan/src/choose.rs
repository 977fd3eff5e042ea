//! The chooser: tries the rules for a problem by priority, and keeps the reasons of those that decline.
//!
//! Copies and fills are planned by [variants](crate::families), scans by [strategies](crate::scan::strategies); both are
//! rules of this chooser. The passes make each rule a rewrite pattern whose benefit is the priority, and ask the same
//! questions ([`is_tried`], [`ask`]); [`choose`] serves tests, embedders without a pattern driver, and plans that are made
//! of other plans.

use std::cmp::Reverse;

use thiserror::Error;

use crate::problem::refusal::{Decline, Refusal};
use crate::target::Target;

/// What messages call an op and the rules for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpWords {
    /// The op's name: `tile.copy`.
    pub name: &'static str,
    /// One of its rules: `variant`.
    pub rule: &'static str,
    /// Several of them: `variants`.
    pub rules: &'static str,
}

/// A problem for which rules are tried.
pub trait Plannable {
    /// What a rule makes of it.
    type Plan;

    /// The op to be planned.
    fn op(&self) -> OpWords;

    /// The name of the only rule that may be chosen.
    fn forced(&self) -> Option<&str>;

    /// The names of the rules that may be chosen; `None` allows all.
    fn allowed(&self) -> Option<&[String]> {
        None
    }

    /// Accepts a plan that does all that the problem requests. Rules that know nothing of a request decline by this
    /// check.
    ///
    /// # Errors
    /// The request that the plan does not honour.
    fn accept(&self, plan: Self::Plan) -> Result<Self::Plan, Refusal> {
        Ok(plan)
    }
}

/// A rule that plans a problem or declines it.
pub trait Rule<P: Plannable>: Sync {
    /// Its name, by which it can also be forced.
    fn name(&self) -> &'static str;

    /// Rules of higher priority are tried first; ties keep the order of the registry.
    fn priority(&self) -> u32;

    /// Whether it is tried only when named.
    fn only_when_forced(&self) -> bool {
        false
    }

    /// The plan.
    ///
    /// # Errors
    /// Why this rule does not take the problem: the first cause found.
    fn plan(&self, problem: &P, target: &Target) -> Result<P::Plan, Refusal>;
}

/// Why no rule took a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectError {
    /// A forced rule that does not exist.
    #[error("{}: no {} named '{name}'; known {}: {known}", .op.name, .op.rule, .op.rules)]
    UnknownRule {
        /// The op to be planned.
        op: OpWords,
        /// The name as written.
        name: String,
        /// The names of the rules that exist for such a problem.
        known: String,
    },
    /// Every rule that was tried declined.
    #[error("no {} takes {}{}", .op.rule, .op.name, list(.declines))]
    Declined {
        /// The op to be planned.
        op: OpWords,
        /// The declines, in the order in which the rules were tried.
        declines: Vec<Decline>,
    },
}

impl SelectError {
    /// The declines of the rules that were tried.
    pub fn into_declines(self) -> Vec<Decline> {
        match self {
            SelectError::Declined { declines, .. } => declines,
            SelectError::UnknownRule { .. } => Vec::new(),
        }
    }
}

fn list(declines: &[Decline]) -> String {
    declines.iter().map(|decline| format!("\n  {decline}")).collect()
}

/// Whether the rule is tried: a problem that names a rule is left to that one.
pub fn is_tried<P: Plannable>(rule: &(impl Rule<P> + ?Sized), problem: &P) -> bool {
    problem.forced().map_or(!rule.only_when_forced(), |name| name == rule.name())
}

/// The rule's plan, if the rule is allowed and takes the problem.
///
/// # Errors
/// `variant-not-allowed`, or why the rule does not take the problem.
pub fn ask<P: Plannable>(rule: &(impl Rule<P> + ?Sized), problem: &P, target: &Target) -> Result<P::Plan, Decline> {
    let planned = match problem.allowed() {
        Some(allowed) if !allowed.iter().any(|name| name == rule.name()) => {
            let reason = format!("the pass option 'variants' does not allow it; allowed: {}", allowed.join(", "));
            Err(Refusal::new("variant-not-allowed", reason))
        }
        _ => rule.plan(problem, target).and_then(|plan| problem.accept(plan)),
    };
    planned.map_err(|refusal| refusal.by(rule.name()))
}

/// A plan, the rule that made it, and the declines of those that were tried before.
pub struct Chosen<P: Plannable, R: ?Sized + 'static> {
    /// The plan.
    pub plan: P::Plan,
    /// The rule.
    pub rule: &'static R,
    /// The declines, in the order in which the rules were tried.
    pub declines: Vec<Decline>,
}

/// The plan of the first of `rules` that takes the problem.
///
/// # Errors
/// An unknown forced rule, or the declines of all.
pub fn choose<P: Plannable, R: Rule<P> + ?Sized>(
    rules: &[&'static R],
    problem: &P,
    target: &Target,
) -> Result<Chosen<P, R>, SelectError> {
    if let Some(name) = problem.forced().filter(|name| rules.iter().all(|rule| rule.name() != *name)) {
        let known = rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", ");
        return Err(SelectError::UnknownRule { op: problem.op(), name: name.to_owned(), known });
    }
    let mut tried: Vec<&'static R> = rules.iter().copied().filter(|rule| is_tried(*rule, problem)).collect();
    tried.sort_by_key(|rule| Reverse(rule.priority()));
    let mut declines = Vec::new();
    for rule in tried {
        match ask(rule, problem, target) {
            Ok(plan) => return Ok(Chosen { plan, rule, declines }),
            Err(decline) => declines.push(decline),
        }
    }
    Err(SelectError::Declined { op: problem.op(), declines })
}
