//! Mistakes that must be found, with the location and the thread.

use ptx_sim::{Arg, Checks, Fault, FaultKind, LaunchConfig, LaunchError, Memory, Report, Space, ThreadId, launch};

use super::{config, fault, module, read_words, schedules};

const TEXT: &str = include_str!("../ptx/mistakes.ptx");

/// The line of the first instruction after `kernel`'s start that contains `text`.
fn line_of(kernel: &str, text: &str) -> u32 {
    let start = TEXT.lines().position(|l| l.contains(&format!(".entry {kernel}("))).unwrap();
    let offset = TEXT.lines().skip(start).position(|l| l.contains(text)).unwrap();
    (start + offset + 1) as u32
}

fn run_with(kernel: &str, config: &LaunchConfig, bytes: usize, more: &[Arg]) -> (Result<Report, LaunchError>, Vec<u8>) {
    let mut memory = Memory::new();
    let out = memory.alloc_with(&vec![0; bytes]).unwrap();
    let args: Vec<Arg> = std::iter::once(Arg::Ptr(out)).chain(more.iter().cloned()).collect();
    let result = launch(&mut memory, &module(TEXT), kernel, config, &args);
    (result, memory.peek(out, bytes).unwrap().to_vec())
}

fn found(kernel: &str, threads: u32, bytes: usize, more: &[Arg]) -> Fault {
    fault(run_with(kernel, &LaunchConfig::new(1, threads), bytes, more).0)
}

#[test]
fn racy_writes() {
    let fault = found("racy", 2, 4, &[]);
    assert_eq!((fault.kind, fault.line), (FaultKind::Race, line_of("racy", "st.global")));
    assert_eq!(fault.thread, Some(ThreadId { block: [0; 3], thread: [1, 0, 0] }));
    assert!(fault.detail.contains("thread (0,0,0)"), "{fault}");
    assert!(run_with("racy", &LaunchConfig::new(1, 1), 4, &[]).0.is_ok());
    let between_blocks = super::fault(run_with("racy", &LaunchConfig::new(2, 1), 4, &[]).0);
    assert_eq!(between_blocks.kind, FaultKind::Race);
}

#[test]
fn a_missing_barrier_is_found_and_a_present_one_is_enough() {
    for schedule in schedules() {
        let (result, _) = run_with("missing_barrier", &config(1, 64, schedule), 256, &[]);
        let fault = super::fault(result);
        // The second access is reported with the first: both lines are named.
        assert_eq!(fault.kind, FaultKind::Race, "{schedule}: {fault}");
        let message = fault.to_string();
        for side in ["ld.shared", "st.volatile"] {
            let line = format!("line {} (", line_of("missing_barrier", side));
            assert!(message.contains(&line), "{schedule}: {message}");
        }
        let (result, out) = run_with("with_barrier", &config(1, 64, schedule), 256, &[]);
        result.unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out[..4], 63u32.to_le_bytes());
    }
}

#[test]
fn lanes_of_a_warp_are_threads_too() {
    let fault = found("warp_exchange", 32, 128, &[Arg::U8(0)]);
    assert_eq!((fault.kind, fault.line), (FaultKind::Race, line_of("warp_exchange", "ld.shared")));
    let (result, out) = run_with("warp_exchange", &LaunchConfig::new(1, 32), 128, &[Arg::U8(1)]);
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(out.chunks(4).all(|w| w == 77u32.to_le_bytes()));
}

#[test]
fn one_past_the_end() {
    let fault = found("one_too_many", 32, 80, &[Arg::U32(20)]);
    assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, line_of("one_too_many", "st.global")));
    assert_eq!(fault.thread.unwrap().thread, [20, 0, 0]);
    let (space, address) = fault.address.unwrap();
    assert_eq!((space, address % 256), (Space::Global, 80));
    assert!(run_with("one_too_many", &LaunchConfig::new(1, 32), 80, &[Arg::U32(19)]).0.is_ok());
}

