//! Reports to the user: what was decided, and why nothing else was.

use melior::ir::operation::OperationLike;
use melior::ir::{Location, OperationRef};
use tile_dialect::emit::{Diagnostic, Remark, RemarkKind, remarks_enabled};
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::{ARRAY_OPS, scope};
use tile_isa::Scope;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::scalar::plan::{Owner, ScalarCopy};
use tile_plan::problem::refusal::{Decline, is_of_block_size};

use crate::read::divisibility::block;
use crate::read::{kernel, name};

/// The category by which filters select the compiler's remarks.
pub const CATEGORY: &str = "tile-copy";

/// The cause of a decline because the pass option `variants` leaves the variant out.
pub const NOT_ALLOWED: &str = "variant-not-allowed";

type Args = Vec<(&'static str, String)>;

/// Whether remarks of that kind about an op are enabled.
pub(crate) fn is_remark_enabled(op: OperationRef<'_, '_>, kind: RemarkKind) -> bool {
    remarks_enabled(op, kind, CATEGORY)
}

/// What remarks and errors call a kind of ops, and the rules of the planner for them.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The category by which filters select the remarks.
    pub category: &'static str,
    /// A rule: `variant`.
    pub rule: &'static str,
    /// The same as an argument of remarks: `Variant`.
    pub argument: &'static str,
    /// The same for several: `Variants`.
    pub arguments: &'static str,
}

/// Copies and fills, which are planned by variants.
pub(crate) const COPIES: Subject =
    Subject { category: CATEGORY, rule: "variant", argument: "Variant", arguments: "Variants" };

impl Subject {
    /// One *missed* remark per decline, and one for all variants between other memories.
    pub fn declined(&self, op: OperationRef<'_, '_>, declines: &[Decline]) {
        if declines.is_empty() || !remarks_enabled(op, RemarkKind::Missed, self.category) {
            return;
        }
        let (others, near): (Vec<_>, Vec<_>) = declines.iter().partition(|decline| decline.is_for_other_spaces());
        let (listed, others) = if others.len() > 1 { (near, others) } else { (declines.iter().collect(), Vec::new()) };
        if let [first, _, ..] = &others[..] {
            let names = names(&others);
            let text = format!("for other memories only: {names}");
            self.emit(op, RemarkKind::Missed, first.cause, &text, &[(self.arguments, names)]);
        }
        for decline in listed {
            let mut args: Args = vec![(self.argument, decline.variant.to_owned()), ("Reason", decline.reason.clone())];
            args.extend(decline.operand.map(|operand| ("Operand", operand.name().to_owned())));
            self.emit(op, RemarkKind::Missed, decline.cause, &format!("{} declined", decline.variant), &args);
        }
    }

    /// Erases an op that no thread executes. Its completion is dropped with it: a group that is never committed is none.
    pub fn erase_unreached<'c, 'a>(&self, op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
        self.emit(op, RemarkKind::Passed, "unreached", "erased: no thread of a block reaches it", &[]);
        rewriter.erase(op);
    }

    /// The error of an op that no rule takes.
    pub fn refused<'c>(&self, op: OperationRef<'c, '_>, forced: Option<&str>, declines: &[Decline]) {
        let causes = declines.iter().map(|decline| decline.cause);
        let diagnostic = match (forced, declines) {
            (Some(name), [only]) => Diagnostic::error(format!("cannot be done by '{name}': {}", only.reason)),
            _ => {
                let error = Diagnostic::error(format!("cannot be done by any {}", self.rule));
                with_declines(error, op.location(), declines)
            }
        };
        with_block_size(diagnostic, op, causes).emit(op);
    }

    /// A remark of any kind.
    pub fn emit(
        &self,
        op: OperationRef<'_, '_>,
        kind: RemarkKind,
        name: &str,
        text: &str,
        args: &[(&'static str, String)],
    ) {
        if remarks_enabled(op, kind, self.category) {
            let function = kernel::function(op).map(kernel::symbol).unwrap_or_default();
            Remark { kind, name, category: self.category, function: &function, text, args }.emit(op.location());
        }
    }
}

/// The remark of an asynchronous copy that a synchronous variant does.
pub fn done_by(op: OperationRef<'_, '_>, asked: &'static str, plan: &CopyPlan) {
    let args = [("Variant", plan.variant().to_owned())];
    let text = format!("done by the {asked} variant {}", plan.variant());
    passed(op, asked, &text, &args);
}

/// The warning of a copy that no faster variant takes.
pub fn fell_back<'c>(op: OperationRef<'c, '_>, plan: &ScalarCopy, declines: &[Decline]) {
    let who = match plan.owner {
        Owner::Distributed(_) => "each thread copies the elements that it owns",
        Owner::Everyone => "each thread copies everything",
        Owner::ScopeThread(_) | Owner::BlockThreads(_) => "one thread copies everything",
    };
    let text = format!("is copied by the scalar fallback ({who}); all faster variants declined");
    with_declines(Diagnostic::warning(text), op.location(), declines).emit(op);
}

