//! Positions in a program, and the insertion of operations there.
//!
//! A point is given as an operation and a number of levels: right before the operation, or before the branch or loop
//! that is this many levels around it.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::items::{Item, Taken, When};
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::rounds::{Rounds, Together};

/// An operation to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The number of the operation before which, or before a branch or loop around which, it is inserted.
    pub before: usize,
    /// The number of branches and loops around that operation that are left first.
    pub out: usize,
    /// Its effect.
    pub effect: Effect,
    /// The threads that execute it.
    pub active: ThreadSet,
}

/// The program with insertions.
#[must_use]
pub fn with(program: &SyncProgram, insertions: &[Insertion]) -> SyncProgram {
    let mut program = program.clone();
    for Insertion { before, out, effect, active } in insertions {
        let op = program.ops.len();
        let effects = vec![effect.clone()];
        program.ops.push(Op { active: *active, exact: true, accesses: Vec::new(), effects });
        put(&mut program.body, *before, *out, op);
    }
    program
}

/// The threads that reach a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointThreads {
    /// The threads, or all that may where smaller groups decide for themselves.
    pub threads: ThreadSet,
    /// The largest groups of them that reach it together.
    pub together: Together,
}

impl PointThreads {
    /// All threads of a block.
    pub fn all(block: ThreadSet) -> Self {
        PointThreads { threads: block, together: Together::Block }
    }

    /// The threads that go round a loop, among those that reach it.
    pub fn round(self, rounds: Rounds) -> Self {
        PointThreads { threads: rounds.entering(self.threads), together: self.together.min(rounds.together()) }
    }
}

/// The threads that take an arm, or may, among those that reach the branch; `None` where blocks of a cluster differ.
pub(super) fn taken(taken: &Taken, arm: usize, around: Option<PointThreads>) -> Option<PointThreads> {
    match taken {
        Taken::Together => around,
        Taken::By(sets) => around.zip(sets.get(arm)).map(|(around, set)| {
            let threads = around.threads.intersect(set);
            PointThreads { threads, ..around }
        }),
        Taken::ByWarps | Taken::Unknown => {
            around.map(|around| PointThreads { together: around.together.min(taken.together()), ..around })
        }
        Taken::ByRank(_) => None,
    }
}

/// Whether threads form whole warps, as a barrier requires.
pub(super) fn whole(active: &ThreadSet, block: &ThreadSet) -> bool {
    let full = |warp: usize| active.lanes(warp) == 0 || active.lanes(warp) == block.lanes(warp);
    !active.is_empty() && (0..MAX_WARPS).all(full)
}

/// The position of each operation in program order.
pub(super) fn order(program: &SyncProgram) -> Vec<usize> {
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
    let mut order = vec![usize::MAX; program.ops.len()];
    walk(&program.body, &mut order, &mut 0);
    order
}

/// The threads that reach each level around an operation, the innermost last; a level is `None` where they are unknown.
pub(super) fn active(program: &SyncProgram, op: usize) -> Option<Vec<Option<PointThreads>>> {
    let mut active = vec![Some(PointThreads::all(program.block))];
    find(program, &program.body, op, &mut active).then_some(active)
}

/// The point before the top-level item that contains an operation, or `later` items after that one: as an original
/// operation, and the number of branches and loops around it that are left.
pub(super) fn outermost(program: &SyncProgram, originals: usize, op: usize, later: usize) -> Option<(usize, usize)> {
    let at = program.body.iter().position(|item| depth(std::slice::from_ref(item), op).is_some())?;
    program.body.get(at + later..)?.iter().find_map(|item| original(item, originals))
}

/// The insertions of a program, each preceded by the number of its operation, in program order.
pub(super) fn listed(program: &SyncProgram, items: &[Item], originals: usize, made: &mut Vec<(usize, Insertion)>) {
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Op(op) if *op >= originals => {
                let next = items[at..].iter().find_map(|item| original(item, originals));
                let effect = program.ops[*op].effects.first();
                if let Some(((before, out), effect)) = next.zip(effect) {
                    let (effect, active) = (effect.clone(), program.ops[*op].active);
                    made.push((*op, Insertion { before, out, effect, active }));
                }
            }
            Item::Op(_) => {}
            Item::Loop(_, body) => listed(program, body, originals, made),
            Item::Branch(branch) => branch.arms.iter().for_each(|arm| listed(program, arm, originals, made)),
        }
    }
}

