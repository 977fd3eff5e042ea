//! Open loops: those whose trip count is known only at run time.

use std::collections::BTreeSet;

use tile_layout::gcd;

use crate::problem::threads::ThreadSet;
use crate::sync::items::{Item, Taken, When};
use crate::sync::periodic::Periodic;
use crate::sync::places::first;
use crate::sync::program::{Act, SyncProgram};
use crate::sync::rings::decided::{self, TripCounts};
use crate::sync::rings::trace::mbarriers;
use crate::sync::shift::Shift;
use crate::sync::unfollowed::{Unfollowed, UnfollowedCause};

/// The longest period of a ring that is followed.
const MAX_PERIOD: i64 = 64;

/// The most run-time trip counts that are followed.
const MAX_COUNTS: usize = 2;

/// Open loops with equal trip counts.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Their [`count`](crate::sync::Loop::count).
    pub count: usize,
    /// The first operation in one of them.
    pub op: usize,
    /// The counts of the open loops around every one of them.
    pub around: Vec<usize>,
    /// The number of iterations after which the operations repeat.
    pub period: i64,
    /// The number of iterations before the last one from which on the operations may differ.
    pub lead: i64,
    /// The first iteration from which on no condition changes that compares with a constant.
    pub settles: i64,
    /// The loop around them with whose iterations their trip count changes, if it is not the same throughout.
    pub within: Option<usize>,
}

impl Open {
    /// The trip counts up to which errors are looked for before it is known how many are enough.
    pub fn few(&self) -> i64 {
        self.settles + self.period + self.lead + 1
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
        None => Err(UnfollowedCause::LoopAround.at(inner.op)),
    }
}

/// The open loops of a program with the given agents in each block, the most deeply nested first.
pub(super) fn open(program: &SyncProgram, agents: &[ThreadSet]) -> Result<Vec<Open>, Unfollowed> {
    let mut visitor = OpenLoops { program, loops: BTreeSet::new(), around: BTreeSet::new() };
    for agent in agents {
        visitor.along(&program.body, agent, &mut Vec::new())?;
    }
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for &(op, count) in &visitor.loops {
        if !counts.iter().any(|(_, other)| *other == count) {
            counts.push((op, count));
        }
        if counts.len() > MAX_COUNTS {
            return Err(UnfollowedCause::TripCounts { most: MAX_COUNTS }.at(op));
        }
    }
    let around = |count| {
        let each = || visitor.around.iter().filter(|(inner, _)| *inner == count).map(|(_, around)| around);
        let all = each().flatten().copied().filter(|outer| each().all(|around| around.contains(outer)));
        all.collect::<BTreeSet<usize>>().into_iter().collect()
    };
    let open_loop = |(op, count)| {
        let (period, lead) = (period(program, count, &TripCounts::default())?, decided::lead(program, count));
        let (settles, within) = (decided::settles(program, count), program.entries.get(&count).copied());
        Ok(Open { count, op, around: around(count), period, lead, settles, within })
    };
    // `TripCounts::up_to` varies the last count fastest. Executions share most where that is the outermost loop's (`runs`).
    let mut open: Vec<Open> = counts.into_iter().map(open_loop).collect::<Result<_, _>>()?;
    open.sort_by_key(|open| std::cmp::Reverse(open.around.len()));
    Ok(open)
}

struct OpenLoops<'p> {
    program: &'p SyncProgram,
    /// The first operation in each open loop, and the loop's count. An operation may be the first in several loops.
    loops: BTreeSet<(usize, usize)>,
    /// The counts of open loops, each with those of the loops around it.
    around: BTreeSet<(usize, Vec<usize>)>,
}

impl OpenLoops<'_> {
    /// Visits the items that an agent executes, inside open loops of the counts `around`.
    fn along(&mut self, items: &[Item], agent: &ThreadSet, around: &mut Vec<usize>) -> Result<(), Unfollowed> {
        for item in items {
            match item {
                Item::Op(_) => {}
                Item::Loop(number, body) => {
                    let counted = &self.program.loops[*number];
                    let Some(op) = first(body) else { continue };
                    if counted.trips.is_some() {
                        self.along(body, agent, around)?;
                        continue;
                    }
                    let count = counted.count.filter(|count| !around.contains(count));
                    let count = count.ok_or_else(|| UnfollowedCause::TripCount.at(op))?;
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

/// The common period of everything that depends on the iteration of loops of a count, or on their trip count, where other loops have the
/// given trip counts.
pub(super) fn period(program: &SyncProgram, count: usize, times: &TripCounts) -> Result<i64, Unfollowed> {
    let is_of = |number: usize| decided::counts(program, number, count);
    let periodics = |shift: &Shift| -> Vec<(Periodic, i64)> {
        let all = shift.loops.iter().filter(|(number, _)| is_of(**number));
        all.map(|(&number, periodic)| (periodic.clone(), rounds(program, (number, periodic), count, times))).collect()
    };
    let mut period = 1;
    let mut conditions = Vec::new();
    decided::all(&program.body, &mut conditions);
    for (when, op) in conditions {
        if let When::Times { count: counted, arm } = when
            && *counted == count
        {
            period = longer(period, arm.period(), op)?;
        }
    }
    for (number, op) in program.of_all_blocks() {
        let repeated: Vec<(Periodic, i64)> = mbarriers(op)
            .flat_map(|mbarrier| match &mbarrier.act {
                Act::Wait { parity } => [periodics(&mbarrier.byte.shift), periodics(&parity.shift)].concat(),
                _ => periodics(&mbarrier.byte.shift),
            })
            .collect();
        if repeated.iter().any(|(periodic, _)| periodic.gain() != 0) {
            return Err(UnfollowedCause::MbarrierNeverRepeats.at(number));
        }
        // Accesses to memory that is only read never conflict.
        let written = op.accesses.iter().filter(|access| program.is_written(program.object_of(access)));
        for (_, rounds) in repeated.into_iter().chain(written.flat_map(|access| periodics(&access.shift))) {
            period = longer(period, rounds, number)?;
        }
    }
    Ok(period)
}

/// After how many iterations of loops of a count a function of a number repeats. A loop around that is entered with 4 iterations each time
/// repeats a ring of 8 twice as fast as one that is entered with one.
fn rounds(program: &SyncProgram, (number, periodic): (usize, &Periodic), count: usize, times: &TripCounts) -> i64 {
    let Some(loops) = program.totals.get(&number) else { return periodic.period() };
    let inside =
        loops.iter().map(|&at| &program.loops[at]).take_while(|one| one.trips.is_some() || one.count != Some(count));
    let mut trips = inside.map(|inner| inner.trips.or_else(|| times.of(inner.count)));
    let each = trips.try_fold(1i64, |product, trips| product.checked_mul(trips?));
    periodic.period() / each.map_or(1, |each| gcd(each, periodic.period()).max(1))
}

/// The least common multiple of two periods, if it is short enough.
fn longer(period: i64, other: i64, op: usize) -> Result<i64, Unfollowed> {
    let both = period / gcd(period, other).max(1) * other;
    if both > MAX_PERIOD { Err(UnfollowedCause::Period { got: both, most: MAX_PERIOD }.at(op)) } else { Ok(both) }
}
