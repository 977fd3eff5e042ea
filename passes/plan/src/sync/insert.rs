//! The synchronization to insert into a program so that all its conflicts are ordered.
//!
//! Conflicts are handled in the order of their second access, and what orders a conflict is inserted right before that
//! access. Of all points that order it, this is the latest, which also orders most of the conflicts that end later
//! (interval stabbing). Afterwards each insertion that the others make redundant is removed, and each barrier is
//! narrowed as far as possible. [`check`](crate::sync::check) decides throughout what is ordered.

use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::access::Access;
use crate::sync::check::{Checker, Passed};
use crate::sync::classes::AccessClasses;
use crate::sync::finding::{Conflict, Finding, Needs, Phase, Threads};
use crate::sync::places::{Insertion, active, common, order, outermost, put, whole, with};
use crate::sync::program::{Act, Effect, Op, SyncProgram};
use crate::sync::proved::check_some;
use crate::sync::rings;
use tile_isa::Space;

/// The insertions found by interval stabbing alone.
pub(super) fn stab(program: &SyncProgram, classes: &Rc<AccessClasses>) -> Result<Vec<Insertion>, Vec<Finding>> {
    let mut work = Work::new(program.clone(), program.ops.len(), classes);
    match work.order_all() {
        true => Ok(work.least()),
        false => Err(work.left(program)),
    }
}

/// The most findings that are collected at a time.
const MAX_LEFT: usize = 256;

/// A program, and what has been inserted into it.
pub(super) struct Work {
    pub program: SyncProgram,
    /// The number of original operations.
    pub originals: usize,
    /// The insertions, each preceded by the number of its operation.
    pub made: Vec<(usize, Insertion)>,
    /// The classes of the original accesses.
    pub classes: Rc<AccessClasses>,
    /// What the last check has recorded, if it followed paths and found nothing.
    pub passed: Option<Passed>,
    /// The operations with accesses that the last check found unordered.
    unordered: Vec<usize>,
}

impl Work {
    pub(super) fn new(program: SyncProgram, originals: usize, classes: &Rc<AccessClasses>) -> Self {
        let (made, passed, unordered) = (Vec::new(), None, Vec::new());
        Work { program, originals, made, classes: classes.clone(), passed, unordered }
    }

    /// Inserts what is missing; returns `false` where something cannot be ordered.
    pub(super) fn order_all(&mut self) -> bool {
        // A bound on the rounds, from the kinds of synchronization that follow each other, nested loops, and paths
        // around them.
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

    /// The findings that no insertion resolves. In a program with rings that have no other errors, these are the conflicts
    /// that are left and what cannot be followed: insertions may break a ring, which is not the program's error.
    fn left(&self, program: &SyncProgram) -> Vec<Finding> {
        let left = self.check(&self.program);
        if !rings::has(program) {
            return left;
        }
        let before = self.check(program);
        let is_own = |finding: &Finding| match finding {
            Finding::Conflict(_) => true,
            Finding::Unfollowed { op, .. } => *op < self.originals,
            _ => false,
        };
        let left: Vec<Finding> = left.into_iter().filter(is_own).collect();
        if left.is_empty() || !before.iter().all(is_own) { before } else { left }
    }

    /// The insertions without redundant ones.
    pub(super) fn least(mut self) -> Vec<Insertion> {
        self.reduce();
        self.made.into_iter().map(|(_, insertion)| insertion).collect()
    }

    /// The findings to handle in one round.
    fn findings(&mut self) -> Vec<Finding> {
        if rings::has(&self.program) {
            return self.check(&self.program);
        }
        // An insertion never makes an order of others disappear: until there are no findings left, only what had some
        // is checked again.
        if !self.unordered.is_empty() {
            let (findings, unordered) = self.checker().firsts(self.unordered.iter().copied());
            self.unordered = unordered;
            if !findings.is_empty() {
                return findings;
            }
        }
        let mut checker = self.checker();
        let (findings, unordered) = checker.firsts(0..self.program.ops.len());
        let passed = findings.is_empty().then(|| checker.into_passed());
        (self.passed, self.unordered) = (passed, unordered);
        findings
    }

    fn check(&self, program: &SyncProgram) -> Vec<Finding> {
        check_some(program, MAX_LEFT)
    }

    fn checker(&self) -> Checker<'_> {
        Checker::with(&self.program, self.classes.clone())
    }

