//! Traces: the steps that each agent executes, for given trip counts.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::sync::groups::bits;
use crate::sync::items::{Branch, Item, Taken};
use crate::sync::places::first;
use crate::sync::program::{Act, Effect, Mbarrier, Op, SyncProgram};
use crate::sync::rings::arms::{Arm, ArmEdge, Arms, MAX_CHOICES, is_choice, number_of, unjoined};
use crate::sync::rings::decided;
use crate::sync::rings::decided::{TripCounts, value};
use crate::sync::rounds::Rounds;
use crate::sync::unfollowed::{Unfollowed, UnfollowedCause};

/// The most steps that are executed.
const MAX_STEPS: usize = 400_000;

/// The loops around a step, each with its iteration.
pub(super) type Iterations = Rc<Vec<(usize, i64)>>;

/// The position of a step relative to the open loops of one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoopPosition {
    /// The number of such loops completed before it.
    pub lap: i64,
    /// The iteration of the current loop; -1 before the next one.
    pub round: i64,
}

impl LoopPosition {
    /// Before the first loop.
    pub const BEFORE: LoopPosition = LoopPosition { lap: 0, round: -1 };

    /// Whether it is in a loop.
    pub fn is_inside(self) -> bool {
        self.round >= 0
    }
}

/// The rank of an agent's block, and its threads.
pub(super) type AgentThreads = (usize, ThreadSet);

/// The mbarriers: for each, the rank of its block, the object, and the byte offset in it.
pub(super) type Names = Vec<(usize, usize, i64)>;

/// The execution of an operation, or the edge of an arm.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TraceStep {
    /// The operation; at the edge of an arm, the first one in the branch.
    pub op: usize,
    pub edge: Option<ArmEdge>,
    pub iterations: Iterations,
    /// These, and what [`SyncProgram::totals`] count: all that values may depend on.
    pub counters: Iterations,
    /// The arms around it that may not be taken.
    pub arms: Arms,
    pub place: LoopPosition,
    /// For each effect on an mbarrier, the mbarrier and the parity that is waited for; empty where there are no such effects.
    pub acts: Vec<Option<(usize, i64)>>,
}

/// The steps that each agent executes.
pub(super) struct Traces {
    pub steps: Vec<Vec<TraceStep>>,
}

impl Traces {
    /// The traces of the agents of a program for the given trip counts. The positions of steps refer to loops of the
    /// count `by`. mbarriers are numbered by `names`, to which new ones are added.
    pub fn new(
        (program, agents): (&SyncProgram, &[AgentThreads]),
        times: &TripCounts,
        by: Option<usize>,
        names: &mut Names,
    ) -> Result<Self, Unfollowed> {
        let (mut steps, mut left) = (Vec::new(), MAX_STEPS);
        for agent in agents {
            let mut builder = TraceBuilder::new(program, (times, by), *agent, (names, &mut left));
            builder.items(&program.body, &Rc::new(Vec::new()))?;
            steps.push(builder.steps);
        }
        Ok(Traces { steps })
    }

    /// The length of each agent's common prefix with other traces.
    pub fn common(&self, other: &Traces) -> Vec<usize> {
        let pairs = self.steps.iter().zip(&other.steps);
        pairs.map(|(one, other)| one.iter().zip(other).take_while(|(a, b)| a == b).count()).collect()
    }
}

