//! What has to be added to a program so that its conflicts are in order, and what of it is in vain.
//!
//! Conflicts are taken by where they end, and what orders one is put right before its end: of the places that order it, the
//! latest, which orders most of those that end later (interval stabbing). Then each addition that the others make needless is
//! taken back, and each barrier is made as narrow as can be. Every step is judged by [`check`], as a whole.

use crate::problem::threads::ThreadSet;
use crate::sync::check::check;
use crate::sync::finding::{Conflict, Finding, Needs, Threads};
use crate::sync::program::{Effect, Item, Op, Program, Queue, Taken};

/// Something to be put before an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Before this operation, by its number, or what is around it.
    pub before: usize,
    /// How many branches and loops around it are left first.
    pub out: usize,
    /// What it does.
    pub effect: Effect,
    /// Who executes it.
    pub active: ThreadSet,
}

/// Where an operation is: the items on the way to it, outer to inner.
struct Place {
    /// The active threads at each level, the innermost last; `None` where it is not known who gets there.
    active: Vec<Option<ThreadSet>>,
}

/// The additions of a program, in the order in which they were found, or what no addition orders.
///
/// # Errors
/// The findings that are left.
pub fn insert(program: &Program) -> Result<Vec<Insertion>, Vec<Finding>> {
    let mut work = Work { program: program.clone(), originals: program.ops.len(), made: Vec::new() };
    let mut limit = 4 * program.ops.len() + 16;
    loop {
        let findings = check(&work.program);
        let conflicts = findings.iter().filter_map(|finding| match finding {
            Finding::Conflict(conflict) => Some(conflict),
            Finding::NeverWaited { .. } => None,
        });
        let Some(first) = conflicts.min_by_key(|it| (work.order(it.second.0), it.carried.is_some(), it.first)) else {
            match work.finish(&findings) {
                true => continue,
                false if findings.is_empty() => break,
                false => return Err(findings),
            }
        };
        limit = limit.saturating_sub(1);
        if limit == 0 || !work.order_one(first) {
            return Err(findings);
        }
    }
    work.reduce();
    Ok(work.made.into_iter().map(|(_, insertion)| insertion).collect())
}

/// The operations that only order, and that a program without conflicts does not need: by their numbers.
pub fn redundant(program: &Program) -> Vec<usize> {
    let mut left = program.clone();
    let mut found = Vec::new();
    if !check(program).is_empty() {
        return found;
    }
    for op in 0..program.ops.len() {
        let orders = |effect: &Effect| {
            matches!(effect, Effect::Barrier | Effect::WarpBarrier | Effect::Wait { .. } | Effect::ProxyFence { .. })
        };
        let only = program.ops[op].accesses.is_empty() && !program.ops[op].effects.is_empty();
        if !only || !program.ops[op].effects.iter().all(orders) {
            continue;
        }
        let effects = std::mem::take(&mut left.ops[op].effects);
        match check(&left).is_empty() {
            true => found.push(op),
            false => left.ops[op].effects = effects,
        }
    }
    found
}

struct Work {
    program: Program,
    /// How many operations there were.
    originals: usize,
    /// What was added: the operation, and what it is.
    made: Vec<(usize, Insertion)>,
}

impl Work {
    /// Operations in the order of the text, those that were added among them.
    fn order(&self, op: usize) -> usize {
        fn walk(items: &[Item], all: &mut Vec<usize>) {
            for item in items {
                match item {
                    Item::Op(op) => all.push(*op),
                    Item::Loop(_, body) => walk(body, all),
                    Item::Branch(branch) => branch.arms.iter().for_each(|arm| walk(arm, all)),
                }
            }
        }
        let mut all = Vec::new();
        walk(&self.program.body, &mut all);
        all.iter().position(|it| *it == op).unwrap_or(all.len())
    }

    /// Adds what orders one conflict; `false` where nothing can.
    fn order_one(&mut self, conflict: &Conflict) -> bool {
        let before = conflict.second.0;
        match conflict.needs {
            Needs::Group { committed: true, queue, pending, .. } => {
                self.add(before, Effect::Wait { queue, pending, reads: false }, None)
            }
            Needs::ProxyFence => {
                let shared = self.program.ops[conflict.first.0].accesses[conflict.first.1].shared;
                self.add(before, Effect::ProxyFence { shared }, None)
            }
            Needs::Barrier(Threads::Warp) => self.add(before, Effect::WarpBarrier, None),
            Needs::Barrier(Threads::Some(set)) => self.add(before, Effect::Barrier, Some(set)),
            Needs::Barrier(Threads::Block) => self.add(before, Effect::Barrier, Some(self.program.block)),
            Needs::Group { .. } | Needs::Phase(_) | Needs::Completion | Needs::Apart => false,
        }
    }