/// The warning of a product that no instruction for matrices does.
pub fn fell_back_to_threads<'c>(op: OperationRef<'c, '_>, declines: &[Decline]) {
    let text = "is multiplied by the fallback fma (each thread multiplies the elements that it holds); all faster variants declined";
    with_declines(Diagnostic::warning(text), op.location(), declines).emit(op);
}

/// The warning of a copy that one thread issues for all, but that `issuers` threads of a block reach.
pub fn issued_by_many(op: OperationRef<'_, '_>, issuers: i64) {
    let text = format!("is issued whole by each of the {issuers} threads of a block that reach it, expected one");
    Diagnostic::warning(text).emit(op);
}

/// A note for each variant that might have done it, with its reason; then one for those between other memories, and one for those
/// that an option leaves out. If only variants between other memories are left, each says which memories it takes.
pub(crate) fn with_declines<'c>(
    diagnostic: Diagnostic<'c>,
    location: Location<'c>,
    declines: &[Decline],
) -> Diagnostic<'c> {
    let (left_out, asked): (Vec<_>, Vec<_>) = declines.iter().partition(|decline| decline.cause == NOT_ALLOWED);
    let (others, near): (Vec<_>, Vec<_>) = asked.into_iter().partition(|decline| decline.is_for_other_spaces());
    let (listed, others) = if near.is_empty() { (others, Vec::new()) } else { (near, others) };
    let diagnostic =
        listed.iter().fold(diagnostic, |diagnostic, decline| diagnostic.note(location, decline.to_string()));
    let groups = [("for other memories only", others), ("left out by the pass option 'variants'", left_out)];
    groups
        .into_iter()
        .filter(|(_, group)| !group.is_empty())
        .fold(diagnostic, |diagnostic, (why, group)| diagnostic.note(location, format!("{why}: {}", names(&group))))
}

/// A note at the kernel that says where the size of its blocks comes from, for an op of a whole block that is refused for one of
/// these causes, if one of them may be that size.
pub(crate) fn with_block_size<'c>(
    diagnostic: Diagnostic<'c>,
    op: OperationRef<'c, '_>,
    causes: impl IntoIterator<Item = &'static str>,
) -> Diagnostic<'c> {
    // A pass over arrays has no scope.
    let is_of_array = ARRAY_OPS.contains(&name(op));
    let is_of_block = !is_of_array && scope(op) == Scope::Cta;
    match kernel::function(op).filter(|_| is_of_block && causes.into_iter().any(is_of_block_size)) {
        Some(function) => diagnostic.note(function.location(), block::origin(function)),
        None => diagnostic,
    }
}

fn names(declines: &[&Decline]) -> String {
    declines.iter().map(|decline| decline.variant).collect::<Vec<_>>().join(", ")
}

/// A remark of what was decided about a copy.
pub(crate) fn passed(op: OperationRef<'_, '_>, name: &str, text: &str, args: &[(&'static str, String)]) {
    COPIES.emit(op, RemarkKind::Passed, name, text, args);
}

/// A remark of any kind about a copy, or a kernel with copies.
pub(crate) fn emit(
    op: OperationRef<'_, '_>,
    kind: RemarkKind,
    name: &str,
    text: &str,
    args: &[(&'static str, String)],
) {
    COPIES.emit(op, kind, name, text, args);
}

/// The instructions that a thread issues.
pub(crate) struct Issued {
    /// The variant.
    pub variant: &'static str,
    /// The number of instructions.
    pub count: i64,
    /// The instruction, as PTX writes it.
    pub instruction: String,
    /// The bytes of all instructions.
    pub bytes: i64,
}

impl Issued {
    /// The remark, with more arguments.
    pub fn report(self, op: OperationRef<'_, '_>, more: &[(&'static str, String)]) {
        let Issued { variant, count, instruction, bytes } = self;
        let instructions = format!("{count} {instruction}");
        let text = format!("copied by {variant}: {instructions}, {bytes} bytes per issuing thread");
        let mut args = vec![
            ("Variant", variant.to_owned()),
            ("Rounds", count.to_string()),
            ("BytesPerThread", bytes.to_string()),
            ("Instructions", instructions),
        ];
        args.extend_from_slice(more);
        passed(op, variant, &text, &args);
    }
}
