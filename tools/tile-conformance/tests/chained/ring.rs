//! Tiles that pass through a ring: every length, body, type and schedule, and blocks that starve.

use ptx_sim::{FaultKind, Schedule};

use crate::bodies::{Body, Work};
use crate::inputs::{odd_in, runs_of};
use crate::run::{Device, Launch, check, compare, fault, schedules};

const TILE: usize = 256;
const OPTIONS: &str = r#"shape = "ring", threads = 64 : i64, items = 4 : i64, stages = 3 : i64"#;

const SELECTS: [Work; 3] = [Work::Select, Work::SelectFlagged, Work::Partition];
const RUNS: [Work; 2] = [Work::RunLengthEncode, Work::ReduceByKey];

/// Blocks of two warps that write, two that reduce, and two more, with room for all results.
fn launch(blocks: u32) -> Launch {
    Launch { blocks: Some(blocks), shared: 1 << 16, ..Launch::new(TILE, 192) }
}

fn inputs(work: Work, n: usize) -> [Vec<i64>; 2] {
    let flags = odd_in(40, n + 1)[1..].iter().map(|number| number & 1).collect();
    [if RUNS.contains(&work) { runs_of(4, n) } else { odd_in(50, n) }, flags]
}

#[test]
fn every_length_is_right_under_every_schedule() {
    let lengths = [0, 1, 33, TILE - 1, TILE, TILE + 1, 3 * TILE + 2, 9 * TILE + 7, 8 * TILE];
    for work in SELECTS.into_iter().chain(RUNS) {
        let body = Body::new(work, "i32", "f32", OPTIONS);
        for n in lengths {
            let [elements, others] = inputs(work, n);
            for (blocks, schedule) in [1, 2, 4].into_iter().flat_map(|b| schedules().into_iter().map(move |s| (b, s))) {
                check(&body, &launch(blocks).under(schedule), (&elements, &others));
            }
        }
    }
}

/// Elements and results of every width, kept or not; parts of a tile of one row and of several.
#[test]
fn every_type_is_right() {
    for element in ["i8", "i16", "i32", "i64", "f32", "f64"] {
        for work in SELECTS {
            for options in [OPTIONS, r#"shape = "ring", threads = 32 : i64, items = 32 : i64, stages = 2 : i64"#] {
                let body = Body::new(work, element, "i32", options);
                let (tile, threads) = if options == OPTIONS { (TILE, 192) } else { (1024, 128) };
                for percent in [0, 1, 50, 99, 100] {
                    let elements = odd_in(percent, 3 * tile + 17);
                    let others: Vec<i64> = elements.iter().map(|element| element & 1).collect();
                    check(&body, &Launch { tile, threads, ..launch(2) }, (&elements, &others));
                }
            }
        }
    }
}

#[test]
fn runs_of_every_length_are_right() {
    for (key, value) in [("i8", "i32"), ("i32", "i64"), ("i64", "f64"), ("f32", "i32"), ("i16", "i16")] {
        for work in RUNS {
            let body = Body::new(work, key, value, OPTIONS);
            for length in [1, 4, 100, 0] {
                for n in [3 * TILE, 5 * TILE + 29, 5 * TILE + 1] {
                    check(&body, &launch(3), (&runs_of(length, n), &odd_in(50, n)));
                }
            }
        }
    }
}

#[test]
fn lengths_in_memory_are_right_and_a_workspace_is_used_again() {
    for work in [Work::Select, Work::ReduceByKey] {
        let body = Body { has_length: true, ..Body::new(work, "i32", "i32", OPTIONS) };
        let mut device = Device::new();
        for (round, n) in [5 * TILE, 3, 4 * TILE + 1, 0, 9 * TILE - 3].into_iter().enumerate() {
            let (elements, others) = (runs_of(round as u64 + 1, n), odd_in(50, n));
            let outcome = device.run(&body, &launch(3).under(schedules()[round % 4]), (&elements, &others));
            let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
            compare(&body, (&elements, &others), &outcome.results, &round);
        }
    }
}

const WORKS: [Work; 3] = [Work::Select, Work::RunLengthEncode, Work::ReduceByKey];

/// Later blocks first, with room for few of them: those that are awaited never run.
fn starving() -> [Launch; 2] {
    [4, 1].map(|resident| Launch { resident, ..launch(7).under(Schedule::Reversed) })
}

#[test]
fn blocks_that_starve_are_helped_and_hang_others_without_fallback() {
    let n = 24 * TILE - 3;
    for work in WORKS {
        let [elements, others] = inputs(work, n);
        let alone = Body::new(work, "i32", "f32", &format!(r#"strategy = "decoupled_lookback", {OPTIONS}"#));
        for launch in starving() {
            assert_eq!(fault(&alone, &launch, (&elements, &others)).kind, FaultKind::Livelock);
        }
        for more in ["", ", reverse"] {
            let options = format!("counters, max_spin = 2 : i64, {OPTIONS}{more}");
            let body = Body::new(work, "i32", "f32", &options);
            let launches = schedules().into_iter().map(|schedule| launch(7).under(schedule));
            for launch in launches.chain(starving()) {
                let [_, _, fallbacks, inserted] = check(&body, &launch, (&elements, &others));
                assert!(inserted <= fallbacks && inserted < 24, "{body:?} {launch:?}");
            }
        }
    }
}

/// Tiles that publish nothing until another block has published their payload, and tiles that never publish it.
#[test]
fn blocks_that_are_held_are_helped() {
    let n = 24 * TILE - 1;
    for work in WORKS {
        let [elements, others] = inputs(work, n);
        for (hook, least) in [("hold = 7 : i64", 3), ("skip_post = 1 : i64", 1)] {
            let options = format!("counters, max_spin = 1 : i64, {hook}, {OPTIONS}");
            let body = Body::new(work, "i32", "f32", &options);
            for schedule in schedules() {
                if hook.starts_with("hold") && schedule == Schedule::OneBlockAtATime {
                    continue;
                }
                let [.., inserted] = check(&body, &launch(24).under(schedule), (&elements, &others));
                assert!(!hook.starts_with("hold") || inserted >= least, "{body:?} {schedule:?}: {inserted}");
            }
        }
    }
}
