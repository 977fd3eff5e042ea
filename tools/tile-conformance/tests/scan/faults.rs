//! Fault injection: sums that are not published, tiles that wait for a fallback, scans that give up.

use ptx_sim::Schedule;

use crate::boundaries::{encoded, numbers, sums};
use crate::program::Program;
use crate::run::{Launch, check, run, schedules};

const TILE: usize = 128;
const TILES: usize = 24;

fn program(strategy: &str, more: &str) -> Program {
    let options =
        format!(r#"strategy = "{strategy}", shape = "register", threads = 32 : i64, items = 4 : i64, counters{more}"#);
    Program::new("i32", "add", &options)
}

/// The fewer sums are published, the more are computed by other blocks.
#[test]
fn sums_that_are_not_told_are_computed() {
    let numbers = numbers(TILE * TILES, 5);
    let mut started = Vec::new();
    for mask in [15, 3, 1] {
        let program = program("decoupled_fallback", &format!(", max_spin = 1 : i64, skip_post = {mask} : i64"));
        for schedule in schedules() {
            let outcome = run(&program, &Launch::new(TILE, 32).under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, schedule));
            if schedule == Schedule::Fair {
                started.push(outcome.counters[2]);
            }
        }
    }
    assert!(started[0] > 0 && started.is_sorted(), "{started:?}");
}

/// Every eighth tile publishes nothing until another block has published its sum: without a fallback the scan would
/// never end.
#[test]
fn tiles_that_wait_for_help_get_it() {
    for tiles in [1, 8, 9, TILES] {
        let numbers = numbers(TILE * tiles - 1, 6);
        let program = program("decoupled_fallback", ", hold = 7 : i64");
        for schedule in schedules().into_iter().filter(|&schedule| schedule != Schedule::OneBlockAtATime) {
            let outcome = run(&program, &Launch::new(TILE, 32).under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, schedule, tiles));
            assert!(outcome.counters[3] >= (tiles as u64 - 1).div_ceil(8), "{:?}", outcome.counters);
        }
    }
}

/// Look-back gives up and reports it if it would hang; if no block starves it does not.
#[test]
fn giving_up_is_told() {
    let numbers = numbers(TILE * TILES, 7);
    let launch = Launch::new(TILE, 32).under(Schedule::OneBlockAtATime);
    let reversed = program("decoupled_lookback", r#", order = "block_id", reverse, poll_cap = 50 : i64"#);
    assert!(run(&reversed, &launch, &encoded(&numbers), None).gave_up);
    let forward = program("decoupled_lookback", r#", order = "block_id", poll_cap = 50 : i64"#);
    let outcome = run(&forward, &launch, &encoded(&numbers), None);
    assert!(!outcome.gave_up);
    check(&outcome.out, &sums(&numbers), &forward);
}

/// The same in a ring, whose blocks rely on sums alone.
#[test]
fn a_ring_does_without_sums_that_are_not_told() {
    let numbers = numbers(TILE * TILES, 8);
    let launch = Launch { blocks: Some(5), shared: 2 * 512, ..Launch::new(TILE, 128) };
    for hook in ["skip_post = 3 : i64", "skip_post = 1 : i64", "hold = 7 : i64"] {
        let options =
            format!("threads = 32 : i64, items = 4 : i64, stages = 2 : i64, counters, max_spin = 2 : i64, {hook}");
        let program = Program::new("i32", "add", &options);
        for schedule in schedules() {
            // No block helps a block that runs alone and waits for help.
            if hook.starts_with("hold") && schedule == Schedule::OneBlockAtATime {
                continue;
            }
            let outcome = run(&program, &launch.under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, schedule));
            assert!(outcome.counters[3] > 0, "{:?}", outcome.counters);
        }
    }
}