    /// Copies that are in flight at the end are waited for there.
    fn finish(&mut self, findings: &[Finding]) -> bool {
        let Some(last) = self.program.end else { return false };
        let queue = findings.iter().find_map(|finding| match finding {
            Finding::NeverWaited { queue, .. } => *queue,
            Finding::Conflict(_) => None,
        });
        let wait = |queue: Queue| Effect::Wait { queue, pending: 0, reads: queue == Queue::Bulk };
        let done =
            |work: &Work, effect: &Effect| work.made.iter().any(|(_, it)| it.effect == *effect && it.before == last);
        queue.map(wait).is_some_and(|effect| !done(self, &effect) && self.add(last, effect, None))
    }

    /// Adds an operation before another one, or before what is around that, where all of `threads` get and are known to.
    fn add(&mut self, before: usize, effect: Effect, threads: Option<ThreadSet>) -> bool {
        let Some(place) = self.place(before) else { return false };
        let needs = threads.unwrap_or_default();
        let levels = place.active.len();
        let fits = |out: &usize| match place.active[levels - 1 - out] {
            Some(active) => needs.is_subset(&active) && self.whole(&active, &effect),
            None => false,
        };
        let Some(out) = (0..levels).find(fits) else { return false };
        let active = place.active[levels - 1 - out].unwrap_or_default();
        let anchor = if before < self.originals { before } else { self.anchor(before) };
        let insertion = Insertion { before: anchor, out, effect: effect.clone(), active };
        if self.made.iter().any(|(_, made)| *made == insertion) {
            return false;
        }
        let op = self.program.ops.len();
        self.program.ops.push(Op { active, exact: true, accesses: Vec::new(), effects: vec![effect] });
        put(&mut self.program.body, anchor, out, op);
        self.made.push((op, insertion));
        true
    }

    fn anchor(&self, made: usize) -> usize {
        self.made.iter().find(|(op, _)| *op == made).map_or(made, |(_, insertion)| insertion.before)
    }

    /// Do threads make whole warps, as a barrier needs them?
    fn whole(&self, active: &ThreadSet, effect: &Effect) -> bool {
        let barrier = matches!(effect, Effect::Barrier | Effect::WarpBarrier);
        let full = |warp: usize| active.lanes(warp) == 0 || active.lanes(warp) == self.program.block.lanes(warp);
        !active.is_empty() && (!barrier || (0..32).all(full))
    }

    fn place(&self, op: usize) -> Option<Place> {
        let mut active = vec![Some(self.program.block)];
        find(&self.program.body, op, &mut active).then_some(Place { active })
    }

    /// Takes back what is needless, and narrows what is wide.
    fn reduce(&mut self) {
        for at in (0..self.made.len()).rev() {
            let op = self.made[at].0;
            let effects = std::mem::take(&mut self.program.ops[op].effects);
            if check(&self.program).is_empty() {
                self.made.remove(at);
                continue;
            }
            if effects == [Effect::Barrier] {
                self.program.ops[op].effects = vec![Effect::WarpBarrier];
                if check(&self.program).is_empty() {
                    self.made[at].1.effect = Effect::WarpBarrier;
                    continue;
                }
            }
            self.program.ops[op].effects = effects;
        }
    }
}

/// The active threads on the way to an operation.
fn find(items: &[Item], op: usize, active: &mut Vec<Option<ThreadSet>>) -> bool {
    let around = active.last().copied().flatten();
    for item in items {
        match item {
            Item::Op(found) if *found == op => return true,
            Item::Op(_) => {}
            Item::Loop(_, body) => {
                active.push(around);
                if find(body, op, active) {
                    return true;
                }
                active.pop();
            }
            Item::Branch(branch) => {
                for (number, arm) in branch.arms.iter().enumerate() {
                    active.push(match &branch.taken {
                        Taken::Together => around,
                        Taken::By(sets) => around.zip(sets.get(number)).map(|(around, set)| around.intersect(set)),
                        Taken::Unknown => None,
                    });
                    if find(arm, op, active) {
                        return true;
                    }
                    active.pop();
                }
            }
        }
    }
    false
}

/// Puts an operation before another one, or before what is around that; the levels that are left, or none once it is done.
fn put(items: &mut Vec<Item>, before: usize, out: usize, op: usize) -> Option<usize> {
    for at in 0..items.len() {
        let found = match &mut items[at] {
            Item::Op(found) => (*found == before).then_some(out),
            Item::Loop(_, body) => put(body, before, out, op),
            Item::Branch(branch) => branch.arms.iter_mut().find_map(|arm| put(arm, before, out, op)),
        };
        match found {
            Some(0) => {
                items.insert(at, Item::Op(op));
                return Some(usize::MAX);
            }
            Some(usize::MAX) => return Some(usize::MAX),
            Some(left) => return Some(left - 1),
            None => {}
        }
    }
    None
}
