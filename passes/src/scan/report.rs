//! Remarks and errors: how a scan is lowered, and why other strategies decline.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::{Diagnostic, Remark, RemarkKind, remarks_enabled};
use tile_plan::Decline;
use tile_plan::scan::{Order, Plan, Shape, State, Wait};

use super::lower::SERIAL_THREADS;
use crate::read::kernel;

/// The category of these remarks, by which filters select them.
pub const CATEGORY: &str = "tile-scan";

type Args = Vec<(&'static str, String)>;

/// One *missed* remark per decline.
pub fn declined(op: OperationRef<'_, '_>, declines: &[Decline]) {
    for decline in declines {
        let args = [("Strategy", decline.variant.to_owned()), ("Reason", decline.reason.clone())];
        emit(op, RemarkKind::Missed, decline.cause, &format!("{} declined", decline.variant), &args);
    }
}

/// The *passed* remark.
pub fn took(op: OperationRef<'_, '_>, strategy: &'static str, plan: &Plan) {
    if !remarks_enabled(op, RemarkKind::Passed, CATEGORY) {
        return;
    }
    let workspace = plan.workspace();
    let mut args: Args = vec![
        ("Strategy", strategy.to_owned()),
        ("Tile", workspace.tile.to_string()),
        ("Words", workspace.words.to_string()),
    ];
    match plan {
        Plan::Decoupled(plan) => {
            args.extend(shape(&plan.shape));
            args.push(("State", state(plan.state)));
            args.push(("Wait", wait(plan.wait)));
        }
        Plan::Passes(plan) => {
            args.push(("Threads", plan.tile.threads.to_string()));
            args.push(("Grid", "ceil(n / tile), 1, ceil(n / tile)".to_owned()));
        }
        Plan::Serial => {
            args.push(("Threads", SERIAL_THREADS.to_string()));
            args.push(("Grid", "1".to_owned()));
        }
    }
    emit(op, RemarkKind::Passed, strategy, &format!("scanned by {strategy}"), &args);
}

fn shape(shape: &Shape) -> Args {
    match shape {
        Shape::Register { tile, order } => {
            let order = if *order == Order::Ticket { "ticket" } else { "block_id" };
            vec![
                ("Shape", "register".to_owned()),
                ("Threads", tile.threads.to_string()),
                ("Vector", tile.vector.to_string()),
                ("Grid", "ceil(n / tile)".to_owned()),
                ("Order", order.to_owned()),
            ]
        }
        Shape::Ring(ring) => vec![
            ("Shape", "ring".to_owned()),
            ("Threads", ring.threads().to_string()),
            ("Stages", ring.stages.to_string()),
            ("DynamicShared", ring.ring_bytes().to_string()),
            ("Grid", format!("1 to t = ceil(n / tile), best ceil(t / ceil(t / {}))", ring.blocks)),
        ],
    }
}

fn state(state: State) -> String {
    format!("{} x {} bits", state.words, state.word_bytes() * 8)
}

fn wait(wait: Wait) -> String {
    match wait {
        Wait::Fallback { max_spin } => format!("{max_spin} polls, then fallback"),
        Wait::Forever => "forever".to_owned(),
        Wait::GiveUp { polls } => format!("{polls} polls, then an error"),
    }
}

/// Reports the error of a scan that cannot be lowered.
pub fn refused<'c>(op: OperationRef<'c, '_>, forced: Option<&str>, declines: &[Decline]) {
    match (forced, declines) {
        (Some(name), [only]) => Diagnostic::error(format!("cannot be done by '{name}': {}", only.reason)).emit(op),
        _ => {
            let error = Diagnostic::error("cannot be done by any strategy");
            let noted =
                declines.iter().fold(error, |diagnostic, decline| diagnostic.note(op.location(), decline.to_string()));
            noted.emit(op);
        }
    }
}

fn emit(op: OperationRef<'_, '_>, kind: RemarkKind, name: &str, text: &str, args: &[(&'static str, String)]) {
    if remarks_enabled(op, kind, CATEGORY) {
        let function = kernel::function(op).map(kernel::symbol).unwrap_or_default();
        Remark { kind, name, category: CATEGORY, function: &function, text, args }.emit(op.location());
    }
}
