//! Sorts end where blocks starve, by their fallback and only by it.

use ptx_sim::{FaultKind, Schedule};

use crate::program::Program;
use crate::run::{BlockOrder, Device, check, expected, fault, narrowed, random, schedules};

const TILES: usize = 12;
/// Warps of a block, each of which looks back and counts by itself.
const WARPS: u64 = 8;
/// Passes by the digits of a key of 16 bits.
const PASSES: u64 = 2;

fn program(options: &str) -> Program {
    Program { value: Some("i16"), ..Program::new("i16", 1) }.with(options)
}

fn keys() -> Vec<u64> {
    narrowed(&program(""), &random(3, 256 * TILES - 3))
}

/// Launches that run later tiles first, with room for few blocks: the awaited blocks never run.
fn starving() -> [BlockOrder; 2] {
    [4, 1].map(|resident| BlockOrder { schedule: Schedule::Reversed, resident })
}

#[test]
fn without_fallback_starving_blocks_hang_the_others() {
    for launch in starving() {
        assert_eq!(fault(&program("strategy = \"decoupled_lookback\""), launch, &keys()).kind, FaultKind::Livelock);
    }
}

/// In one pass: another one after it would sort what was never written.
#[test]
fn without_fallback_a_block_that_gives_up_says_so() {
    let program = Program::new("i8", 1).with("strategy = \"decoupled_lookback\", poll_cap = 40 : i64");
    let keys = narrowed(&program, &keys());
    let outcome = Device::new().sort(&program, starving()[0], &keys).expect("it ends");
    assert!(outcome.gave_up && outcome.arrays != expected(&program, &keys));
}

#[test]
fn with_fallback_every_schedule_ends_after_bounded_polls() {
    let all = (TILES * (TILES - 1) / 2) as u64 * WARPS * PASSES;
    for (max_spin, more) in [(1, ""), (4, ", reverse")] {
        let program = program(&format!("counters, max_spin = {max_spin} : i64{more}"));
        for launch in schedules().into_iter().map(BlockOrder::under).chain(starving()) {
            let [polls, looked, fallbacks, inserted] = check(&program, launch, &keys());
            assert!(polls <= all * (max_spin + 1), "{launch:?}: {polls} polls");
            assert!(fallbacks <= all && inserted <= fallbacks, "{launch:?}: {fallbacks}, {inserted}");
            assert!((PASSES * WARPS * (TILES as u64 - 1)..=all).contains(&looked), "{looked} tiles looked back over");
        }
    }
}

#[test]
fn starving_blocks_are_helped() {
    for launch in starving() {
        let [.., inserted] = check(&program("counters, max_spin = 2 : i64"), launch, &keys());
        assert!(inserted > 0, "{launch:?}");
    }
}

/// Half of the tiles have no room before the others end: each of these counts some of them, and few are counted twice.
#[test]
fn blocks_that_wait_for_the_same_tile_count_different_ones() {
    let launch = BlockOrder { schedule: Schedule::Fair, resident: TILES / 2 };
    let [.., fallbacks, inserted] = check(&program("counters, reverse, max_spin = 2 : i64"), launch, &keys());
    let missing = (TILES / 2) as u64 * WARPS * PASSES;
    assert!((missing..=2 * missing).contains(&fallbacks), "{fallbacks} for {missing}");
    assert!(inserted > 0);
}

/// Tiles that publish nothing until another block has published their counts, and tiles that never publish them.
#[test]
fn blocks_that_are_held_are_helped() {
    for hook in ["hold = 7 : i64", "hold = 1 : i64", "skip_post = 1 : i64"] {
        let program = program(&format!("counters, max_spin = 1 : i64, {hook}"));
        for schedule in schedules() {
            // No block helps a block that runs alone and waits for help.
            if hook.starts_with("hold") && schedule == Schedule::OneBlockAtATime {
                continue;
            }
            let [.., inserted] = check(&program, BlockOrder::under(schedule), &keys());
            let is_certain = hook.starts_with("hold");
            assert!(!is_certain || inserted > 0, "{hook} {schedule:?}");
        }
    }
}