/// The first original operation in an item, and the number of branches and loops of the item around it.
fn original(item: &Item, originals: usize) -> Option<(usize, usize)> {
    let inside =
        |items: &[Item]| items.iter().find_map(|item| original(item, originals)).map(|(op, out)| (op, out + 1));
    match item {
        Item::Op(op) => (*op < originals).then_some((*op, 0)),
        Item::Loop(_, body) => inside(body),
        Item::Branch(branch) => branch.arms.iter().find_map(|arm| inside(arm)),
    }
}

/// How many of the innermost branches around an operation an insertion may be hoisted out of: all threads take the same
/// arm of them, and they do not contain `other`.
pub(super) fn common(items: &[Item], other: usize, op: usize) -> usize {
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

/// The point right after an operation, or after a branch or loop around it: as an operation, and the number of branches
/// and loops around it that are left.
pub(super) fn behind(items: &[Item], originals: usize, op: usize) -> Option<(usize, usize)> {
    let at = items.iter().position(|item| depth(std::slice::from_ref(item), op).is_some())?;
    let inside = match &items[at] {
        Item::Op(_) => None,
        Item::Loop(_, body) => behind(body, originals, op),
        Item::Branch(branch) => branch.arms.iter().find_map(|arm| behind(arm, originals, op)),
    };
    let next = |item: &Item| match item {
        Item::Op(op) => Some((*op, 0)),
        _ => original(item, originals),
    };
    inside.or_else(|| items[at + 1..].iter().find_map(next))
}

/// The number of branches and loops around an operation, up to and including the outermost branch whose arm the rank of
/// the block decides. All blocks reach the point before that branch.
pub(super) fn by_rank(items: &[Item], op: usize) -> usize {
    items
        .iter()
        .map(|item| match item {
            Item::Op(_) => 0,
            Item::Loop(_, body) => by_rank(body, op),
            Item::Branch(branch) => {
                let Some(deep) = branch.arms.iter().find_map(|arm| depth(arm, op)) else { return 0 };
                match branch.when.as_ref().and_then(When::by_rank) {
                    Some(_) => deep + 1,
                    None => branch.arms.iter().map(|arm| by_rank(arm, op)).max().unwrap_or(0),
                }
            }
        })
        .max()
        .unwrap_or(0)
}

/// The first operation in a list of items.
pub(super) fn first(items: &[Item]) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Op(op) => Some(*op),
        Item::Loop(_, body) => first(body),
        Item::Branch(branch) => first(&branch.arms.concat()),
    })
}

/// The number of branches and loops around an operation; `None` where the items do not contain it.
fn depth(items: &[Item], op: usize) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Op(candidate) => (*candidate == op).then_some(0),
        Item::Loop(_, body) => Some(1 + depth(body, op)?),
        Item::Branch(branch) => Some(1 + branch.arms.iter().find_map(|arm| depth(arm, op))?),
    })
}

/// Pushes the active threads of each level down to an operation; returns whether the items contain it.
fn find(program: &SyncProgram, items: &[Item], op: usize, active: &mut Vec<Option<PointThreads>>) -> bool {
    let around = active.last().copied().flatten();
    for item in items {
        match item {
            Item::Op(candidate) if *candidate == op => return true,
            Item::Op(_) => {}
            Item::Loop(number, body) => {
                active.push(around.map(|around| around.round(program.loops[*number].rounds)));
                if find(program, body, op, active) {
                    return true;
                }
                active.pop();
            }
            Item::Branch(branch) => {
                for (number, arm) in branch.arms.iter().enumerate() {
                    active.push(taken(&branch.taken, number, around));
                    if find(program, arm, op, active) {
                        return true;
                    }
                    active.pop();
                }
            }
        }
    }
    false
}

/// Inserts `op` before another operation, or `out` levels further out. Returns the levels still to leave, `usize::MAX`
/// once it is inserted, and `None` where the items do not contain `before`.
pub(super) fn put(items: &mut Vec<Item>, before: usize, out: usize, op: usize) -> Option<usize> {
    for at in 0..items.len() {
        let levels = match &mut items[at] {
            Item::Op(candidate) => (*candidate == before).then_some(out),
            Item::Loop(_, body) => put(body, before, out, op),
            Item::Branch(branch) => branch.arms.iter_mut().find_map(|arm| put(arm, before, out, op)),
        };
        match levels {
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