    /// Orders the conflicts that no insertion of this round may have ordered already; returns `false` where one cannot
    /// be ordered.
    fn order_some(&mut self, findings: &[Finding]) -> bool {
        // Conflicts after a wait for a wrong phase may be consequences of it.
        if self.order_phases(findings) {
            return true;
        }
        let order = order(&self.program);
        let mut conflicts: Vec<&Conflict> = findings.iter().filter_map(Finding::conflict).collect();
        conflicts.sort_by_key(|conflict| (order[conflict.second.0], conflict.carried.is_some(), conflict.first));
        // The position of the latest insertion.
        let mut latest = None;
        for conflict in &conflicts {
            let (first, second) = (order[conflict.first.0], order[conflict.second.0]);
            let between = |at: usize| conflict.carried.is_some() || first < at && at <= second;
            if latest.is_some_and(between) {
                continue;
            }
            if !self.order_one(conflict) {
                // Insertions of this round may have ordered it; the next round checks again.
                return latest.is_some();
            }
            latest = Some(second);
        }
        !conflicts.is_empty() || self.alive(findings) || self.finish(findings) || self.made(findings)
    }

    /// Inserts a barrier before an arrival whose threads have to know that the previous phase is complete and has been
    /// waited for.
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

    /// Inserts what orders one conflict; returns `false` where nothing can.
    fn order_one(&mut self, conflict: &Conflict) -> bool {
        let before = (conflict.second.0, 0);
        // Where all threads take the same arm, a barrier before the branch also orders what comes after the branch.
        let outside = (before.0, common(&self.program.body, conflict.first.0, before.0));
        // Only the threads that issued a copy can wait for it.
        let issuers = self.issuing_threads(conflict);
        match conflict.needs {
            Needs::Group { committed: false, queue, .. } => self.add(before, Effect::Commit(queue), Some(issuers)),
            Needs::Group { committed: true, queue, pending, threads } => {
                // Before an existing barrier, if that then orders the two.
                let tensor = queue.is_of_tensor();
                let wait = Effect::Wait { queue, pending: 0, reads: false };
                if tensor && threads.is_some() && self.put_at_barrier(conflict, &wait) {
                    return true;
                }
                // Fewer copy groups may have been committed at a point that all issuing threads reach.
                let mut pending = (0..=pending.min(queue.most_pending())).rev();
                let waits = pending
                    .any(|pending| self.add(before, Effect::Wait { queue, pending, reads: false }, Some(issuers)));
                waits
                    || !tensor && self.add(before, Effect::Commit(queue), Some(issuers))
                    || threads.is_some_and(|threads| self.add_outside(outside, threads))
            }
            Needs::ProxyFence => {
                let shared = self.access(conflict).space == Space::Shared;
                // If the readers have a fence here already, a barrier, which then comes after a fence of the writers.
                self.add(before, Effect::ProxyFence { shared }, None) || self.add_barrier(before, Threads::Block)
            }
            Needs::MbarrierFence => self.publish(conflict.first.0),
            Needs::TensorFence { before: true, threads } => {
                let fence = Effect::TensorFence { before: true };
                threads.is_none() && self.put_at_barrier(conflict, &fence) || self.add(before, fence, Some(issuers))
            }
            Needs::TensorFence { before: false, .. } => self.add(before, Effect::TensorFence { before: false }, None),
            Needs::Barrier(threads) => self.add_outside(outside, threads),
            Needs::Arrival => {
                let is_it = |finding: &Finding| {
                    let pair = |other: &Conflict| (other.first, other.second) == (conflict.first, conflict.second);
                    finding.conflict().is_some_and(|other| pair(other) && other.needs == Needs::Arrival)
                };
                self.beside(&[conflict.first.0], conflict.second.0, is_it)
            }
            Needs::Phase(_) | Needs::Completion | Needs::Apart => false,
        }
    }

