//! The values that are fixed before a program is executed: values in an iteration, assumed trip counts, and the uniform
//! conditions that follow from these; and the reasons why a program cannot be executed.
//!
//! ```text
//!   copy 0; if 1 < trips: copy 1        for k: wait k; if k + 2 < trips: copy k + 2; read k
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::sync::form::AddressForm;
use crate::sync::items::{Below, Branch, Item, Limit, Taken, When};
use crate::sync::places::first;
use crate::sync::program::SyncProgram;
use crate::sync::rings::arms::number_of;

/// The last iteration before which a comparison with a constant may change.
const MAX_TURN: i64 = 16;

/// The value of a form for some threads in an iteration, if it is the same for all of them.
pub(super) fn value(form: &AddressForm, threads: &ThreadSet, iterations: &[(usize, i64)]) -> Option<i64> {
    let mut each = threads.iter().map(|thread| form.of_thread(thread));
    let first = each.next()?;
    if !each.all(|other| other == first) {
        return None;
    }
    if form.shift.unknown || !form.shift.fixed.is_empty() {
        return None;
    }
    form.shift.at(iterations)?.checked_add(first)
}

/// The arm that threads of a block take in an iteration; `None` where it is unknown.
pub(super) fn arm(
    program: &SyncProgram,
    branch: &Branch,
    rank: usize,
    (threads, iterations): (&ThreadSet, &[(usize, i64)]),
    times: &TripCounts,
) -> Option<usize> {
    if let Some(arm) = times.of(Some(number_of(branch))) {
        return usize::try_from(arm).ok();
    }
    let below = match branch.when.as_ref().filter(|_| branch.taken == Taken::Together)? {
        When::Times { count, arm } => return usize::try_from(arm.at(times.at(Some(*count), iterations)?)?).ok(),
        When::Below(below) => below,
    };
    let Below { value: form, limit, least, arm } = &**below;
    let number = value(form, threads, iterations).filter(|&number| number >= 0)?;
    let limit = match limit {
        Limit::Number(number) => Some(*number).filter(|_| is_settled(program, below)),
        Limit::Blocks(takes) => takes.get(rank).copied(),
        Limit::Trips(count) => times.at(Some(*count), iterations).filter(|_| of_one(program, below, *count).is_some()),
    }?;
    Some(if (*least..limit).contains(&number) { *arm } else { 1 - *arm })
}

/// The conditions of the branches in some items, each with the first operation in its arms.
pub(super) fn all<'p>(items: &'p [Item], decisions: &mut Vec<(&'p When, usize)>) {
    for item in items {
        match item {
            Item::Op(_) => {}
            Item::Loop(_, body) => all(body, decisions),
            Item::Branch(branch) => {
                let op = first(&branch.arms.concat());
                decisions.extend(branch.when.as_ref().zip(op));
                branch.arms.iter().for_each(|arm| all(arm, decisions));
            }
        }
    }
}

/// The largest number of iterations before the last one, in loops of a count, at which a condition may change that is decided.
pub(super) fn lead(program: &SyncProgram, count: usize) -> i64 {
    let mut decisions = Vec::new();
    all(&program.body, &mut decisions);
    let below =
        decisions.into_iter().filter_map(|(when, _)| if let When::Below(below) = when { Some(below) } else { None });
    below.filter_map(|below| of_one(program, below, count)).max().unwrap_or(0)
}

/// The first iteration from which on no condition changes that compares with a constant, in loops of a count.
pub(super) fn settles(program: &SyncProgram, count: usize) -> i64 {
    let mut decisions = Vec::new();
    all(&program.body, &mut decisions);
    let turns = decisions.into_iter().filter_map(|(when, _)| match when {
        When::Below(below) => turn(program, below).filter(|&(number, _)| counts(program, number, count)),
        When::Times { .. } => None,
    });
    turns.map(|(_, iteration)| iteration).max().unwrap_or(0)
}

/// Whether a comparison with a constant is known not to change in later iterations of loops with run-time trip counts.
fn is_settled(program: &SyncProgram, below: &Below) -> bool {
    let mut loops = below.value.shift.loops.keys();
    loops.all(|&number| program.loops[number].trips.is_some()) || turn(program, below).is_some()
}

/// Whether a number of [`Shift::loops`](crate::sync::Shift::loops) depends on the iteration of loops with a run-time trip count.
pub(super) fn counts(program: &SyncProgram, number: usize, count: usize) -> bool {
    let is_open = |number: usize| program.loops[number].trips.is_none() && program.loops[number].count == Some(count);
    is_open(number) || program.totals.get(&number).is_some_and(|loops| loops.iter().any(|&inner| is_open(inner)))
}

