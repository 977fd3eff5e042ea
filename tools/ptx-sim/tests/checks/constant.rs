//! `ld.global.nc` and `ldu` read only what stays the same while the kernel runs.

use ptx_sim::FaultKind::Race;

use super::harness::{Shape, racy, right};

const OWN: &str = "mul.wide.u32 %rd1, %r0, 8; add.s64 %rd1, %rd0, %rd1;";

#[test]
fn what_the_thread_itself_has_written() {
    let body = |load: &str| format!("{OWN} st.global.b64 [%rd1], 5; {load}.b64 %rd2, [%rd1];");
    racy(Shape::default(), "", &body("ld.global.nc"), Race, &["itself has written", ".nc"]);
    racy(Shape::default(), "", &body("ldu.global"), Race, &["itself has written"]);
    right(Shape::default(), "", &body("ld.global"));
}

#[test]
fn what_another_thread_has_written_although_a_barrier_is_between_them() {
    let body = |load: &str| {
        format!(
            "{OWN} st.global.b64 [%rd1], 5; bar.sync 0; xor.b32 %r1, %r0, 32; mul.wide.u32 %rd2, %r1, 8;\n\
             add.s64 %rd2, %rd0, %rd2; {load}.b64 %rd3, [%rd2];"
        )
    };
    racy(Shape::default(), "", &body("ld.global.nc"), Race, &["itself has written"]);
    right(Shape::default(), "", &body("ld.global"));
}

#[test]
fn what_is_written_later() {
    let body = |load: &str| {
        format!(
            "{OWN} {load}.b64 %rd3, [%rd1]; bar.sync 0; ld.global.b64 %rd4, [%rd1]; bar.sync 0; xor.b32 %r1, %r0, 32;\n\
             mul.wide.u32 %rd2, %r1, 8; add.s64 %rd2, %rd0, %rd2; st.global.b64 [%rd2], 5;"
        )
    };
    racy(Shape::default(), "", &body("ld.global.nc"), Race, &["reads the bytes", "stay the same"]);
    right(Shape::default(), "", &body("ld.global"));
}

#[test]
fn neighbours_that_are_written_do_not_count() {
    let body = "mul.wide.u32 %rd1, %r0, 8; add.s64 %rd1, %rd0, %rd1; ld.global.nc.b32 %r1, [%rd1];\n\
        st.global.b32 [%rd1+4], %r1;";
    right(Shape::default(), "", body);
}

#[test]
fn what_an_atomic_or_a_bulk_copy_has_written() {
    let shape = Shape { block: 1, words: 4, ..Shape::default() };
    let atomic = |load: &str| format!("red.global.add.u64 [%rd0], 5; {load}.b64 %rd3, [%rd0];");
    racy(shape, "", &atomic("ld.global.nc"), Race, &["itself has written"]);
    right(shape, "", &atomic("ld.global"));
    let bulk = |load: &str| {
        format!(
            "mov.u64 %rd1, s; st.shared.v2.b64 [%rd1], {{1, 2}}; fence.proxy.async.shared::cta; mov.b32 %r1, 16;\n\
             cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%rd1], %r1; cp.async.bulk.commit_group;\n\
             cp.async.bulk.wait_group 0; {load}.b64 %rd3, [%rd0];"
        )
    };
    let shared = ".shared .align 16 .b8 s[16];";
    racy(shape, shared, &bulk("ld.global.nc"), Race, &["itself has written"]);
    right(shape, shared, &bulk("ld.global"));
}
