//! Functions that call themselves, alone or by way of others.

use ptx_sim::FaultKind;

use super::tensor::{ALLOC, FREE};
use super::{lanes, run_words};

/// `%rd9` = `name(%r60)`, for a function of a number of 32 bits.
fn call(name: &str) -> String {
    format!(
        "{{ .param .b32 p; .param .b32 q; .reg .b32 %x; st.param.b32 [p], %r60; call.uni (q), {name}, (p); ld.param.b32 %x, [q]; cvt.u64.u32 %rd9, %x; }}"
    )
}

/// A call inside a function of a number of 32 bits, from and to registers.
fn inner(name: &str, from: &str, to: &str) -> String {
    format!(
        "{{ .param .b32 p; .param .b32 q; st.param.b32 [p], {from}; call.uni (q), {name}, (p); ld.param.b32 {to}, [q]; }}"
    )
}

fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

/// Lanes need calls of different depths, and what a caller holds in registers and predicates is there after its calls.
#[test]
fn a_function_calls_itself_twice() {
    let function = format!(
        ".func (.param .b32 r) fib(.param .b32 n) {{ .reg .pred %s, %odd; .reg .b32 %n, %a, %b, %k;
           ld.param.b32 %n, [n]; and.b32 %k, %n, 1; setp.eq.u32 %odd, %k, 1; setp.lt.u32 %s, %n, 2; @%s bra SMALL;
           sub.u32 %a, %n, 1; {} sub.u32 %b, %n, 2; {} add.u32 %a, %a, %b;
           selp.b32 %b, 1, 0, %odd; setp.ne.u32 %s, %b, %k; @%s trap; st.param.b32 [r], %a; ret;
           SMALL: st.param.b32 [r], %n; ret; }}",
        inner("fib", "%a", "%a"),
        inner("fib", "%b", "%b")
    );
    let body = format!("rem.u32 %r60, %r60, 13; {}", call("fib"));
    assert_eq!(lanes(&function, &body), (0..32).map(|i| fibonacci(i % 13)).collect::<Vec<_>>());
}

/// Each call has its own variables, whose addresses its callees may use.
#[test]
fn each_call_has_its_own_local_memory() {
    let function = ".func (.param .b32 r) sum(.param .b32 n, .param .b64 above) {
        .local .align 8 .b8 own[8]; .reg .pred %s; .reg .b32 %n, %t, %m; .reg .b64 %up, %here, %g;
        ld.param.b32 %n, [n]; ld.param.b64 %up, [above]; mov.u64 %here, own; cvta.local.u64 %g, %here; st.local.b32 [own+4], %n;
        setp.eq.u32 %s, %n, 0; @%s bra END;
        sub.u32 %m, %n, 1;
        { .param .b32 p; .param .b64 q; .param .b32 o; st.param.b32 [p], %m; st.param.b64 [q], %g; call.uni (o), sum, (p, q); ld.param.b32 %t, [o]; }
        ld.local.b32 %m, [%here+4];
        END: selp.b32 %t, 0, %t, %s; add.u32 %t, %t, %n;
        ld.b32 %n, [%up+4]; add.u32 %n, %n, 100; st.b32 [%up+4], %n; @%s bra OUT; add.u32 %t, %t, %m;
        OUT: st.param.b32 [r], %t; ret; }";
    let body = ".local .align 8 .b8 base[8]; .reg .b64 %l, %g; mov.u64 %l, base; cvta.local.u64 %g, %l; st.local.b32 [base+4], 1000;
        and.b32 %r1, %r60, 7;
        { .param .b32 p; .param .b64 q; .param .b32 o; st.param.b32 [p], %r1; st.param.b64 [q], %g; call.uni (o), sum, (p, q); ld.param.b32 %r2, [o]; }
        ld.local.b32 %r3, [base+4]; add.u32 %r2, %r2, %r3; cvt.u64.u32 %rd9, %r2;";
    // A call for n > 0 adds n and its own variable, which its callee has increased by 100.
    let sum = |n: u64| (1..=n).map(|n| n + n + 100).sum::<u64>();
    assert_eq!(lanes(function, body), (0..32).map(|i| sum(i & 7) + 1100).collect::<Vec<_>>());
}