/// The loop with a run-time trip count whose iterations are compared with a constant, and the iteration from which on the value is not
/// below it any more, if that is one of the first.
fn turn(program: &SyncProgram, Below { value, limit, .. }: &Below) -> Option<(usize, i64)> {
    let Limit::Number(limit) = limit else { return None };
    let constant = *value.each.first().filter(|_| value.each.len() == 1)?;
    let (&number, iteration) = value.shift.loops.first_key_value().filter(|_| value.shift.loops.len() == 1)?;
    let is_known = program.loops[number].count.is_some() || program.totals.contains_key(&number);
    let is_counter = is_known && (iteration.gain(), iteration.period()) == (1, 1);
    let first = constant.checked_add(iteration.at(0)?)?;
    let turn = limit.checked_sub(first).filter(|turn| is_counter && *turn <= MAX_TURN)?;
    Some((number, turn.max(0)))
}

/// The same for one condition, if it compares with the number of iterations left.
fn of_one(program: &SyncProgram, Below { value, limit, .. }: &Below, count: usize) -> Option<i64> {
    match limit {
        Limit::Trips(counted) if *counted == count => {}
        _ => return Some(0),
    }
    let base = *value.each.first().filter(|_| value.each.len() == 1)?;
    let mut open = value.shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
    let ahead = match open.next() {
        None if value.shift.loops.is_empty() => 0,
        Some((number, periodic)) if value.shift.loops.len() == 1 && (periodic.gain(), periodic.period()) == (1, 1) => {
            periodic.at(0).filter(|_| program.loops[*number].count == Some(count))?
        }
        _ => return None,
    };
    base.checked_add(ahead).map(|lead| lead.max(0))
}

/// Assumed values for run-time trip counts, by the [`count`](crate::sync::Loop::count) of the loops, and the arms that are assumed to
/// be taken, by the [number](number_of) of the branches.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TripCounts {
    values: BTreeMap<usize, i64>,
    /// The trip counts of loops that are entered again and again: the count, the loop around, and a trip count for each of its
    /// iterations.
    in_turn: Option<(usize, usize, Rc<Vec<i64>>)>,
}

impl TripCounts {
    /// The value that is assumed throughout, if one is.
    pub fn of(&self, count: Option<usize>) -> Option<i64> {
        self.values.get(&count?).copied()
    }

    /// The trip count of loops of a count, in an iteration of the loops around.
    pub fn at(&self, count: Option<usize>, iterations: &[(usize, i64)]) -> Option<i64> {
        let in_turn = self.in_turn.as_ref().filter(|(turning, ..)| Some(*turning) == count);
        let Some((_, around, trips)) = in_turn else { return self.of(count) };
        let (_, iteration) = iterations.iter().find(|(number, _)| number == around)?;
        trips.get(usize::try_from(*iteration).ok()?).copied()
    }

    /// These trip counts, with that of one count replaced.
    pub fn with(&self, count: usize, times: i64) -> TripCounts {
        let mut all = self.clone();
        all.values.insert(count, times);
        all
    }

    /// These trip counts, with one of a count for each iteration of the loop `around`.
    pub fn in_turn(&self, count: usize, around: usize, trips: Vec<i64>) -> TripCounts {
        TripCounts { in_turn: Some((count, around, Rc::new(trips))), ..self.clone() }
    }

    /// All combinations of trip counts up to the given ones.
    pub fn up_to(most: &[(usize, i64)]) -> Vec<TripCounts> {
        most.iter().fold(vec![TripCounts::default()], |all, &(count, most)| {
            all.iter().flat_map(|counts| (0..=most).map(|times| counts.with(count, times))).collect()
        })
    }

    /// Whether no trip count is larger than the given ones.
    pub fn is_within(&self, most: &[(usize, i64)]) -> bool {
        most.iter().all(|&(count, most)| self.of(Some(count)).is_none_or(|times| times <= most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_whole() {
        assert_eq!(TripCounts::up_to(&[]), [TripCounts::default()]);
        let all = TripCounts::up_to(&[(4, 2), (7, 1)]);
        assert_eq!((all.len(), all[5].of(Some(4)), all[5].of(Some(7))), (6, Some(2), Some(1)));
        assert_eq!(all.iter().filter(|counts| counts.is_within(&[(4, 1), (7, 1)])).count(), 4);
        assert_eq!(all[0].of(Some(1)), None);
    }
}
