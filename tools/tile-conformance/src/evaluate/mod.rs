//! Evaluates a plan numerically, thread by thread, and compares every location with the layouts.
//!
//! ```text
//!   case  ──places──▶  the element of each location, before and after       (layouts alone, no plan)
//!   plan  ──moves───▶  from one location to another, element by element     (plan alone, no layouts of the case)
//!                      every move must read an element of the region and write it to its location;
//!                      every location must receive its element, once per copy
//! ```

mod judge;
mod matrices;
mod moves;
mod places;
mod registers;
mod rows;
mod scalars;
mod tensor;
mod vectors;

pub use moves::Fault;
pub use places::Cell;
pub(crate) use places::places;

use std::collections::HashMap;
use tile_plan::families::copy_plan::CopyPlan;

use crate::case::Case;
use crate::kernel::issue;
use crate::lower::LoweredPlan;
use judge::Judge;
use moves::{Move, Sink};
use places::Instance;

/// Checks that the plan moves exactly the elements of the case.
///
/// Each group of threads that shares one copy (a warp, a block, …) is checked separately, and must do the whole copy.
///
/// # Errors
/// The first fault.
pub fn evaluate(case: &Case, plan: &LoweredPlan) -> Result<(), Fault> {
    for mut instance in instances(case) {
        instance.values = values(case, plan);
        let mut judge = Judge::new(case, &instance)?;
        run(plan, &instance, &mut |step| judge.step(step))?;
        judge.finish()?;
    }
    Ok(())
}

/// The run-time values of both operands: a scalar copy takes all region starts, other plans only those that can
/// vary.
fn values(case: &Case, plan: &LoweredPlan) -> [Vec<i64>; 2] {
    let (first, last) = match plan {
        LoweredPlan::Scratch([store, load]) => (&**store, &**load),
        other => (other, other),
    };
    [(&case.src, first), (&case.dst, last)].map(|(side, plan)| match plan {
        LoweredPlan::One(CopyPlan::Scalar(_)) => side.values(),
        _ => side.moving_values(),
    })
}

/// The thread that writes each location of the destination, for a copy by one group of threads.
pub(crate) fn writers(case: &Case, plan: &LoweredPlan) -> HashMap<Cell, i64> {
    let mut found = HashMap::new();
    for mut instance in instances(case) {
        instance.values = values(case, plan);
        let sink = &mut |step: Move| {
            found.insert(step.to, step.thread);
            Ok(())
        };
        // `evaluate` reports a plan without an address.
        let _ = run(plan, &instance, sink);
    }
    found
}

/// Passes every move of a plan to `sink`.
fn run(plan: &LoweredPlan, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) => vectors::run(copy, instance, sink),
        LoweredPlan::Parts(parts) => parts.iter().try_for_each(|copy| vectors::run(copy, instance, sink)),
        LoweredPlan::One(CopyPlan::Matrix(copy)) => matrices::run(copy, instance, sink),
        LoweredPlan::One(CopyPlan::Scalar(copy)) => scalars::run(copy, instance, sink),
        LoweredPlan::One(CopyPlan::TmemCopy(copy)) => tensor::copy(copy, instance, sink),
        LoweredPlan::One(CopyPlan::TmemAccess(access)) => tensor::access(access, instance, sink),
        LoweredPlan::One(CopyPlan::Bulk(copy)) => vectors::bulk(copy, instance, sink),
        LoweredPlan::One(CopyPlan::Realigned(copy)) => rows::run(copy, instance, sink),
        LoweredPlan::One(CopyPlan::RealignedLoads(copy)) => vectors::realigned(copy, instance, sink),
        LoweredPlan::One(CopyPlan::Registers(copy)) => registers::run(copy, instance, sink),
        LoweredPlan::One(other) => Err(Fault::NotEvaluated(other.variant())),
        LoweredPlan::Scratch(halves) => through(halves, instance, sink),
    }
}

/// Two plans, of which the second reads what the first wrote; the run-time value of the intermediate tile is the number
/// of the scope.
fn through([store, load]: &[Box<LoweredPlan>; 2], instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let [src, dst] = instance.values.clone();
    let number = vec![instance.number];
    let (first, second) = (
        Instance { values: [src, number.clone()], ..instance.clone() },
        Instance { values: [number, dst], ..instance.clone() },
    );
    let mut between = HashMap::new();
    run(store, &first, &mut |step| {
        between.insert(step.to, step.from);
        Ok(())
    })?;
    run(load, &second, &mut |step| {
        let from = between.get(&step.from).copied();
        let from = from.ok_or(Fault::ReadsElsewhere { thread: step.thread, cell: step.from })?;
        sink(Move { from, ..step })
    })
}

/// The groups of threads that share one copy, except those without an active thread.
pub(crate) fn instances(case: &Case) -> Vec<Instance> {
    if issue::by_one_thread(case) {
        return vec![Instance { first: 0, number: 0, active: vec![0], values: Default::default() }];
    }
    let count = case.threads();
    let groups = (0..(case.block + count - 1) / count).map(|index| index * count);
    let instance = |first: i64| {
        let active = (first..(first + count).min(case.block)).filter(|thread| case.is_active(*thread)).collect();
        Instance { first, number: first / count, active, values: Default::default() }
    };
    groups.map(instance).filter(|instance| !instance.active.is_empty()).collect()
}