#[test]
fn misaligned() {
    let mut memory = Memory::new();
    let p = memory.alloc_with(&[0; 64]).unwrap();
    for (offset, want) in [(0, None), (4, Some(FaultKind::Misaligned)), (56, Some(FaultKind::Misaligned))] {
        let args = [Arg::Ptr(p.offset(offset))];
        let result = launch(&mut memory, &module(TEXT), "misaligned", &LaunchConfig::new(1, 1), &args);
        assert_eq!(result.err().map(|e| e.fault().unwrap().kind), want);
    }
}

#[test]
fn uninitialized_shared_memory() {
    let fault = found("uninitialized", 64, 256, &[]);
    assert_eq!((fault.kind, fault.line), (FaultKind::Uninitialized, line_of("uninitialized", "ld.shared")));
    let off = LaunchConfig { checks: Checks { init: false, ..Checks::ALL }, ..LaunchConfig::new(1, 64) };
    let (result, out) = run_with("uninitialized", &off, 256, &[]);
    assert!(result.is_ok());
    assert!(out.iter().all(|&b| b == 0xcd), "what has no value reads as poison");
}

#[test]
fn uninitialized_global_memory() {
    let module = module(TEXT);
    let mut memory = Memory::new();
    let p = memory.alloc(16).unwrap();
    let args = [Arg::Ptr(p)];
    let result = launch(&mut memory, &module, "misaligned", &LaunchConfig::new(1, 1), &args);
    assert_eq!(fault(result).kind, FaultKind::Uninitialized);
    memory.write(p, &[1; 16]).unwrap();
    launch(&mut memory, &module, "misaligned", &LaunchConfig::new(1, 1), &args).unwrap();
    assert_eq!(read_words(&memory, p, 4), [0x0101_0102; 4]);
}

fn waits(kernel: &str, threads: u32) -> Fault {
    let config = LaunchConfig { step_limit: 1_000_000, ..LaunchConfig::new(1, threads) };
    fault(launch(&mut Memory::new(), &module(TEXT), kernel, &config, &[]))
}

#[test]
fn divergent_barriers() {
    let fault = waits("divergent", 32);
    assert_eq!(fault.kind, FaultKind::BarrierDivergence, "{fault}");
    assert!(fault.detail.contains("0x0000ffff") && fault.detail.contains("0xffff0000"), "{fault}");
}

#[test]
fn a_barrier_that_nobody_completes() {
    let fault = waits("lonely", 64);
    assert_eq!(fault.kind, FaultKind::Deadlock, "{fault}");
    assert_eq!((fault.waiting.len(), fault.waiting[0].lanes), (1, 32));
    assert_eq!(fault.waiting[0].line, line_of("lonely", "bar.sync"));
    assert!(fault.waiting[0].reason.contains("barrier 1"), "{fault}");
}

#[test]
fn a_loop_that_nobody_ends_is_proven_stuck() {
    let fault = found("forever", 33, 4, &[]);
    assert_eq!((fault.kind, fault.waiting.len()), (FaultKind::Livelock, 2), "{fault}");
    assert!(fault.waiting[1].reason.contains("polls"), "{fault}");
}

#[test]
fn a_loop_that_changes_something_runs_into_the_limit() {
    let config = LaunchConfig { step_limit: 10_000, ..LaunchConfig::new(1, 1) };
    let fault = super::fault(run_with("endless", &config, 4, &[]).0);
    assert_eq!(fault.kind, FaultKind::StepLimit, "{fault}");
}

#[test]
fn lanes_make_progress_on_their_own() {
    for schedule in schedules() {
        let mut memory = Memory::new();
        let [flag, out] = [memory.alloc_with(&[0; 4]).unwrap(), memory.alloc(4).unwrap()];
        let args = [Arg::Ptr(flag), Arg::Ptr(out)];
        launch(&mut memory, &module(TEXT), "same_warp", &config(1, 32, schedule), &args)
            .unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(read_words(&memory, out, 1), [5]);
    }
}
