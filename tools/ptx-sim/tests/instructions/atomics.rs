//! `atom` and `red`, in global and shared memory.

use super::errors::refused;
use super::{Widths, apply, check_on, lanes, run_words};

/// Applies an atomic to a word of `bits` bits that holds `a`, with operands `b` and `c`; returns (old, new).
fn atomic(name: &str, bits: u32, inputs: [u64; 3]) -> (u64, u64) {
    let cas = if name.contains("cas") { ", %c" } else { "" };
    let words: &'static [u32] = if bits == 32 { &[32, 32, 32] } else { &[64, 64, 64] };
    let old = format!("st.global.b{bits} [%rd5], %a; atom.global.{name} %d, [%rd5], %b{cas};");
    let new = format!("{old} ld.global.b{bits} %d, [%rd5];");
    let widths = Widths(bits, words);
    (apply(&old, widths, &[inputs])[0], apply(&new, widths, &[inputs])[0])
}

#[test]
fn every_operation() {
    let (a, b, c) = (0xffff_fff0u64, 0x35, 0x77);
    let signed = |v: u64| v as i32;
    for (name, want) in [
        ("add.u32", (a + b) & 0xffff_ffff),
        ("and.b32", a & b),
        ("or.b32", a | b),
        ("xor.b32", a ^ b),
        ("exch.b32", b),
        ("min.u32", a.min(b)),
        ("max.u32", a.max(b)),
        ("min.s32", signed(a).min(signed(b)) as u32 as u64),
        ("max.s32", signed(a).max(signed(b)) as u32 as u64),
        ("inc.u32", 0),
        ("dec.u32", b),
        ("cas.b32", a),
    ] {
        assert_eq!(atomic(name, 32, [a, b, c]), (a, want), "{name}");
    }
    assert_eq!(atomic("inc.u32", 32, [5, 7, 0]), (5, 6));
    assert_eq!(atomic("inc.u32", 32, [7, 7, 0]), (7, 0));
    assert_eq!(atomic("dec.u32", 32, [5, 7, 0]), (5, 4));
    assert_eq!(atomic("dec.u32", 32, [0, 7, 0]), (0, 7));
    assert_eq!(atomic("cas.b32", 32, [9, 9, 3]), (9, 3));
    assert_eq!(atomic("cas.b64", 64, [1 << 40, 1 << 40, 3]), (1 << 40, 3));
    assert_eq!(atomic("add.u64", 64, [u64::MAX, 2, 0]), (u64::MAX, 1));
    assert_eq!(atomic("max.s64", 64, [u64::MAX, 2, 0]), (u64::MAX, 2));
    assert_eq!(
        atomic("add.f32", 32, [1.5f32.to_bits().into(), 2f32.to_bits().into(), 0]).1,
        u64::from(3.5f32.to_bits())
    );
    assert_eq!(atomic("add.f64", 64, [1.5f64.to_bits(), 2f64.to_bits(), 0]).1, 3.5f64.to_bits());
    assert_eq!(atomic("add.noftz.f16x2", 32, [0x3c00_4000, 0x3c00_3c00, 0]).1, 0x4000_4200);
    assert_eq!(atomic("add.noftz.bf16x2", 32, [0x3f80_4000, 0x3f80_3f80, 0]).1, 0x4000_4040);
}

#[test]
fn orders_and_scopes_are_understood() {
    for order in ["", "relaxed.", "acquire.", "release.", "acq_rel."] {
        for scope in ["cta.", "cluster.", "gpu.", "sys."] {
            let text = format!("st.global.b32 [%rd5], %a; atom.{order}{scope}global.add.u32 %d, [%rd5], %b;");
            check_on(&text, Widths(32, &[32, 32]), &[[7, 1, 0]], |_, _, _| 7);
        }
    }
}

