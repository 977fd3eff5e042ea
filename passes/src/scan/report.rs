//! Remarks: how a scan is lowered.

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_plan::scan::{Order, Plan, Ring, ScanShape, SumExchange, Tile, TileState, Wait, Workspace};

use super::lower::SERIAL_THREADS;
use crate::report::Subject;

/// Scans, which are planned by strategies.
pub const SCANS: Subject =
    Subject { category: "tile-scan", rule: "strategy", argument: "Strategy", arguments: "Strategies" };

type Args = Vec<(&'static str, String)>;

/// The *passed* remark.
pub fn remark_chosen(op: OperationRef<'_, '_>, strategy: &'static str, plan: &Plan) {
    let mut args = workspace(strategy, plan.workspace());
    match plan {
        Plan::Decoupled(plan) => {
            args.extend(shape(&plan.shape));
            args.extend(exchange(&plan.exchange));
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
    SCANS.emit(op, RemarkKind::Passed, strategy, &format!("scanned by {strategy}"), &args);
}

/// The strategy, and the workspace that a launch needs.
pub fn workspace(strategy: &str, workspace: Workspace) -> Args {
    vec![
        ("Strategy", strategy.to_owned()),
        ("Tile", workspace.tile.to_string()),
        ("Words", workspace.words.to_string()),
    ]
}

/// Tiles in registers, one for each block.
pub fn register(tile: &Tile, order: Order, grid: &str) -> Args {
    let order = if order == Order::Ticket { "ticket" } else { "block_id" };
    vec![
        ("Shape", "register".to_owned()),
        ("Threads", tile.threads.to_string()),
        ("Vector", tile.vector.to_string()),
        ("Grid", grid.to_owned()),
        ("Order", order.to_owned()),
    ]
}

/// How blocks exchange sums.
pub fn exchange(exchange: &SumExchange) -> Args {
    vec![("State", state(exchange.state)), ("Wait", wait(exchange.wait))]
}

fn shape(shape: &ScanShape) -> Args {
    match shape {
        ScanShape::Register { tile, order } => register(tile, *order, "ceil(n / tile)"),
        ScanShape::Ring(ring) => {
            let grid = format!("1 to t = ceil(n / tile), best ceil(t / ceil(t / {}))", ring.blocks);
            self::ring(ring, ring.ring_bytes(), grid)
        }
    }
}

/// Tiles that pass through a ring.
pub fn ring(ring: &Ring, dynamic_bytes: i64, grid: String) -> Args {
    vec![
        ("Shape", "ring".to_owned()),
        ("Threads", ring.threads().to_string()),
        ("Stages", ring.stages.to_string()),
        ("DynamicShared", dynamic_bytes.to_string()),
        ("Grid", grid),
    ]
}

fn state(state: TileState) -> String {
    format!("{} x {} bits", state.words, state.word_bytes() * 8)
}

/// What a block does when a sum is missing.
pub fn wait(wait: Wait) -> String {
    match wait {
        Wait::Fallback { max_spin } => format!("{max_spin} polls, then fallback"),
        Wait::Forever => "forever".to_owned(),
        Wait::GiveUp { polls } => format!("{polls} polls, then an error"),
    }
}
