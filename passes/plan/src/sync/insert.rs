//! What has to be added to a program so that its conflicts are in order, and what of it is in vain.
//!
//! Conflicts are taken by where they end, and what orders one is put right before its end: of the places that order it, the
//! latest, which orders most of those that end later (interval stabbing). Then each addition that the others make needless is
//! removed again, and each barrier is made as narrow as can be. In a program with branches or loops [`cuts`] looks for cheaper
//! barriers. What it judges by is [`check`](crate::sync::check).

use crate::problem::threads::ThreadSet;
use crate::sync::check::{Checker, Found, check_some};
use crate::sync::cuts::{self, Fences};
use crate::sync::finding::{Conflict, Finding, Needs, Phase, Threads};
use crate::sync::places::{Insertion, active, common, listed, order, outermost, put, whole, with};
use crate::sync::program::{Act, Effect, Item, Op, Program};
use crate::sync::rings;
use crate::touch::Queue;

/// The additions of a program, in the order in which they were found, or what no addition orders.
///
/// # Errors
/// The findings that are left.
pub fn insert(program: &Program) -> Result<Vec<Insertion>, Vec<Finding>> {
    Ok(cheapest(program, stab(program)?))
}

/// What is found by interval stabbing alone.
pub(super) fn stab(program: &Program) -> Result<Vec<Insertion>, Vec<Finding>> {
    let mut work = Work { program: program.clone(), originals: program.ops.len(), made: Vec::new() };
    match work.order_all() {
        true => Ok(work.least()),
        false => Err(check_some(if rings::has(program) { program } else { &work.program }, MOST_LEFT)),
    }
}

/// The most operations of a program in which cheaper barriers are looked for.
const LARGEST: usize = 2000;

/// The same additions, or cheaper ones.
fn cheapest(program: &Program, found: Vec<Insertion>) -> Vec<Insertion> {
    let is_straight = program.body.iter().all(|item| matches!(item, Item::Op(_)));
    let warps = |it: &Insertion| it.effect == Effect::WarpBarrier;
    let is_mixed = found.iter().any(warps) && !found.iter().all(warps);
    let is_large = program.ops.len() > LARGEST;
    if is_straight && !is_mixed
        || is_large
        || found.is_empty()
        || rings::has(program)
        || program.loops.iter().any(|it| it.rotated)
    {
        return found;
    }
    let fenced = found.iter().any(|it| matches!(it.effect, Effect::ProxyFence { .. }));
    let mut best = (cuts::cost(program, &found), found);
    for fences in [Fences::Last, Fences::First] {
        if fences == Fences::First && !fenced {
            continue;
        }
        let Some(whole) = cuts::ordered(program, fences) else { continue };
        let mut made = Vec::new();
        listed(&whole, &whole.body, program.ops.len(), &mut made);
        let mut work = Work { program: whole, originals: program.ops.len(), made };
        // What is in flight at the end is waited for there.
        if !work.order_all() {
            continue;
        }
        let found = work.least();
        let cost = cuts::cost(program, &found);
        if cost < best.0 {
            best = (cost, found);
        }
    }
    best.1
}

/// The most findings that are handed back.
const MOST_LEFT: usize = 256;

/// The operations that only order, and that a program without conflicts does not need: by their numbers.
pub fn redundant(program: &Program) -> Vec<usize> {
    let (mut judge, true) = Judge::new(program) else { return Vec::new() };
    let orders = |effect: &Effect| {
        matches!(effect, Effect::Barrier | Effect::WarpBarrier | Effect::ClusterBarrier)
            || matches!(effect, Effect::Wait { .. } | Effect::ProxyFence { .. })
    };
    let alike =
        |op: usize| (0..program.ranks()).all(|rank| std::ptr::eq(program.op(rank, op), &raw const program.ops[op]));
    let only = |op: &Op| op.accesses.is_empty() && !op.effects.is_empty() && op.effects.iter().all(orders);
    let ops = (0..program.ops.len()).filter(|&op| only(&program.ops[op]) && alike(op));
    ops.filter(|&op| judge.becomes(op, Vec::new())).collect()
}

/// Says what may be changed in a program in which all is in order.
enum Judge<'p> {
    /// By the ways that lead by an operation.
    Ways(Box<Checker<'p>>),
    /// By executing all of it.
    Execution(Box<Program>),
}

