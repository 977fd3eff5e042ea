//! Calls through addresses and of what every driver provides: `vprintf`, `malloc`, `free`; breakpoints; grids that
//! synchronize.

use ptx_sim::{Arg, FaultKind, LaunchConfig, Memory, Module, Schedule, launch};

use super::{kernel, lanes, run_words};

const SCHEDULES: [Schedule; 4] = [Schedule::Fair, Schedule::Random(3), Schedule::OneBlockAtATime, Schedule::Reversed];

fn fault(declarations: &str, body: &str) -> FaultKind {
    let error = run_words(32, 32, declarations, body).unwrap_err();
    error.fault().unwrap_or_else(|| panic!("{error}")).kind
}

const TWO: &str = ".func (.param .b32 r) one(.param .b32 a);\n\
    .global .align 8 .u64 table[2] = {one, two};\n\
    .func (.param .b32 r) one(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, 100; st.param.b32 [r], %x; ret; }\n\
    .func (.param .b32 r) two(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; shl.b32 %x, %x, 1; st.param.b32 [r], %x; ret; }\n\
    .func (.param .b64 r) other(.param .b32 a) { st.param.b64 [r], 1; ret; }\n";

/// A call of the address in `%rd3` with `%r60`, whose result is `%rd9`.
const CALL: &str = "{ .param .b32 p; .param .b32 q; .reg .b32 %x; st.param.b32 [p], %r60;\n\
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
    call (q), %rd3, (p), proto; ld.param.b32 %x, [q]; cvt.u64.u32 %rd9, %x; }\n";

#[test]
fn calls_through_addresses() {
    // Each lane takes a function from a table, or by its name.
    let table =
        "and.b32 %r1, %r60, 1; mov.u64 %rd2, table; mad.wide.u32 %rd2, %r1, 8, %rd2; ld.global.b64 %rd3, [%rd2];\n";
    let want = |i: u64| if i & 1 == 0 { i + 100 } else { 2 * i };
    assert_eq!(lanes(TWO, &format!("{table}{CALL}")), (0..32).map(want).collect::<Vec<_>>());
    let names = "mov.u64 %rd3, two; setp.lt.u32 %p1, %r60, 9; @%p1 mov.u64 %rd3, one;\n";
    let want = |i: u64| if i < 9 { i + 100 } else { 2 * i };
    assert_eq!(lanes(TWO, &format!("{names}{CALL}")), (0..32).map(want).collect::<Vec<_>>());
    // Only some lanes call.
    let some = format!(
        "{names} mov.u64 %rd9, 5; setp.lt.u32 %p2, %r60, 4;\n{}",
        CALL.replace("call (q)", "@%p2 call (q)")
            .replace("ld.param.b32 %x", "@%p2 ld.param.b32 %x")
            .replace("cvt.u64", "@%p2 cvt.u64")
    );
    assert_eq!(lanes(TWO, &some)[..6], [100, 101, 102, 103, 5, 5]);
}

#[test]
fn calls_of_what_is_no_such_function() {
    for address in ["mov.u64 %rd3, 16;", "mov.u64 %rd3, other;", "add.s64 %rd3, %rd0, 0;"] {
        assert_eq!(fault(TWO, &format!("mov.u32 %r60, 0; {address}\n{CALL}")), FaultKind::Invalid, "{address}");
    }
    let unnamed = kernel("sm_80", 1, TWO, "{ .param .b32 p; .param .b32 q; call (q), %rd3, (p); }");
    assert!(Module::parse(&unnamed).is_err(), "a prototype is missing");
}

const PRINT: &str = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n\
    .global .align 1 .b8 format[18] = {37, 100, 32, 37, 46, 50, 102, 32, 37, 108, 108, 117, 10, 0};\n"; // "%d %.2f %llu\n"