    /// Inserts a barrier as far out as possible where there is none yet. An existing one may not help, because it comes
    /// before the wait for the copy.
    fn add_outside(&mut self, (before, most): (usize, usize), threads: Threads) -> bool {
        (0..=most).rev().any(|least| self.add_barrier((before, least), threads))
    }

    /// The first access of a conflict.
    pub(super) fn access(&self, conflict: &Conflict) -> &Access {
        &self.program.pair(conflict)[0].accesses[conflict.first.1]
    }

    /// The threads that make it.
    pub(super) fn issuing_threads(&self, conflict: &Conflict) -> ThreadSet {
        self.program.pair(conflict)[0].issuing_threads(self.access(conflict))
    }

    fn add_barrier(&mut self, before: (usize, usize), threads: Threads) -> bool {
        match threads {
            Threads::Warp => self.add(before, Effect::WarpBarrier, None),
            Threads::Some(set) => self.add(before, Effect::Barrier, Some(set)),
            Threads::Block => self.add(before, Effect::Barrier, Some(self.program.block)),
            Threads::Cluster => self.add_cluster_barrier(before),
        }
    }

    /// Inserts a wait at the end of the kernel for copies that are in flight there.
    fn finish(&mut self, findings: &[Finding]) -> bool {
        let Some(last) = self.program.end else { return false };
        let open = findings.iter().find_map(|finding| match finding {
            Finding::NeverWaited { queue, committed, .. } => queue.map(|queue| (queue, *committed)),
            _ => None,
        });
        match open {
            Some((queue, false)) => self.add((last, 0), Effect::Commit(queue), None),
            Some((queue, true)) => {
                self.add((last, 0), Effect::Wait { queue, pending: 0, reads: queue == Queue::BulkGroups }, None)
            }
            None => false,
        }
    }

    /// Inserts a barrier between the initialization of mbarriers and a use that may come before it.
    fn made(&mut self, findings: &[Finding]) -> bool {
        let early = |finding: &Finding| match finding {
            Finding::Phase(fault) if fault.what == Phase::NotMade => Some(fault.op),
            _ => None,
        };
        let Some(op) = findings.iter().find_map(early) else { return false };
        let init = |effect: &Effect| matches!(effect, Effect::Mbarrier(made) if matches!(made.act, Act::Init { .. }));
        let inits = (0..self.program.ops.len()).rev().filter(|&op| self.program.ops[op].effects.iter().any(init));
        let inits: Vec<usize> = inits.collect();
        self.beside(&inits, op, |finding| early(finding) == Some(op))
    }

    /// Inserts a barrier of all threads after one of the operations `firsts` or before `second`. It takes the first
    /// point where an execution shows that the finding `is_it` is gone, and that the barrier does not break a ring of
    /// mbarriers.
    fn beside(&mut self, firsts: &[usize], second: usize, is_it: impl Fn(&Finding) -> bool) -> bool {
        if !self.check(&self.program).iter().any(&is_it) {
            return true;
        }
        let behind = firsts.iter().filter_map(|&first| outermost(&self.program, self.originals, first, 1));
        let places: Vec<(usize, usize)> = behind.chain(outermost(&self.program, self.originals, second, 0)).collect();
        let of_cluster = self.program.cluster.as_ref().map(|_| Effect::ClusterBarrier);
        let barriers = || std::iter::once(Effect::Barrier).chain(of_cluster.clone());
        for ((before, out), effect) in places.into_iter().flat_map(|place| barriers().map(move |put| (place, put))) {
            let insertion = Insertion { before, out, effect, active: self.program.block };
            let findings = self.check(&with(&self.program, std::slice::from_ref(&insertion)));
            let in_a_ring = |finding: &Finding| match finding {
                Finding::Phase(fault) => fault.what != Phase::NotMade,
                Finding::BarrierNotReached { .. } | Finding::Unfollowed { .. } => true,
                Finding::Conflict(_) | Finding::NeverWaited { .. } | Finding::Outside(_) => false,
            };
            if !findings.iter().any(|finding| in_a_ring(finding) || is_it(finding)) {
                self.make(insertion);
                return true;
            }
        }
        false
    }

