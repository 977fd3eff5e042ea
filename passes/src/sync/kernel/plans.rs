//! The bytes that plans touch, each found once.

use std::collections::HashMap;

use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::Mask;
use tile_plan::problem::run_time::Begin;
use tile_plan::sync::Touched;
use tile_plan::target::Target;

/// The starts of a copy's regions: the key by which plans are found.
#[derive(PartialEq, Eq, Hash)]
struct Begins(Vec<Vec<Begin>>);

impl Begins {
    fn of(problem: &Problem) -> Self {
        Begins(problem.operands.iter().map(|(_, operand)| operand.begin.clone()).collect())
    }
}

type Plan = (Problem, Target, Result<Touched, String>);

/// Plans that were made: the problem, the target, and what the plan touches.
#[derive(Default)]
pub struct Plans {
    made: HashMap<Begins, Vec<Plan>>,
}

impl Plans {
    /// The bytes that a copy touches. Copies with equal problems are planned once.
    ///
    /// # Errors
    /// Why the copy is not followed.
    pub fn touched(&mut self, problem: Problem, target: Target) -> Result<Touched, String> {
        let found = self.made.entry(Begins::of(&problem)).or_default();
        if let Some((_, _, touched)) = found.iter().find(|(it, on, _)| *it == problem && *on == target) {
            return touched.clone();
        }
        let touched = planned(&problem, &target);
        found.push((problem, target, touched.clone()));
        touched
    }
}

/// The bytes that a plan touches; for a masked copy, also those of the plan for a region inside of its buffer, if it may be.
fn planned(problem: &Problem, target: &Target) -> Result<Touched, String> {
    let of = |problem: &Problem| -> Result<Touched, String> {
        let (aligned, _) = select(problem, target).map_err(|error| format!("is not followed: {error}"))?;
        aligned.touched(problem, target).map_err(|why| format!("is not followed: {why}"))
    };
    let found = of(problem)?;
    let inside = Problem { mask: None, ..problem.clone() };
    let may_be_inside = problem.mask.as_ref().is_some_and(Mask::may_be_inside);
    let inside = may_be_inside.then(|| of(&inside).map(Box::new)).transpose()?;
    Ok(Touched { inside, ..found })
}
