//! `--tile-align-layouts`: each variant is one rewrite pattern of `tile.copy`, of `tile.copy_async` or of `tile.fill`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_dialect::pattern::{Match, PatternSet};
use tile_plan::variants::{self, Variant};
use tile_plan::{Active, Aligned, Decline, Request};

use crate::edges;
use crate::families;
use crate::options::Options;
use crate::pipeline;
use crate::read::problem::{Reader, Reading};
use crate::read::{calls, name};
use crate::report;
use tile_ops::Builder;

/// The findings of the patterns about one copy.
struct Attempt {
    reading: Option<Rc<Reading>>,
    declines: Vec<Decline>,
}

/// The state that the patterns share.
struct Align<'o> {
    reader: Reader<'o>,
    /// Copies that no variant has taken yet, by the address of their op.
    open: RefCell<FxHashMap<usize, Attempt>>,
    /// Whether a plan has become copies, for which variants are chosen in turn.
    made_copies: Cell<bool>,
}

/// Replaces every `tile.copy`, `tile.copy_async` and `tile.fill` below the root; `false`, after errors, when one is left.
pub fn run(ir: &mut Ir<'_>, options: &Options) -> bool {
    pipeline::warn_left(ir.root());
    let panicked = Cell::new(false);
    let state = Align { reader: Reader::new(options), open: RefCell::default(), made_copies: Cell::default() };
    let disagreeing = calls::disagreeing(ir.root(), &state.reader);
    let agreed = disagreeing.is_empty();
    disagreeing.into_iter().for_each(|(call, unreadable)| unreadable.emit(call));
    let split = edges::split(ir, &state.reader);
    state.walk(ir, &panicked);
    while state.made_copies.take() {
        state.open.borrow_mut().values_mut().for_each(|attempt| attempt.declines.clear());
        state.walk(ir, &panicked);
    }
    let left = crate::walk::matching(ir.root(), CopyOp::is_name);
    let complete = left.into_iter().fold(true, |complete, op| {
        let unreachable = !state.was_visited(op);
        let known = unknown_variant(op).map(|error| error.emit(op)).is_none();
        if unreachable && known {
            // The walk skips blocks that nothing jumps to: no thread executes the copy.
            ir.rewriter().erase(op);
        } else if known {
            state.refuse(op);
        }
        complete && unreachable && known
    });
    complete && agreed && split && !panicked.get()
}

impl Align<'_> {
    /// Tries all variants at each copy.
    fn walk(&self, ir: &mut Ir<'_>, panicked: &Cell<bool>) {
        let mut patterns = PatternSet::new(ir, panicked);
        for request in Request::ALL {
            for &variant in variants::of(request) {
                let benefit = u16::try_from(variant.priority()).unwrap_or(u16::MAX);
                patterns.add(request.op(), benefit, &families::MADE, move |op, rewriter| {
                    self.attempt(variant, op, rewriter)
                });
            }
        }
        patterns.walk();
    }

    /// One variant's pattern.
    fn attempt<'c, 'a>(
        &self,
        variant: &'static dyn Variant,
        op: OperationRef<'c, 'a>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let key = op.to_raw().ptr as usize;
        let Some(reading) = self.reading(key, op) else { return false };
        match ask(variant, &reading) {
            Answer::Unreached => {
                self.open.borrow_mut().remove(&key);
                erase_unreached(op, rewriter);
                true
            }
            Answer::NotAsked => false,
            Answer::Plan(plan) => self.accept(key, CopyOp(op), variant, (&plan, &reading), rewriter),
            Answer::Declined(decline) => {
                if let Some(attempt) = self.open.borrow_mut().get_mut(&key) {
                    attempt.declines.push(decline);
                }
                false
            }
        }
    }

    /// The problem that the op poses, read once; an error at the op if it poses none.
    fn reading(&self, key: usize, op: OperationRef<'_, '_>) -> Option<Rc<Reading>> {
        if let Some(attempt) = self.open.borrow().get(&key) {
            return attempt.reading.clone();
        }
        let reading = match self.reader.read(CopyOp(op)) {
            Ok(reading) => Some(Rc::new(reading)),
            Err(unreadable) => {
                unreadable.emit(op);
                None
            }
        };
        let attempt = Attempt { reading: reading.clone(), declines: Vec::new() };
        self.open.borrow_mut().insert(key, attempt);
        reading
    }

    fn accept<'c, 'a>(
        &self,
        key: usize,
        copy: CopyOp<'c, 'a>,
        variant: &'static dyn Variant,
        (plan, reading): (&Aligned, &Reading),
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let declines = self.open.borrow().get(&key).map(|attempt| attempt.declines.clone()).unwrap_or_default();
        let written = replace(copy, variant, (plan, reading), &declines, rewriter);
        if written {
            self.open.borrow_mut().remove(&key);
            let makes = families::of(plan).is_some_and(|family| family.makes_copies(plan));
            self.made_copies.set(makes || self.made_copies.get());
        }
        written
    }

    fn was_visited(&self, op: OperationRef<'_, '_>) -> bool {
        self.open.borrow().contains_key(&(op.to_raw().ptr as usize))
    }

    /// Reports a copy that no variant took.
    fn refuse(&self, op: OperationRef<'_, '_>) {
        let open = self.open.borrow();
        // Without a reading, the error has been emitted already.
        let Some((attempt, reading)) =
            open.get(&(op.to_raw().ptr as usize)).and_then(|attempt| Some((attempt, attempt.reading.as_ref()?)))
        else {
            return;
        };
        report::declined(op, &attempt.declines);
        report::refused(op, reading.problem.forced.as_deref(), &attempt.declines);
    }
}