    /// Inserts an operation at a point. At one point, ends of groups and mbarrier fences come first, then waits, then
    /// barriers (which so order more after them), enclosed by the fences of `tcgen05`.
    pub(super) fn make(&mut self, insertion: Insertion) {
        let op = self.program.ops.len();
        let effects = vec![insertion.effect.clone()];
        self.program.ops.push(Op { active: insertion.active, exact: true, accesses: Vec::new(), effects });
        let (before, out) = (insertion.before, insertion.out);
        let rank = |effect: &Effect| match effect {
            Effect::Commit(_) | Effect::MbarrierFence => 0,
            Effect::Wait { .. } => 1,
            Effect::TensorFence { before: true } => 2,
            Effect::TensorFence { before: false } => 4,
            _ => 3,
        };
        let least = rank(&insertion.effect);
        let is_behind =
            |(_, other): &(usize, Insertion)| (other.before, other.out) == (before, out) && rank(&other.effect) > least;
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

    /// Inserts an operation before another one, at the innermost level, at least `place.1` levels out, that all of
    /// `threads` are known to reach. Returns `false` where there is none, or the same insertion exists.
    pub(super) fn add(&mut self, place: (usize, usize), effect: Effect, threads: Option<ThreadSet>) -> bool {
        let Some(insertion) = self.placed(place, effect, threads) else { return false };
        if self.made.iter().any(|(_, made)| *made == insertion) {
            return false;
        }
        self.make(insertion);
        true
    }

    /// The insertion that [`Work::add`] makes; `None` where it fits nowhere.
    pub(super) fn placed(
        &self,
        (before, least): (usize, usize),
        effect: Effect,
        threads: Option<ThreadSet>,
    ) -> Option<Insertion> {
        let reached = active(&self.program, before)?;
        let needs = threads.unwrap_or_default();
        let levels = reached.len();
        let fits = |out: usize| {
            let reached = reached[levels - 1 - out]?;
            let together = reached.together >= effect.needs();
            let fits = together && needs.is_subset(&reached.threads) && self.whole(&reached.threads, &effect);
            fits.then_some((out, reached.threads))
        };
        let (out, active) = (least.min(levels - 1)..levels).find_map(fits)?;
        let anchor = if before < self.originals { before } else { self.anchor(before) };
        Some(Insertion { before: anchor, out, effect, active })
    }

    fn anchor(&self, made: usize) -> usize {
        self.made.iter().find(|(op, _)| *op == made).map_or(made, |(_, insertion)| insertion.before)
    }

    /// Whether threads form whole warps, or whole warpgroups, where an operation requires these.
    fn whole(&self, active: &ThreadSet, effect: &Effect) -> bool {
        let warps = match effect {
            Effect::Barrier | Effect::WarpBarrier | Effect::ClusterBarrier => 1,
            Effect::Wait { queue, .. } | Effect::Commit(queue) => queue.warps(),
            _ => 0,
        };
        match warps {
            0 => !active.is_empty(),
            1 => whole(active, &self.program.block),
            _ => active.is_of_warpgroups() && whole(active, &self.program.block),
        }
    }
}