#[test]
fn printed_lines_are_in_the_order_of_threads() {
    let body = ".local .align 8 .b8 l[24]; .reg .b64 %sp; mov.u64 %sp, l; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n\
        setp.gt.u32 %p0, %r0, 33; @%p0 bra E; cvt.rn.f64.u32 %rd1, %r1; cvt.u64.u32 %rd2, %r0; shl.b64 %rd2, %rd2, 32;\n\
        st.local.b32 [%sp], %r0; st.local.b64 [%sp+8], %rd1; st.local.b64 [%sp+16], %rd2; cvta.local.u64 %rd3, %sp;\n\
        mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;\n\
        { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd4; st.param.b64 [b], %rd3;\n\
        call.uni (c), vprintf, (a, b); ld.param.b32 %r2, [c]; }\n\
        ld.param.b64 %rd0, [p0]; setp.eq.u32 %p1, %r0, 0; @%p1 red.global.add.u32 [%rd0], %r2; E:";
    let module = Module::parse(&kernel("sm_80", 1, PRINT, body)).unwrap_or_else(|e| panic!("{e}"));
    let line = |block: u64, thread: u64| format!("{thread} {block}.00 {}\n", thread << 32);
    let want: String = (0..3).flat_map(|block| (0..34).map(move |thread| line(block, thread))).collect();
    for schedule in SCHEDULES {
        let mut memory = Memory::new();
        let out = memory.alloc_with(&[0; 4]).unwrap();
        let config = LaunchConfig { schedule, ..LaunchConfig::new(3, 64) };
        launch(&mut memory, &module, "k", &config, &[Arg::Ptr(out)]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((memory.take_printed(), memory.take_printed()), (want.clone(), String::new()), "{schedule}");
        assert_eq!(memory.read(out, 4).unwrap(), [9, 0, 0, 0], "the number of arguments, three times");
    }
}

#[test]
fn what_was_printed_before_a_fault_is_there() {
    let body = "{ .param .b64 a; .param .b64 b; .param .b32 c; .reg .b64 %x; mov.u64 %x, text; cvta.global.u64 %x, %x;\n\
        st.param.b64 [a], %x; st.param.b64 [b], 0; call.uni (c), vprintf, (a, b); } brkpt;";
    let text = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 text[4] = {104, 105, 10};\n";
    let module = Module::parse(&kernel("sm_80", 1, text, body)).unwrap();
    let mut memory = Memory::new();
    let error = launch(&mut memory, &module, "k", &LaunchConfig::new(1, 2), &[Arg::U64(0)]).unwrap_err();
    assert_eq!(error.fault().map(|fault| fault.kind), Some(FaultKind::Trap));
    assert_eq!(memory.take_printed(), "hi\nhi\n");
}

const HEAP: &str = ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n";

fn malloc(bytes: &str, to: &str) -> String {
    format!(
        "{{ .param .b64 a; .param .b64 b; st.param.b64 [a], {bytes}; call.uni (b), malloc, (a); ld.param.b64 {to}, [b]; }}\n"
    )
}

fn free(address: &str) -> String {
    format!("{{ .param .b64 a; st.param.b64 [a], {address}; call.uni free, (a); }}\n")
}

#[test]
fn threads_allocate_memory() {
    let body = format!(
        "{} st.b64 [%rd3+8], 7; cvt.u64.u32 %rd4, %r60; st.b64 [%rd3], %rd4; bar.sync 0; ld.b64 %rd5, [%rd3]; ld.b64 %rd6, [%rd3+8];\n\
         mul.lo.u64 %rd9, %rd5, %rd6;\n{}",
        malloc("16", "%rd3"),
        free("%rd3")
    );
    assert_eq!(lanes(HEAP, &body), (0..32).map(|i| 7 * i).collect::<Vec<_>>());
    let none = format!("{} mov.u64 %rd9, %rd3;\n{}", malloc("1000000000", "%rd3"), free("0"));
    assert_eq!(lanes(HEAP, &none), [0; 32]);
}

#[test]
fn misuse_of_the_heap() {
    let first = malloc("16", "%rd3");
    let [inside, unwritten, beyond] =
        ["st.b64 [%rd3], 1;", "ld.b64 %rd4, [%rd3]; st.global.b64 [%rd4], 1;", "st.b64 [%rd3+16], 1;"];
    assert!(run_words(32, 32, HEAP, &format!("{first}{inside}")).is_ok());
    for (body, kind) in [
        (format!("{first}{beyond}"), FaultKind::OutOfBounds),
        (format!("{first}{unwritten}"), FaultKind::Uninitialized),
        (format!("{first}{}{inside}", free("%rd3")), FaultKind::OutOfBounds),
        (format!("{first}{}{}", free("%rd3"), free("%rd3")), FaultKind::Invalid),
        (format!("{first} add.s64 %rd3, %rd3, 8;\n{}", free("%rd3")), FaultKind::Invalid),
    ] {
        let got = fault(HEAP, &body);
        let alike = kind == FaultKind::Uninitialized && got == FaultKind::Undefined;
        assert!(got == kind || alike, "{body}: {got:?}, expected {kind:?}");
    }
}

/// The barrier of `cooperative_groups`: blocks count up in memory whose address two registers hold.
#[test]
fn grids_of_cooperative_launches() {
    let sync = "mov.u32 %r4, %envreg2; mov.u32 %r5, %envreg1; mov.b64 %rd4, {%r4, %r5};\n\
        atom.add.release.gpu.u32 %r6, [%rd4+4], 1; W: ld.acquire.gpu.b32 %r7, [%rd4+4]; setp.lt.u32 %p1, %r7, %r3; @%p1 bra W;\n";
    let body = |sync: &str| {
        format!(
            "ld.param.b64 %rd0, [p0]; mov.u32 %r1, %ctaid.x; mov.u32 %r3, %nctaid.x; mad.wide.u32 %rd1, %r1, 4, %rd0;\n\
             st.global.b32 [%rd1], %r1;\n{sync} add.u32 %r2, %r1, 1; rem.u32 %r2, %r2, %r3; mad.wide.u32 %rd2, %r2, 4, %rd0;\n\
             ld.global.b32 %r8, [%rd2]; st.global.b32 [%rd1+64], %r8;"
        )
    };
    for (sync, right) in [(sync, true), ("", false)] {
        let module = Module::parse(&kernel("sm_80", 1, "", &body(sync))).unwrap_or_else(|e| panic!("{e}"));
        let mut memory = Memory::new();
        let out = memory.alloc_with(&[0; 128]).unwrap();
        let done = launch(&mut memory, &module, "k", &LaunchConfig::new(4, 1), &[Arg::Ptr(out)]);
        assert_eq!(done.is_ok(), right, "{done:?}");
        if right {
            let got: Vec<u8> = memory.read(out.offset(64), 16).unwrap().iter().step_by(4).copied().collect();
            assert_eq!(got, [1, 2, 3, 0]);
        }
    }
}
