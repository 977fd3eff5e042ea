//! Rounds of vectors.

use tile_layout::Eval;
use tile_plan::{VectorCopy, Which, address};

use super::cell::cell;
use super::fault::Fault;
use super::moves::{Instance, Move, Sink, admitted, check_alignment};

/// Every vector of every active thread.
pub(super) fn run(copy: &VectorCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    for &thread in &instance.active {
        let t = match copy.number_of(thread - instance.first) {
            Some(t) if admitted(&copy.guards, t) => t,
            _ => continue,
        };
        for round in 0..copy.rounds_of(t) {
            let at = |which, side, (round, t)| {
                let address = address::carried_address(&mut Eval, copy, which, round, t, instance.values(which))?;
                check_alignment(side, which, thread, address, (copy.vector, copy.element_bits)).map(|()| address)
            };
            let origin = origin(copy, round, t);
            has_loaded(copy, instance, (origin.0, thread + origin.1 - t), thread)?;
            let (from, to) = (at(Which::Src, &copy.src, origin)?, at(Which::Dst, &copy.dst, (round, t))?);
            for step in 0..copy.vector {
                let from = cell(copy.src.space, thread + origin.1 - t, from + step);
                sink(Move { thread, from, to: cell(copy.dst.space, thread, to + step) })?;
            }
        }
    }
    Ok(())
}

/// Does the thread take part from which `thread` gets a vector, and has it that round?
fn has_loaded(copy: &VectorCopy, instance: &Instance, (round, from): (i64, i64), thread: i64) -> Result<(), Fault> {
    let takes_part = admitted(&copy.guards, from - instance.first);
    if round < copy.rounds && takes_part && instance.active.binary_search(&from).is_ok() {
        return Ok(());
    }
    Err(Fault::NothingGiven { thread, from, round })
}

/// Round and thread in which the vector was loaded that a thread stores in a round: with a warp-shuffle transpose, in each
/// step whose two bits differ both bits change.
fn origin(copy: &VectorCopy, mut round: i64, mut t: i64) -> (i64, i64) {
    for step in copy.exchange_steps() {
        if (round & step.round == 0) != (t & step.lane == 0) {
            round ^= step.round;
            t ^= step.lane;
        }
    }
    (round, t)
}
