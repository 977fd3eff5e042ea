//! Which accesses may touch a common byte at all, and which groups have to know each of them: decided before any path
//! is followed.
//!
//! Accesses with equal properties form a class. Two classes are compared once: first by the byte ranges that they stay
//! within in all iterations, and only then thread by thread.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

use crate::problem::scope::Space;
use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::flow::Flow;
use crate::sync::groups::bits;
use crate::sync::periodic::Loop;
use crate::sync::program::{Access, Completion, Program, Through};
use crate::sync::shift::{Apart, Shift};
use crate::touch::footprint::Footprint;

/// The groups that have to know an access, by the warp of its makers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The groups that have to know it.
    pub rows: [u64; MAX_WARPS],
    /// The groups that have to know it through a fence.
    pub fenced: [u64; MAX_WARPS],
}

/// A class of accesses with equal properties.
struct Class {
    access: Access,
    makers: ThreadSet,
    /// A number for the set of fixed values that are added; `None` where something unknown is added.
    fixed: Option<usize>,
    /// The first byte and the one after the last, over all iterations; `None` where unknown.
    within: Option<(i64, i64)>,
}

/// Which accesses may touch a common byte.
pub struct Meetings {
    classes: Vec<Class>,
    /// The class of each access.
    of: Vec<Vec<usize>>,
    needed: Vec<Rc<Needed>>,
    /// By object and node: the operations in the node that touch the object or one that it may overlap, each preceded
    /// by its position there.
    at: FxHashMap<(usize, NodeIndex), Vec<(usize, usize)>>,
    /// By object: the longest period with which accesses of it repeat.
    periods: HashMap<usize, i64>,
    /// By object: the loops in which accesses of it move, each preceded by the loops around it.
    moving: HashMap<usize, Vec<Vec<usize>>>,
}

/// The properties that define a class: those of the access, with a number in place of its footprint.
type Key<'a> = (usize, Space, [bool; 4], Completion, Option<usize>, &'a Shift, Option<ThreadSet>);

impl Meetings {
    /// Analyses a program.
    pub fn new(program: &Program, flow: &Flow<'_>) -> Self {
        let mut found = Meetings {
            classes: Vec::new(),
            of: Vec::new(),
            needed: Vec::new(),
            at: FxHashMap::default(),
            periods: HashMap::new(),
            moving: HashMap::new(),
        };
        found.classify(program);
        let kin = kin(program);
        for (op, of) in program.ops.iter().enumerate() {
            let (node, place) = flow.place[op];
            let around = &flow.around[op];
            for access in &of.accesses {
                for &object in kin.get(&access.object).into_iter().flatten().chain([&access.object]) {
                    let list = found.at.entry((object, node)).or_default();
                    if list.last() != Some(&(place, op)) {
                        list.push((place, op));
                    }
                }
                found.moves(access, around);
            }
        }
        found.needed = (0..found.classes.len()).map(|class| Rc::new(found.needed(class, program, flow))).collect();
        found
    }

    /// Records in which loops an access moves, and with which period.
    fn moves(&mut self, access: &Access, around: &[usize]) {
        for (number, periodic) in &access.shift.loops {
            let period = self.periods.entry(access.object).or_insert(1);
            *period = (*period).max(periodic.period());
            let Some(depth) = around.iter().position(|it| it == number) else { continue };
            let moving = self.moving.entry(access.object).or_default();
            let path = &around[..=depth];
            if !moving.iter().any(|it| it == path) {
                moving.push(path.to_vec());
            }
        }
    }

