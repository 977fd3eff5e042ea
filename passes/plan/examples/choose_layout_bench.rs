//! How long choosing a layout takes: `cargo run --release -p tile-plan --example choose_layout_bench`.

use std::hint::black_box;
use std::time::Instant;

use tile_plan::choose_layout::{
    AccessCost, LayoutFamily, LayoutProblem, NVIDIA, SharedAccess, check, choose, swizzle_modes,
};

/// 32 lanes, each with `vector` elements in a row, or `step` apart.
fn access(weight: i64, vector: i64, step: i64, start: impl Fn(i64) -> i64) -> SharedAccess {
    let lane = |lane: i64| (0..vector).map(|place| start(lane) + place * step).collect();
    SharedAccess::new((0..32).map(lane).collect(), weight)
}

fn problem(element_bytes: i64, accesses: Vec<SharedAccess>) -> LayoutProblem {
    LayoutProblem {
        shape: vec![64, 64],
        element_bytes,
        accesses,
        phases: &NVIDIA,
        family: LayoutFamily::Free,
        max_elements: None,
    }
}

/// Buffers of 64x64 elements.
fn problems() -> Vec<(&'static str, LayoutProblem)> {
    let row = |lane: i64| lane;
    let column = |lane: i64| 64 * lane;
    let rows16 = |lane: i64| lane / 8 * 64 + lane % 8 * 8;
    let matrices = |lane: i64| lane % 16 * 64 + lane / 16 * 8;
    let blocks = |width: i64| move |lane: i64| lane / width * 64 + lane % width;
    let plane = |bit: i64| move |lane: i64| (lane & 15) + if lane & 16 == 0 { 0 } else { bit };
    let eight = || -> Vec<SharedAccess> {
        [1, 2, 4, 8, 16]
            .map(|width| access(width, 1, 1, blocks(width)))
            .into_iter()
            .chain([access(3, 1, 1, plane(32)), access(2, 1, 1, plane(64)), access(1, 1, 1, plane(128))])
            .collect()
    };
    let tma = {
        let rows = "(64, 64) : (64, 1)".parse().expect("a layout");
        let family = LayoutFamily::Modes { engine: "TMA", layouts: swizzle_modes(&rows, 2) };
        LayoutProblem { family, ..problem(2, vec![access(1, 8, 1, matrices)]) }
    };
    let odd = LayoutProblem {
        shape: vec![48, 80],
        ..problem(4, vec![access(1, 1, 1, row), access(1, 1, 1, |lane| 80 * lane)])
    };
    vec![
        ("f32, rows and columns", problem(4, vec![access(1, 1, 1, row), access(1, 1, 1, column)])),
        ("f16, rows of 16 bytes and matrices", problem(2, vec![access(1, 8, 1, rows16), access(1, 8, 1, matrices)])),
        (
            "f32, vectors of both dimensions",
            problem(
                4,
                vec![
                    access(1, 4, 1, |lane| lane / 16 * 64 + lane % 16 * 4),
                    access(1, 4, 64, |lane| lane % 16 * 256 + lane / 16),
                ],
            ),
        ),
        ("f32, a plane of three accesses", problem(4, [16, 32, 48].map(|bit| access(1, 1, 1, plane(bit))).to_vec())),
        ("f32, eight accesses", problem(4, eight())),
        ("f16, the modes of TMA", tma),
        ("f32, 48x80", odd),
    ]
}

fn main() {
    for (name, problem) in problems() {
        let choice = choose(&problem).expect("a layout");
        check(&problem, &choice).expect("a true certificate");
        let fastest = (0..50)
            .map(|_| {
                let start = Instant::now();
                black_box(choose(black_box(&problem)).expect("a layout"));
                start.elapsed()
            })
            .min()
            .unwrap_or_default();
        let conflicts: i64 = choice.costs.iter().map(AccessCost::conflicts).sum();
        println!(
            "{:>7.1} µs  {name}: {}; {conflicts} conflicts; {}",
            fastest.as_secs_f64() * 1e6,
            choice.layout,
            choice.certificate
        );
    }
}