#[test]
fn wide_words() {
    let body = "mov.b128 %q0, {7, 8}; mov.b128 %q1, {1, 2}; st.relaxed.gpu.global.b128 [%rd0], %q1;\n\
        atom.relaxed.gpu.global.cas.b128 %q2, [%rd0], %q1, %q0; mov.b128 {%rd1, %rd2}, %q2; st.global.v2.b64 [%rd0+16], {%rd1, %rd2};\n\
        atom.relaxed.gpu.global.cas.b128 %q2, [%rd0], %q1, %q1; atom.acq_rel.gpu.global.exch.b128 %q3, [%rd0], %q1;\n\
        mov.b128 {%rd1, %rd2}, %q2; mov.b128 {%rd3, %rd4}, %q3; st.global.v2.b64 [%rd0+32], {%rd1, %rd2}; st.global.v2.b64 [%rd0+48], {%rd3, %rd4};\n\
        ld.relaxed.gpu.global.b128 %q0, [%rd0]; mov.b128 {%rd1, %rd2}, %q0; st.global.b64 [%rd0+64], %rd2;";
    let out = run_words(1, 9, "", body).unwrap();
    assert_eq!(out, [1, 2, 1, 2, 7, 8, 7, 8, 2]);
}

/// All lanes add to one word of shared memory; every old value is seen once.
#[test]
fn contention_in_shared_memory() {
    let body = "mov.u32 %r1, %laneid; st.shared.b32 [w], 0; bar.warp.sync -1;\n\
        atom.shared.add.u32 %r9, [w], 1; red.shared.add.u32 [w], 100; cvt.u64.u32 %rd9, %r9;";
    let body = body.replace("st.shared.b32", "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.b32");
    let mut got = lanes(".shared .align 4 .b8 w[4];", &body);
    got.sort_unstable();
    assert_eq!(got, (0..32).collect::<Vec<u64>>());
}

/// A `red` of a vector reduces each of its words.
#[test]
fn vectors_of_global_memory() {
    let half = |a: u64, b: u64, c: u64, d: u64| a | b << 16 | c << 32 | d << 48;
    let (one, two, three) = (0x3c00, 0x4000, 0x4200);
    let reduced = |red: &str, before: u64, by: [u64; 2]| {
        let body = format!(
            "mov.b64 %rd1, {before}; st.global.b64 [%rd0], %rd1; mov.b32 %r1, {}; mov.b32 %r2, {};\n\
             cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; {red}",
            by[0], by[1]
        );
        run_words(1, 1, "", &body).unwrap()[0]
    };
    let twos = [two | two << 16, two | two << 16];
    assert_eq!(
        reduced("red.relaxed.gpu.global.add.noftz.v2.f16x2 [%rd0], {%r1, %r2};", half(one, two, one, 0), twos),
        half(three, 0x4400, three, two)
    );
    assert_eq!(
        reduced("red.relaxed.gpu.global.min.noftz.v2.f16x2 [%rd0], {%r1, %r2};", half(one, two, three, 0), twos),
        half(one, two, two, 0)
    );
    assert_eq!(
        reduced("red.global.max.noftz.v2.f16 [%rd0], {%h1, %h2};", half(one, three, three, 7), [two, two]),
        half(two, three, three, 7)
    );
    let single = |value: f32| u64::from(value.to_bits());
    assert_eq!(
        reduced(
            "red.global.add.v2.f32 [%rd0], {%r1, %r2};",
            single(1.5) | single(-2.0) << 32,
            [single(0.5), single(4.0)]
        ),
        single(2.0) | single(2.0) << 32
    );
}

#[test]
fn vectors_that_there_are_not() {
    for red in [
        "red.shared.add.v2.f32 [s], {%r1, %r2};",
        "red.global.min.v2.f32 [%rd0], {%r1, %r2};",
        "red.global.add.v2.u32 [%rd0], {%r1, %r2};",
        "red.global.add.v8.f32 [%rd0], {%r1, %r2, %r1, %r2, %r1, %r2, %r1, %r2};",
        "red.global.add.v4.f32 [%rd0], {%r1, %r2};",
        "atom.global.add.v2.f32 %r3, [%rd0], {%r1, %r2};",
    ] {
        assert!(!refused(red).is_empty());
    }
    let misaligned = "mov.b32 %r1, 0; st.global.b64 [%rd0], 0; st.global.b64 [%rd0+8], 0; red.global.add.v2.f32 [%rd0+4], {%r1, %r1};";
    assert!(run_words(1, 2, "", misaligned).is_err());
}
