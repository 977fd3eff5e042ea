//! Conflicts that nothing orders.

use std::collections::HashSet;

use crate::problem::scope::Space;
use crate::sync::between::{Place, between};
use crate::sync::finding::{Conflict, Finding, Needs};
use crate::sync::flow::Flow;
use crate::sync::groups::bits;
use crate::sync::known::Known;
use crate::sync::meetings::Meetings;
use crate::sync::places::order;
use crate::sync::program::{Access, Completion, Effect, Program};
use crate::sync::rings;
use crate::sync::shift::Apart;
use crate::sync::walk::{Round, Visit, Walk};
use crate::touch::Queue;

/// The most iterations whose accesses are compared one by one.
const MOST_APART: usize = 8;

/// Everything that is wrong with a program. Of two operations one conflict is reported, the first found.
pub fn check(program: &Program) -> Vec<Finding> {
    check_some(program, usize::MAX)
}

/// The first so many of what is wrong with a program.
pub fn check_some(program: &Program, most: usize) -> Vec<Finding> {
    if rings::has(program) {
        return rings::check(program, most);
    }
    let mut found = Found { most, ..Found::default() };
    Checker::new(program).all(&mut found);
    found.list
}

/// The accesses that would need an order if nothing gave one: of two operations, one conflict.
pub fn all_pairs(program: &Program) -> Vec<Conflict> {
    let mut bare = Program { ringed: false, ..program.clone() };
    for op in &mut bare.ops {
        op.effects.clear();
        op.accesses.iter_mut().for_each(|access| access.completion = Completion::Now);
    }
    check(&bare).iter().filter_map(Finding::conflict).cloned().collect()
}

/// What has been found.
#[derive(Default)]
pub(super) struct Found {
    pub list: Vec<Finding>,
    /// Operations of conflicts: one of two is enough.
    pairs: HashSet<(usize, usize)>,
    /// Enough is found.
    pub most: usize,
    /// Is one enough of each way?
    each: bool,
}

impl Found {
    /// As soon as there is anything.
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

/// Of each operation, accesses that it may have ordered before later ones.
pub(super) type Passed = Vec<Vec<(usize, usize)>>;

/// A program that is checked, as a whole or access by access, with some of its operations changed.
pub(super) struct Checker<'p> {
    program: &'p Program,
    flow: Flow<'p>,
    meetings: Meetings,
    passed: Passed,
    /// The position of each operation in the text.
    order: Vec<usize>,
}

impl<'p> Checker<'p> {
    pub fn new(program: &'p Program) -> Self {
        let flow = Flow::new(program);
        let meetings = Meetings::new(program, &flow);
        Checker { program, flow, meetings, passed: vec![Vec::new(); program.ops.len()], order: order(program) }
    }

    /// A program in which all is in order, as another checker has found, with what that one has learned.
    pub fn of_ordered(program: &'p Program, passed: Passed) -> Self {
        Checker { passed, ..Checker::new(program) }
    }

    /// All accesses, one after the other.
    pub fn all(&mut self, found: &mut Found) {
        for first in 0..self.program.ops.len() {
            self.beside(first, found);
            for number in 0..self.program.ops[first].accesses.len() {
                self.after((first, number), found);
                if found.is_full() {
                    return;
                }
            }
        }
    }

    /// Of each access the first finding on each way around.
    pub fn firsts(&mut self) -> Vec<Finding> {
        let mut found = Found { most: usize::MAX, each: true, ..Found::default() };
        self.all(&mut found);
        found.list
    }

    /// What [`Checker::of_ordered`] needs of it.
    pub fn into_passed(self) -> Passed {
        self.passed
    }

