//! What each set of threads that go the same ways executes, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tile_layout::gcd;

use crate::problem::threads::ThreadSet;
use crate::sync::groups::bits;
use crate::sync::periodic::Periodic;
use crate::sync::program::{Act, Effect, Item, Mbarrier, Op, Program, Taken};
use crate::sync::rings::conditions;
use crate::sync::rings::decided::{Unfollowed, first, value};
use crate::sync::shift::Shift;

/// The most steps that are executed.
const MOST_STEPS: usize = 400_000;

/// The longest period of a ring.
const MOST_PERIOD: i64 = 64;

/// Why a condition is not followed.
const UNDECIDED: &str = "is under a condition that only the run decides, and phases of mbarriers in loops are followed without \
                         these: expected a condition on the thread's id, or one whether a loop has so many iterations";

/// Loops, each with the iteration of it.
pub(super) type Iterations = Rc<Vec<(usize, i64)>>;

/// Loops of which only the run knows how often they go round: all equally often.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// After so many iterations what is done repeats.
    pub period: i64,
    /// So many iterations before the last one what is done may begin to differ.
    pub lead: i64,
}

/// An operation that is executed.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub op: usize,
    pub iterations: Iterations,
    /// The iteration of the open loop; -1 before it, beyond all behind it.
    pub round: i64,
    /// Of each effect that is done to an mbarrier: which one, and the parity that is waited for.
    pub acts: Vec<Option<(usize, i64)>>,
}

/// What is executed by whom.
pub(super) struct Traces {
    /// Sets of threads, each within a warp, that execute the same.
    pub agents: Vec<ThreadSet>,
    pub steps: Vec<Vec<Step>>,
    /// mbarriers: an object and a byte of it.
    pub slots: Vec<(usize, i64)>,
}

impl Traces {
    /// Of a program whose open loops go round so often.
    pub fn new(program: &Program, trips: i64) -> Result<Self, Unfollowed> {
        let agents = agents(program);
        let mut traces = Traces { agents: agents.clone(), steps: Vec::new(), slots: Vec::new() };
        let mut left = MOST_STEPS;
        for threads in agents {
            let mut of =
                Of { program, trips, threads, traces: &mut traces, steps: Vec::new(), round: -1, left: &mut left };
            of.items(&program.body, &Rc::new(Vec::new()))?;
            let steps = of.steps;
            traces.steps.push(steps);
        }
        Ok(traces)
    }

    fn slot(&mut self, object: usize, byte: i64) -> usize {
        let found = self.slots.iter().position(|it| *it == (object, byte));
        found.unwrap_or_else(|| {
            self.slots.push((object, byte));
            self.slots.len() - 1
        })
    }
}

/// What an operation does to mbarriers.
fn mbarriers(op: &Op) -> impl Iterator<Item = &Mbarrier> {
    op.effects.iter().filter_map(|effect| if let Effect::Mbarrier(it) = effect { Some(&**it) } else { None })
}

/// Sets of threads, each within a warp, that execute the same.
fn agents(program: &Program) -> Vec<ThreadSet> {
    let mut sets: Vec<ThreadSet> = program.ops.iter().map(|op| op.active).collect();
    for op in &program.ops {
        sets.extend(mbarriers(op).filter_map(|it| match &it.act {
            Act::Arrive { by, .. } => Some(*by),
            _ => None,
        }));
    }
    arms(&program.body, &mut sets);
    let warp = |warp: usize| program.block.intersect(&ThreadSet::of_warps(1 << warp));
    let mut agents: Vec<ThreadSet> = bits(program.block.warps()).map(warp).collect();
    let mut seen = BTreeSet::new();
    for set in sets.iter().filter(|set| seen.insert(set.iter().collect::<Vec<_>>())) {
        agents = agents.iter().flat_map(|agent| [agent.intersect(set), agent.without(set)]).collect();
        agents.retain(|agent| !agent.is_empty());
    }
    agents
}

fn arms(items: &[Item], sets: &mut Vec<ThreadSet>) {
    for item in items {
        match item {
            Item::Op(_) => {}
            Item::Loop(_, body) => arms(body, sets),
            Item::Branch(branch) => {
                if let Taken::By(taken) = &branch.taken {
                    sets.extend(taken);
                }
                branch.arms.iter().for_each(|arm| arms(arm, sets));
            }
        }
    }
}

/// What one agent executes.
struct Of<'t, 'p> {
    program: &'p Program,
    trips: i64,
    threads: ThreadSet,
    traces: &'t mut Traces,
    steps: Vec<Step>,
    round: i64,
    left: &'t mut usize,
}

impl Of<'_, '_> {
    fn items(&mut self, items: &[Item], iterations: &Iterations) -> Result<(), Unfollowed> {
        items.iter().try_for_each(|item| self.item(item, iterations))
    }

    fn item(&mut self, item: &Item, iterations: &Iterations) -> Result<(), Unfollowed> {
        match item {
            Item::Op(op) => self.op(*op, iterations),
            Item::Loop(number, body) => {
                let of = &self.program.loops[*number];
                let (trips, open) = of.trips.map_or((self.trips, true), |trips| (trips, false));
                for k in 0..trips {
                    if open {
                        self.round = k;
                    }
                    let inner = Rc::new([iterations.as_slice(), &[(*number, k)]].concat());
                    self.items(body, &inner)?;
                }
                if open {
                    self.round = i64::MAX;
                }
                Ok(())
            }
            Item::Branch(branch) => match &branch.taken {
                Taken::By(sets) => {
                    let taken = sets.iter().position(|set| self.threads.is_subset(set));
                    taken.and_then(|arm| branch.arms.get(arm)).map_or(Ok(()), |arm| self.items(arm, iterations))
                }
                _ => match (
                    conditions::arm(self.program, branch, (&self.threads, iterations), self.trips),
                    first(&branch.arms.concat()),
                ) {
                    (Some(arm), _) => branch.arms.get(arm).map_or(Ok(()), |arm| self.items(arm, iterations)),
                    (None, Some(op)) => Err(Unfollowed { op, why: UNDECIDED.to_owned() }),
                    (None, None) => Ok(()),
                },
            },
        }
    }

