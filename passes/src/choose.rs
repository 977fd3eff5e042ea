//! The planner's rules as rewrite patterns: each rule is one pattern, with its priority as its benefit.
//!
//! ```text
//!   op ──read──▶ problem ──pattern of each rule, by benefit──▶ plan ──write──▶ ops
//!                             │ declines                       the reasons of those tried before: remarks
//!                             ▼
//!                          none left: an error at the op, with a note for each reason
//! ```
//! Copies, fills and scans are read and written differently ([`PlanRequest`]); everything between is this chooser.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::pattern::PatternSet;
use tile_plan::choose::{Plannable, Rule};
use tile_plan::problem::refusal::Decline;
use tile_plan::target::Target;
use tile_plan::variants::{ask, is_tried};

use crate::read::Unreadable;
use crate::report::Subject;
use crate::walk;

/// Ops that a plan replaces.
pub(crate) trait PlanRequest {
    /// What the planner is asked.
    type Problem: Plannable;
    /// The problem, with what is needed to write its plan.
    type Reading;

    /// What remarks and errors call the ops and the rules.
    const SUBJECT: Subject;

    /// Reads an op, once.
    ///
    /// # Errors
    /// Why the op, where it stands, poses no problem.
    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<Self::Reading, Unreadable<'c>>;

    /// The problem, and the chip to plan for.
    fn problem(reading: &Self::Reading) -> (&Self::Problem, &Target);

    /// Whether no thread executes the op, which is then erased.
    fn is_unreached(_reading: &Self::Reading) -> bool {
        false
    }

    /// Replaces the op by what its plan becomes, and reports the choice; `false` after an error at the op.
    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, Self::Problem, Self::Reading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool;
}

/// The plan of an op.
pub(crate) struct Choice<'r, P: Plannable, R> {
    /// The rule that made it.
    pub rule: &'static str,
    /// The plan.
    pub plan: P::Plan,
    /// The op as it was read.
    pub reading: &'r R,
    /// The declines of the rules that were tried before.
    pub declines: &'r [Decline],
}

/// The rules for the ops of one name.
pub(crate) struct Rules<R: ?Sized + 'static> {
    /// The op.
    pub op: &'static str,
    /// Its rules.
    pub rules: &'static [&'static R],
    /// The ops that a plan becomes.
    pub makes: &'static [&'static str],
}

/// What is known of an op that no rule has taken yet.
struct PendingOp<R> {
    /// `None` after an error at the op.
    reading: Option<Rc<R>>,
    declines: Vec<Decline>,
}

/// The state that the patterns of one walk share.
struct Chooser<'q, Q: PlanRequest> {
    request: &'q Q,
    /// By the address of the op.
    open: RefCell<FxHashMap<usize, PendingOp<Q::Reading>>>,
}

