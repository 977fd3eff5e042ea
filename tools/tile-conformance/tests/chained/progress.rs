//! Passes end where blocks starve, by their fallback and only by it.

use ptx_sim::{FaultKind, Schedule};

use crate::bodies::{Body, Work};
use crate::inputs::{odd_in, runs_of};
use crate::run::{Launch, check, fault, schedules};

const TILE: usize = 128;
const TILES: usize = 24;

const WORKS: [Work; 3] = [Work::Select, Work::RunLengthEncode, Work::ReduceByKey];

fn body(work: Work, strategy: &str, more: &str) -> Body {
    let options = format!(r#"strategy = "{strategy}", threads = 32 : i64, items = 4 : i64, order = "block_id"{more}"#);
    Body::new(work, "i32", "f32", &options)
}

/// Launches that run later tiles first, with room for few blocks: the awaited blocks never run.
fn starving() -> Vec<Launch> {
    let launch = Launch::new(TILE, 32).under(Schedule::Reversed);
    let several = Launch { blocks: Some(7), ..launch.clone() };
    [4, 1].into_iter().flat_map(|resident| [&launch, &several].map(|one| Launch { resident, ..one.clone() })).collect()
}

#[test]
fn without_fallback_starving_blocks_hang_the_others() {
    let (elements, others) = (runs_of(3, TILE * TILES - 3), odd_in(50, TILE * TILES - 3));
    for work in WORKS {
        for launch in starving() {
            let alone = body(work, "decoupled_lookback", "");
            assert_eq!(fault(&alone, &launch, (&elements, &others)).kind, FaultKind::Livelock);
        }
    }
}

#[test]
fn with_fallback_every_schedule_ends_after_bounded_polls() {
    let (elements, others) = (runs_of(3, TILE * TILES - 3), odd_in(50, TILE * TILES - 3));
    let all = (TILES * (TILES - 1) / 2) as u64;
    for work in WORKS {
        for (max_spin, more) in [(1, ""), (4, ", reverse"), (4, ", deterministic")] {
            let body = body(work, "decoupled_fallback", &format!(", counters{more}, max_spin = {max_spin} : i64"));
            let launches = schedules().into_iter().map(|schedule| Launch::new(TILE, 32).under(schedule));
            for launch in launches.chain(starving()) {
                let [polls, looked, fallbacks, inserted] = check(&body, &launch, (&elements, &others));
                assert!(polls <= all * (max_spin + 1), "{body:?} {launch:?}: {polls} polls");
                assert!(fallbacks <= all && inserted <= fallbacks && inserted < TILES as u64, "{body:?} {launch:?}");
                assert!((TILES as u64 - 1..=all).contains(&looked), "{looked} tiles looked back over");
            }
        }
    }
}

/// Tiles that publish nothing until another block has published their payload, and tiles that never publish it.
#[test]
fn blocks_that_are_held_are_helped() {
    let (elements, others) = (runs_of(3, TILE * TILES - 1), odd_in(50, TILE * TILES - 1));
    for work in WORKS {
        for (hook, least) in
            [("hold = 7 : i64", TILES as u64 / 8), ("hold = 1 : i64", TILES as u64 / 2), ("skip_post = 1 : i64", 1)]
        {
            let body = body(work, "decoupled_fallback", &format!(", counters, max_spin = 1 : i64, {hook}"));
            for schedule in schedules() {
                // No block helps a block that runs alone and waits for help.
                if hook.starts_with("hold") && schedule == Schedule::OneBlockAtATime {
                    continue;
                }
                let [.., inserted] = check(&body, &Launch::new(TILE, 32).under(schedule), (&elements, &others));
                let is_certain = hook.starts_with("hold");
                assert!(!is_certain || inserted >= least, "{body:?} {schedule:?}: {inserted}");
            }
        }
    }
}
