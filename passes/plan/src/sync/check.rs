//! The check: finds conflicting accesses that nothing orders.
//!
//! For each access, walks follow the paths from it, one walk per loop whose iterations are counted. At each later
//! access that may touch the same bytes, the state of the first access says which threads are ordered after it.
//! Accesses that no path connects in one iteration, such as those in different arms, are compared separately. Programs
//! with rings of mbarriers are executed instead.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::queue::Queue;
use crate::sync::access::{Access, Completion};
use crate::sync::between::{AccessPair, between};
use crate::sync::classes::AccessClasses;
use crate::sync::conflicts::{ConflictTable, Needed};
use crate::sync::finding::{Conflict, Finding, Needs};
use crate::sync::flow::Flow;
use crate::sync::footprints::Footprints;
use crate::sync::groups::bits;
use crate::sync::known::Observers;
use crate::sync::places::order;
use crate::sync::program::{Effect, SyncProgram};
use crate::sync::rings;
use crate::sync::shift::Apart;
use crate::sync::walk::{Entry, Round, Walk};
use crate::touch::Collective;
use tile_isa::Space;

/// The most iterations whose accesses are compared one by one.
const MAX_APART: usize = 8;

/// The first findings in a program, at most `most`. For each pair of operations only the first conflict found is reported.
pub(super) fn findings(program: &SyncProgram, footprints: &Rc<Footprints>, most: usize) -> Vec<Finding> {
    if rings::has(program) {
        return rings::check(program, footprints, most);
    }
    let mut findings = Found { most, ..Found::default() };
    Checker::new(program, footprints).all(&mut findings);
    findings.list
}

/// The conflicts of a program without its synchronization: one for each pair of operations.
pub fn all_pairs(program: &SyncProgram) -> Vec<Conflict> {
    let mut bare = SyncProgram { ringed: false, ..program.clone() };
    for op in &mut bare.ops {
        op.effects.clear();
        op.accesses.iter_mut().for_each(|access| access.completion = Completion::Now);
    }
    findings(&bare, &Rc::default(), usize::MAX).iter().filter_map(Finding::conflict).cloned().collect()
}

/// The findings so far.
#[derive(Default)]
pub(super) struct Found {
    pub list: Vec<Finding>,
    /// The pairs of operations with a conflict: one conflict of each is enough.
    pairs: FxHashSet<(usize, usize)>,
    /// The number of findings after which the check stops.
    pub most: usize,
    /// Whether each walk stops at its first finding.
    each: bool,
}

impl Found {
    /// Stops at the first finding.
    pub fn any() -> Self {
        Found { most: 1, ..Found::default() }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= self.most
    }

    fn add(&mut self, conflict: Conflict) {
        if self.pairs.insert((conflict.first.0, conflict.second.0)) {
            self.list.push(Finding::Conflict(Box::new(conflict)));
        }
    }
}

/// For each operation, the accesses that it may order before later ones: those from which a walk has applied its
/// effects.
pub(super) type Passed = Vec<Vec<(usize, usize)>>;

/// The check of a program, as a whole, or again after changes to single operations.
pub(super) struct Checker<'p> {
    program: &'p SyncProgram,
    flow: Flow<'p>,
    table: ConflictTable,
    passed: Passed,
    /// The position of each operation in program order.
    order: Vec<usize>,
}

impl<'p> Checker<'p> {
    pub fn new(program: &'p SyncProgram, footprints: &Rc<Footprints>) -> Self {
        Checker::with(program, Rc::new(AccessClasses::new(program, footprints)))
    }

    /// A checker of a program whose accesses have been classified before.
    pub fn with(program: &'p SyncProgram, classes: Rc<AccessClasses>) -> Self {
        let flow = Flow::new(program);
        let table = ConflictTable::new(program, &flow, classes);
        Checker { program, flow, table, passed: vec![Vec::new(); program.ops.len()], order: order(program) }
    }

    /// A checker of a program that another checker has found to be ordered, with what that one has recorded.
    pub fn of_ordered(program: &'p SyncProgram, classes: Rc<AccessClasses>, passed: Passed) -> Self {
        Checker { passed, ..Checker::with(program, classes) }
    }

    /// Checks all accesses.
    pub fn all(&mut self, findings: &mut Found) {
        for first in 0..self.program.ops.len() {
            self.from(first, findings);
            if findings.is_full() {
                return;
            }
        }
    }

    /// Checks the accesses of one operation against all that come after them, or beside them.
    fn from(&mut self, first: usize, findings: &mut Found) {
        self.beside(first, findings);
        for number in 0..self.program.ops[first].accesses.len() {
            self.after((first, number), findings);
            if findings.is_full() {
                return;
            }
        }
    }

