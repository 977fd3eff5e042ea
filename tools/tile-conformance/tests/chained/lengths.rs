//! Every length around the edges of tiles, every body, type, density and schedule.

use crate::bodies::{Body, Work};
use crate::inputs::{odd_in, runs_of};
use crate::run::{Device, Launch, check, compare, schedules};

const OPTIONS: &str = r#"shape = "register", threads = 64 : i64, items = 4 : i64"#;
const TILE: usize = 256;

/// Bodies that keep elements one by one, and those on runs.
const SELECTS: [Work; 3] = [Work::Select, Work::SelectFlagged, Work::Partition];
const RUNS: [Work; 2] = [Work::RunLengthEncode, Work::ReduceByKey];

fn flags(n: usize, percent: u64) -> Vec<i64> {
    odd_in(percent, n + 1)[1..].iter().map(|number| number & 1).collect()
}

#[test]
fn every_length_around_tiles_is_right_under_every_schedule() {
    let lengths = [0, 1, 2, 31, 32, 33, TILE - 1, TILE, TILE + 1, 2 * TILE - 1, 2 * TILE, 2 * TILE + 1, 1009];
    for work in SELECTS.into_iter().chain(RUNS) {
        let body = Body::new(work, "i32", "i32", OPTIONS);
        for n in lengths {
            let elements = if RUNS.contains(&work) { runs_of(4, n) } else { odd_in(50, n) };
            let others = if work == Work::SelectFlagged { flags(n, 50) } else { odd_in(30, n) };
            for schedule in schedules() {
                check(&body, &Launch::new(TILE, 64).under(schedule), (&elements, &others));
            }
        }
    }
}

#[test]
fn every_density_of_every_type_is_right() {
    for element in ["i8", "i16", "i32", "i64", "f32", "f64"] {
        for work in SELECTS {
            let body = Body::new(work, element, "i32", OPTIONS);
            for n in [3 * TILE + 17, 4 * TILE] {
                let alternating: Vec<i64> = (0..n as i64).map(|index| index & 1).collect();
                let densities = [0, 1, 50, 99, 100].map(|percent| odd_in(percent, n));
                for elements in densities.into_iter().chain([alternating]) {
                    let others: Vec<i64> = elements.iter().map(|element| element & 1).collect();
                    check(&body, &Launch::new(TILE, 64), (&elements, &others));
                }
            }
        }
    }
}

#[test]
fn runs_of_every_length_are_right() {
    for (key, value) in [("i8", "i32"), ("i32", "f32"), ("i32", "i64"), ("i64", "f64"), ("f32", "i32"), ("i16", "i16")]
    {
        for work in RUNS {
            let body = Body::new(work, key, value, OPTIONS);
            for length in [1, 4, 100, 0] {
                for n in [3 * TILE, 5 * TILE + 29] {
                    check(&body, &Launch::new(TILE, 64), (&runs_of(length, n), &odd_in(50, n)));
                }
            }
        }
    }
}

/// The default tile, older chips, which publish payloads in several words, and tickets.
#[test]
fn chips_and_shapes_are_right() {
    let shapes = [
        (r#"shape = "register""#, 4096, 256),
        (r#"shape = "register", threads = 32 : i64, items = 1 : i64"#, 32, 32),
        (r#"shape = "register", threads = 96 : i64, items = 3 : i64"#, 288, 96),
        (r#"threads = 64 : i64, items = 8 : i64, order = "ticket""#, 512, 64),
        (r#"shape = "register", threads = 64 : i64, items = 4 : i64, deterministic"#, 256, 64),
    ];
    for chip in ["sm_75", "sm_80", "sm_90a"] {
        for (options, tile, threads) in shapes {
            for work in [Work::Select, Work::ReduceByKey] {
                let body = Body { chip, ..Body::new(work, "i32", "i64", options) };
                let n = if tile == 4096 && work == Work::ReduceByKey { tile } else { 2 * tile + 77 };
                let tile = if work == Work::ReduceByKey && tile == 4096 { 2048 } else { tile };
                check(&body, &Launch::new(tile, threads), (&runs_of(5, n), &odd_in(50, n)));
            }
        }
    }
}

/// Scattered results are written one by one, at the same places.
#[test]
fn scattered_results_are_right() {
    for work in SELECTS.into_iter().chain(RUNS) {
        let body = Body::new(work, "i32", "f32", &format!("scattered, {OPTIONS}"));
        for n in [0, 1, TILE, 3 * TILE + 5] {
            check(&body, &Launch::new(TILE, 64), (&runs_of(3, n), &flags(n, 40)));
        }
    }
}

/// Blocks that take several tiles, and read each of them ahead.
#[test]
fn any_number_of_blocks_is_right_under_every_schedule() {
    for work in SELECTS.into_iter().chain(RUNS) {
        let body = Body::new(work, "i32", "f32", OPTIONS);
        for (n, blocks) in
            [(1, 3), (5 * TILE, 1), (9 * TILE + 7, 2), (9 * TILE + 7, 4), (8 * TILE, 3), (3 * TILE - 1, 7)]
        {
            for schedule in schedules() {
                let launch = Launch { blocks: Some(blocks), ..Launch::new(TILE, 64).under(schedule) };
                check(&body, &launch, (&runs_of(3, n), &flags(n, 40)));
            }
        }
    }
}

/// Arrays that begin anywhere: elements are read one by one, and results are written from any phase of a vector on.
#[test]
fn misaligned_arrays_are_right() {
    for (work, element) in [(Work::Select, "i8"), (Work::SelectFlagged, "i32"), (Work::ReduceByKey, "i64")] {
        for offset in [1, 2, 3, 5] {
            let body = Body { offset, ..Body::new(work, element, "f32", OPTIONS) };
            let n = 2 * TILE + 33;
            check(&body, &Launch::new(TILE, 64), (&runs_of(2, n), &flags(n, 60)));
        }
    }
}

/// The number of elements in memory is less than the extent of the arrays.
#[test]
fn lengths_in_memory_are_right() {
    for work in [Work::Select, Work::RunLengthEncode] {
        let body = Body { has_length: true, ..Body::new(work, "i32", "i32", OPTIONS) };
        for n in [0, 1, TILE - 3, TILE, 2 * TILE + 11] {
            check(&body, &Launch::new(TILE, 64), (&runs_of(3, n), &[]));
        }
    }
}

/// A workspace serves many launches without being cleared, also with different lengths.
#[test]
fn a_workspace_is_used_again() {
    let body = Body::new(Work::ReduceByKey, "i32", "f32", OPTIONS);
    let mut device = Device::new();
    for (round, n) in [5 * TILE, 3, 4 * TILE + 1, 0, 9 * TILE - 1].into_iter().enumerate() {
        let (elements, others) = (runs_of(round as u64 + 1, n), odd_in(50, n));
        let launch = Launch::new(TILE, 64).under(schedules()[round % 4]);
        let outcome = device.run(&body, &launch, (&elements, &others)).unwrap_or_else(|error| panic!("{error}"));
        compare(&body, (&elements, &others), &outcome.results, &round);
    }
}
