//! What plans touch, each found once.

use std::collections::HashMap;

use tile_plan::sync::Touched;
use tile_plan::{Begin, Problem, Target, select};

/// Where the regions of a copy begin: by what plans are found.
#[derive(PartialEq, Eq, Hash)]
struct Begins([Vec<Begin>; 2]);

impl Begins {
    fn of(problem: &Problem) -> Self {
        Begins([problem.src.begin.clone(), problem.dst.begin.clone()])
    }
}

type Plan = (Problem, Target, Result<Touched, String>);

/// Plans that were made: what was asked, and what they touch.
#[derive(Default)]
pub struct Plans {
    made: HashMap<Begins, Vec<Plan>>,
}

impl Plans {
    /// What a copy touches. Copies that are planned alike are planned once.
    ///
    /// # Errors
    /// Why it is not followed.
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

/// What a plan touches; of a masked copy, what the plan of its inside does, too.
fn planned(problem: &Problem, target: &Target) -> Result<Touched, String> {
    let of = |problem: &Problem| -> Result<Touched, String> {
        let (aligned, _) = select(problem, target).map_err(|error| format!("is not followed: {error}"))?;
        aligned.touched(problem, target).map_err(|why| format!("is not followed: {why}"))
    };
    let found = of(problem)?;
    let inside = Problem { mask: None, ..problem.clone() };
    let inside = problem.mask.is_some().then(|| of(&inside).map(Box::new)).transpose()?;
    Ok(Touched { inside, ..found })
}
