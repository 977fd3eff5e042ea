//! The choice of a layout from all accesses to a tile.

mod certificates;
mod exhaustive;
mod random;
mod suggested;

use tile_plan::choose_layout::{LayoutChoice, LayoutFamily, LayoutProblem, NVIDIA, SharedAccess, check, choose};

/// `lanes` lanes, lane `l` from `start(l)` on, with `vector` elements `step` apart.
fn access(weight: i64, lanes: i64, vector: (i64, i64), start: impl Fn(i64) -> i64) -> SharedAccess {
    let lane = |lane: i64| (0..vector.0).map(|place| start(lane) + place * vector.1).collect();
    SharedAccess::new((0..lanes).map(lane).collect(), weight)
}

fn problem(shape: &[i64], element_bytes: i64, accesses: Vec<SharedAccess>) -> LayoutProblem {
    LayoutProblem {
        shape: shape.to_vec(),
        element_bytes,
        accesses,
        phases: &NVIDIA,
        family: LayoutFamily::Free,
        max_elements: None,
    }
}

/// The choice, verified.
fn chosen(problem: &LayoutProblem) -> LayoutChoice {
    let choice = choose(problem).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
    check(problem, &choice).unwrap_or_else(|error| panic!("{error}: {} of {problem:?}", choice.layout));
    choice
}

/// The layout, the conflicts and the certificate.
fn outcome(problem: &LayoutProblem) -> (String, i64, String) {
    let choice = chosen(problem);
    let conflicts = choice.costs.iter().map(|cost| cost.conflicts()).sum();
    (choice.layout.to_string(), conflicts, choice.certificate.to_string())
}