/// `even` and `odd` call each other, and a function outside of the cycle; lanes meet again inside of it.
#[test]
fn functions_call_each_other() {
    let declared = ".func (.param .b32 r) odd(.param .b32 n);\n";
    let less = ".func (.param .b32 r) less(.param .b32 n) { .reg .b32 %n; ld.param.b32 %n, [n]; sub.u32 %n, %n, 1; st.param.b32 [r], %n; ret; }\n";
    let function = |name: &str, other: &str, at_zero: u32| {
        format!(
            ".func (.param .b32 r) {name}(.param .b32 n) {{ .reg .pred %z; .reg .b32 %n, %v;
               ld.param.b32 %n, [n]; mov.u32 %v, {at_zero}; setp.eq.u32 %z, %n, 0; @%z bra END; {} {} END: st.param.b32 [r], %v; ret; }}\n",
            inner("less", "%n", "%n"),
            inner(other, "%n", "%v")
        )
    };
    let functions = format!("{declared}{less}{}{}", function("even", "odd", 1), function("odd", "even", 0));
    let twice = format!(
        "{} mov.u64 %rd3, %rd9; add.u32 %r60, %r60, 1; {} shl.b64 %rd9, %rd9, 1; or.b64 %rd9, %rd9, %rd3;",
        call("even"),
        call("even")
    );
    assert_eq!(lanes(&functions, &twice), (0..32).map(|i| 1 + i % 2).collect::<Vec<_>>());
}

/// Lanes at the same depth execute a shuffle together, after calls that only some of them have made.
#[test]
fn lanes_meet_after_recursive_calls() {
    let function = ".func (.param .b32 r) walk(.param .b32 n) { .reg .pred %s, %e; .reg .b32 %n, %m, %t;
        ld.param.b32 %n, [n]; setp.gt.u32 %s, %n, 3; mov.u32 %t, 0; mov.u32 %m, %laneid; and.b32 %m, %m, 1; setp.eq.u32 %e, %m, 0; @%s bra END;
        @%e bra MEET; add.u32 %m, %n, 1;
        { .param .b32 p; .param .b32 q; st.param.b32 [p], 9; call.uni (q), walk, (p); ld.param.b32 %t, [q]; }
        MEET: mov.u32 %m, %laneid; shfl.sync.bfly.b32 %m, %m, 1, 31, -1; add.u32 %t, %t, %m;
        { .param .b32 p; .param .b32 q; add.u32 %n, %n, 1; st.param.b32 [p], %n; call.uni (q), walk, (p); ld.param.b32 %m, [q]; }
        add.u32 %t, %t, %m;
        END: st.param.b32 [r], %t; ret; }";
    let body = format!("mov.u32 %r60, 0; {}", call("walk"));
    assert_eq!(lanes(function, &body), (0..32).map(|i| 4 * (i ^ 1)).collect::<Vec<_>>());
}

/// A function may call itself through its address.
#[test]
fn recursion_through_an_address() {
    let function = ".func (.param .b32 r) down(.param .b32 n) { .reg .pred %s; .reg .b32 %n, %v; .reg .b64 %f;
        ld.param.b32 %n, [n]; setp.eq.u32 %s, %n, 0; mov.u32 %v, 7; @%s bra END; mov.u64 %f, down;
        { .param .b32 p; .param .b32 q; sub.u32 %v, %n, 1; st.param.b32 [p], %v; proto: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (q), %f, (p), proto; ld.param.b32 %v, [q]; } add.u32 %v, %v, %n;
        END: st.param.b32 [r], %v; ret; }";
    let sum = |n: u64| 7 + n * (n + 1) / 2;
    assert_eq!(lanes(function, &call("down")), (0..32).map(sum).collect::<Vec<_>>());
}

