//! Where operations of a program are, and how one is put among them.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::items::{Item, Taken, When};
use crate::sync::program::{Effect, Op, Program};

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

/// Who takes an arm of those who come to a branch.
pub(super) fn taken(taken: &Taken, arm: usize, around: Option<ThreadSet>) -> Option<ThreadSet> {
    match taken {
        Taken::Together => around,
        Taken::By(sets) => around.zip(sets.get(arm)).map(|(around, set)| around.intersect(set)),
        Taken::ByRank(_) | Taken::Unknown => None,
    }
}

/// Do threads make whole warps, as a barrier needs them?
pub(super) fn whole(active: &ThreadSet, block: &ThreadSet) -> bool {
    let full = |warp: usize| active.lanes(warp) == 0 || active.lanes(warp) == block.lanes(warp);
    !active.is_empty() && (0..MAX_WARPS).all(full)
}

/// Of each operation its place in the text.
pub(super) fn order(program: &Program) -> Vec<usize> {
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

/// Who gets to an operation, at each level around it, the innermost last; `None` where that is not known.
pub(super) fn active(program: &Program, op: usize) -> Option<Vec<Option<ThreadSet>>> {
    let mut active = vec![Some(program.block)];
    find(&program.body, op, &mut active).then_some(active)
}

/// The place before what is around an operation and in nothing else, or so many of these later: an operation that was there
/// before, and how many branches and loops around it are left.
pub(super) fn outermost(program: &Program, originals: usize, op: usize, later: usize) -> Option<(usize, usize)> {
    let at = program.body.iter().position(|item| depth(std::slice::from_ref(item), op).is_some())?;
    program.body.get(at + later..)?.iter().find_map(|item| original(item, originals))
}

/// The additions of a program, each with its operation, in the order in which they are put.
pub(super) fn listed(program: &Program, items: &[Item], originals: usize, found: &mut Vec<(usize, Insertion)>) {
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Op(op) if *op >= originals => {
                let next = items[at..].iter().find_map(|item| original(item, originals));
                let effect = program.ops[*op].effects.first();
                if let Some(((before, out), effect)) = next.zip(effect) {
                    let (effect, active) = (effect.clone(), program.ops[*op].active);
                    found.push((*op, Insertion { before, out, effect, active }));
                }
            }
            Item::Op(_) => {}
            Item::Loop(_, body) => listed(program, body, originals, found),
            Item::Branch(branch) => branch.arms.iter().for_each(|arm| listed(program, arm, originals, found)),
        }
    }
}

/// The first operation of an item that was there before, and how many branches and loops of it are around that.
fn original(item: &Item, originals: usize) -> Option<(usize, usize)> {
    let inside =
        |items: &[Item]| items.iter().find_map(|item| original(item, originals)).map(|(op, out)| (op, out + 1));
    match item {
        Item::Op(op) => (*op < originals).then_some((*op, 0)),
        Item::Loop(_, body) => inside(body),
        Item::Branch(branch) => branch.arms.iter().find_map(|arm| inside(arm)),
    }
}

/// How many branches that all threads take alike are around an operation, the innermost ones, and not around another one.
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

/// The place right behind an operation, or behind what is around it: an operation, and how many branches and loops around it are
/// left.
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

/// How many branches and loops are around an operation up to the outermost branch of which the rank of a block decides the arm: all
/// blocks come to what is around these.
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

/// The first operation of some items.
pub(super) fn first(items: &[Item]) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Op(op) => Some(*op),
        Item::Loop(_, body) => first(body),
        Item::Branch(branch) => first(&branch.arms.concat()),
    })
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
                    active.push(taken(&branch.taken, number, around));
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
pub(super) fn put(items: &mut Vec<Item>, before: usize, out: usize, op: usize) -> Option<usize> {
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
