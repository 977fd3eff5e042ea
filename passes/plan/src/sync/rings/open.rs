//! Open loops: those whose trip count is known only at run time.

use std::collections::BTreeSet;

use tile_layout::gcd;

use crate::problem::threads::ThreadSet;
use crate::sync::items::{Item, Taken, When};
use crate::sync::periodic::Periodic;
use crate::sync::places::first;
use crate::sync::program::{Act, SyncProgram};
use crate::sync::rings::decided;
use crate::sync::rings::decided::Unfollowed;
use crate::sync::rings::trace::mbarriers;
use crate::sync::shift::Shift;

/// The longest period of a ring that is followed.
const MAX_PERIOD: i64 = 64;

/// The most run-time trip counts that are followed.
const MAX_COUNTS: usize = 2;

/// Open loops with equal trip counts.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Their [`count`](crate::sync::Loop::count).
    pub count: usize,
    /// The counts of the open loops around every one of them.
    pub around: Vec<usize>,
    /// The number of iterations after which the operations repeat.
    pub period: i64,
    /// The number of iterations before the last one from which on the operations may differ.
    pub lead: i64,
    /// The loop around in each of whose iterations they have a trip count of their own, if it is not the same throughout.
    pub within: Option<usize>,
}

impl Open {
    /// The trip counts up to which errors are looked for before it is known how many are enough.
    pub fn few(&self) -> i64 {
        self.period + self.lead + 1
    }
}

/// The loops that have a trip count of their own each time that they are entered, and the loops around them; `None` where there are none.
///
/// # Errors
/// They are not followed there.
pub(super) fn entered_again<'o>(
    program: &SyncProgram,
    open: &'o [Open],
) -> Result<Option<(&'o Open, &'o Open)>, Unfollowed> {
    let Some((inner, around)) = open.iter().find_map(|inner| Some((inner, inner.within?))) else { return Ok(None) };
    let outer = open.iter().find(|outer| Some(outer.count) == program.loops[around].count);
    match outer.filter(|outer| outer.period == 1) {
        Some(outer) => Ok(Some((inner, outer))),
        None => {
            let why = "is in a loop whose trip count may change each time it is entered, and phases of mbarriers are followed there \
                       only in a loop with a run-time trip count whose iterations are alike";
            Err(Unfollowed { op: first(&program.body).unwrap_or(0), why: why.to_owned() })
        }
    }
}

/// The open loops of a program with the given agents in each block, the most deeply nested first.
pub(super) fn open(program: &SyncProgram, agents: &[ThreadSet]) -> Result<Vec<Open>, Unfollowed> {
    let mut found = Found { program, loops: BTreeSet::new(), around: BTreeSet::new() };
    for agent in agents {
        found.along(&program.body, agent, &mut Vec::new())?;
    }
    let mut counts: Vec<usize> = Vec::new();
    for &(op, count) in &found.loops {
        if !counts.contains(&count) {
            counts.push(count);
        }
        if counts.len() > MAX_COUNTS {
            let why = format!(
                "is in one of several loops with different run-time trip counts, and phases of mbarriers are followed \
                 for at most {MAX_COUNTS} such trip counts"
            );
            return Err(Unfollowed { op, why });
        }
    }
    let around = |count| {
        let each = || found.around.iter().filter(|(own, _)| *own == count).map(|(_, around)| around);
        let all = each().flatten().copied().filter(|it| each().all(|around| around.contains(it)));
        all.collect::<BTreeSet<usize>>().into_iter().collect()
    };
    let of = |count| {
        let (period, lead) = (period(program, count)?, decided::lead(program, count));
        Ok(Open { count, around: around(count), period, lead, within: program.entries.get(&count).copied() })
    };
    // `TripCounts::up_to` varies the last count fastest. Executions share most where that is the outermost loop's (`runs`).
    let mut open: Vec<Open> = counts.into_iter().map(of).collect::<Result<_, _>>()?;
    open.sort_by_key(|it| std::cmp::Reverse(it.around.len()));
    Ok(open)
}