    /// The findings of a check of the accesses of some operations, in which each walk from an access stops at its first
    /// one; and the operations that have findings.
    pub fn firsts(&mut self, firsts: impl IntoIterator<Item = usize>) -> (Vec<Finding>, Vec<usize>) {
        let mut findings = Found { most: usize::MAX, each: true, ..Found::default() };
        let mut unordered = Vec::new();
        for first in firsts {
            let before = findings.list.len();
            self.from(first, &mut findings);
            if findings.list.len() > before {
                unordered.push(first);
            }
        }
        (findings.list, unordered)
    }

    /// The record that [`Checker::of_ordered`] takes over.
    pub fn into_passed(self) -> Passed {
        self.passed
    }

    /// Replaces the effects of an operation and returns whether the program stays ordered; otherwise restores them. The
    /// program must have been ordered before.
    pub fn becomes(&mut self, op: usize, effects: Vec<Effect>) -> bool {
        let before = std::mem::replace(&mut self.flow.does[op].effects, effects);
        let mut findings = Found::any();
        let mut passed = std::mem::take(&mut self.passed[op]);
        // Accesses close to the operation come first: it most likely orders these, and one conflict is enough.
        passed.sort_unstable_by_key(|first| (self.order[first.0].abs_diff(self.order[op]), *first));
        for first in &passed {
            self.after(*first, &mut findings);
            if findings.is_full() {
                self.flow.does[op].effects = before;
                break;
            }
        }
        passed.append(&mut self.passed[op]);
        passed.sort_unstable();
        passed.dedup();
        self.passed[op] = passed;
        findings.list.is_empty()
    }

    /// Checks what comes after an access.
    fn after(&mut self, first: (usize, usize), findings: &mut Found) {
        let access = &self.program.ops[first.0].accesses[first.1];
        let around = self.flow.around[first.0].clone();
        let most = (self.table.period(access.object) as usize + 1).clamp(2, MAX_APART);
        for depth in 0..=around.len() {
            let entered = self.table.entered(access.object, &around, depth);
            let counted = depth.checked_sub(1).map(|last| around[last]);
            let walk = AccessWalk { checker: self, first, around: &around, entered: &entered };
            let (mut passed, entries) = walk.around(Round { depth, counted, most }, findings);
            for (next, entry) in entered.iter().filter_map(|next| Some((*next, entries.get(next)?))) {
                if findings.is_full() {
                    return;
                }
                passed.extend(walk.entering(Round { depth, counted: Some(next), most }, entry, findings));
            }
            for op in passed {
                if self.passed[op].last() != Some(&first) {
                    self.passed[op].push(first);
                }
            }
        }
    }

    /// Checks accesses of one iteration that no path connects: both of one operation, or in different arms.
    fn beside(&self, first: usize, findings: &mut Found) {
        let branches = self.flow.arms[first].iter().filter(|(branch, _)| !self.flow.together[*branch]);
        let arms = branches.flat_map(|(branch, _)| &self.flow.inside[*branch]);
        let others = arms.filter(|&&op| op > first && self.flow.beside(first, op) == Some(true));
        let others: FxHashSet<usize> = others.copied().collect();
        let mut others: Vec<usize> = others.into_iter().collect();
        others.sort_unstable();
        for op in std::iter::once(first).chain(others) {
            let common = &self.flow.around[first][..self.flow.common(first, op)];
            let of_loop = |number| if common.contains(&number) { Apart::Same } else { Apart::Any };
            let apart = |number| self.program.apart(number, of_loop);
            for (i, access) in self.program.ops[first].accesses.iter().enumerate() {
                let from = if op == first { i } else { 0 };
                for j in from..self.program.ops[op].accesses.len() {
                    let pair = AccessPair { first: (first, i), second: (op, j), carried: None };
                    if !self.table.may_conflict(pair.first, pair.second) {
                        continue;
                    }
                    let mut known = Observers::new(access);
                    // Each thread's own accesses are ordered.
                    (known.own_seen, known.own_fence) = (u32::MAX, u32::MAX);
                    if access.space == Space::Tmem {
                        known.fenced = std::array::from_fn(|warp| 1 << warp);
                    }
                    let later = &self.program.ops[op].accesses[j];
                    if op == first && access.counts_as_one(later) {
                        if access.collective == Collective::Block {
                            continue;
                        }
                        known.rows = std::array::from_fn(|warp| access.collective.together(warp));
                        if access.space == Space::Tmem {
                            let rows = known.rows;
                            known.fenced.iter_mut().zip(rows).for_each(|(fenced, row)| *fenced |= row);
                        }
                    }
                    let other = later.alternative;
                    if let Some(alternative) =
                        access.alternative.filter(|_| op == first && other.is_some() && other != access.alternative)
                    {
                        known.rows = std::array::from_fn(|warp| alternative.together(warp));
                    }
                    if let Some(conflict) = between(self.program, (&self.flow, &self.table), pair, &known, apart) {
                        findings.add(Conflict { needs: Needs::Apart, ..conflict });
                    }
                }
            }
        }
    }
}

/// The walks from one access.
struct AccessWalk<'c, 'p> {
    checker: &'c Checker<'p>,
    first: (usize, usize),
    around: &'c [usize],
    /// Loops that are entered after the access and whose iterations have to be distinguished.
    entered: &'c [usize],
}

