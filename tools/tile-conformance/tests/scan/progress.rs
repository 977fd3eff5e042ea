//! Which strategies end when blocks do not run, and after how many polls.

use ptx_sim::{FaultKind, Schedule};

use crate::boundaries::{encoded, numbers, sums};
use crate::program::Program;
use crate::run::{Launch, check, fault, run, schedules};

const TILE: usize = 128;
const TILES: usize = 40;

fn program(strategy: &str, more: &str) -> Program {
    let options = format!(r#"strategy = "{strategy}", shape = "register", threads = 32 : i64, items = 4 : i64{more}"#);
    Program::new("i32", "add", &options)
}

/// Launches that run later tiles first, with room for few blocks: the awaited blocks never run.
fn starving() -> Vec<Launch> {
    let launch = Launch::new(TILE, 32);
    vec![
        Launch { resident: 4, ..launch.under(Schedule::Reversed) },
        Launch { resident: 1, ..launch.under(Schedule::Reversed) },
    ]
}

#[test]
fn look_back_alone_hangs_where_blocks_starve() {
    let input = encoded(&numbers(TILE * TILES, 1));
    let by_number = program("decoupled_lookback", r#", order = "block_id""#);
    for launch in starving() {
        assert_eq!(fault(&by_number, &launch, &input).kind, FaultKind::Livelock);
    }
    let reversed = program("decoupled_lookback", r#", order = "block_id", reverse"#);
    let launch = Launch::new(TILE, 32).under(Schedule::OneBlockAtATime);
    assert_eq!(fault(&reversed, &launch, &input).kind, FaultKind::Livelock);
}

/// Tickets assign tiles in the order in which blocks start.
#[test]
fn look_back_with_tickets_needs_only_what_has_begun() {
    let numbers = numbers(TILE * TILES, 1);
    let by_ticket = program("decoupled_lookback", r#", order = "ticket""#);
    for launch in starving() {
        check(&run(&by_ticket, &launch, &encoded(&numbers), None).out, &sums(&numbers), &launch);
    }
}

/// T1: tile t polls at most t (max_spin + 1) times, and executes the fallback at most t times.
#[test]
fn fallback_ends_after_bounded_polls_under_every_schedule() {
    let numbers = numbers(TILE * TILES - 3, 2);
    let all = (TILES * (TILES - 1) / 2) as u64;
    for max_spin in [1, 4, 32] {
        for more in ["", ", reverse", ", deterministic", r#", order = "ticket", reverse"#] {
            let program = program("decoupled_fallback", &format!(", counters{more}, max_spin = {max_spin} : i64"));
            let launches = schedules().into_iter().map(|schedule| Launch::new(TILE, 32).under(schedule));
            for launch in launches.chain(starving()) {
                let outcome = run(&program, &launch, &encoded(&numbers), None);
                check(&outcome.out, &sums(&numbers), &(&program, &launch));
                let [polls, looked, fallbacks, inserted] = outcome.counters;
                assert!(polls <= all * (max_spin + 1), "{program:?} {launch:?}: {polls} polls");
                assert!(fallbacks <= all && inserted <= fallbacks && inserted < TILES as u64, "{:?}", outcome.counters);
                assert!((TILES as u64 - 1..=all).contains(&looked), "{looked} tiles looked back over");
            }
        }
    }
}

/// If no other block runs, a block computes everything before its tile.
#[test]
fn a_lone_block_helps_itself() {
    let numbers = numbers(TILE * TILES, 4);
    let program = program("decoupled_fallback", ", counters, reverse");
    let launch = Launch::new(TILE, 32).under(Schedule::OneBlockAtATime);
    let outcome = run(&program, &launch, &encoded(&numbers), None);
    let others = TILES as u64 - 1;
    assert_eq!(outcome.counters[2..], [others, others]);
}

/// Look-back in a ring ends only if all its blocks run; fallback needs only its own block.
#[test]
fn a_ring_ends_with_fallback_alone() {
    let numbers = numbers(TILE * TILES - 3, 2);
    let ring = r#"threads = 32 : i64, items = 4 : i64, stages = 2 : i64"#;
    let launch = Launch { blocks: Some(6), shared: 2 * 512, ..Launch::new(TILE, 128) };
    let waiting = Program::new("i32", "add", &format!(r#"strategy = "decoupled_lookback", {ring}"#));
    let alone = launch.under(Schedule::OneBlockAtATime);
    assert_eq!(fault(&waiting, &alone, &encoded(&numbers)).kind, FaultKind::Livelock);
    check(&run(&waiting, &launch, &encoded(&numbers), None).out, &sums(&numbers), &waiting);
    // T1: each of the 5 sums that a tile needs from other blocks takes at most max_spin polls until a fallback.
    for (max_spin, more) in [(1, ""), (4, ", reverse"), (16, "")] {
        let options = format!("{ring}, counters, max_spin = {max_spin} : i64{more}");
        let program = Program::new("i32", "add", &options);
        let launches = schedules().into_iter().map(|schedule| launch.under(schedule));
        let few = [Launch { resident: 2, ..launch.under(Schedule::Reversed) }];
        for launch in launches.chain(few) {
            let outcome = run(&program, &launch, &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, &launch));
            let [polls, looked, fallbacks, inserted] = outcome.counters;
            let needed = (0..TILES as u64).map(|tile| tile.min(5)).sum::<u64>();
            assert_eq!(looked, needed);
            assert!(polls <= needed * (max_spin + 1) + TILES as u64, "{program:?} {launch:?}: {polls} polls");
            assert!(fallbacks <= needed && inserted <= fallbacks && inserted < TILES as u64, "{:?}", outcome.counters);
        }
    }
}

/// Half of the tiles have no room before the others end, which compute them 20 to 60 times in all; 400 times, if all took the nearest.
#[test]
fn blocks_that_wait_for_the_same_tile_compute_different_ones() {
    let numbers = numbers(TILE * TILES, 1);
    let register = program("decoupled_fallback", ", counters, reverse, max_spin = 1 : i64");
    let options = "threads = 32 : i64, items = 4 : i64, stages = 2 : i64, counters, reverse, max_spin = 4 : i64";
    let ring = Program::new("i32", "add", options);
    let ring_launch = Launch { blocks: Some(TILES as u32), shared: 2 * 512, ..Launch::new(TILE, 128) };
    for (program, launch, times) in [(register, Launch::new(TILE, 32), 3), (ring, ring_launch, 2)] {
        let launch = Launch { resident: TILES / 2, ..launch.under(Schedule::Fair) };
        let outcome = run(&program, &launch, &encoded(&numbers), None);
        check(&outcome.out, &sums(&numbers), &(&program, &launch));
        let ([.., fallbacks, inserted], missing) = (outcome.counters, TILES as u64 / 2);
        assert!((missing..=times * missing).contains(&fallbacks), "{program:?}: {fallbacks} for {missing}");
        assert_eq!(inserted, missing, "{program:?}");
    }
}
