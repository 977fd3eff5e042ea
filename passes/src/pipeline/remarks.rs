//! The remarks of rings: how many copies stay in flight, and what waits for more of them.

use std::collections::HashMap;
use tile_dialect::ir::Arguments;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::RemarkKind;
use tile_plan::contract::Denial;
use tile_plan::pipeline::{RingCompletion, Serialising, serialising};

use super::Loop;
use super::specialise::Division;
use crate::contracts;
use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::ranges::Ranges;
use crate::report;
use crate::sync::kernel::{Leader, SyncKernel};

/// Reports the rings of a kernel, as they are before what orders its accesses is inserted; `false` after errors, where one waits for
/// more copies than its contract allows. Nothing is reported of a kernel that is not followed.
pub fn emit<'c: 'a, 'a>(function: OperationRef<'c, 'a>, options: &LoweringOptions, loops: &[Loop<'c, 'a>]) -> bool {
    let is_heard = |kind| loops.iter().any(|looped| report::is_remark_enabled(looped.op, kind));
    let denied = loops.iter().any(|looped| contracts::denier(looped.op, Denial::Serialised).is_some());
    if !is_heard(RemarkKind::Passed) && !is_heard(RemarkKind::Missed) && !denied {
        return true;
    }
    let ranges = Ranges::none();
    // What is not followed is an error where the accesses are ordered.
    let read = SyncKernel::with_rings(function, options, &ranges, Leader::LAST).ok();
    let Some(read) = read.filter(|read| read.failures().is_empty()) else { return true };
    let mut keeps = true;
    for looped in loops {
        if let Some(division) = &looped.division {
            specialised(looped, division);
            continue;
        }
        let by_groups = looped.by.contains(&RingCompletion::Groups) && looped.plan.pending > 0;
        let variable = looped.body.argument_at(0).filter(|_| by_groups);
        let number = variable.and_then(|variable| read.number_of(variable.into()));
        let serial = number.map(|number| serialising(read.program(), number, looped.plan.pending)).unwrap_or_default();
        pipelined(looped, serial.iter().map(|wait| wait.pending).min());
        // An operation of the IR may be several of the program.
        let mut least: HashMap<usize, i64> = HashMap::new();
        for &Serialising { op, pending } in &serial {
            let known = least.entry(read.ops()[op].to_raw().ptr as usize).or_insert(pending);
            *known = pending.min(*known);
        }
        for &Serialising { op, .. } in &serial {
            if let Some(pending) = least.remove(&(read.ops()[op].to_raw().ptr as usize)) {
                keeps &= serialised(looped, read.ops()[op], pending);
            }
        }
    }
    keeps
}

/// The remark of a loop with a producer.
fn specialised(looped: &Loop<'_, '_>, division: &Division<'_, '_>) {
    let registers = division.registers();
    let text = match registers {
        Some(_) => "a warp of its own makes the copies, and gives registers to the consumers",
        None => "a warp of its own makes the copies",
    };
    let mut args = vec![
        ("Stages", looped.plan.stages.to_string()),
        ("Copies", looped.copies.len().to_string()),
        ("Consumers", division.consumers.to_string()),
        ("Awaited", division.uses.len().to_string()),
    ];
    args.extend(registers.map(|counts| ("Registers", format!("{}, {}", counts.producer, counts.consumer))));
    report::emit(looped.op, RemarkKind::Passed, "specialised", text, &args);
}

/// The remark of a ring; `left`: the number of groups that an access leaves pending, if it waits for more than the loop does.
fn pipelined(looped: &Loop<'_, '_>, left: Option<i64>) {
    let bytes: i64 = looped.tiles.iter().map(|(_, ring)| ring.bytes).sum();
    let args = [
        ("Stages", looped.plan.stages.to_string()),
        ("Copies", looped.copies.len().to_string()),
        ("StageBytes", bytes.to_string()),
        ("Pending", left.unwrap_or(looped.plan.pending).to_string()),
    ];
    let text = match left {
        None => "copies of later iterations are in flight",
        Some(_) => "copies of later iterations are waited for early",
    };
    report::emit(looped.op, RemarkKind::Passed, "pipelined", text, &args);
}

/// The remark of an access that waits for copies of later iterations; `false`, after an error, where a contract denies that.
fn serialised<'c: 'a, 'a>(looped: &Loop<'c, 'a>, access: OperationRef<'c, 'a>, pending: i64) -> bool {
    if let Some(by) = contracts::denier(access, Denial::Serialised) {
        let broken = Denial::Serialised.broken(format_args!("{pending} groups in flight"), looped.plan.pending);
        return contracts::report(access, by, &broken);
    }
    let args = [
        ("Loop", looped.op.location().to_string()),
        ("Stages", looped.plan.stages.to_string()),
        ("Pending", pending.to_string()),
        ("Expected", looped.plan.pending.to_string()),
    ];
    let text = format!("'{}' may touch a stage that is being copied to, and waits for that copy", name(access));
    report::emit(access, RemarkKind::Missed, "ring-serialised", &text, &args);
    true
}
