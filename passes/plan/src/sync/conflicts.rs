//! Which operations may touch memory that an access touches, and which groups have to know each access: decided before
//! any path is followed.

use std::collections::HashMap;
use std::rc::Rc;

use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::access::{Access, Completion, Through};
use crate::sync::classes::AccessClasses;
use crate::sync::common::CommonBytes;
use crate::sync::flow::Flow;
use crate::sync::groups::bits;
use crate::sync::program::SyncProgram;
use crate::sync::shift::Apart;

/// The groups that have to observe an access, by the warp of its issuing threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The groups that have to know it.
    pub rows: [u64; MAX_WARPS],
    /// The groups that have to know it through a fence.
    pub fenced: [u64; MAX_WARPS],
}

/// Which accesses may touch a common byte, and where.
pub struct ConflictTable {
    classes: Rc<AccessClasses>,
    /// By class.
    needed: Vec<Rc<Needed>>,
    /// By object and node: the operations in the node that touch the object or one that it may overlap, each preceded
    /// by its position there.
    at: FxHashMap<(usize, NodeIndex), Vec<(usize, usize)>>,
    /// By object: the longest period with which accesses of it repeat.
    periods: HashMap<usize, i64>,
    /// By object: the loops in which accesses of it move, each preceded by the loops around it.
    moving: HashMap<usize, Vec<Vec<usize>>>,
}

impl ConflictTable {
    /// Analyses a program, given the classes of its accesses.
    pub(super) fn new(program: &SyncProgram, flow: &Flow<'_>, classes: Rc<AccessClasses>) -> Self {
        let aliases = aliases(program);
        let needed = |class: usize| {
            let object = classes.list()[class].access.object;
            let related = aliases.get(&object).into_iter().flatten().chain([&object]);
            let others = related.flat_map(|&object| classes.of_object(object));
            Rc::new(needed(&classes, (class, others), program, flow))
        };
        let needed = (0..classes.list().len()).map(needed).collect();
        let (at, periods, moving) = (FxHashMap::default(), HashMap::new(), HashMap::new());
        let mut table = ConflictTable { classes, needed, at, periods, moving };
        for (op, operation) in program.ops.iter().enumerate() {
            let (node, place) = flow.place[op];
            let around = &flow.around[op];
            for access in &operation.accesses {
                for &object in aliases.get(&access.object).into_iter().flatten().chain([&access.object]) {
                    let list = table.at.entry((object, node)).or_default();
                    if list.last() != Some(&(place, op)) {
                        list.push((place, op));
                    }
                }
                table.moves(access, around);
            }
        }
        table
    }

    /// Records in which loops an access moves, and with which period.
    fn moves(&mut self, access: &Access, around: &[usize]) {
        for (number, periodic) in &access.shift.loops {
            let period = self.periods.entry(access.object).or_insert(1);
            *period = (*period).max(periodic.period());
            let Some(depth) = around.iter().position(|other| other == number) else { continue };
            let moving = self.moving.entry(access.object).or_default();
            let path = &around[..=depth];
            if !moving.iter().any(|known| known == path) {
                moving.push(path.to_vec());
            }
        }
    }

    /// The operations in a node that may touch an object, each preceded by its position there.
    pub fn at(&self, object: usize, node: NodeIndex) -> &[(usize, usize)] {
        self.at.get(&(object, node)).map_or(&[], Vec::as_slice)
    }

    /// The groups that have to know an access.
    pub fn needs(&self, access: (usize, usize)) -> Rc<Needed> {
        self.needed[self.classes.of(access)].clone()
    }

    /// The threads that make an access.
    pub fn issuing_threads(&self, access: (usize, usize)) -> &ThreadSet {
        &self.classes.list()[self.classes.of(access)].issuers
    }

    /// Whether two accesses may touch a common byte, in any iterations, so that they need an order.
    pub fn may_conflict(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        self.classes.may_conflict(self.classes.of(a), self.classes.of(b))
    }

    /// The bytes that two accesses have in common in iterations that are related by `apart`.
    pub(super) fn common(
        &self,
        program: &SyncProgram,
        [a, b]: [(usize, usize); 2],
        apart: impl Fn(usize) -> Apart,
    ) -> Rc<CommonBytes> {
        self.classes.common(program, (self.classes.of(a), self.classes.of(b)), apart)
    }

    /// The longest period, in iterations, with which accesses of an object repeat.
    pub fn period(&self, object: usize) -> i64 {
        self.periods.get(&object).copied().unwrap_or(1)
    }

    /// The loops that do not contain an operation, but lie directly inside the outer `depth` loops around it, and in
    /// which accesses of an object move with the iteration.
    pub fn entered(&self, object: usize, around: &[usize], depth: usize) -> Vec<usize> {
        let paths = self.moving.get(&object).into_iter().flatten();
        let fits = |path: &&Vec<usize>| path.len() == depth + 1 && path[..depth] == around[..depth];
        paths.filter(fits).map(|path| path[depth]).filter(|next| !around.contains(next)).collect()
    }
}

/// The groups that have to know the accesses of a class, given the classes that may touch the same memory.
fn needed<'c>(
    classes: &AccessClasses,
    (class, others): (usize, impl Iterator<Item = &'c usize>),
    program: &SyncProgram,
    flow: &Flow<'_>,
) -> Needed {
    let a = &classes.list()[class];
    let mut needed = Needed { rows: [0; MAX_WARPS], fenced: [0; MAX_WARPS] };
    // A thread whose accesses complete at once knows its own.
    let knows_own = a.access.completion == Completion::Now;
    for &number in others.filter(|&&number| classes.may_conflict(class, number)) {
        let b = &classes.list()[number];
        let fence = a.access.through(&b.access) != Through::Nothing;
        let mut note = |warp: usize, others: &ThreadSet| {
            let groups = flow.groups.meeting(others);
            needed.rows[warp] |= groups;
            needed.fenced[warp] |= if fence { groups } else { 0 };
        };
        let common = classes.common(program, (class, number), |_| Apart::Any);
        for (warp, others) in &common.warps {
            note(*warp, if knows_own && !fence { &others.shared } else { &others.all });
        }
        let alone = knows_own && !fence && a.issuers == b.issuers && a.issuers.len() == 1;
        if common.distances.is_none() && !alone {
            bits(a.issuers.warps()).for_each(|warp| note(warp, &b.issuers));
        }
    }
    needed
}

/// For each object, the others that it may overlap.
fn aliases(program: &SyncProgram) -> HashMap<usize, Vec<usize>> {
    let mut aliases: HashMap<usize, Vec<usize>> = HashMap::new();
    for &(a, b) in &program.may_alias {
        aliases.entry(a).or_default().push(b);
        aliases.entry(b).or_default().push(a);
    }
    aliases
}
