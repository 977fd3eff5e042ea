//! Single-pass scans, in which each block waits for the states that earlier blocks publish: words of 64 and 128 bits,
//! read and written whole by relaxed accesses, some of them inline assembly with its own registers.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Report, Schedule, launch};

use super::{fault, module, read_words, schedules, words};
use crate::support::launch_text;

const TEXT: &str = include_str!("../ptx/lookback.ptx");
const TILES: u32 = 70;
const COUNT: u32 = TILES * 32;

fn config(schedule: Schedule) -> LaunchConfig {
    LaunchConfig { schedule, step_limit: 20_000_000, ..LaunchConfig::new(TILES, 32) }
}

/// Scans 3 i + 1; checks the result.
fn scan_i32(text: &str, config: &LaunchConfig, polls: u32) -> Result<Report, LaunchError> {
    let mut memory = Memory::new();
    let input = memory.alloc_with(&words((0..COUNT).map(|i| 3 * i + 1))).unwrap();
    let out = memory.alloc(COUNT as usize * 4).unwrap();
    let counter = memory.alloc_with(&[0; 4]).unwrap();
    let status = memory.alloc_with(&vec![0; TILES as usize * 8]).unwrap();
    let args = [Arg::Ptr(input), Arg::Ptr(out), Arg::Ptr(counter), Arg::Ptr(status), Arg::U32(polls)];
    let report = launch_text(&mut memory, text, "scan_i32", config, &args)?;
    let want: Vec<u32> = (0..COUNT).map(|i| 3 * (i * (i + 1) / 2) + i + 1).collect();
    assert_eq!(read_words(&memory, out, COUNT as usize), want);
    Ok(report)
}

/// Scans i / 2 in f64; checks the result and that blocks were timed.
fn scan_f64(text: &str, config: &LaunchConfig, polls: u32) -> Result<Report, LaunchError> {
    let mut memory = Memory::new();
    let doubles: Vec<u8> = (0..COUNT).flat_map(|i| (f64::from(i) / 2.0).to_le_bytes()).collect();
    let input = memory.alloc_with(&doubles).unwrap();
    let out = memory.alloc(COUNT as usize * 8).unwrap();
    let counter = memory.alloc_with(&[0; 4]).unwrap();
    let status = memory.alloc_with(&vec![0; TILES as usize * 16]).unwrap();
    let started = memory.alloc(TILES as usize * 8).unwrap();
    let pointers = [input, out, counter, status, started].map(Arg::Ptr);
    let args = [&pointers[..], &[Arg::U32(polls)]].concat();
    // Not recorded for a GPU: the times differ.
    let report = launch(&mut memory, &module(text), "scan_f64", config, &args)?;
    let got = memory.read(out, COUNT as usize * 8).unwrap();
    for (i, bytes) in got.chunks_exact(8).enumerate() {
        let want = (i * (i + 1)) as f64 / 4.0;
        assert_eq!(f64::from_le_bytes(bytes.try_into().unwrap()), want, "element {i}");
    }
    assert!(memory.is_initialized(started, TILES as usize * 8).unwrap());
    Ok(report)
}

#[test]
fn words_of_64_bits_under_every_schedule() {
    for schedule in schedules() {
        for polls in [0, 5, u32::MAX] {
            scan_i32(TEXT, &config(schedule), polls).unwrap_or_else(|e| panic!("{schedule}, {polls} polls: {e}"));
        }
    }
}

#[test]
fn words_of_128_bits_under_every_schedule() {
    for schedule in schedules() {
        for polls in [0, u32::MAX] {
            scan_f64(TEXT, &config(schedule), polls).unwrap_or_else(|e| panic!("{schedule}, {polls} polls: {e}"));
        }
    }
}

/// Blocks that have taken a tile and then wait are overtaken, and other blocks sum their tile.
#[test]
fn missing_tiles_are_summed_by_those_who_wait() {
    let random = config(Schedule::Random(5));
    let swaps = |report: &Report, opcode: &str| report.by_opcode().get(opcode).map_or(0, |c| c.warps);
    let narrow = "atom.relaxed.gpu.global.cas.b64";
    assert!(swaps(&scan_i32(TEXT, &random, 0).unwrap(), narrow) > 0);
    assert_eq!(swaps(&scan_i32(TEXT, &random, u32::MAX).unwrap(), narrow), 0);
    let wide = "atom.relaxed.gpu.global.cas.b128";
    assert!(swaps(&scan_f64(TEXT, &random, 0).unwrap(), wide) > 0);
}

/// The accesses to words are safe because they are strong, wide enough in scope, and whole: without any of these, there
/// is a race.
#[test]
fn words_that_are_not_whole_or_not_strong_are_races() {
    for (from, to) in [
        ("ld.relaxed.gpu.global.b64", "ld.global.b64"),
        ("ld.relaxed.gpu.global.b64", "ld.relaxed.cta.global.b64"),
        ("st.relaxed.gpu.global.b64", "st.global.b64"),
    ] {
        assert!(TEXT.contains(from));
        let broken = TEXT.replace(from, to);
        let race = fault(scan_i32(&broken, &config(Schedule::Fair), u32::MAX));
        assert_eq!(race.kind, FaultKind::Race, "{to}: {race}");
    }
    for (from, to) in [
        ("ld.relaxed.gpu.global.b128 w", "ld.global.b128 w"),
        ("st.relaxed.gpu.global.b128", "st.relaxed.cta.global.b128"),
        (
            "ld.relaxed.gpu.global.b128 w, [%rd74];\n\tmov.b128 {%rd41, %rd42}, w;",
            "ld.relaxed.gpu.global.v2.b64 {%rd41, %rd42}, [%rd74];",
        ),
    ] {
        assert!(TEXT.contains(from));
        let broken = TEXT.replace(from, to);
        let race = fault(scan_f64(&broken, &config(Schedule::Fair), u32::MAX));
        assert_eq!(race.kind, FaultKind::Race, "{to}: {race}");
    }
}

/// With tickets, the start order of blocks does not matter; with block numbers instead of tickets, it does if the last
/// blocks start first.
#[test]
fn block_numbers_in_place_of_tickets_need_all_blocks_at_once() {
    let by_number = TEXT.replacen("atom.global.add.u32 \t%r53, [%rd10], 1;", "mov.u32 %r53, %ctaid.x;", 1);
    let few = |schedule| LaunchConfig { resident_blocks: 8, step_limit: 500_000, ..config(schedule) };
    let run = |text: &str, schedule| scan_i32(text, &few(schedule), u32::MAX);
    assert!(run(TEXT, Schedule::Reversed).is_ok());
    assert!(run(&by_number, Schedule::Fair).is_ok());
    let stuck = fault(run(&by_number, Schedule::Reversed));
    assert!(matches!(stuck.kind, FaultKind::Livelock | FaultKind::StepLimit), "{stuck}");
}