struct Found<'p> {
    program: &'p SyncProgram,
    /// The first operation in each open loop, and the loop's count. An operation may be the first in several loops.
    loops: BTreeSet<(usize, usize)>,
    /// The counts of open loops, each with those of the loops around it.
    around: BTreeSet<(usize, Vec<usize>)>,
}

impl Found<'_> {
    /// Visits the items that an agent executes, inside open loops of the counts `around`.
    fn along(&mut self, items: &[Item], agent: &ThreadSet, around: &mut Vec<usize>) -> Result<(), Unfollowed> {
        for item in items {
            match item {
                Item::Op(_) => {}
                Item::Loop(number, body) => {
                    let of = &self.program.loops[*number];
                    let Some(op) = first(body) else { continue };
                    if of.trips.is_some() {
                        self.along(body, agent, around)?;
                        continue;
                    }
                    let Some(count) = of.count.filter(|count| !around.contains(count)) else {
                        let why = "is in a loop whose trip count may change each time it is entered, or equals that \
                                   of a loop around it, and phases of mbarriers are not followed in such loops";
                        return Err(Unfollowed { op, why: why.to_owned() });
                    };
                    self.loops.insert((op, count));
                    self.around.insert((count, around.clone()));
                    around.push(count);
                    self.along(body, agent, around)?;
                    around.pop();
                }
                Item::Branch(branch) => {
                    let taken = |arm: &usize| match &branch.taken {
                        Taken::By(sets) => sets.get(*arm).is_some_and(|set| agent.is_subset(set)),
                        Taken::ByRank(ranks) => {
                            ranks.iter().filter_map(|sets| sets.get(*arm)).any(|set| agent.is_subset(set))
                        }
                        _ => true,
                    };
                    for arm in (0..branch.arms.len()).filter(taken) {
                        self.along(&branch.arms[arm], agent, around)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The common period of everything that depends on the iteration of loops of a count, or on their trip count.
fn period(program: &SyncProgram, count: usize) -> Result<i64, Unfollowed> {
    let is_of = |number: usize| program.loops[number].trips.is_none() && program.loops[number].count == Some(count);
    let of = |shift: &Shift| -> Vec<Periodic> {
        shift.loops.iter().filter(|(number, _)| is_of(**number)).map(|(_, periodic)| periodic.clone()).collect()
    };
    let mut period = 1;
    let mut conditions = Vec::new();
    decided::all(&program.body, &mut conditions);
    for (when, op) in conditions {
        if let When::Times { count: own, arm } = when
            && *own == count
        {
            period = longer(period, arm.period(), op)?;
        }
    }
    for (number, op) in program.of_all_blocks() {
        let repeated: Vec<Periodic> = mbarriers(op)
            .flat_map(|it| match &it.act {
                Act::Wait { parity } => [of(&it.byte.shift), of(&parity.shift)].concat(),
                _ => of(&it.byte.shift),
            })
            .collect();
        if repeated.iter().any(|it| it.gain() != 0) {
            let why = "is not followed: the mbarrier or parity that it names does not repeat".to_owned();
            return Err(Unfollowed { op: number, why });
        }
        // Accesses to memory that is only read never conflict.
        let written = op.accesses.iter().filter(|access| program.is_written(program.object_of(access)));
        for periodic in repeated.into_iter().chain(written.flat_map(|access| of(&access.shift))) {
            period = longer(period, periodic.period(), number)?;
        }
    }
    Ok(period)
}

/// The least common multiple of two periods, if it is short enough.
fn longer(period: i64, own: i64, op: usize) -> Result<i64, Unfollowed> {
    let both = period / gcd(period, own).max(1) * own;
    let why = || format!("is not followed: rings repeat after {both} iterations, expected at most {MAX_PERIOD}");
    if both > MAX_PERIOD { Err(Unfollowed { op, why: why() }) } else { Ok(both) }
}