    fn classify(&mut self, program: &Program) {
        let mut by_pointer: HashMap<*const Footprint, usize> = HashMap::new();
        let mut by_content: HashMap<&Footprint, usize> = HashMap::new();
        let mut fixed: HashMap<&BTreeMap<usize, i64>, usize> = HashMap::new();
        let mut known: HashMap<Key<'_>, usize> = HashMap::new();
        for op in &program.ops {
            let mut of = Vec::new();
            for access in &op.accesses {
                let bytes = access.bytes.as_ref().map(|bytes| {
                    let (next, content) = (by_content.len(), &mut by_content);
                    *by_pointer.entry(Rc::as_ptr(bytes)).or_insert_with(|| *content.entry(bytes).or_insert(next))
                });
                let flags = [access.write, access.atomic, access.through_async_proxy, access.by_warps];
                let members = bytes.is_none().then_some(op.active);
                let key = (access.object, access.space, flags, access.completion, bytes, &access.shift, members);
                let next = fixed.len();
                let stays = !access.shift.unknown && access.shift.varied_by(&program.loops).next().is_none();
                let values = stays.then(|| *fixed.entry(&access.shift.fixed).or_insert(next));
                let class = *known.entry(key).or_insert_with(|| {
                    let within = access.bytes.as_ref().and_then(|it| within(it, &access.shift, &program.loops));
                    let (access, makers) = (access.clone(), op.makers(access));
                    self.classes.push(Class { access, makers, fixed: values, within });
                    self.classes.len() - 1
                });
                of.push(class);
            }
            self.of.push(of);
        }
    }

    /// The operations in a node that may touch an object, each preceded by its position there.
    pub fn at(&self, object: usize, node: NodeIndex) -> &[(usize, usize)] {
        self.at.get(&(object, node)).map_or(&[], Vec::as_slice)
    }

    /// The groups that have to know an access.
    pub fn needs(&self, (op, number): (usize, usize)) -> Rc<Needed> {
        self.needed[self.of[op][number]].clone()
    }

    /// Whether two accesses may touch a common byte, in any iterations, so that they need an order.
    pub fn meet(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        self.classes[self.of[a.0][a.1]].meets(&self.classes[self.of[b.0][b.1]])
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

    fn needed(&self, class: usize, program: &Program, flow: &Flow<'_>) -> Needed {
        let a = &self.classes[class];
        let mut needed = Needed { rows: [0; MAX_WARPS], fenced: [0; MAX_WARPS] };
        for b in self.classes.iter().filter(|b| a.meets(b)) {
            let Some(one) = program.related(a.access.object, b.access.object) else { continue };
            let fence = a.access.through(&b.access) != Through::Nothing;
            let mut note = |makers: &ThreadSet, others: &ThreadSet| {
                let alone = makers == others && makers.len() == 1;
                if alone && a.access.completion == Completion::Now && !fence {
                    return;
                }
                let groups = flow.groups.meeting(others);
                for warp in bits(makers.warps()) {
                    needed.rows[warp] |= groups;
                    needed.fenced[warp] |= if fence { groups } else { 0 };
                }
            };
            let both = a.access.bytes.as_ref().zip(b.access.bytes.as_ref()).filter(|_| one);
            let (first, second) = (&a.access.shift, &b.access.shift);
            let apart = both.and_then(|(bytes, others)| {
                let span = bytes.span(others);
                Some((bytes, others, Shift::distances(first, second, &program.loops, |_| Apart::Any, span)?))
            });
            match apart {
                Some((bytes, others, distances)) => {
                    for (distance, _) in distances {
                        bytes.meeting(others, distance).for_each(|(_, from, to)| note(&from.threads, &to.threads));
                    }
                }
                None => note(&a.makers, &b.makers),
            }
        }
        needed
    }
}

impl Class {
    /// Whether accesses of two classes may touch a common byte of one object, or of two that may overlap, and need an
    /// order.
    fn meets(&self, other: &Class) -> bool {
        let apart = self.access.object == other.access.object
            && self.fixed.is_some()
            && self.fixed == other.fixed
            && self.within.zip(other.within).is_some_and(|(a, b)| a.1 <= b.0 || b.1 <= a.0);
        self.access.conflicts(&other.access) && !apart
    }
}

/// For each object, the others that it may overlap.
fn kin(program: &Program) -> HashMap<usize, Vec<usize>> {
    let mut kin: HashMap<usize, Vec<usize>> = HashMap::new();
    for &(a, b) in &program.perhaps {
        kin.entry(a).or_default().push(b);
        kin.entry(b).or_default().push(a);
    }
    kin
}

/// The byte range that a footprint stays within over all iterations.
fn within(bytes: &Footprint, shift: &Shift, loops: &[Loop]) -> Option<(i64, i64)> {
    let (mut first, mut last) = bytes.bounds().unwrap_or((0, 0));
    for (&number, periodic) in &shift.loops {
        let (least, most) = periodic.range(loops.get(number)?.trips)?;
        (first, last) = (first.checked_add(least)?, last.checked_add(most)?);
    }
    Some((first, last))
}
