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
        LoweredPlan::Chain(plans) => plans.first().zip(plans.last()).unwrap_or((plan, plan)),
        other => (other, other),
    };
    [(&case.src, first), (&case.dst, last)].map(|(side, plan)| match plan {
        LoweredPlan::One(CopyPlan::Scalar(_)) => side.values(),
        _ => side.moving_values(),
    })
}

/// The thread that writes each location of the destination, for a copy by one group of threads.
pub(crate) fn writers(case: &Case, plan: &LoweredPlan) -> HashMap<Cell, i64> {
    let mut by_cell = HashMap::new();
    for mut instance in instances(case) {
        instance.values = values(case, plan);
        let sink = &mut |step: Move| {
            by_cell.insert(step.to, step.thread);
            Ok(())
        };
        // `evaluate` reports a plan without an address.
        let _ = run(plan, &instance, sink);
    }
    by_cell
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
        LoweredPlan::Chain(plans) => through(plans, instance, sink),
    }
}

/// Plans of which each reads what the one before wrote; the run-time value of a tile between two is the number of the scope.
fn through(plans: &[LoweredPlan], instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let [src, dst] = &instance.values;
    let number = vec![instance.number];
    // The location of the source that has been copied to a location; none before the first plan.
    let mut origins: Option<HashMap<Cell, Cell>> = None;
    for (at, plan) in plans.iter().enumerate() {
        let from = if at == 0 { src } else { &number };
        let to = if at + 1 == plans.len() { dst } else { &number };
        let step = Instance { values: [from.clone(), to.clone()], ..instance.clone() };
        let mut written = HashMap::new();
        run(plan, &step, &mut |step| {
            let from = match &origins {
                None => step.from,
                Some(origins) => {
                    let known = origins.get(&step.from).copied();
                    known.ok_or(Fault::ReadsElsewhere { thread: step.thread, cell: step.from })?
                }
            };
            written.insert(step.to, from);
            if at + 1 == plans.len() { sink(Move { from, ..step }) } else { Ok(()) }
        })?;
        origins = Some(written);
    }
    Ok(())
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