/// Replaces all ops below the root by the plans of their rules; `false`, after errors, when one is left.
pub(crate) fn replace_all<Q, R>(ir: &mut Ir<'_>, request: &Q, all: &[Rules<R>]) -> bool
where
    Q: PlanRequest,
    R: Rule<Q::Problem> + ?Sized,
{
    let panicked = Cell::new(false);
    let chooser = Chooser { request, open: RefCell::default() };
    let mut patterns = PatternSet::new(ir, &panicked);
    for rules in all {
        for &rule in rules.rules {
            let chooser = &chooser;
            patterns.add(rules.op, benefit(rule), rules.makes, move |op, rewriter| chooser.attempt(rule, op, rewriter));
        }
    }
    patterns.walk();
    let is_one = |name: &str| all.iter().any(|rules| rules.op == name);
    let rewriter = ir.rewriter();
    let complete = walk::matching(ir.root(), is_one).into_iter().fold(true, |complete, op| {
        let known = all.iter().find(|rules| rules.op == crate::read::name(op));
        let names = known.into_iter().flat_map(|rules| rules.rules.iter().map(|rule| rule.name())).collect();
        chooser.left(rewriter, op, names) && complete
    });
    complete && !panicked.get()
}

/// Replaces an op by the plan of one rule, as a pattern that keeps nothing between two ops: the driver knows which rules have
/// declined before.
///
/// # Errors
/// Why the rule does not take the op.
pub(crate) fn take<'c: 'a, 'a, Q: PlanRequest, R: Rule<Q::Problem> + ?Sized>(
    request: &Q,
    rule: &'static R,
    op: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Result<(), String> {
    let reading = request.read(op).map_err(|unreadable| unreadable.reason)?;
    if Q::is_unreached(&reading) {
        Q::SUBJECT.erase_unreached(op, rewriter);
        return Ok(());
    }
    let (problem, target) = Q::problem(&reading);
    if !is_tried(rule, problem) {
        return Err(format!("the op does not request this {}", Q::SUBJECT.rule));
    }
    let plan = ask(rule, problem, target).map_err(|decline| decline.to_string())?;
    let choice = Choice { rule: rule.name(), plan, reading: &reading, declines: &[] };
    if request.write(op, choice, rewriter) { Ok(()) } else { Err("its plan makes no op".to_owned()) }
}

/// The benefit of a rule's pattern.
pub(crate) fn benefit<P: Plannable>(rule: &(impl Rule<P> + ?Sized)) -> u16 {
    u16::try_from(rule.priority()).unwrap_or(u16::MAX)
}

impl<Q: PlanRequest> Chooser<'_, Q> {
    /// One rule's pattern.
    fn attempt<'c: 'a, 'a, R: Rule<Q::Problem> + ?Sized>(
        &self,
        rule: &'static R,
        op: OperationRef<'c, 'a>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let key = walk::key(op);
        let Some(reading) = self.reading(key, op) else { return false };
        if Q::is_unreached(&reading) {
            self.open.borrow_mut().remove(&key);
            Q::SUBJECT.erase_unreached(op, rewriter);
            return true;
        }
        let (problem, target) = Q::problem(&reading);
        if !is_tried(rule, problem) {
            return false;
        }
        match ask(rule, problem, target) {
            Ok(plan) => self.accept(op, (rule.name(), plan), &reading, rewriter),
            Err(decline) => {
                if let Some(attempt) = self.open.borrow_mut().get_mut(&key) {
                    attempt.declines.push(decline);
                }
                false
            }
        }
    }

    fn reading<'c: 'a, 'a>(&self, key: usize, op: OperationRef<'c, 'a>) -> Option<Rc<Q::Reading>> {
        if let Some(attempt) = self.open.borrow().get(&key) {
            return attempt.reading.clone();
        }
        let reading = self.request.read(op).map_err(|unreadable| unreadable.emit(op)).ok().map(Rc::new);
        self.open.borrow_mut().insert(key, PendingOp { reading: reading.clone(), declines: Vec::new() });
        reading
    }

    fn accept<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        (rule, plan): (&'static str, <Q::Problem as Plannable>::Plan),
        reading: &Q::Reading,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let key = walk::key(op);
        let Some(PendingOp { declines, .. }) = self.open.borrow_mut().remove(&key) else { return false };
        let written = self.request.write(op, Choice { rule, plan, reading, declines: &declines }, rewriter);
        if !written {
            self.open.borrow_mut().insert(key, PendingOp { reading: None, declines });
        }
        written
    }

    /// Handles an op that no rule took: an error, unless it stands in a block that nothing jumps to, which patterns do
    /// not visit. No thread executes such an op.
    fn left<'c, 'a>(&self, rewriter: Rewriter<'c, 'a>, op: OperationRef<'c, 'a>, known: Vec<&'static str>) -> bool {
        let open = self.open.borrow();
        let Some(attempt) = open.get(&walk::key(op)) else {
            rewriter.erase(op);
            return true;
        };
        // Without a reading, the error has been reported already.
        if let Some(reading) = &attempt.reading {
            let forced = Q::problem(reading).0.forced();
            match forced.filter(|name| !known.contains(name)) {
                Some(name) => {
                    if let Err(reason) = tile_isa::words::one_of(Q::SUBJECT.rule, name, known) {
                        Diagnostic::error(reason.to_string()).emit(op);
                    }
                }
                None => {
                    Q::SUBJECT.declined(op, &attempt.declines);
                    Q::SUBJECT.refused(op, forced, &attempt.declines);
                }
            }
        }
        false
    }
}
