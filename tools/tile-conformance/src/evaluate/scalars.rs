//! Copies of one element at a time.

use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::scalar::plan::{Distributed, Owner, ScalarCopy};
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink, grid};
use super::places::{Instance, cell};

type Take<'s> = dyn FnMut(Move) -> Result<(), Fault> + 's;

/// Moves every element that an active thread copies.
pub(super) fn run(copy: &ScalarCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    for &thread in &instance.active {
        let t = thread - instance.first;
        match &copy.owner {
            Owner::ScopeThread(owner) if *owner != t => {}
            Owner::BlockThreads(owners) if !owners.contains(&thread) => {}
            Owner::Distributed(owned) => distributed(copy, instance, owned, (thread, t), sink)?,
            Owner::Everyone | Owner::ScopeThread(_) | Owner::BlockThreads(_) => {
                for walk in grid(&copy.extents) {
                    let from = address::scalar_address(
                        &mut Eval,
                        copy.side(Role::Src),
                        &walk,
                        &[],
                        instance.values(Role::Src),
                    )?;
                    store(copy, instance, (thread, from), &walk, sink)?;
                }
            }
        }
    }
    Ok(())
}

/// Stores the element at source address `from` to every replica of the destination.
fn store(
    copy: &ScalarCopy,
    instance: &Instance,
    (thread, from): (i64, i64),
    walk: &[i64],
    sink: &mut Take<'_>,
) -> Result<(), Fault> {
    let copies: Vec<i64> = copy.dst.copies().map(|iter| iter.extent).collect();
    for digits in grid(&copies) {
        let to = address::scalar_address(&mut Eval, &copy.dst, walk, &digits, instance.values(Role::Dst))?;
        let (from, to) = (cell(copy.side(Role::Src).space, thread, from), cell(copy.dst.space, thread, to));
        sink(Move { thread, from, to })?;
    }
    Ok(())
}

/// Moves the elements that thread `t` of the scope owns in registers.
fn distributed(
    copy: &ScalarCopy,
    instance: &Instance,
    owned: &Distributed,
    (thread, t): (i64, i64),
    sink: &mut Take<'_>,
) -> Result<(), Fault> {
    let (part, conditions) = address::owned_part(&mut Eval, owned, t);
    if !conditions.iter().all(|condition| condition.holds()) {
        return Ok(());
    }
    let local = if owned.local == Role::Src { copy.side(Role::Src) } else { &copy.dst };
    let extents: Vec<i64> = owned.serial.iter().map(|digit| digit.extent).collect();
    for digits in grid(&extents) {
        let values = instance.values(owned.local);
        let (element, register) = address::owned_element(&mut Eval, owned, part, &digits, values)?;
        let place = address::region_position(&mut Eval, owned, element, values)?;
        if !place.conditions.iter().all(|condition| condition.holds()) {
            continue;
        }
        let mut walk = vec![0; copy.extents.len()];
        for (position, walked) in place.positions.into_iter().zip(&local.walked) {
            if let Some(slot) = walked.and_then(|walked| walk.get_mut(walked)) {
                *slot = position;
            }
        }
        if owned.local == Role::Src {
            store(copy, instance, (thread, register), &walk, sink)?;
            continue;
        }
        let from = address::scalar_address(&mut Eval, copy.side(Role::Src), &walk, &[], instance.values(Role::Src))?;
        let (from, to) = (cell(copy.side(Role::Src).space, thread, from), cell(copy.dst.space, thread, register));
        sink(Move { thread, from, to })?;
    }
    Ok(())
}
