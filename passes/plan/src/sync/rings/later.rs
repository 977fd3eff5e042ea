//! Accesses that move without bound: they may also meet in iterations that are not executed.

use crate::sync::finding::Example;
use crate::sync::footprints::Footprints;
use crate::sync::program::SyncProgram;
use crate::sync::rings::event::Event;
use crate::sync::rings::unordered::Unordered;
use crate::sync::shift::{Apart, Shift};

/// An example of two accesses that move without bound and may meet in iterations that are not executed.
pub(super) fn later(
    (program, footprints): (&SyncProgram, &Footprints),
    (first, second): (&Event, &Event),
    unordered: Unordered,
) -> Option<Example> {
    let (a, b) = (first.issued.access, second.issued.access);
    let (one, other) = (a.shift.rates(&program.loops), b.shift.rates(&program.loops));
    let period = one.iter().chain(&other).map(|rate| rate.1).max()?;
    if one == other && is_near(program, (&a.shift, &b.shift), (first, second), period.max(8)) {
        return None;
    }
    let (from, to) = (first.issued.bytes.as_ref()?, second.issued.bytes.as_ref()?);
    let same = first.issued.agent == second.issued.agent;
    match Shift::distances(&a.shift, &b.shift, &program.loops, |_| Apart::Any, from.span(to)) {
        Some(distances) => {
            distances.into_iter().find_map(|(distance, _)| unordered.meet(footprints, (from, to), distance, same))
        }
        None => Unordered { others: true, one_thread: true, ..unordered }.meet(footprints, (from, from), 0, same),
    }
}

/// Whether two iterations are so close that any two iterations at the same distance are the same number of bytes apart.
///
/// This does not hold across iterations of an outer loop, where the distance also depends on the trip count of the
/// inner loop.
fn is_near(program: &SyncProgram, (a, b): (&Shift, &Shift), (first, second): (&Event, &Event), few: i64) -> bool {
    let looped = |number: usize| &program.loops[number];
    let moves = |shift: &Shift, number: usize| {
        looped(number).trips.is_none() && shift.loops.get(&number).is_some_and(|periodic| periodic.gain() != 0)
    };
    // Loops of other threads with the same trip count are treated as the same loop.
    let alike = |a: usize, b: usize| a == b || looped(a).count.is_some() && looped(a).count == looped(b).count;
    let pairs = first.iterations.iter().zip(second.iterations.iter());
    let mut left = a.loops.keys().filter(|number| moves(a, **number)).count();
    let mut other = false;
    for (one, next) in pairs.take_while(|(one, next)| alike(one.0, next.0)) {
        if moves(a, one.0) || moves(b, next.0) {
            if other || one.1.abs_diff(next.1) >= few.unsigned_abs() {
                return false;
            }
            left = left.saturating_sub(1);
        }
        other |= one.1 != next.1;
    }
    left == 0
}
