//! Rounds of vectors, and chunks of bulk copies.

use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink, admitted, check_alignment};
use super::places::{Instance, cell};

/// Moves every vector of every active thread.
pub(super) fn run(copy: &VectorCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    for &thread in &instance.active {
        let t = match copy.number_of(thread - instance.first) {
            Some(t) if admitted(&copy.guards, t) => t,
            _ => continue,
        };
        for round in 0..copy.rounds_of(t) {
            let origin = origin(copy, round, t);
            let giver = thread + origin.1 - t;
            has_loaded(copy, instance, (origin.0, giver), thread)?;
            let from = vector(copy, instance, Role::Src, (origin, giver))?;
            let to = vector(copy, instance, Role::Dst, ((round, t), thread))?;
            for (from, to) in from.into_iter().zip(to) {
                let from = cell(copy.side(Role::Src).space, giver, from);
                sink(Move { thread, from, to: cell(copy.dst.space, thread, to) })?;
            }
        }
    }
    Ok(())
}

/// Moves the elements of every vector, wherever its row begins.
pub(super) fn realigned(copy: &RealignedLoads, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let vectors = &copy.vectors;
    run(&VectorCopy { accesses: [vectors.vector, 1], ..vectors.clone() }, instance, sink)
}

/// The addresses of the elements of a thread's vector on one side; each access to them must be aligned.
fn vector(
    copy: &VectorCopy,
    instance: &Instance,
    role: Role,
    ((round, t), thread): ((i64, i64), i64),
) -> Result<Vec<i64>, Fault> {
    let mut places = Vec::new();
    for access in 0..copy.accesses_of(role) {
        let values = instance.values(role);
        let first = address::access_of_vector(&mut Eval, copy, role, (round, t, access), values)?;
        let elements = copy.access(role);
        let width = (elements, copy.bits_of(role));
        check_alignment(copy.side(role), role, thread, first, width)?;
        places.extend(first..first + elements);
    }
    Ok(places)
}

/// Checks that thread `from`, from which `thread` takes a vector, takes part and has that round.
fn has_loaded(copy: &VectorCopy, instance: &Instance, (round, from): (i64, i64), thread: i64) -> Result<(), Fault> {
    let takes_part = admitted(&copy.guards, from - instance.first);
    if round < copy.rounds && takes_part && instance.active.binary_search(&from).is_ok() {
        return Ok(());
    }
    Err(Fault::NothingGiven { thread, from, round })
}

/// The round and thread that loaded the vector which a thread stores in a round. In a warp-shuffle transpose, each step
/// whose two bits differ changes both bits.
fn origin(copy: &VectorCopy, mut round: i64, mut t: i64) -> (i64, i64) {
    for step in copy.exchange_steps() {
        let (bit, lane) = (step.inside as i64, step.lane());
        if (round & bit == 0) != (t & lane == 0) {
            round ^= bit;
            t ^= lane;
        }
    }
    (round, t)
}

/// Moves every chunk of a bulk copy, by the first of the threads that share the copy.
///
/// Copies to another CTA go to the same location of its storage.
pub(super) fn bulk(copy: &BulkCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let unit = 128 / i64::from(copy.element_bits);
    for &thread in instance.active.iter().filter(|&&thread| thread == instance.first) {
        for chunk in 0..copy.chunks() {
            let at = |role, side| {
                let address = address::bulk_address(&mut Eval, copy, role, chunk, instance.values(role))?;
                check_alignment(side, role, thread, address, (unit, copy.element_bits)).map(|()| address)
            };
            let (from, to) = (at(Role::Src, &copy.src)?, at(Role::Dst, &copy.dst)?);
            for step in 0..copy.chunk {
                let from = cell(copy.src.space, thread, from + step);
                sink(Move { thread, from, to: cell(copy.dst.space, thread, to + step) })?;
            }
        }
    }
    Ok(())
}