    fn op(&mut self, op: usize, iterations: &Iterations) -> Result<(), Unfollowed> {
        let of = &self.program.ops[op];
        let idle = of.accesses.is_empty() && of.effects.is_empty();
        if !of.exact && !idle {
            let why =
                "is reached by threads that are not known, and phases of mbarriers in loops are followed without these";
            return Err(Unfollowed { op, why: why.to_owned() });
        }
        if idle || !self.threads.is_subset(&of.active) {
            return Ok(());
        }
        let refuse = |why: &str| Unfollowed { op, why: why.to_owned() };
        *self.left = self.left.checked_sub(1).ok_or_else(|| refuse("is executed too often to be followed"))?;
        let mut acts = Vec::new();
        for effect in &of.effects {
            let Effect::Mbarrier(it) = effect else {
                acts.push(None);
                continue;
            };
            let byte = value(&it.byte, &self.threads, iterations);
            let byte = byte.ok_or_else(|| refuse("is not followed: which mbarrier it names is not known"))?;
            let parity = match &it.act {
                Act::Wait { parity } => value(parity, &self.threads, iterations)
                    .ok_or_else(|| refuse("is not followed: which parity of an mbarrier it waits for is not known"))?,
                _ => 0,
            };
            acts.push(Some((self.traces.slot(it.object, byte), parity.rem_euclid(2))));
        }
        self.steps.push(Step { op, iterations: iterations.clone(), round: self.round, acts });
        Ok(())
    }
}

/// The loops of which only the run knows how often they go round.
pub(super) fn open(program: &Program) -> Result<Option<Open>, Unfollowed> {
    let mut found = Found { program, loops: BTreeMap::new(), period: 1 };
    for agent in agents(program) {
        found.along(&program.body, &agent, 0)?;
    }
    let mut counts = found.loops.values();
    let Some(one) = counts.next() else { return Ok(None) };
    let op = found.loops.keys().copied().next_back().unwrap_or(0);
    if one.is_none() || counts.any(|other| other != one) {
        let why = "is in a loop of which it is not known that it goes round as often as the others, and phases of mbarriers in \
                   loops are followed without these";
        return Err(Unfollowed { op, why: why.to_owned() });
    }
    found.periods()?;
    Ok(Some(Open { period: found.period, lead: conditions::lead(program, &program.body)? }))
}

struct Found<'p> {
    program: &'p Program,
    /// Of the first operation in each open loop, how often it goes round, by a number.
    loops: BTreeMap<usize, Option<usize>>,
    period: i64,
}

impl Found<'_> {
    /// Looks at what an agent executes; how many open loops there are.
    fn along(&mut self, items: &[Item], agent: &ThreadSet, mut seen: usize) -> Result<usize, Unfollowed> {
        for item in items {
            match item {
                Item::Op(_) => {}
                Item::Loop(number, body) => {
                    let of = &self.program.loops[*number];
                    let Some(op) = first(body) else { continue };
                    let before = seen;
                    if of.trips.is_none() {
                        seen += 1;
                        self.loops.insert(op, of.count);
                    }
                    seen = self.along(body, agent, seen)?;
                    let often = of.trips.is_some_and(|trips| trips > 1) && seen > before;
                    if seen > 1 || often {
                        let why = "is in one of several loops of which only the run knows how often they go round, and phases \
                                   of mbarriers are followed in one of these";
                        return Err(Unfollowed { op, why: why.to_owned() });
                    }
                }
                Item::Branch(branch) => {
                    let taken = |arm: &usize| match &branch.taken {
                        Taken::By(sets) => sets.get(*arm).is_some_and(|set| agent.is_subset(set)),
                        _ => true,
                    };
                    for arm in (0..branch.arms.len()).filter(taken) {
                        seen = self.along(&branch.arms[arm], agent, seen)?;
                    }
                }
            }
        }
        Ok(seen)
    }

    /// The common period of all that depends on an iteration of an open loop.
    fn periods(&mut self) -> Result<(), Unfollowed> {
        let program = self.program;
        for (op, of) in program.ops.iter().enumerate() {
            let refuse = |why: String| Unfollowed { op, why };
            let open = |shift: &'_ Shift| -> Vec<Periodic> {
                let open = shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
                open.map(|(_, periodic)| periodic.clone()).collect()
            };
            let repeated = mbarriers(of).flat_map(|it| match &it.act {
                Act::Wait { parity } => [open(&it.byte.shift), open(&parity.shift)].concat(),
                _ => open(&it.byte.shift),
            });
            let repeated: Vec<Periodic> = repeated.collect();
            if repeated.iter().any(|it| it.gain() != 0) {
                return Err(refuse(
                    "is not followed: which mbarrier or which parity it names does not repeat".to_owned(),
                ));
            }
            for periodic in repeated.into_iter().chain(of.accesses.iter().flat_map(|access| open(&access.shift))) {
                let own = periodic.period();
                self.period = self.period / gcd(self.period, own).max(1) * own;
            }
            if self.period > MOST_PERIOD {
                let got = self.period;
                return Err(refuse(format!(
                    "is not followed: rings repeat after {got} iterations, at most {MOST_PERIOD} are"
                )));
            }
        }
        Ok(())
    }
}
