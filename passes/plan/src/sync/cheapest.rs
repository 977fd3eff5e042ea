//! The cheaper of two ways to insert synchronization: latest positions, or minimum cuts.
//!
//! [`stab`] inserts at the latest position that orders a conflict. In a program with branches or loops, [`cuts`] may find
//! positions that are executed less often.

use std::rc::Rc;

use crate::queue::Queue;
use crate::sync::access::{Access, Completion};
use crate::sync::classes::AccessClasses;
use crate::sync::cuts::{self, Fences};
use crate::sync::finding::Finding;
use crate::sync::insert::{Work, stab};
use crate::sync::items::Item;
use crate::sync::places::{Insertion, listed};
use crate::sync::program::{Effect, SyncProgram};
use crate::sync::proved::{Inserted, footprints, inserted};
use crate::sync::{rings, tensor};

/// The insertions that order a program, in the order in which they were found.
///
/// # Errors
/// The findings that no insertion resolves.
pub fn insert(program: &SyncProgram) -> Result<Vec<Insertion>, Vec<Finding>> {
    inserted(program, || find(program))
}

/// As [`insert`], whatever is known.
pub(super) fn find(program: &SyncProgram) -> Inserted {
    let classes = classes(program);
    Ok(cheapest(program, &classes, stab(program, &classes)?))
}

/// The classes of a program's accesses, unless it is executed.
pub(super) fn classes(program: &SyncProgram) -> Rc<AccessClasses> {
    Rc::new(if rings::has(program) { AccessClasses::default() } else { AccessClasses::new(program, &footprints()) })
}

/// The largest program, in operations, in which [`cuts`] looks for cheaper barriers.
const MAX_OPS: usize = 2000;

/// The given insertions, or cheaper ones.
fn cheapest(program: &SyncProgram, classes: &Rc<AccessClasses>, inserted: Vec<Insertion>) -> Vec<Insertion> {
    let is_straight = program.body.iter().all(|item| matches!(item, Item::Op(_)));
    let warps = |insertion: &Insertion| insertion.effect == Effect::WarpBarrier;
    let is_mixed = inserted.iter().any(warps) && !inserted.iter().all(warps);
    let is_large = program.ops.len() > MAX_OPS;
    if is_straight && !is_mixed
        || is_large
        || inserted.is_empty()
        || rings::has(program)
        || tensor::is_touched(program)
        || has_products(program)
        || program.loops.iter().any(|looped| looped.rotated)
    {
        return inserted;
    }
    let fenced = inserted.iter().any(|insertion| matches!(insertion.effect, Effect::ProxyFence { .. }));
    let mut best = (cuts::cost(program, &inserted), inserted);
    for fences in [Fences::Last, Fences::First] {
        if fences == Fences::First && !fenced {
            continue;
        }
        let Some(whole) = cuts::ordered(program, classes, fences) else { continue };
        let mut work = Work::new(whole, program.ops.len(), classes);
        listed(&work.program, &work.program.body, work.originals, &mut work.made);
        // This adds waits for copies that are in flight at the end.
        if !work.order_all() {
            continue;
        }
        let fewer = work.least();
        let cost = cuts::cost(program, &fewer);
        if cost < best.0 {
            best = (cost, fewer);
        }
    }
    best.1
}

/// Whether a program has `wgmma` products.
fn has_products(program: &SyncProgram) -> bool {
    let is_one = |access: &Access| access.completion == Completion::Group(Queue::Product);
    program.ops.iter().flat_map(|op| &op.accesses).any(is_one)
}
