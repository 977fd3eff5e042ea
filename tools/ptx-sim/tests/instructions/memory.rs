//! Loads, stores and address spaces.

use ptx_sim::{Arg, FaultKind, LaunchConfig, Memory, Module, launch};

use super::errors::refused;
use super::{kernel, lanes, run_words};

#[test]
fn every_width() {
    let text = "st.global.b64 [%rd0], 0xf1e2d3c4b5a69788;\n\
        ld.global.u8 %r1, [%rd0+7]; ld.global.s8 %r2, [%rd0+7]; ld.global.u16 %h1, [%rd0+6]; ld.global.s16 %r3, [%rd0+6];\n\
        ld.global.s32 %rd3, [%rd0+4]; ld.global.b32 %r4, [%rd0+4]; ld.global.b8 %h2, [%rd0];\n\
        cvt.u64.u32 %rd1, %r1; st.global.b64 [%rd0+8], %rd1; cvt.u64.u32 %rd1, %r2; st.global.b64 [%rd0+16], %rd1;\n\
        cvt.u64.u16 %rd1, %h1; st.global.b64 [%rd0+24], %rd1; cvt.u64.u32 %rd1, %r3; st.global.b64 [%rd0+32], %rd1;\n\
        st.global.b64 [%rd0+40], %rd3; cvt.u64.u32 %rd1, %r4; st.global.b64 [%rd0+48], %rd1;\n\
        cvt.u64.u16 %rd1, %h2; st.global.b64 [%rd0+56], %rd1; st.global.b8 [%rd0+57], %r4; st.global.b16 [%rd0+60], %r4;";
    let out = run_words(1, 8, "", text).unwrap();
    assert_eq!(out[1..7], [0xf1, 0xffff_fff1, 0xf1e2, 0xffff_f1e2, 0xffff_ffff_f1e2_d3c4, 0xf1e2_d3c4]);
    assert_eq!(out[7], 0x0000_d3c4_0000_c488);
}

#[test]
fn vectors() {
    let text = "mov.b32 %r1, 1; mov.b32 %r2, 2; mov.b32 %r3, 3; mov.b32 %r4, 4;\n\
        st.global.v4.b32 [%rd0], {%r1, %r2, %r3, %r4}; ld.global.v2.b64 {%rd1, %rd2}, [%rd0]; st.global.v2.b64 [%rd0+16], {%rd2, %rd1};\n\
        ld.global.v4.b32 {%r1, _, %r3, %r4}, [%rd0+16]; st.global.v4.b32 [%rd0+32], {%r4, %r3, 9, %r1};\n\
        ld.global.v4.b16 {%h1, %h2, %h3, %h4}, [%rd0]; st.global.v4.b16 [%rd0+48], {%h4, %h3, %h2, %h1};\n\
        ld.global.v2.b8 {%h1, %h2}, [%rd0]; st.global.v4.b8 [%rd0+56], {%h2, %h1, %h1, %h1}; st.global.f32 [%rd0+60], 0f3F800000;";
    let out = run_words(1, 8, "", text).unwrap();
    let pair = |a: u64, b: u64| a | b << 32;
    assert_eq!(out[..4], [pair(1, 2), pair(3, 4), pair(3, 4), pair(1, 2)]);
    assert_eq!(out[4..6], [pair(2, 1), pair(9, 3)]);
    assert_eq!(out[6], 0x0001_0000_0002_0000);
    assert_eq!(out[7], pair(0x0101_0100, 0x3f80_0000));
}

/// 256 bits (sm_100).
#[test]
fn wide_vectors() {
    let text = "st.global.v4.b64 [%rd0], {0x200000001, 0x400000003, 0x400000003, 0x200000001};\n\
        ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, _}, [%rd0];\n\
        st.global.v8.b32 [%rd0+32], {%r7, %r6, %r5, %r4, %r3, %r2, %r1, 9};";
    let pair = |a: u64, b: u64| a | b << 32;
    assert_eq!(run_words(1, 8, "", text).unwrap()[4..], [pair(1, 4), pair(3, 4), pair(3, 2), pair(1, 9)]);
}

