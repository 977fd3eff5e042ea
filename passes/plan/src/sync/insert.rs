//! What has to be added to a program so that its conflicts are in order, and what of it is in vain.
//!
//! Conflicts are taken by where they end, and what orders one is put right before its end: of the places that order it, the
//! latest, which orders most of those that end later (interval stabbing). Then each addition that the others make needless is
//! taken back, and each barrier is made as narrow as can be. What it judges by is [`check`](crate::sync::check).

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::check::{Checker, Found, check_some};
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
    // As many rounds as there are kinds of orders one after the other, loops in loops and ways around them.
    for _ in 0..16 + 4 * program.loops.len() + program.ops.len() {
        let findings = Checker::new(&work.program).firsts();
        if findings.is_empty() {
            work.reduce();
            return Ok(work.made.into_iter().map(|(_, insertion)| insertion).collect());
        }
        if !work.order_some(&findings) {
            break;
        }
    }
    Err(check_some(&work.program, MOST_LEFT))
}

/// The most findings that are handed back.
const MOST_LEFT: usize = 256;

/// A program with additions.
#[must_use]
pub fn with(program: &Program, insertions: &[Insertion]) -> Program {
    let mut program = program.clone();
    for Insertion { before, out, effect, active } in insertions {
        let op = program.ops.len();
        let effects = vec![effect.clone()];
        program.ops.push(Op { active: *active, exact: true, accesses: Vec::new(), effects });
        put(&mut program.body, *before, *out, op);
    }
    program
}

/// The operations that only order, and that a program without conflicts does not need: by their numbers.
pub fn redundant(program: &Program) -> Vec<usize> {
    let mut checker = Checker::new(program);
    let mut wrong = Found::any();
    checker.all(&mut wrong);
    if !wrong.list.is_empty() {
        return Vec::new();
    }
    let orders = |effect: &Effect| {
        matches!(effect, Effect::Barrier | Effect::WarpBarrier | Effect::Wait { .. } | Effect::ProxyFence { .. })
    };
    let only = |op: &Op| op.accesses.is_empty() && !op.effects.is_empty() && op.effects.iter().all(orders);
    (0..program.ops.len()).filter(|&op| only(&program.ops[op]) && checker.becomes(op, Vec::new())).collect()
}

struct Work {
    program: Program,
    /// How many operations there were.
    originals: usize,
    /// What was added: the operation, and what it is.
    made: Vec<(usize, Insertion)>,
}

impl Work {
    /// Of each operation its place in the text, those that were added among them.
    fn order(&self) -> Vec<usize> {
        fn walk(items: &[Item], order: &mut Vec<usize>, next: &mut usize) {
            for item in items {
                match item {
                    Item::Op(op) => {
                        order[*op] = *next;
                        *next += 1;
                    }
                    Item::Loop(_, body) => walk(body, order, next),
                    Item::Branch(branch) => branch.arms.iter().for_each(|arm| walk(arm, order, next)),
                }
            }
        }
        let mut order = vec![usize::MAX; self.program.ops.len()];
        walk(&self.program.body, &mut order, &mut 0);
        order
    }