impl AccessWalk<'_, '_> {
    fn access(&self) -> &Access {
        &self.checker.program.ops[self.first.0].accesses[self.first.1]
    }

    /// Follows the paths around the counted loop, or without one to the end of the kernel; returns the operations whose
    /// effects were applied, and the states on entering the loops whose iterations have to be distinguished.
    fn around(&self, round: Round, findings: &mut Found) -> (Vec<usize>, FxHashMap<usize, Entry>) {
        let (flow, around, Round { depth, counted, most }) = (&self.checker.flow, self.around, round);
        let needed = self.checker.table.needs(self.first);
        let mut walk = self.walk(&needed, round, self.entered);
        walk.follow(&mut |op, times, known| {
            if depth == 0 {
                self.ends(op, known, findings);
            }
            let common = flow.common(self.first.0, op);
            // Where iterations of a loop entered later matter, `entering` counts them.
            let staged = flow.around[op].get(depth).is_some_and(|next| common == depth && self.entered.contains(next));
            let is_asked = if times == 0 { common == depth && !staged } else { common >= depth };
            // The trip count of the counted loop may be too small for an iteration that much later.
            let trips = counted.filter(|_| times > 0).and_then(|number| self.checker.program.loops[number].trips);
            if !is_asked || trips.is_some_and(|trips| trips <= times as i64) {
                return !findings.is_full();
            }
            let of_loop = |number: usize| match around[..common].iter().position(|&outer| outer == number) {
                Some(place) if place + 1 < depth || place < depth && times == 0 => Apart::Same,
                Some(place) if place < depth && times == most => Apart::AtLeast(times as i64),
                Some(place) if place < depth => Apart::Later(times as i64),
                _ => Apart::Any,
            };
            let apart = |number: usize| self.checker.program.apart(number, of_loop);
            self.all(op, counted.filter(|_| times > 0), known, &apart, findings)
        });
        (walk.passed, walk.entries)
    }

    /// Follows the paths in a loop that does not contain the access, from its entry on; returns the operations whose
    /// effects were applied.
    fn entering(&self, round: Round, entry: &Entry, findings: &mut Found) -> Vec<usize> {
        let Round { depth, counted: next, most } = round;
        let needed = self.checker.table.needs(self.first);
        let mut walk = self.walk(&needed, round, &[]);
        walk.follow_inside(entry, &mut |op, times, known| {
            let of_loop = |number: usize| match () {
                () if self.around[..depth].contains(&number) => Apart::Same,
                () if Some(number) == next && times == most => Apart::From(times as i64),
                () if Some(number) == next => Apart::At(times as i64),
                () => Apart::Any,
            };
            let apart = |number: usize| self.checker.program.apart(number, of_loop);
            self.all(op, None, known, &apart, findings)
        });
        walk.passed
    }

    fn walk<'w>(&'w self, needed: &'w Needed, round: Round, entered: &'w [usize]) -> Walk<'w, 'w> {
        let Checker { flow, table, .. } = self.checker;
        Walk::new(flow, table, (self.first, self.access()), needed, round, entered)
    }

    /// Adds the conflicts of the access with those of a later operation; returns whether to continue.
    fn all(
        &self,
        op: usize,
        carried: Option<usize>,
        known: &Observers,
        apart: &impl Fn(usize) -> Apart,
        findings: &mut Found,
    ) -> bool {
        let Checker { program, flow, table, .. } = self.checker;
        let before = findings.list.len();
        for second in 0..program.ops[op].accesses.len() {
            let pair = AccessPair { first: self.first, second: (op, second), carried };
            if table.may_conflict(pair.first, pair.second) {
                between(program, (flow, table), pair, known, apart).into_iter().for_each(|one| findings.add(one));
            }
        }
        !(findings.is_full() || findings.each && findings.list.len() > before)
    }

    /// Checks that the access is complete at the end of the kernel, where the lifetime of shared memory ends.
    fn ends(&self, op: usize, known: &Observers, findings: &mut Found) {
        let (program, access) = (self.checker.program, self.access());
        if Some(op) != program.end || access.space == Space::Global {
            return;
        }
        let queue = match access.completion {
            Completion::Now => return,
            Completion::Group(queue) => Some(queue),
            Completion::Phase(_) | Completion::Arrival(_) | Completion::Commit | Completion::Never => None,
        };
        let issuers = self.checker.table.issuing_threads(self.first).warps();
        let open = |warp: &usize| known.own_seen >> warp & 1 == 0 && known.rows[*warp] == 0;
        let Some(commits) = bits(issuers).filter(open).map(|warp| known.commits[warp]).min() else { return };
        let committed = commits > 0 || queue.is_some_and(Queue::is_of_tensor);
        let finding = Finding::NeverWaited { op: self.first.0, queue, committed };
        if findings.list.last() != Some(&finding) && !findings.list.contains(&finding) {
            findings.list.push(finding);
        }
    }
}
