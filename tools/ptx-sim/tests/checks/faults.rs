//! The contents of faults: they name the source line given by `.loc`; the step limit counts exactly the instructions
//! that warps issue.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Module, Report, SourcePlace, launch};

use super::{Shape, racy, run, schedules, text};

const FILE: &str = ".file 1 \"input.mlir\"\n.file 2 \"other.mlir\"";

fn place(text: &str) -> Option<SourcePlace> {
    let fault = run(text, Shape::default(), schedules()[0]).unwrap_err();
    fault.location
}

#[test]
fn a_fault_names_its_source() {
    let body = ".loc 1 9 5\nadd.s64 %rd1, %rd0, 0;\n.loc 1 12 3\nst.global.b64 [%rd1+512], 1;";
    racy(Shape::default(), FILE, body, FaultKind::OutOfBounds, &["(`st.global.b64`), input.mlir:12:3, block"]);
    let at = place(&text(FILE, body)).unwrap();
    assert_eq!((at.file.as_str(), at.line, at.column, at.inlined_at), ("input.mlir", 12, 3, None));
}

#[test]
fn both_sides_of_a_race_name_theirs() {
    let body = "setp.eq.u32 %p1, %r0, 0; .loc 1 3 4\n@%p1 st.global.b64 [%rd0], 1;\n.loc 1 5 6\nld.global.b64 %rd1, [%rd0];\n\
         red.global.add.u64 [%rd0+8], %rd1;";
    let text = text(FILE, body);
    for schedule in schedules() {
        let message = run(&text, Shape::default(), schedule).unwrap_err().to_string();
        assert!(message.contains("input.mlir:3:4") && message.contains("input.mlir:5:6"), "{message}");
    }
}

#[test]
fn inlined_code_names_both_places() {
    let body = ".loc 2 22 7, function_name $L__info_string0+4, inlined_at 1 9 5\nst.global.b64 [%rd0+512], 1;";
    racy(Shape::default(), FILE, body, FaultKind::OutOfBounds, &["other.mlir:22:7 inlined at input.mlir:9:5"]);
    let body = ".loc 2 22 7, inlined_at 1 9 5\nst.global.b64 [%rd0+512], 1;";
    racy(Shape::default(), FILE, body, FaultKind::OutOfBounds, &["other.mlir:22:7 inlined at input.mlir:9:5"]);
}

#[test]
fn calls_of_calls_are_those_that_the_position_last_had() {
    let outer = |line: u32| format!(".loc 1 9 5, function_name $L__name, inlined_at 1 {line} 3\n");
    let inner = ".loc 2 22 7, function_name $L__name, inlined_at 1 9 5\n";
    let body = format!("{}{inner}mov.u32 %r1, 0;\n{}{inner}st.global.b64 [%rd0+512], 1;", outer(14), outer(15));
    let expected = "other.mlir:22:7 inlined at input.mlir:9:5 inlined at input.mlir:15:3, block";
    racy(Shape::default(), FILE, &body, FaultKind::OutOfBounds, &[expected]);
    // A position that calls itself ends.
    let body = ".loc 2 22 7, inlined_at 2 22 7\n.loc 2 22 7, inlined_at 2 22 7\nst.global.b64 [%rd0+512], 1;";
    racy(
        Shape::default(),
        FILE,
        body,
        FaultKind::OutOfBounds,
        &["inlined at other.mlir:22:7 inlined at other.mlir:22:7, block"],
    );
}

#[test]
fn line_zero_and_no_line_are_no_place() {
    for body in ["", ".loc 1 9 5\nmov.u32 %r1, 0;\n.loc 1 0 0\n"] {
        assert_eq!(place(&text(FILE, &format!("{body} st.global.b64 [%rd0+512], 1;"))), None);
    }
    let unnamed = place(&text("", ".loc 7 9 5\nst.global.b64 [%rd0+512], 1;")).unwrap();
    assert_eq!(unnamed.to_string(), "file 7:9:5");
}

#[test]
fn waiting_threads_name_their_places() {
    let body = "setp.lt.u32 %p1, %r0, 32; .loc 1 3 4\n@%p1 bar.sync 1, 64;";
    racy(Shape::default(), FILE, body, FaultKind::Deadlock, &["(input.mlir:3:4): waits at barrier 1"]);
}

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
