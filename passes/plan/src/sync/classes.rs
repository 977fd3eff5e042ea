//! Classes of accesses with equal properties, and which of them may touch a common byte.
//!
//! Whatever depends only on the properties of accesses is computed once per class, or once per pair of classes. It stays
//! valid when operations without accesses, such as barriers, are added to the program or removed from it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::problem::threads::ThreadSet;
use crate::sync::access::{Access, Completion, Pipe};
use crate::sync::common::CommonBytes;
use crate::sync::footprints::Footprints;
use crate::sync::periodic::Loop;
use crate::sync::program::SyncProgram;
use crate::sync::shift::{Apart, End, Shift};
use crate::touch::Collective;
use crate::touch::footprint::Footprint;
use tile_isa::Space;
use tile_isa::red::Operator;

/// A class of accesses with equal properties.
pub(super) struct Class {
    /// One of the accesses.
    pub access: Access,
    /// The threads that make it.
    pub issuers: ThreadSet,
    /// The loops that move the start, or that compute anew a value that is added to it.
    loops: Vec<usize>,
    /// A number for the set of fixed values that are added; `None` where something unknown is added.
    fixed: Option<usize>,
    /// The first byte and the one after the last, over all iterations; `None` where unknown.
    within: Option<(i64, i64)>,
    /// The byte before which all of them end, after the sum of a set of fixed values, by its number.
    end: Option<(usize, i64)>,
}

/// What two classes have in common, by the numbers of the classes and by how the iterations of their loops are related.
type Overlaps = FxHashMap<(usize, usize, Vec<Apart>), Rc<CommonBytes>>;

/// The classes of the accesses of a program.
#[derive(Default)]
pub(super) struct AccessClasses {
    classes: Vec<Class>,
    /// The class of each access.
    of_access: Vec<Vec<usize>>,
    /// The classes of each object.
    by_object: FxHashMap<usize, Vec<usize>>,
    common: RefCell<Overlaps>,
    footprints: Rc<Footprints>,
}

/// The properties that define a class: those of the access, with the address of its footprint.
type Key<'a> = (
    usize,
    Space,
    ([bool; 3], Option<Operator>, Collective),
    Completion,
    Option<Pipe>,
    Option<*const Footprint>,
    &'a Shift,
    Option<ThreadSet>,
);

impl AccessClasses {
    /// The classes of a program.
    pub fn new(program: &SyncProgram, footprints: &Rc<Footprints>) -> Self {
        let mut table = AccessClasses { footprints: Rc::clone(footprints), ..AccessClasses::default() };
        let mut by_pointer: FxHashMap<*const Footprint, Rc<Footprint>> = FxHashMap::default();
        let mut fixed: FxHashMap<&BTreeMap<usize, i64>, usize> = FxHashMap::default();
        let mut known: FxHashMap<Key<'_>, usize> = FxHashMap::default();
        for op in &program.ops {
            let mut classes = Vec::new();
            for access in &op.accesses {
                let bytes = access.bytes.as_ref().map(|bytes| {
                    let one = || table.footprints.one(bytes);
                    Rc::clone(by_pointer.entry(Rc::as_ptr(bytes)).or_insert_with(one))
                });
                let flags = [access.write, access.atomic, access.through_async_proxy];
                let members = bytes.is_none().then_some(op.active);
                let Access { object, space, collective, completion, pipe, ref shift, .. } = *access;
                let class = *known
                    .entry((
                        object,
                        space,
                        (flags, access.reduction, collective),
                        completion,
                        pipe,
                        bytes.as_ref().map(Rc::as_ptr),
                        shift,
                        members,
                    ))
                    .or_insert_with(|| {
                        let varied: Vec<usize> = shift.varied_by(&program.loops).collect();
                        let stays = !shift.unknown && varied.is_empty();
                        let end = shift.end.as_ref().filter(|end| stay(&end.fixed, &program.loops));
                        let end = end.map(|End { fixed: values, byte }| {
                            let next = fixed.len();
                            (*fixed.entry(values).or_insert(next), *byte)
                        });
                        let next = fixed.len();
                        table.classes.push(Class {
                            access: Access { bytes, ..access.clone() },
                            issuers: op.issuing_threads(access),
                            fixed: stays.then(|| *fixed.entry(&shift.fixed).or_insert(next)),
                            loops: shift.loops.keys().copied().chain(varied).collect(),
                            end,
                            within: access.bytes.as_ref().and_then(|bytes| within(bytes, shift, &program.loops)),
                        });
                        let number = table.classes.len() - 1;
                        table.by_object.entry(object).or_default().push(number);
                        number
                    });
                classes.push(class);
            }
            table.of_access.push(classes);
        }
        table
    }

    /// The class of an access, by the operation and its number there.
    pub fn of(&self, (op, number): (usize, usize)) -> usize {
        self.of_access[op][number]
    }

    /// The classes, by number.
    pub fn list(&self) -> &[Class] {
        &self.classes
    }

    /// The classes of accesses of an object.
    pub fn of_object(&self, object: usize) -> &[usize] {
        self.by_object.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Whether accesses of two classes may touch a common byte, in any iterations, and need an order.
    pub fn may_conflict(&self, a: usize, b: usize) -> bool {
        self.classes[a].may_conflict(&self.classes[b])
    }

    /// The bytes that accesses of two classes have in common in iterations that are related by `apart`.
    pub fn common(
        &self,
        program: &SyncProgram,
        (a, b): (usize, usize),
        apart: impl Fn(usize) -> Apart,
    ) -> Rc<CommonBytes> {
        let [first, second] = [a, b].map(|class| &self.classes[class]);
        let related = first.loops.iter().chain(&second.loops).map(|&number| apart(number)).collect();
        let common_bytes = || Rc::new(first.common(second, program, apart, &self.footprints));
        self.common.borrow_mut().entry((a, b, related)).or_insert_with(common_bytes).clone()
    }
}

impl Class {
    /// What accesses of two classes have in common.
    fn common(
        &self,
        other: &Class,
        program: &SyncProgram,
        apart: impl Fn(usize) -> Apart,
        footprints: &Footprints,
    ) -> CommonBytes {
        let (a, b) = (&self.access, &other.access);
        let both = a.bytes.as_ref().zip(b.bytes.as_ref()).filter(|_| a.object == b.object);
        let distances = both.and_then(|(bytes, others)| {
            Shift::distances(&a.shift, &b.shift, &program.loops, apart, bytes.span(others))
        });
        CommonBytes::new((a, b), distances, footprints)
    }

    /// Whether accesses of two classes may touch a common byte of one object, or of two that may overlap, and need an
    /// order.
    fn may_conflict(&self, other: &Class) -> bool {
        let apart = self.access.object == other.access.object
            && self.fixed.is_some()
            && self.fixed == other.fixed
            && self.within.zip(other.within).is_some_and(|(a, b)| a.1 <= b.0 || b.1 <= a.0);
        let apart = apart || self.ends_before(other) || other.ends_before(self);
        self.access.conflicts(&other.access) && !apart
    }

    /// Whether the accesses of a class end before those of another begin, by a bound.
    fn ends_before(&self, other: &Class) -> bool {
        let first = other.fixed.zip(other.within).filter(|_| self.access.object == other.access.object);
        self.end.zip(first).is_some_and(|((end, byte), (begin, (first, _)))| end == begin && byte <= first)
    }
}

/// Whether no loop computes one of some fixed values anew.
fn stay(fixed: &BTreeMap<usize, i64>, loops: &[Loop]) -> bool {
    !loops.iter().any(|looped| looped.varying.iter().any(|value| fixed.contains_key(value)))
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