/// Only some lanes make the call, by a predicate that the callee changes.
#[test]
fn a_predicated_recursive_call() {
    let function =
        ".func (.param .b32 r) up(.param .b32 n) { .reg .pred %s; .reg .b32 %n, %v; .param .b32 p; .param .b32 q;
        ld.param.b32 %n, [n]; setp.lt.u32 %s, %n, 20; add.u32 %v, %n, 1; st.param.b32 [p], %v; st.param.b32 [q], %n;
        @%s call (q), up, (p); ld.param.b32 %v, [q]; @%s add.u32 %v, %v, 100; st.param.b32 [r], %v; ret; }";
    let want = |n: u64| if n < 20 { 20 + 100 * (20 - n) } else { n };
    assert_eq!(lanes(function, &call("up")), (0..32).map(want).collect::<Vec<_>>());
}

/// What a call leaves in its memory is no value of the next call at the same depth; registers that a function has not written are found
/// in every call.
#[test]
fn values_of_other_calls_are_no_values() {
    let function = |first: &str| {
        format!(
            ".func (.param .b32 r) f(.param .b32 n) {{ .local .align 4 .b8 own[4]; .reg .pred %s; .reg .b32 %n, %m, %v;
               ld.param.b32 %n, [n]; {first} setp.eq.u32 %s, %n, 0; @%s bra END; mov.u32 %v, 1; mov.u32 %m, 0;
               {} END: setp.eq.u32 %s, %v, 5; @%s add.u32 %n, %n, 1; st.param.b32 [r], %n; ret; }}",
            inner("f", "%m", "%m")
        )
    };
    let fault = |first: &str| {
        let body = format!("mov.u32 %r60, 3; {} st.global.b64 [%rd0], %rd9;", call("f"));
        run_words(1, 1, &function(first), &body).map_err(|error| error.fault().map(|fault| fault.kind))
    };
    assert_eq!(fault("mov.u32 %v, 2; st.local.b32 [own], %n; ld.local.b32 %v, [own];"), Ok(vec![3]));
    assert_eq!(fault(""), Err(Some(FaultKind::Undefined)));
    let stale = "setp.ne.u32 %s, %n, 0; @%s st.local.b32 [own], %n; ld.local.b32 %v, [own];";
    assert!(matches!(fault(stale), Err(Some(FaultKind::Undefined | FaultKind::Uninitialized))));
}

/// Registers that an instruction fills later cannot be spilled.
#[test]
fn registers_in_flight_are_refused() {
    let function = |wait: &str| {
        format!(
            ".func f(.param .b32 at, .param .b32 n) {{ .reg .pred %s; .reg .b32 %t, %n, %a; ld.param.b32 %a, [at]; ld.param.b32 %n, [n];
               setp.eq.u32 %s, %n, 0; @%s bra END; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%t}}, [%a]; {wait} sub.u32 %n, %n, 1;
               {{ .param .b32 p; .param .b32 q; st.param.b32 [p], %a; st.param.b32 [q], %n; call.uni f, (p, q); }}
               tcgen05.wait::ld.sync.aligned; END: ret; }}"
        )
    };
    let body = format!(
        "{ALLOC} tcgen05.st.sync.aligned.32x32b.x1.b32 [%r41], {{%r3}}; tcgen05.wait::st.sync.aligned; bar.warp.sync -1;
         {{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r41; st.param.b32 [q], 2; call.uni f, (p, q); }} {FREE}"
    );
    let run = |wait: &str| run_words(128, 1, &format!(".shared .align 4 .b8 base[4];{}", function(wait)), &body);
    assert!(run("tcgen05.wait::ld.sync.aligned;").is_ok());
    assert!(run("").is_err_and(|error| error.to_string().contains("recursive call while")));
}

#[test]
fn recursion_without_end_is_found() {
    let function = ".func f(.param .b32 n) { .local .b8 own[64]; .reg .b32 %n; ld.param.b32 %n, [n];
        { .param .b32 p; add.u32 %n, %n, 1; st.param.b32 [p], %n; call.uni f, (p); } ret; }";
    let error = run_words(32, 1, function, "{ .param .b32 p; st.param.b32 [p], 0; call.uni f, (p); }").unwrap_err();
    let fault = error.fault().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert!(fault.detail.contains("a stack overflow: ") && fault.detail.contains("512 KiB"), "{}", fault.detail);
}
