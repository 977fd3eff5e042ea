//! `cp.async` sizes, groups and zero-filling; `cp.async.bulk` rules; `mapa`.

use super::{kernel, run_words, target};
use crate::support::launch_text;
use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

const SHARED: &str = ".shared .align 128 .b8 s[256]; .shared .align 8 .b8 b[8];";

#[test]
fn sizes_and_zero_fill() {
    let body = "st.global.v2.b64 [%rd0], {0x1111222233334444, 0x5555666677778888}; mov.u64 %rd1, s;\n\
        cp.async.ca.shared.global [%rd1], [%rd0], 4; cp.async.ca.shared.global [%rd1+8], [%rd0+8], 8;\n\
        cp.async.cg.shared.global.L2::128B [%rd1+16], [%rd0], 16; mov.b32 %r1, 4; cp.async.cg.shared::cta.global [%rd1+32], [%rd0], 16, %r1;\n\
        setp.eq.u32 %p1, %r1, 4; cp.async.ca.shared.global [%rd1+48], [%rd0], 8, %p1; cp.async.wait_all;\n\
        ld.shared.b32 %r2, [%rd1]; cvt.u64.u32 %rd2, %r2; ld.shared.b64 %rd3, [%rd1+8]; ld.shared.v2.b64 {%rd4, %rd5}, [%rd1+16];\n\
        ld.shared.v2.b64 {%rd6, %rd7}, [%rd1+32]; ld.shared.b64 %rd8, [%rd1+48];\n\
        st.global.v2.b64 [%rd0+32], {%rd2, %rd3}; st.global.v2.b64 [%rd0+48], {%rd4, %rd5}; st.global.v2.b64 [%rd0+64], {%rd6, %rd7}; st.global.b64 [%rd0+80], %rd8;";
    let out = run_words(1, 11, SHARED, body).unwrap_or_else(|e| panic!("{e}"));
    let (a, b) = (0x1111_2222_3333_4444, 0x5555_6666_7777_8888);
    assert_eq!(out[4..], [0x3333_4444, b, a, b, 0x3333_4444, 0, 0]);
}

/// Three groups: with one pending, the first two may be read and the third may not.
#[test]
fn groups_complete_in_order() {
    let body = |read: u32| {
        format!(
            "mov.u64 %rd1, s; cp.async.ca.shared.global [%rd1], [%rd0], 8; cp.async.commit_group;\n\
             cp.async.ca.shared.global [%rd1+8], [%rd0], 8; cp.async.commit_group; cp.async.ca.shared.global [%rd1+16], [%rd0], 8;\n\
             cp.async.commit_group; cp.async.wait_group 1; ld.shared.b64 %rd2, [%rd1+{read}];\n\
             st.shared.b64 [%rd1+24], %rd2;"
        )
    };
    for (read, good) in [(0, true), (8, true), (16, false)] {
        let result = run_words(1, 1, SHARED, &body(read));
        assert_eq!(result.as_ref().err().map(|e| e.fault().unwrap().kind), (!good).then_some(FaultKind::InFlight));
    }
}

#[test]
fn overwriting_a_copy_that_is_under_way() {
    let kind = |body: &str| run_words(1, 1, SHARED, body).unwrap_err().fault().unwrap().kind;
    assert_eq!(
        kind("mov.u64 %rd1, s; cp.async.ca.shared.global [%rd1], [%rd0], 8; st.shared.b32 [%rd1+4], 1;"),
        FaultKind::InFlight
    );
    let twice =
        "mov.u64 %rd1, s; cp.async.ca.shared.global [%rd1], [%rd0], 8; cp.async.ca.shared.global [%rd1], [%rd0], 8;";
    assert_eq!(kind(twice), FaultKind::InFlight);
    assert_eq!(kind("mov.u64 %rd1, s; cp.async.ca.shared.global [%rd1+4], [%rd0], 8;"), FaultKind::Misaligned);
}

#[test]
fn rules_of_bulk_copies() {
    let kind = |bytes: u32, offset: u32| {
        let body = format!(
            "mbarrier.init.shared.b64 [b], 1; mov.u64 %rd1, s; mov.u64 %rd2, b; mov.b32 %r1, {bytes};\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [b], %r1;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1+{offset}], [%rd0], %r1, [%rd2];\n\
             W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra W;"
        );
        run_words(1, 16, SHARED, &body).err().map(|e| e.fault().unwrap().kind)
    };
    assert_eq!(kind(128, 128), None);
    assert_eq!(kind(8, 0), Some(FaultKind::Invalid));
    assert_eq!(kind(32, 8), Some(FaultKind::Misaligned));
    assert_eq!(kind(64, 224), Some(FaultKind::OutOfBounds));
    assert_eq!(kind(144, 0), Some(FaultKind::OutOfBounds));
}

