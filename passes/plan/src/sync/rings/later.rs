//! Accesses that move on without end.

use crate::sync::finding::Example;
use crate::sync::program::Program;
use crate::sync::rings::event::Event;
use crate::sync::rings::footprints::Footprints;
use crate::sync::rings::meet::Unordered;
use crate::sync::shift::{Apart, Shift};

/// Whether accesses that move on without end may meet in iterations that are not executed.
pub(super) fn later(
    (program, footprints): (&Program, &Footprints),
    (first, second): (&Event, &Event),
    unordered: Unordered,
) -> Option<Example> {
    let (a, b) = (first.access, second.access);
    let rate = |shift: &Shift| -> Vec<(i64, i64)> {
        let open = shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
        open.map(|(_, it)| (it.gain(), it.period())).filter(|it| it.0 != 0).collect()
    };
    let (one, other) = (rate(&a.shift), rate(&b.shift));
    let period = one.iter().chain(&other).map(|it| it.1).max()?;
    if one == other && is_near(program, (&a.shift, &b.shift), (first, second), period.max(8)) {
        return None;
    }
    let (from, to) = (first.bytes.as_ref()?, second.bytes.as_ref()?);
    let same = first.agent == second.agent;
    match Shift::distances(&a.shift, &b.shift, &program.loops, |_| Apart::Any, from.span(to)) {
        Some(distances) => {
            distances.into_iter().find_map(|(distance, _)| footprints.meet((from, to), distance, unordered, same))
        }
        None => footprints.meet((from, from), 0, Unordered { others: true, own: true, ..unordered }, same),
    }
}

/// Are two iterations so near to each other that any two that are as near are as far apart in bytes?
///
/// In another iteration of a loop around, how far the inner loop has moved on depends on how often it goes round.
fn is_near(program: &Program, (a, b): (&Shift, &Shift), (first, second): (&Event, &Event), few: i64) -> bool {
    let of = |number: usize| &program.loops[number];
    let moves = |shift: &Shift, number: usize| {
        of(number).trips.is_none() && shift.loops.get(&number).is_some_and(|it| it.gain() != 0)
    };
    // Loops of other threads that go round as often count alike.
    let alike = |a: usize, b: usize| a == b || of(a).count.is_some() && of(a).count == of(b).count;
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