    /// Is all in order if an operation does something else? All was in order before, and if it is not, nothing is changed.
    pub fn becomes(&mut self, op: usize, effects: Vec<Effect>) -> bool {
        let before = std::mem::replace(&mut self.flow.does[op].effects, effects);
        let mut found = Found::any();
        let mut passed = std::mem::take(&mut self.passed[op]);
        // What it orders is close to it more often than not, and one conflict is enough.
        passed.sort_unstable_by_key(|first| (self.order[first.0].abs_diff(self.order[op]), *first));
        for first in &passed {
            self.after(*first, &mut found);
            if found.is_full() {
                self.flow.does[op].effects = before;
                break;
            }
        }
        passed.append(&mut self.passed[op]);
        passed.sort_unstable();
        passed.dedup();
        self.passed[op] = passed;
        found.list.is_empty()
    }

    /// What comes after an access.
    fn after(&mut self, first: (usize, usize), found: &mut Found) {
        let access = &self.program.ops[first.0].accesses[first.1];
        let around = self.flow.around[first.0].clone();
        let most = (self.meetings.period(access.object) as usize + 1).clamp(2, MOST_APART);
        for depth in 0..=around.len() {
            let entered = self.meetings.entered(access.object, &around, depth);
            let counted = depth.checked_sub(1).map(|last| around[last]);
            let of = Of { checker: self, first, around: &around, entered: &entered };
            let mut passed = of.around(Round { depth, counted, most }, found);
            for &next in &entered {
                let of = Of { checker: self, first, around: &around, entered: &entered };
                passed.extend(of.entering(Round { depth, counted: Some(next), most }, found));
            }
            for op in passed {
                if self.passed[op].last() != Some(&first) {
                    self.passed[op].push(first);
                }
            }
        }
    }

    /// Accesses in one iteration that no way leads between: those of one operation, and of different arms.
    fn beside(&self, first: usize, found: &mut Found) {
        let arms = self.flow.arms[first].iter().flat_map(|(branch, _)| &self.flow.inside[*branch]);
        let others = arms.filter(|&&op| op > first && self.flow.beside(first, op) == Some(true));
        let others: HashSet<usize> = others.copied().collect();
        let mut others: Vec<usize> = others.into_iter().collect();
        others.sort_unstable();
        for op in std::iter::once(first).chain(others) {
            let common = &self.flow.around[first][..self.flow.common(first, op)];
            let apart = |number| if common.contains(&number) { Apart::Same } else { Apart::Any };
            for (i, access) in self.program.ops[first].accesses.iter().enumerate() {
                let from = if op == first { i } else { 0 };
                for j in from..self.program.ops[op].accesses.len() {
                    let place = Place { first: (first, i), second: (op, j), carried: None };
                    if !self.meetings.meet(place.first, place.second) {
                        continue;
                    }
                    let mut known = Known::new(access);
                    // A thread is in order with itself.
                    (known.own, known.own_fence) = (u32::MAX, u32::MAX);
                    if access.space == Space::Tmem {
                        known.fenced = std::array::from_fn(|warp| 1 << warp);
                    }
                    if op == first && i == j && access.by_warps {
                        known.rows = std::array::from_fn(|warp| 1 << warp);
                    }
                    let other = self.program.ops[op].accesses[j].way;
                    if let Some(way) = access.way.filter(|_| op == first && other.is_some() && other != access.way) {
                        known.rows = std::array::from_fn(|warp| way.together(warp));
                    }
                    if let Some(conflict) = between(self.program, &self.flow, place, &known, apart) {
                        found.add(Conflict { needs: Needs::Apart, ..conflict });
                    }
                }
            }
        }
    }
}

/// The ways from one access.
struct Of<'c, 'p> {
    checker: &'c Checker<'p>,
    first: (usize, usize),
    around: &'c [usize],
    /// Loops that are entered afterwards and whose iterations matter.
    entered: &'c [usize],
}

impl Of<'_, '_> {
    fn access(&self) -> &Access {
        &self.checker.program.ops[self.first.0].accesses[self.first.1]
    }