fn slot(names: &mut Names, name: (usize, usize, i64)) -> usize {
    let place = names.iter().position(|known| *known == name);
    place.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// The mbarrier operations of an operation.
pub(super) fn mbarriers(op: &Op) -> impl Iterator<Item = &Mbarrier> {
    op.effects.iter().filter_map(|effect| if let Effect::Mbarrier(inner) = effect { Some(&**inner) } else { None })
}

/// The agents of all blocks; each block has the same sets of threads.
pub(super) fn of_all_ranks(program: &SyncProgram, sets: &[ThreadSet]) -> Vec<AgentThreads> {
    (0..program.ranks()).flat_map(|rank| sets.iter().map(move |set| (rank, *set))).collect()
}

/// The agents of a block: the largest sets of threads within a warp that execute the same.
pub(super) fn agents(program: &SyncProgram) -> Vec<ThreadSet> {
    let mut sets: Vec<ThreadSet> = program.of_all_blocks().map(|(_, op)| op.active).collect();
    for (_, op) in program.of_all_blocks() {
        sets.extend(mbarriers(op).filter_map(|mbarrier| match &mbarrier.act {
            Act::Arrive { by, .. } => Some(*by),
            _ => None,
        }));
    }
    arms(program, &program.body, &mut sets);
    let warp = |warp: usize| program.block.intersect(&ThreadSet::of_warps(1 << warp));
    let mut agents: Vec<ThreadSet> = bits(program.block.warps()).map(warp).collect();
    let mut seen = BTreeSet::new();
    for set in sets.iter().filter(|set| seen.insert(set.iter().collect::<Vec<_>>())) {
        agents = agents.iter().flat_map(|agent| [agent.intersect(set), agent.without(set)]).collect();
        agents.retain(|agent| !agent.is_empty());
    }
    agents
}

fn arms(program: &SyncProgram, items: &[Item], sets: &mut Vec<ThreadSet>) {
    for item in items {
        match item {
            Item::Op(_) => {}
            Item::Loop(number, body) => {
                if let Rounds::By(entering) = program.loops[*number].rounds {
                    sets.push(entering);
                }
                arms(program, body, sets);
            }
            Item::Branch(branch) => {
                match &branch.taken {
                    Taken::By(taken) => sets.extend(taken),
                    Taken::ByRank(taken) => sets.extend(taken.iter().flatten()),
                    Taken::Together | Taken::ByWarps | Taken::Unknown => {}
                }
                branch.arms.iter().for_each(|arm| arms(program, arm, sets));
            }
        }
    }
}

/// The construction of one agent's trace.
struct TraceBuilder<'t, 'p> {
    program: &'p SyncProgram,
    times: &'p TripCounts,
    by: Option<usize>,
    rank: usize,
    threads: ThreadSet,
    names: &'t mut Names,
    steps: Vec<TraceStep>,
    arms: Arms,
    place: LoopPosition,
    /// What [`SyncProgram::totals`] count.
    totals: Vec<(usize, i64)>,
    left: &'t mut usize,
}

impl<'t, 'p> TraceBuilder<'t, 'p> {
    fn new(
        program: &'p SyncProgram,
        (times, by): (&'p TripCounts, Option<usize>),
        (rank, threads): AgentThreads,
        (names, left): (&'t mut Names, &'t mut usize),
    ) -> Self {
        let (steps, arms) = (Vec::new(), Arms::default());
        let totals = program.totals.keys().filter(|&&number| program.is_counted(number)).map(|&number| (number, 0));
        let (totals, place) = (totals.collect(), LoopPosition::BEFORE);
        TraceBuilder { program, times, by, rank, threads, names, steps, arms, place, totals, left }
    }

    /// All that values may depend on, in the given iterations.
    fn counters(&self, iterations: &Iterations) -> Iterations {
        if self.totals.is_empty() {
            Rc::clone(iterations)
        } else {
            Rc::new([iterations.as_slice(), &self.totals].concat())
        }
    }

    /// An iteration of a loop ends.
    fn count(&mut self, number: usize) {
        let program = self.program;
        let of_loop = |total: usize| program.totals.get(&total).and_then(|loops| loops.first()) == Some(&number);
        self.totals.iter_mut().filter(|(total, _)| of_loop(*total)).for_each(|(_, iterations)| *iterations += 1);
    }

    fn items(&mut self, items: &[Item], iterations: &Iterations) -> Result<(), Unfollowed> {
        items.iter().try_for_each(|item| self.item(item, iterations))
    }

    fn item(&mut self, item: &Item, iterations: &Iterations) -> Result<(), Unfollowed> {
        match item {
            Item::Op(op) => self.op(*op, iterations),
            Item::Loop(number, body) => {
                let entered = &self.program.loops[*number];
                if entered.rounds.entering(self.threads).is_empty() {
                    return Ok(());
                }
                let counted = entered.trips.is_none() && entered.count == self.by;
                let Some(trips) = entered.trips.or_else(|| self.times.at(entered.count, iterations)) else {
                    return Ok(());
                };
                for k in 0..trips {
                    if counted {
                        self.place.round = k;
                    }
                    let inner = Rc::new([iterations.as_slice(), &[(*number, k)]].concat());
                    self.items(body, &inner)?;
                    self.count(*number);
                }
                if counted {
                    self.place = LoopPosition { lap: self.place.lap + 1, round: -1 };
                }
                Ok(())
            }
            Item::Branch(branch) => match &branch.taken {
                Taken::By(sets) => self.own_arm(branch, sets, iterations),
                Taken::ByRank(sets) => {
                    sets.get(self.rank).map_or(Ok(()), |sets| self.own_arm(branch, sets, iterations))
                }
                _ => {
                    let counters = self.counters(iterations);
                    match decided::arm(self.program, branch, self.rank, (&self.threads, &counters), self.times) {
                        Some(arm) => branch.arms.get(arm).map_or(Ok(()), |arm| self.items(arm, iterations)),
                        None => self.any_arm(branch, iterations),
                    }
                }
            },
        }
    }

    /// Follows all arms, one after the other; the agent takes one of them.
    fn any_arm(&mut self, branch: &Branch, iterations: &Iterations) -> Result<(), Unfollowed> {
        let Some(op) = first(&branch.arms.concat()) else { return Ok(()) };
        let unjoined = branch.arms.iter().find_map(|arm| unjoined(self.program, arm, branch.taken.together()));
        if let Some(op) = unjoined {
            let is_choice = iterations.is_empty() && is_choice(self.program, branch);
            let cause =
                if is_choice { UnfollowedCause::Conditions { most: MAX_CHOICES } } else { UnfollowedCause::Condition };
            return Err(cause.at(op));
        }
        let (around, begin) = (Rc::clone(&self.arms), self.steps.len());
        for (number, arm) in branch.arms.iter().enumerate() {
            self.edge(op, if number == 0 { ArmEdge::Begin } else { ArmEdge::Next }, iterations);
            let (depth, together) = (iterations.len(), branch.taken.together());
            let taken = Arm { branch: number_of(branch), number, depth, together };
            self.arms = Rc::new([around.as_slice(), &[taken]].concat());
            self.items(arm, iterations)?;
        }
        self.edge(op, ArmEdge::End, iterations);
        self.arms = around;
        if self.steps[begin..].iter().all(|step| step.edge.is_some()) {
            self.steps.truncate(begin);
        }
        Ok(())
    }

    fn edge(&mut self, op: usize, edge: ArmEdge, iterations: &Iterations) {
        let (iterations, counters) = (iterations.clone(), iterations.clone());
        let (arms, acts) = (Rc::clone(&self.arms), Vec::new());
        self.steps.push(TraceStep { op, edge: Some(edge), iterations, counters, arms, place: self.place, acts });
    }

    /// Follows the arm that the agent takes, where different sets of threads take different arms.
    fn own_arm(&mut self, branch: &Branch, sets: &[ThreadSet], iterations: &Iterations) -> Result<(), Unfollowed> {
        let taken = sets.iter().position(|set| self.threads.is_subset(set));
        taken.and_then(|arm| branch.arms.get(arm)).map_or(Ok(()), |arm| self.items(arm, iterations))
    }

    fn op(&mut self, op: usize, iterations: &Iterations) -> Result<(), Unfollowed> {
        let operation = self.program.op(self.rank, op);
        let idle = operation.accesses.is_empty() && operation.effects.is_empty();
        if !operation.exact && !operation.effects.is_empty() {
            return Err(UnfollowedCause::Threads.at(op));
        }
        if idle || !self.threads.is_subset(&operation.active) {
            return Ok(());
        }
        *self.left = self.left.checked_sub(1).ok_or(UnfollowedCause::Steps.at(op))?;
        let (mut acts, counters) = (Vec::new(), self.counters(iterations));
        let effects = operation.effects.iter().filter(|_| mbarriers(operation).next().is_some());
        for effect in effects {
            let Effect::Mbarrier(mbarrier) = effect else {
                acts.push(None);
                continue;
            };
            let byte = value(&mbarrier.byte, &self.threads, &counters);
            let byte = byte.ok_or(UnfollowedCause::UnknownMbarrier.at(op))?;
            let parity = match &mbarrier.act {
                Act::Wait { parity } => {
                    value(parity, &self.threads, &counters).ok_or(UnfollowedCause::UnknownParity.at(op))?
                }
                _ => 0,
            };
            let (object, owner) = self.program.object(self.rank, mbarrier.object);
            let owner = owner.ok_or(UnfollowedCause::UnknownBlock.at(op))?;
            acts.push(Some((slot(self.names, (owner, object, byte)), parity.rem_euclid(2))));
        }
        let (iterations, arms) = (iterations.clone(), Rc::clone(&self.arms));
        self.steps.push(TraceStep { op, edge: None, iterations, counters, arms, place: self.place, acts });
        Ok(())
    }
}
