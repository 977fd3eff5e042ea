//! The *passed* remark of a copy by vectors.

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_layout::counted;
use tile_plan::{Narrowing, Transfer, VectorCopy, Which};

use crate::report::{self, did, emit, reduces};

/// The *passed* remark of a copy by vectors, with what kept them from being wider.
pub fn took_vectors(op: OperationRef<'_, '_>, plan: &VectorCopy, narrowings: &[Narrowing]) {
    if !report::is_heard(op, RemarkKind::Passed) {
        return;
    }
    let (bits, rounds) = (plan.access_bits(Which::Src), plan.rounds);
    let sides = [Which::Src, Which::Dst];
    let counts = sides.map(|which| rounds * plan.accesses_of(which));
    let each = || report::instructions(plan.effect, counts, sides.map(|which| plan.access_bits(which)));
    let instructions = match (plan.transfer, plan.shuffles()) {
        (Transfer::CpAsync, _) => format!("{rounds} cp.async of {bits} bits"),
        (Transfer::LoadStore, 0) => each(),
        (Transfer::LoadStore, shuffles) => {
            format!("{}, {}", each(), counted(shuffles, "shuffle"))
        }
    };
    let mut args = vec![
        ("Variant", plan.variant.to_owned()),
        ("VectorBits", bits.to_string()),
        ("Rounds", rounds.to_string()),
        ("BytesPerThread", plan.bytes_per_thread().to_string()),
        ("Instructions", instructions.clone()),
    ];
    let mut text = format!("{} by {}: {instructions} per thread", did(plan.effect), plan.variant);
    if plan.ranks.is_some() {
        text.push_str(&format!(", {} of the scope share it", counted(plan.threads, "thread")));
        args.push(("Sharers", plan.threads.to_string()));
    }
    if !plan.is_even() {
        let last = format!("{} of {}", plan.last, counted(plan.threads, "thread"));
        text.push_str(&format!(", {last} in the last round"));
        args.push(("LastRound", last));
    }
    if let Some(mask) = &plan.mask {
        let limits = counted(mask.limits.len(), "limit");
        text.push_str(&format!(", held against {limits}"));
        args.push(("Masked", limits.to_string()));
    }
    args.extend(reduces(plan.effect));
    args.extend(plan.conversion.map(|conversion| ("Converts", conversion.to_string())));
    if plan.exchange > 1 {
        args.push(("Exchange", plan.exchange.to_string()));
    }
    if let Some(narrowing) = narrowings.last() {
        args.push(("Narrowed", narrowing.cause.to_owned()));
        args.push(("NarrowedWhy", narrowing.reason.clone()));
        text.push_str(&format!("; {} bits are too wide", narrowing.bits));
    }
    emit(op, RemarkKind::Passed, plan.variant, &text, &args);
}