    /// Around a loop around the access, or on from it; the operations that were passed.
    fn around(&self, round: Round, found: &mut Found) -> Vec<usize> {
        let (flow, around, Round { depth, counted: own, most }) = (&self.checker.flow, self.around, round);
        self.follow(round, &mut |op, times, known| {
            if depth == 0 {
                self.ends(op, known, found);
            }
            let common = flow.common(self.first.0, op);
            // Iterations of loops that are entered afterwards are counted, where it matters.
            let staged = flow.around[op].get(depth).is_some_and(|next| common == depth && self.entered.contains(next));
            let is_asked = if times == 0 { common == depth && !staged } else { common >= depth };
            // A loop that goes round so often.
            let trips = own.filter(|_| times > 0).and_then(|own| self.checker.program.loops[own].trips);
            if !is_asked || trips.is_some_and(|trips| trips <= times as i64) {
                return !found.is_full();
            }
            let apart = |number: usize| match around[..common].iter().position(|&it| it == number) {
                Some(place) if place + 1 < depth || place < depth && times == 0 => Apart::Same,
                Some(place) if place < depth && times == most => Apart::AtLeast(times as i64),
                Some(place) if place < depth => Apart::Later(times as i64),
                _ => Apart::Any,
            };
            self.all(op, own.filter(|_| times > 0), known, &apart, found)
        })
    }

    /// Into a loop that does not go around the access; the operations that were passed.
    fn entering(&self, round: Round, found: &mut Found) -> Vec<usize> {
        let (flow, Round { depth, counted: next, most }) = (&self.checker.flow, round);
        self.follow(round, &mut |op, times, known| {
            if flow.common(self.first.0, op) != depth || flow.around[op].get(depth).copied() != next {
                return true;
            }
            let apart = |number: usize| match () {
                () if self.around[..depth].contains(&number) => Apart::Same,
                () if Some(number) == next && times == most => Apart::From(times as i64),
                () if Some(number) == next => Apart::At(times as i64),
                () => Apart::Any,
            };
            self.all(op, None, known, &apart, found)
        })
    }

    fn follow(&self, round: Round, visit: &mut Visit<'_>) -> Vec<usize> {
        let Checker { flow, meetings, .. } = self.checker;
        let needed = meetings.needs(self.first);
        let mut walk = Walk::new(flow, meetings, (self.first.0, self.access()), &needed, round);
        walk.follow(visit);
        walk.passed
    }

    /// The conflicts of the access with those of a later operation; go on?
    fn all(
        &self,
        op: usize,
        carried: Option<usize>,
        known: &Known,
        apart: &impl Fn(usize) -> Apart,
        found: &mut Found,
    ) -> bool {
        let Checker { program, flow, meetings, .. } = self.checker;
        let before = found.list.len();
        for second in 0..program.ops[op].accesses.len() {
            let place = Place { first: self.first, second: (op, second), carried };
            if meetings.meet(place.first, place.second) {
                between(program, flow, place, known, apart).into_iter().for_each(|it| found.add(it));
            }
        }
        !(found.is_full() || found.each && found.list.len() > before)
    }

    /// The end of a kernel, where shared memory ends.
    fn ends(&self, op: usize, known: &Known, found: &mut Found) {
        let (program, access) = (self.checker.program, self.access());
        if Some(op) != program.end || access.space == Space::Global {
            return;
        }
        let queue = match access.completion {
            Completion::Now => return,
            Completion::Group(queue) => Some(queue),
            Completion::Phase(_) | Completion::Arrival | Completion::Commit | Completion::Never => None,
        };
        let makers = program.ops[self.first.0].makers(access).warps();
        let open = |warp: &usize| known.own >> warp & 1 == 0 && known.rows[*warp] == 0;
        let Some(commits) = bits(makers).filter(open).map(|warp| known.commits[warp]).min() else { return };
        let committed = commits > 0 || queue.is_some_and(Queue::is_of_tensor);
        let finding = Finding::NeverWaited { op: self.first.0, queue, committed };
        if found.list.last() != Some(&finding) && !found.list.contains(&finding) {
            found.list.push(finding);
        }
    }
}
