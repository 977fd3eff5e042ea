//! Runs a plan on numbers, thread by thread, and compares every place with what the layouts say.
//!
//! ```text
//!   case  ──places──▶  which places hold which element, before and after    (layouts alone, no plan)
//!   plan  ──moves───▶  from this place to that one, element by element      (plan alone, no layouts of the case)
//!                      every move must read an element of the region and write it where it belongs;
//!                      every place must get its element, once per copy
//! ```

mod cell;
mod fault;
mod judge;
mod matrices;
mod moves;
mod places;
mod scalars;
mod vectors;

pub use cell::Cell;
pub use fault::Fault;
pub(crate) use places::places;

use crate::case::Case;
use crate::lower::Plan;
use judge::Judge;
use moves::Instance;

/// Does the plan move exactly what the case says?
///
/// Each group of threads that shares one copy (a warp, a block, …) is looked at by itself, and must do all of it.
///
/// # Errors
/// The first thing that is wrong.
pub fn evaluate(case: &Case, plan: &Plan) -> Result<(), Fault> {
    for instance in instances(case) {
        let mut judge = Judge::new(case, &instance)?;
        let sink = &mut |step| judge.step(step);
        match plan {
            Plan::Vectors(copy) => vectors::run(copy, &instance, sink)?,
            Plan::Matrices(copy) => matrices::run(copy, &instance, sink)?,
            Plan::Scalars(copy) => scalars::run(copy, &instance, sink)?,
        }
        judge.finish()?;
    }
    Ok(())
}

/// The groups of threads that share one copy, those without an active thread left out.
pub(crate) fn instances(case: &Case) -> Vec<Instance> {
    let count = case.threads();
    let groups = (0..(case.block + count - 1) / count).map(|index| index * count);
    let instance = |first: i64| {
        let active = (first..(first + count).min(case.block)).filter(|thread| case.is_active(*thread)).collect();
        Instance { first, active }
    };
    groups.map(instance).filter(|instance| !instance.active.is_empty()).collect()
}
