//! The step limit counts the instructions that warps issue, exactly.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Module, Report, launch};

use super::harness::{schedules, text};

#[test]
fn the_limit_is_exact() {
    let body = "mov.u32 %r1, 0; setp.lt.u32 %p2, %r0, 40; @!%p2 bra E;\n\
        L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100; @%p1 bra L; E: bar.sync 0;";
    let module = Module::parse(&text("", body)).unwrap();
    let run = |schedule, step_limit| -> Result<Report, LaunchError> {
        let mut memory = Memory::new();
        let out = memory.alloc(8).unwrap();
        let config = LaunchConfig { schedule, step_limit, ..LaunchConfig::new(2, 70) };
        launch(&mut memory, &module, "k", &config, &[Arg::Ptr(out)])
    };
    for schedule in schedules() {
        let issued = run(schedule, u64::MAX).unwrap().total.warps;
        assert_eq!(run(schedule, issued).unwrap().total.warps, issued);
        for limit in [issued - 1, 3, 1, 0] {
            let error = run(schedule, limit).unwrap_err();
            let fault = error.fault().unwrap();
            assert_eq!(fault.kind, FaultKind::StepLimit);
            assert!(fault.detail.starts_with(&format!("{limit} ")), "{schedule}: {fault}");
        }
    }
}
