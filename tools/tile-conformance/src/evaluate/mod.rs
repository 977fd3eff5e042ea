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

pub use fault::Fault;

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
    let count = case.threads();
    let instances = (case.block + count - 1) / count;
    for first in (0..instances).map(|index| index * count) {
        let active = (first..(first + count).min(case.block)).filter(|thread| case.is_active(*thread)).collect();
        let instance = Instance { first, active };
        if instance.active.is_empty() {
            continue;
        }
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