    /// Orders as many conflicts as do not have to be looked at again after what is added for others; `false` where one can not
    /// be ordered.
    fn order_some(&mut self, findings: &[Finding]) -> bool {
        let order = self.order();
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
                return false;
            }
            latest = Some(second);
        }
        !conflicts.is_empty() || self.finish(findings)
    }

    /// Adds what orders one conflict; `false` where nothing can.
    fn order_one(&mut self, conflict: &Conflict) -> bool {
        let before = (conflict.second.0, 0);
        // Where all take the same way, a barrier before the branch orders what comes behind it, too.
        let outside = (before.0, common(&self.program.body, conflict.first.0, before.0));
        match conflict.needs {
            Needs::Group { committed: false, queue, .. } => self.add(before, Effect::Commit(queue), None),
            Needs::Group { committed: true, queue, pending, .. } => {
                self.add(before, Effect::Wait { queue, pending, reads: false }, None)
            }
            Needs::ProxyFence => {
                let shared = self.program.ops[conflict.first.0].accesses[conflict.first.1].shared;
                self.add(before, Effect::ProxyFence { shared }, None)
            }
            Needs::Barrier(Threads::Warp) => self.add(outside, Effect::WarpBarrier, None),
            Needs::Barrier(Threads::Some(set)) => self.add(outside, Effect::Barrier, Some(set)),
            Needs::Barrier(Threads::Block) => self.add(outside, Effect::Barrier, Some(self.program.block)),
            Needs::Phase(_) | Needs::Arrival | Needs::Completion | Needs::Apart => false,
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

    fn make(&mut self, insertion: Insertion) {
        let op = self.program.ops.len();
        let effects = vec![insertion.effect.clone()];
        self.program.ops.push(Op { active: insertion.active, exact: true, accesses: Vec::new(), effects });
        put(&mut self.program.body, insertion.before, insertion.out, op);
        self.made.push((op, insertion));
    }

    /// Adds an operation before another one, or before what is so many levels around it or more, where all of `threads` get and
    /// are known to.
    fn add(&mut self, (before, least): (usize, usize), effect: Effect, threads: Option<ThreadSet>) -> bool {
        let Some(place) = self.place(before) else { return false };
        let needs = threads.unwrap_or_default();
        let levels = place.active.len();
        let fits = |out: &usize| match place.active[levels - 1 - out] {
            Some(active) => needs.is_subset(&active) && self.whole(&active, &effect),
            None => false,
        };
        let Some(out) = (least.min(levels - 1)..levels).find(fits) else { return false };
        let active = place.active[levels - 1 - out].unwrap_or_default();
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
        let barrier = matches!(effect, Effect::Barrier | Effect::WarpBarrier);
        let full = |warp: usize| active.lanes(warp) == 0 || active.lanes(warp) == self.program.block.lanes(warp);
        !active.is_empty() && (!barrier || (0..MAX_WARPS).all(full))
    }

    fn place(&self, op: usize) -> Option<Place> {
        let mut active = vec![Some(self.program.block)];
        find(&self.program.body, op, &mut active).then_some(Place { active })
    }

    /// Takes back what is needless, and narrows what is wide.
    fn reduce(&mut self) {
        let mut made = std::mem::take(&mut self.made);
        let mut checker = Checker::new(&self.program);
        checker.all(&mut Found::any());
        for at in (0..made.len()).rev() {
            let (op, insertion) = &mut made[at];
            if checker.becomes(*op, Vec::new()) {
                made.remove(at);
            } else if insertion.effect == Effect::Barrier && checker.becomes(*op, vec![Effect::WarpBarrier]) {
                insertion.effect = Effect::WarpBarrier;
            }
        }
        self.made = made;
    }
}

/// How many branches that all threads take alike are around an operation, the innermost ones, and not around another one.
fn common(items: &[Item], other: usize, op: usize) -> usize {
    for item in items {
        let (inside, together): (Vec<&[Item]>, bool) = match item {
            Item::Op(_) => continue,
            Item::Loop(_, body) => (vec![body], false),
            Item::Branch(branch) => (branch.arms.iter().map(Vec::as_slice).collect(), branch.taken == Taken::Together),
        };
        let Some(arm) = inside.iter().find(|arm| depth(arm, op).is_some()) else { continue };
        let (further, deep) = (common(arm, other, op), depth(arm, op).unwrap_or(0));
        let hoists = together && further == deep && inside.iter().all(|arm| depth(arm, other).is_none());
        return further + usize::from(hoists);
    }
    0
}

/// How many branches and loops are around an operation.
fn depth(items: &[Item], op: usize) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Op(found) => (*found == op).then_some(0),
        Item::Loop(_, body) => Some(1 + depth(body, op)?),
        Item::Branch(branch) => Some(1 + branch.arms.iter().find_map(|arm| depth(arm, op))?),
    })
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
