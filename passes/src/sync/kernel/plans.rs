//! The bytes that plans touch, each found once.

use std::cell::RefCell;
use std::collections::HashMap;

use tile_plan::families::select;
use tile_plan::problem::Problem;
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
struct Plans {
    made: HashMap<Begins, Vec<Plan>>,
    count: usize,
}

/// The most plans that are kept.
const MAX_PLANS: usize = 256;

thread_local! {
    static PLANS: RefCell<Plans> = RefCell::default();
}

/// The bytes that a copy touches. Copies with equal problems are planned once, in whichever kernel and pass they are.
///
/// # Errors
/// Why the copy is not followed.
pub fn touched(problem: Problem, target: Target) -> Result<Touched, String> {
    let begins = Begins::of(&problem);
    let is_same = |(other, on, _): &&Plan| *other == problem && *on == target;
    let known = PLANS.with_borrow(|plans| Some(plans.made.get(&begins)?.iter().find(is_same)?.2.clone()));
    if let Some(known) = known {
        return known;
    }
    let touched = planned(&problem, &target);
    PLANS.with_borrow_mut(|plans| {
        if plans.count == MAX_PLANS {
            *plans = Plans::default();
        }
        plans.count += 1;
        plans.made.entry(begins).or_default().push((problem, target, touched.clone()));
    });
    touched
}

/// The bytes that a plan touches.
fn planned(problem: &Problem, target: &Target) -> Result<Touched, String> {
    let (aligned, _) = select(problem, target).map_err(|error| format!("is not followed: {error}"))?;
    aligned.touched(problem, target).map_err(|why| format!("is not followed: {why}"))
}
