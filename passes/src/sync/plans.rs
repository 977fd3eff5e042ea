//! What plans touch, each found once.

use std::collections::HashMap;
use std::rc::Rc;

use tile_plan::sync::{Bytes, Footprint, Touched, touched};
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

/// What a plan touches; of a masked copy, what it and the plan of its inside do.
fn planned(problem: &Problem, target: &Target) -> Result<Touched, String> {
    let of = |problem: &Problem| -> Result<Touched, String> {
        let (aligned, _) = select(problem, target).map_err(|error| format!("is not followed: {error}"))?;
        touched(&aligned, problem, target).map_err(|why| format!("is not followed: {why}"))
    };
    let mut found = of(problem)?;
    if problem.mask.is_some() {
        let inside = Problem { mask: None, ..problem.clone() };
        let plain = of(&inside).ok().filter(|plain| plain.engine == found.engine);
        let others = plain.map_or([None, None], |plain| plain.sides);
        for (side, other) in found.sides.iter_mut().zip(others) {
            *side = side.take().map(|side| either(side, other));
        }
    }
    Ok(found)
}

/// The bytes of two plans of which one is carried out.
fn either(one: Bytes, other: Option<Bytes>) -> Bytes {
    let alike = other.as_ref().is_some_and(|other| other.moves == one.moves);
    let footprint = one.footprint.clone().zip(other.filter(|_| alike).and_then(|other| other.footprint));
    let both = footprint.map(|(one, other)| {
        let each = one
            .segments()
            .iter()
            .chain(other.segments())
            .flat_map(|it| it.threads.iter().map(move |thread| (thread, it.begin, it.end)).collect::<Vec<_>>());
        Rc::new(Footprint::of(each))
    });
    Bytes { footprint: both, ..one }
}
