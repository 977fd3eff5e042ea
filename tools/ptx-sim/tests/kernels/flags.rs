//! Flags between blocks.

use ptx_sim::{Arg, Fault, FaultKind, LaunchError, Memory, Report, Schedule, launch};

use super::{config, fault, module, read_words, schedules};

/// Runs a two-block kernel; returns the word that block 0 read.
fn run(kernel: &str, schedule: Schedule) -> Result<(Report, u32), LaunchError> {
    let module = module(include_str!("../ptx/flags.ptx"));
    let mut memory = Memory::new();
    let flag = memory.alloc_with(&[0; 4]).unwrap();
    let [data, out] = [memory.alloc(4).unwrap(), memory.alloc(4).unwrap()];
    let args = [Arg::Ptr(flag), Arg::Ptr(data), Arg::Ptr(out)];
    let report = launch(&mut memory, &module, kernel, &config(2, 1, schedule), &args)?;
    Ok((report, read_words(&memory, out, 1)[0]))
}

#[test]
fn ordered_flags_work_unless_the_other_block_never_runs() {
    for kernel in ["acquire_release", "fences"] {
        for schedule in schedules() {
            let result = run(kernel, schedule);
            if schedule == Schedule::OneBlockAtATime {
                let fault = fault(result);
                assert_eq!(fault.kind, FaultKind::Livelock, "{kernel}: {fault}");
                assert_eq!(fault.waiting.len(), 1);
                assert_eq!(fault.waiting[0].thread.block, [0, 0, 0]);
                continue;
            }
            let (_, value) = result.unwrap_or_else(|e| panic!("{kernel} under {schedule}: {e}"));
            assert_eq!(value, 42);
        }
    }
}

/// A race is found whichever access comes first.
#[test]
fn unordered_flags_are_races_under_every_schedule() {
    for kernel in ["relaxed", "narrow_scope"] {
        for schedule in schedules().into_iter().filter(|&s| s != Schedule::OneBlockAtATime) {
            let Fault { kind, thread, detail, .. } = fault(run(kernel, schedule));
            assert_eq!(kind, FaultKind::Race, "{kernel} under {schedule}");
            assert_eq!(thread.unwrap().block, [0, 0, 0]);
            assert!(detail.contains("written by block (1,0,0) thread (0,0,0)"), "{detail}");
        }
    }
}

#[test]
fn the_last_block_sees_what_all_wrote() {
    let module = module(include_str!("../ptx/flags.ptx"));
    for schedule in schedules() {
        let mut memory = Memory::new();
        let count = memory.alloc_with(&[0; 4]).unwrap();
        let [data, out] = [memory.alloc(400).unwrap(), memory.alloc(4).unwrap()];
        let args = [Arg::Ptr(count), Arg::Ptr(data), Arg::Ptr(out), Arg::U32(100)];
        launch(&mut memory, &module, "last_block", &config(100, 1, schedule), &args)
            .unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(read_words(&memory, out, 1), [5050]);
    }
}