#[test]
fn every_space_through_generic_addresses() {
    let declarations = ".shared .align 8 .b8 s[256]; .const .align 4 .u32 c[3] = {5, 6, 7};\n\
        .global .align 8 .u64 g = 11; .global .align 8 .u64 pg = generic(g); .global .align 8 .u64 pc = c+8;";
    let body = ".local .align 8 .b8 depot[16]; .reg .u64 %SP; .reg .u64 %SPL;\n\
        mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; cvt.u64.u32 %rd20, %r60;\n\
        st.local.b64 [%SPL+8], %rd20; ld.b64 %rd9, [%SP+8];\n\
        mov.u64 %rd21, s; mul.wide.u32 %rd22, %r60, 8; add.s64 %rd21, %rd21, %rd22; st.shared.b64 [%rd21], 1000;\n\
        cvta.shared.u64 %rd23, %rd21; ld.b64 %rd24, [%rd23]; add.s64 %rd9, %rd9, %rd24;\n\
        cvta.to.shared.u64 %rd25, %rd23; ld.shared.b64 %rd24, [%rd25]; add.s64 %rd9, %rd9, %rd24;\n\
        ld.const.u32 %r1, [c+4]; cvt.u64.u32 %rd24, %r1; add.s64 %rd9, %rd9, %rd24;\n\
        ld.global.u64 %rd24, [pg]; ld.u64 %rd24, [%rd24]; add.s64 %rd9, %rd9, %rd24;\n\
        ld.global.u64 %rd24, [pc]; ld.const.u32 %r1, [%rd24]; cvt.u64.u32 %rd24, %r1; add.s64 %rd9, %rd9, %rd24;\n\
        isspacep.shared %p1, %rd23; isspacep.local %p2, %SP; isspacep.global %p3, %rd0; isspacep.shared %p4, %SP;\n\
        and.pred %p1, %p1, %p2; and.pred %p1, %p1, %p3; not.pred %p4, %p4; and.pred %p1, %p1, %p4; @!%p1 mov.u64 %rd9, 0;";
    let want: Vec<u64> = (0..32).map(|i| i + 2000 + 6 + 11 + 7).collect();
    assert_eq!(lanes(declarations, body), want);
}

#[test]
fn cache_operators_change_nothing() {
    let out = run_words(
        1,
        2,
        ".global .align 4 .u32 seven = 7;",
        "st.global.wb.b32 [%rd0], 7; st.global.L1::no_allocate.b32 [%rd0+4], 8;\n\
         ld.global.nc.L1::no_allocate.L2::128B.b32 %r1, [seven]; ld.global.L1::evict_last.b32 %r2, [%rd0+4];\n\
         add.u32 %r1, %r1, %r2; ld.global.ca.b32 %r4, [%rd0+4]; sub.u32 %r4, %r4, 8; add.u32 %r1, %r1, %r4; prefetch.global.L2 [%rd0]; ld.volatile.global.b32 %r3, [%rd0]; add.u32 %r1, %r1, %r3;\n\
         mov.u64 %rd5, 0; ld.global.L2::cache_hint.b32 %r3, [%rd0], %rd5; add.u32 %r1, %r1, %r3; st.global.b32 [%rd0+8], %r1;",
    );
    assert_eq!(out.unwrap(), [7 | 8 << 32, 29]);
}

#[test]
fn bulk_zeroes() {
    let body = "mov.u64 %rd21, s; mul.wide.u32 %rd22, %r60, 8; add.s64 %rd21, %rd21, %rd22; st.shared.b64 [%rd21], 5; bar.warp.sync -1;\n\
        setp.eq.u32 %p1, %r60, 0; mov.u64 %rd23, s; @%p1 st.bulk.weak.shared::cta [%rd23], 64, 0; bar.warp.sync -1; ld.shared.b64 %rd9, [%rd21];";
    let want: Vec<u64> = (0..32).map(|i| if i < 8 { 0 } else { 5 }).collect();
    assert_eq!(lanes(".shared .align 8 .b8 s[256];", body), want);
}