impl<'p> Judge<'p> {
    /// Of a program, and whether all is in order in it.
    fn new(program: &'p Program) -> (Self, bool) {
        if rings::has(program) {
            return (Judge::Execution(Box::new(program.clone())), check_some(program, 1).is_empty());
        }
        let (mut checker, mut found) = (Checker::new(program), Found::any());
        checker.all(&mut found);
        (Judge::Ways(Box::new(checker)), found.list.is_empty())
    }

    /// Is all in order if an operation does something else? If it is not, nothing is changed.
    fn becomes(&mut self, op: usize, effects: Vec<Effect>) -> bool {
        match self {
            Judge::Ways(checker) => checker.becomes(op, effects),
            Judge::Execution(program) => {
                let before = std::mem::replace(&mut program.ops[op].effects, effects);
                let fits = check_some(program, 1).is_empty();
                if !fits {
                    program.ops[op].effects = before;
                }
                fits
            }
        }
    }
}

pub(super) struct Work {
    pub program: Program,
    /// How many operations there were.
    pub originals: usize,
    /// What was added: the operation, and what it is.
    pub made: Vec<(usize, Insertion)>,
}

impl Work {
    /// Adds what is missing; `false` where something cannot be ordered.
    fn order_all(&mut self) -> bool {
        // As many rounds as there are kinds of orders one after the other, loops in loops and ways around them.
        for _ in 0..16 + 4 * self.program.loops.len() + self.originals {
            let findings = self.findings();
            if findings.is_empty() {
                return true;
            }
            if !self.order_some(&findings) {
                return false;
            }
        }
        false
    }

    /// The additions without what is needless.
    fn least(mut self) -> Vec<Insertion> {
        self.reduce();
        self.made.into_iter().map(|(_, insertion)| insertion).collect()
    }

    /// What is wrong, as much of it as is looked at in a round.
    fn findings(&self) -> Vec<Finding> {
        match rings::has(&self.program) {
            true => check_some(&self.program, MOST_LEFT),
            false => Checker::new(&self.program).firsts(),
        }
    }

    /// Orders as many conflicts as do not have to be looked at again after what is added for others; `false` where one can not
    /// be ordered.
    fn order_some(&mut self, findings: &[Finding]) -> bool {
        // Behind a phase that may be the wrong one, accesses are without order, too.
        if self.order_phases(findings) {
            return true;
        }
        let order = order(&self.program);
        let mut conflicts: Vec<&Conflict> = findings.iter().filter_map(Finding::conflict).collect();
        conflicts.sort_by_key(|it| (order[it.second.0], it.carried.is_some(), it.first));
        // Where something was added.
        let mut latest = None;
        for conflict in &conflicts {
            let (first, second) = (order[conflict.first.0], order[conflict.second.0]);
            let between = |at: usize| conflict.carried.is_some() || first < at && at <= second;
            if latest.is_some_and(between) {
                continue;
            }
            if !self.order_one(conflict) {
                // What was added for others may order it, too.
                return latest.is_some();
            }
            latest = Some(second);
        }
        !conflicts.is_empty() || self.alive(findings) || self.finish(findings) || self.made(findings)
    }

    /// Adds a barrier before an arrival of which threads would have to know that the phase before is over, and waited for.
    fn order_phases(&mut self, findings: &[Finding]) -> bool {
        let arrival = findings.iter().find_map(|finding| match finding {
            Finding::Phase(fault) if fault.what == Phase::Early => Some(fault.op),
            Finding::Phase(fault) if fault.what == Phase::Overtaken => fault.other,
            _ => None,
        });
        let Some(arrival) = arrival else { return false };
        let outside = common(&self.program.body, usize::MAX, arrival);
        self.add((arrival, outside), Effect::Barrier, Some(self.program.block))
    }