/// A store that overwrites the bytes that a bulk store still reads.
#[test]
fn a_bulk_store_owns_its_source_until_it_is_read() {
    let body = |wait: &str, after: &str| {
        format!(
            "mov.u64 %rd1, s; st.shared.v2.b64 [%rd1], {{1, 2}}; fence.proxy.async.shared::cta; mov.b32 %r1, 16;\n\
             cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%rd1], %r1; cp.async.bulk.commit_group; {wait}\n\
             {after} cp.async.bulk.wait_group 0;"
        )
    };
    let run = |wait, after| run_words(1, 2, SHARED, &body(wait, after)).map_err(|e| e.fault().unwrap().kind);
    let (store, load) = ("st.shared.b64 [%rd1+8], 9;", "ld.global.b64 %rd5, [%rd0]; st.shared.b64 [%rd1+64], %rd5;");
    assert_eq!(run("", store), Err(FaultKind::InFlight));
    assert_eq!(run("cp.async.bulk.wait_group.read 0;", store), Ok(vec![1, 2]));
    // `.read` guarantees nothing about the destination.
    assert_eq!(run("cp.async.bulk.wait_group.read 0;", load), Err(FaultKind::InFlight));
    assert_eq!(run("cp.async.bulk.wait_group 0;", load), Ok(vec![1, 2]));
}

/// One bulk reduction of two words, with the setup that it needs.
fn reduce(how: &str, old: [u64; 2], new: [u64; 2]) -> Vec<u64> {
    let body = format!(
        "st.global.v2.b64 [%rd0], {{{}, {}}}; mov.u64 %rd1, s; st.shared.v2.b64 [%rd1], {{{}, {}}};\n\
         fence.proxy.async; mov.b32 %r1, 16; createpolicy.fractional.L2::evict_first.b64 %rd2;\n\
         cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.{how} [%rd0], [%rd1], %r1, %rd2;\n\
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        old[0], old[1], new[0], new[1]
    );
    run_words(1, 2, SHARED, &body).unwrap_or_else(|e| panic!("{how}: {e}"))
}

#[test]
fn bulk_reductions_of_every_width() {
    let halves = |a: u64, b: u64| a | b << 32;
    assert_eq!(reduce("add.u64", [1, u64::MAX], [2, 1]), [3, 0]);
    assert_eq!(reduce("add.u32", [halves(u64::from(u32::MAX), 5), 0], [halves(1, 6), 1]), [halves(0, 11), 1]);
    assert_eq!(reduce("min.s64", [(-5i64) as u64, 3], [4, 2]), [(-5i64) as u64, 2]);
    assert_eq!(reduce("max.u32", [halves(7, 1), 0], [halves(3, 9), 0]), [halves(7, 9), 0]);
    assert_eq!(reduce("xor.b64", [6, 0], [3, 8]), [5, 8]);
    assert_eq!(reduce("inc.u32", [halves(4, 2), 0], [halves(4, 4), 0]), [halves(0, 3), 0]);
    let f32s = |a: f32, b: f32| halves(u64::from(a.to_bits()), u64::from(b.to_bits()));
    assert_eq!(reduce("add.f32", [f32s(1.5, -2.0), 0], [f32s(2.0, 0.5), 0]), [f32s(3.5, -1.5), 0]);
    // 1 and -2 in f16, 1 and -2 in bf16.
    assert_eq!(reduce("add.noftz.f16", [0x3c00, 0], [0xc000, 0]), [0xbc00, 0]);
    assert_eq!(reduce("min.f16", [0x3c00, 0], [0xc000, 0]), [0xc000, 0]);
    assert_eq!(reduce("max.bf16", [0x3f80, 0], [0xc000, 0]), [0x3f80, 0]);
}

/// A wait that leaves more groups pending than there are returns immediately.
#[test]
fn a_wait_for_any_number_of_groups() {
    for pending in [0, 1, 1 << 32, u64::MAX] {
        for wait in ["cp.async.wait_group", "cp.async.bulk.wait_group", "cp.async.bulk.wait_group.read"] {
            let body = format!(
                "mov.u64 %rd1, s; cp.async.ca.shared.global [%rd1], [%rd0], 8; cp.async.commit_group; {wait} {pending};"
            );
            run_words(1, 1, SHARED, &body).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// Prefetches of lines count lines, each once for a warp request; those in bulk count their bytes.
#[test]
fn prefetches_are_counted() {
    let counts = |body: &str| {
        let text = kernel(target(body), 1, "", &format!("ld.param.b64 %rd0, [p0];\n{body}"));
        let mut memory = Memory::new();
        let out = memory.alloc(1024).unwrap();
        let report = launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 8), &[Arg::Ptr(out)])?;
        let total = report.total;
        Ok::<_, LaunchError>((total.global_bytes, total.sectors))
    };
    let at = |step: u32, hint: &str| {
        format!("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, {step}; add.s64 %rd1, %rd0, %rd1; {hint}")
    };
    assert_eq!(counts(&at(128, "prefetch.global.L2 [%rd1];")).unwrap(), (1024, 32));
    assert_eq!(counts(&at(64, "prefetch.global.L2 [%rd1];")).unwrap(), (1024, 16));
    // An address beyond the memory is no error of a line, and one of a chunk.
    assert_eq!(counts(&at(256, "prefetch.global.L2 [%rd1];")).unwrap(), (1024, 32));
    let bulk = |step, bytes| counts(&at(step, &format!("cp.async.bulk.prefetch.L2.global [%rd1], {bytes};")));
    assert_eq!(bulk(128, 128).unwrap(), (1024, 0));
    let kind = |step, bytes| bulk(step, bytes).unwrap_err().fault().unwrap().kind;
    assert_eq!((kind(256, 16), kind(128, 24)), (FaultKind::OutOfBounds, FaultKind::Invalid));
    assert_eq!(kind(8, 16), FaultKind::Misaligned);
}