/// In accesses of 256 bits, `_` leaves elements out: they are neither written nor read, and need no memory.
#[test]
fn masked_vectors() {
    let text = "st.global.v8.b32 [%rd0], {1, 2, _, _, 5, _, 7, _}; ld.global.v8.b32 {%r1, _, %r3, _, _, _, %r7, _}, [%rd0];\n\
        add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r7; cvt.u64.u32 %rd1, %r1; st.global.v4.b64 [%rd0+32], {%rd1, 9, _, _};";
    let pair = |a: u64, b: u64| a | b << 32;
    assert_eq!(run_words(1, 6, "", text).unwrap(), [pair(1, 2), 0, 5, 7, 8, 9]);
    assert_eq!(kind("", "st.global.v8.b32 [%rd0], {_, _, 1, _, _, _, _, _};"), FaultKind::OutOfBounds);
    assert_eq!(kind("", "st.global.v8.b32 [%rd0+8], {1, _, _, _, _, _, _, _};"), FaultKind::Misaligned);
    assert_eq!(read_of_one_word("{%r1, _, _, _, _, _, _, _}"), None);
    assert_eq!(read_of_one_word("{%r2, _, _, %r1, _, _, _, _}"), Some(FaultKind::Uninitialized));
    let message = refused("ld.shared.v8.b32 {%r1, _, _, _, _, _, _, _}, [%rd1];");
    assert!(message.contains("no access of this width"), "{message}");
}

/// The fault, if any, of a read of eight words of which only the first has a value.
fn read_of_one_word(elements: &str) -> Option<FaultKind> {
    let body = format!("ld.param.b64 %rd0, [p0]; ld.global.v8.b32 {elements}, [%rd0]; st.global.b32 [%rd0], %r1;");
    let module = Module::parse(&kernel("sm_100a", 1, "", &body)).unwrap();
    let mut memory = Memory::new();
    let words = memory.alloc(32).unwrap();
    memory.write(words, &[1; 4]).unwrap();
    let result = launch(&mut memory, &module, "k", &LaunchConfig::new(1, 1), &[Arg::Ptr(words)]);
    result.err().map(|error| error.fault().unwrap().kind)
}

fn kind(declarations: &str, body: &str) -> FaultKind {
    run_words(1, 1, declarations, body).unwrap_err().fault().unwrap().kind
}

#[test]
fn bounds_of_every_space() {
    assert_eq!(kind("", "ld.global.b64 %rd1, [%rd0+8];"), FaultKind::OutOfBounds);
    assert_eq!(kind("", "ld.global.b64 %rd1, [%rd0+-8];"), FaultKind::OutOfBounds);
    assert_eq!(kind("", "mov.u64 %rd1, 16; ld.global.b64 %rd1, [%rd1];"), FaultKind::OutOfBounds);
    assert_eq!(kind("", "ld.global.b64 %rd1, [%rd0+4];"), FaultKind::Misaligned);
    assert_eq!(
        kind(".shared .align 4 .b8 s[12];", "mov.u64 %rd1, s; st.shared.b32 [%rd1+12], 0;"),
        FaultKind::OutOfBounds
    );
    assert_eq!(
        kind("", ".local .align 4 .b8 l[16]; mov.u64 %rd1, l; st.local.b32 [%rd1+16], 0;"),
        FaultKind::OutOfBounds
    );
    assert_eq!(
        kind("", ".local .align 4 .b8 l[16]; mov.u64 %rd1, l; ld.local.b32 %r1, [%rd1]; st.global.b32 [%rd0], %r1;"),
        FaultKind::Uninitialized
    );
    // A load of a word of which only the first three bytes have a value, as LLVM reads the end of an array of bytes.
    let three = ".local .align 4 .b8 l[4]; mov.u64 %rd1, l; st.local.b16 [%rd1], 0x0201; st.local.b8 [%rd1+2], 3;\n\
        ld.local.b32 %r1, [%rd1]; and.b32 %r1, %r1, 0xffffff; cvt.u64.u32 %rd2, %r1; st.global.b64 [%rd0], %rd2;";
    assert_eq!(run_words(1, 1, "", three).unwrap(), [0x0003_0201]);
    assert_eq!(kind(".const .align 4 .u32 c = 1;", "mov.u64 %rd1, c; st.b32 [%rd1], 0;"), FaultKind::Invalid);
    assert_eq!(kind("", "trap;"), FaultKind::Trap);
}