    /// Adds what orders one conflict; `false` where nothing can.
    fn order_one(&mut self, conflict: &Conflict) -> bool {
        let before = (conflict.second.0, 0);
        // Where all take the same way, a barrier before the branch orders what comes behind it, too.
        let outside = (before.0, common(&self.program.body, conflict.first.0, before.0));
        // A thread waits for the copies that it has issued.
        let [first, _] = self.program.pair(conflict);
        let makers = first.makers(&first.accesses[conflict.first.1]);
        match conflict.needs {
            Needs::Group { committed: false, queue, .. } => self.add(before, Effect::Commit(queue), Some(makers)),
            Needs::Group { committed: true, queue, pending, threads } => {
                // Fewer groups may be closed where all of its threads get.
                let mut pending = (0..=pending).rev();
                let waits = pending
                    .any(|pending| self.add(before, Effect::Wait { queue, pending, reads: false }, Some(makers)));
                waits
                    || self.add(before, Effect::Commit(queue), Some(makers))
                    || threads.is_some_and(|threads| self.add_outside(outside, threads))
            }
            Needs::ProxyFence => {
                let shared = self.program.pair(conflict)[0].accesses[conflict.first.1].shared;
                // Behind the fence of those who have written.
                self.add(before, Effect::ProxyFence { shared }, None) || self.add_barrier(before, Threads::Block)
            }
            Needs::MbarrierFence => self.publish(conflict.first.0),
            Needs::Barrier(threads) => self.add_outside(outside, threads),
            Needs::Arrival => {
                let is_it = |it: &Finding| {
                    let pair = |it: &Conflict| (it.first, it.second) == (conflict.first, conflict.second);
                    it.conflict().is_some_and(|it| pair(it) && it.needs == Needs::Arrival)
                };
                self.beside(&[conflict.first.0], conflict.second.0, is_it)
            }
            Needs::Phase(_) | Needs::Completion | Needs::Apart => false,
        }
    }

    /// Adds a barrier as far out as there is none yet: one in vain may lie before the wait for the copy that it orders.
    fn add_outside(&mut self, (before, most): (usize, usize), threads: Threads) -> bool {
        (0..=most).rev().any(|least| self.add_barrier((before, least), threads))
    }

    fn add_barrier(&mut self, before: (usize, usize), threads: Threads) -> bool {
        match threads {
            Threads::Warp => self.add(before, Effect::WarpBarrier, None),
            Threads::Some(set) => self.add(before, Effect::Barrier, Some(set)),
            Threads::Block => self.add(before, Effect::Barrier, Some(self.program.block)),
            Threads::Cluster => self.add_cluster_barrier(before),
        }
    }

    /// Copies that are in flight at the end are waited for there.
    fn finish(&mut self, findings: &[Finding]) -> bool {
        let Some(last) = self.program.end else { return false };
        let open = findings.iter().find_map(|finding| match finding {
            Finding::NeverWaited { queue, committed, .. } => queue.map(|queue| (queue, *committed)),
            _ => None,
        });
        match open {
            Some((queue, false)) => self.add((last, 0), Effect::Commit(queue), None),
            Some((queue, true)) => {
                self.add((last, 0), Effect::Wait { queue, pending: 0, reads: queue == Queue::Bulk }, None)
            }
            None => false,
        }
    }

    /// All threads wait until an mbarrier has been made.
    fn made(&mut self, findings: &[Finding]) -> bool {
        let early = |finding: &Finding| match finding {
            Finding::Phase(fault) if fault.what == Phase::NotMade => Some(fault.op),
            _ => None,
        };
        let Some(op) = findings.iter().find_map(early) else { return false };
        let init = |effect: &Effect| matches!(effect, Effect::Mbarrier(of) if matches!(of.act, Act::Init { .. }));
        let inits = (0..self.program.ops.len()).rev().filter(|&op| self.program.ops[op].effects.iter().any(init));
        let inits: Vec<usize> = inits.collect();
        self.beside(&inits, op, |it| early(it) == Some(op))
    }

    /// Lets all threads meet behind one of some operations, or before another: where no ring is, which executions tell, and
    /// where a finding is not found any more.
    fn beside(&mut self, firsts: &[usize], second: usize, is_it: impl Fn(&Finding) -> bool) -> bool {
        if !check_some(&self.program, MOST_LEFT).iter().any(&is_it) {
            return true;
        }
        let behind = firsts.iter().filter_map(|&first| outermost(&self.program, self.originals, first, 1));
        let places: Vec<(usize, usize)> = behind.chain(outermost(&self.program, self.originals, second, 0)).collect();
        let of_cluster = self.program.cluster.as_ref().map(|_| Effect::ClusterBarrier);
        let barriers = || std::iter::once(Effect::Barrier).chain(of_cluster.clone());
        for ((before, out), effect) in places.into_iter().flat_map(|place| barriers().map(move |it| (place, it))) {
            let insertion = Insertion { before, out, effect, active: self.program.block };
            let findings = check_some(&with(&self.program, std::slice::from_ref(&insertion)), MOST_LEFT);
            let in_a_ring = |it: &Finding| match it {
                Finding::Phase(fault) => fault.what != Phase::NotMade,
                Finding::Deserted { .. } | Finding::Unfollowed { .. } => true,
                Finding::Conflict(_) | Finding::NeverWaited { .. } | Finding::Outside(_) => false,
            };
            if !findings.iter().any(|it| in_a_ring(it) || is_it(it)) {
                self.make(insertion);
                return true;
            }
        }
        false
    }

