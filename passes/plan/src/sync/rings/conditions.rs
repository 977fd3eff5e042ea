//! Conditions that all threads decide alike, by how often loops go round.
//!
//! ```text
//!   copy 0; if 1 < trips: copy 1        for k: wait k; if k + 2 < trips: copy k + 2; read k
//! ```

use crate::problem::threads::ThreadSet;
use crate::sync::places::first;
use crate::sync::program::{Branch, Item, Program, Taken};
use crate::sync::rings::decided::{Unfollowed, value};
use crate::sync::rings::times::Times;
use crate::sync::when::{Below, Limit, When};

/// The arm that threads of a block take in an iteration; `None` where it is not known.
pub(super) fn arm(
    program: &Program,
    branch: &Branch,
    rank: usize,
    (threads, iterations): (&ThreadSet, &[(usize, i64)]),
    times: &Times,
) -> Option<usize> {
    let Below { value: form, limit } = match branch.when.as_ref().filter(|_| branch.taken == Taken::Together)? {
        When::Times { count, arm } => return usize::try_from(arm.at(times.of(Some(*count))?)?).ok(),
        When::Below(below) => below,
    };
    let number = value(form, threads, iterations).filter(|&it| it >= 0)?;
    let limit = match limit {
        // What changes once within a loop without a known end is not seen by its repeating.
        Limit::Number(number) => {
            Some(*number).filter(|_| form.shift.loops.keys().all(|&it| program.loops[it].trips.is_some()))
        }
        Limit::Blocks(takes) => takes.get(rank).copied(),
        Limit::Trips(count) => times.of(Some(*count)),
    }?;
    Some(usize::from(number >= limit))
}

/// The conditions of some items, each with the operation that is first in an arm of it.
pub(super) fn all<'p>(items: &'p [Item], found: &mut Vec<(&'p When, usize)>) {
    for item in items {
        match item {
            Item::Op(_) => {}
            Item::Loop(_, body) => all(body, found),
            Item::Branch(branch) => {
                let op = first(&branch.arms.concat());
                found.extend(branch.when.as_ref().zip(op));
                branch.arms.iter().for_each(|arm| all(arm, found));
            }
        }
    }
}

/// How many iterations before the last one of loops of a count conditions change at most.
pub(super) fn lead(program: &Program, count: usize) -> Result<i64, Unfollowed> {
    let (mut found, mut most) = (Vec::new(), 0);
    all(&program.body, &mut found);
    for (when, op) in found {
        let When::Below(below) = when else { continue };
        let why = "is under a condition that does not count the iterations that are left, and phases of mbarriers in loops are \
                   followed without these";
        most = most.max(of_one(program, below, count).ok_or_else(|| Unfollowed { op, why: why.to_owned() })?);
    }
    Ok(most)
}

/// The same of one condition, if it is on how many iterations are left.
fn of_one(program: &Program, Below { value, limit }: &Below, count: usize) -> Option<i64> {
    match limit {
        Limit::Trips(of) if *of == count => {}
        _ => return Some(0),
    }
    let own = *value.each.first().filter(|_| value.each.len() == 1)?;
    let mut open = value.shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
    let ahead = match open.next() {
        None if value.shift.loops.is_empty() => 0,
        Some((number, of)) if value.shift.loops.len() == 1 && (of.gain(), of.period()) == (1, 1) => {
            of.at(0).filter(|_| program.loops[*number].count == Some(count))?
        }
        _ => return None,
    };
    own.checked_add(ahead).map(|lead| lead.max(0))
}