/// A variant's answer to a copy.
enum Answer {
    /// No thread reaches the copy.
    Unreached,
    /// The copy names another variant, or the variant takes only copies that name it.
    NotAsked,
    Declined(Decline),
    Plan(Box<Aligned>),
}

fn ask(variant: &'static dyn Variant, reading: &Reading) -> Answer {
    if matches!(&reading.problem.threads.active, Active::Known(threads) if threads.is_empty()) {
        return Answer::Unreached;
    }
    let forced = reading.problem.forced.as_deref();
    if forced.map_or(variant.only_when_forced(), |name| name != variant.name()) {
        return Answer::NotAsked;
    }
    variants::ask(variant, &reading.problem, &reading.target)
        .map_or_else(Answer::Declined, |plan| Answer::Plan(Box::new(plan)))
}

/// The completion of the copy is dropped with it: a group that is never committed is no group.
fn erase_unreached<'c, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    report::unreached(op);
    rewriter.erase(op);
}

/// Replaces a copy by the ops of its plan, and reports what was decided; `false` after an error at the copy. `declines` are
/// those of the variants that were tried before.
fn replace<'c, 'a>(
    copy: CopyOp<'c, 'a>,
    variant: &'static dyn Variant,
    (plan, reading): (&Aligned, &Reading),
    declines: &[Decline],
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let builder = Builder::before(rewriter, copy.0);
    let Some(family) = families::of(plan) else { return false };
    if family.build(builder, copy, plan).is_none() {
        return false;
    }
    families::complete(family, builder, copy);
    if let Some(issuers) = reading.issuers.filter(|&issuers| issuers > 1 && family.is_issued_whole()) {
        report::issued_by_many(copy.0, issuers);
    }
    report::declined(copy.0, declines);
    if variant.name() != plan.variant() {
        report::done_by(copy.0, variant.name(), plan);
    }
    family.took(copy.0, plan);
    if let (Aligned::Scalar(plan), None) = (plan, copy.variant()) {
        report::fell_back(copy.0, plan, declines);
    }
    rewriter.erase(copy.0);
    true
}

/// One variant as a pattern by itself, which keeps nothing between two copies.
pub(crate) fn pattern_of(variant: &'static dyn Variant, options: Options) -> Box<Match> {
    Box::new(move |op, rewriter| take(variant, &options, op, rewriter))
}

/// # Errors
/// Why the variant does not take the copy.
fn take<'c, 'a>(
    variant: &'static dyn Variant,
    options: &Options,
    op: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Result<(), String> {
    let copy = CopyOp(op);
    let reading = Reader::new(options).read(copy).map_err(|unreadable| unreadable.reason)?;
    match ask(variant, &reading) {
        Answer::Unreached => {
            erase_unreached(op, rewriter);
            Ok(())
        }
        Answer::NotAsked => Err("the copy does not request it".to_owned()),
        Answer::Declined(decline) => Err(decline.to_string()),
        // The driver knows which variants have declined before: here each variant is by itself.
        Answer::Plan(plan) if replace(copy, variant, (&plan, &reading), &[], rewriter) => Ok(()),
        Answer::Plan(_) => Err("its plan makes no op".to_owned()),
    }
}

/// The error of a copy that requests a variant that its kind of copy does not have.
fn unknown_variant<'c>(op: OperationRef<'c, '_>) -> Option<Diagnostic<'c>> {
    let name = CopyOp(op).variant()?;
    let known = of_kind(op).iter().map(|variant| variant.name());
    tile_isa::words::one_of("variant", &name, known).err().map(Diagnostic::error)
}

/// The variants of the op.
fn of_kind(op: OperationRef<'_, '_>) -> &'static [&'static dyn Variant] {
    let request = Request::ALL.into_iter().find(|request| request.op() == name(op));
    request.map_or(&[], variants::of)
}