    /// Puts an operation at a place: what closes groups and fences before waits, and waits before barriers, which order more behind them.
    pub(super) fn make(&mut self, insertion: Insertion) {
        let op = self.program.ops.len();
        let effects = vec![insertion.effect.clone()];
        self.program.ops.push(Op { active: insertion.active, exact: true, accesses: Vec::new(), effects });
        let (before, out) = (insertion.before, insertion.out);
        let rank = |effect: &Effect| match effect {
            Effect::Commit(_) | Effect::MbarrierFence => 0,
            Effect::Wait { .. } => 1,
            _ => 2,
        };
        let least = rank(&insertion.effect);
        let is_behind = |(_, it): &(usize, Insertion)| (it.before, it.out) == (before, out) && rank(&it.effect) > least;
        match self.made.iter().position(is_behind) {
            Some(at) => {
                put(&mut self.program.body, self.made[at].0, 0, op);
                self.made.insert(at, (op, insertion));
            }
            None => {
                put(&mut self.program.body, before, out, op);
                self.made.push((op, insertion));
            }
        }
    }

    /// Adds an operation before another one, or before what is so many levels around it or more, where all of `threads` get and
    /// are known to.
    pub(super) fn add(&mut self, (before, least): (usize, usize), effect: Effect, threads: Option<ThreadSet>) -> bool {
        let Some(reached) = active(&self.program, before) else { return false };
        let needs = threads.unwrap_or_default();
        let levels = reached.len();
        let fits = |out: &usize| match reached[levels - 1 - out] {
            Some(active) => needs.is_subset(&active) && self.whole(&active, &effect),
            None => false,
        };
        let Some(out) = (least.min(levels - 1)..levels).find(fits) else { return false };
        let active = reached[levels - 1 - out].unwrap_or_default();
        let anchor = if before < self.originals { before } else { self.anchor(before) };
        let insertion = Insertion { before: anchor, out, effect, active };
        if self.made.iter().any(|(_, made)| *made == insertion) {
            return false;
        }
        self.make(insertion);
        true
    }

    fn anchor(&self, made: usize) -> usize {
        self.made.iter().find(|(op, _)| *op == made).map_or(made, |(_, insertion)| insertion.before)
    }

    /// Do threads make whole warps, as a barrier needs them?
    fn whole(&self, active: &ThreadSet, effect: &Effect) -> bool {
        let barrier = matches!(effect, Effect::Barrier | Effect::WarpBarrier | Effect::ClusterBarrier);
        if barrier { whole(active, &self.program.block) } else { !active.is_empty() }
    }

    /// Takes back what is needless, and narrows what is wide.
    fn reduce(&mut self) {
        let mut made = std::mem::take(&mut self.made);
        let (mut judge, _) = Judge::new(&self.program);
        for at in (0..made.len()).rev() {
            let (op, insertion) = &mut made[at];
            if judge.becomes(*op, Vec::new()) {
                made.remove(at);
                continue;
            }
            while let Some(less) = narrower(&insertion.effect).filter(|less| judge.becomes(*op, vec![less.clone()])) {
                insertion.effect = less;
            }
        }
        self.made = made;
    }
}

/// The next that orders less: a barrier of each block, of each warp, a wait that leaves one group more in flight.
fn narrower(effect: &Effect) -> Option<Effect> {
    match *effect {
        Effect::ClusterBarrier => Some(Effect::Barrier),
        Effect::Barrier => Some(Effect::WarpBarrier),
        Effect::Wait { queue, pending, reads } if pending < MOST_PENDING => {
            Some(Effect::Wait { queue, pending: pending + 1, reads })
        }
        _ => None,
    }
}

/// The most groups that a wait leaves in flight.
const MOST_PENDING: i64 = 64;
