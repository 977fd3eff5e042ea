//! Conditions that all threads decide alike, by how often a loop goes round.
//!
//! ```text
//!   copy 0; if 1 < trips: copy 1        for k: wait k; if k + 2 < trips: copy k + 2; read k
//! ```

use crate::problem::threads::ThreadSet;
use crate::sync::program::{Below, Branch, Item, Limit, Program, Taken};
use crate::sync::rings::decided::{Unfollowed, first, value};

/// The arm that threads take in an iteration, where open loops go round so often; `None` where it is not known.
pub(super) fn arm(
    program: &Program,
    branch: &Branch,
    (threads, iterations): (&ThreadSet, &[(usize, i64)]),
    trips: i64,
) -> Option<usize> {
    let Below { value: form, limit } = branch.when.as_ref().filter(|_| branch.taken == Taken::Together)?;
    let number = value(form, threads, iterations).filter(|&it| it >= 0)?;
    let limit = match limit {
        // What changes once within a loop without a known end is not seen by its repeating.
        Limit::Number(number) => {
            Some(*number).filter(|_| form.shift.loops.keys().all(|&it| program.loops[it].trips.is_some()))
        }
        Limit::Trips(count) => Some(trips).filter(|_| program.loops.iter().any(|it| it.count == Some(*count))),
    }?;
    Some(usize::from(number >= limit))
}

/// How many iterations before the last one of the open loops conditions change at most.
pub(super) fn lead(program: &Program, items: &[Item]) -> Result<i64, Unfollowed> {
    let mut most = 0;
    for item in items {
        let inside = match item {
            Item::Op(_) => continue,
            Item::Loop(_, body) => lead(program, body)?,
            Item::Branch(branch) => {
                let own = branch.when.as_ref().map_or(Some(0), |below| of_one(program, below));
                let found = branch.arms.iter().map(|arm| lead(program, arm)).collect::<Result<Vec<_>, _>>()?;
                let refuse = || {
                    Unfollowed {
                    op: first(&branch.arms.concat()).unwrap_or(0),
                    why: "is under a condition that does not count the iterations that are left, and phases of mbarriers in \
                          loops are followed without these"
                        .to_owned(),
                }
                };
                found.into_iter().max().unwrap_or(0).max(own.ok_or_else(refuse)?)
            }
        };
        most = most.max(inside);
    }
    Ok(most)
}

/// The same of one condition, if it is on how many iterations are left.
fn of_one(program: &Program, Below { value, limit }: &Below) -> Option<i64> {
    if matches!(limit, Limit::Number(_)) {
        return Some(0);
    }
    let own = *value.each.first().filter(|_| value.each.len() == 1)?;
    let mut open = value.shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
    let ahead = match open.next() {
        None if value.shift.loops.is_empty() => 0,
        Some((_, of)) if value.shift.loops.len() == 1 && (of.gain(), of.period()) == (1, 1) => of.at(0)?,
        _ => return None,
    };
    own.checked_add(ahead).map(|lead| lead.max(0))
}
