//! A missing barrier is reported as a race, whichever thread comes first; a missing proxy fence is reported by name.
//! Constant loads (`ld.global.nc` and `ldu`) may read only bytes that stay the same while the kernel runs, even with
//! barriers.

use ptx_sim::FaultKind::{InFlight, Race, Uninitialized};

use super::{Shape, racy, right, run, schedules, text};

const BLOCK: Shape = Shape { grid: 1, block: 64, cluster: 1, words: 64, dynamic: 0, map: None };
const SHARED: &str = ".shared .align 16 .b8 s[512]; .shared .align 8 .b8 b[8];";
/// A word for each thread, in `%rd1`.
const OWN: &str = "mul.wide.u32 %rd1, %r0, 8; add.s64 %rd1, %rd0, %rd1;";

/// Warp 1 writes what warp 0 reads.
fn handed(read: &str, between: &str) -> String {
    format!(
        "mov.u64 %rd1, s; and.b32 %r1, %r0, 31; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd1, %rd1, %rd2;\n\
         setp.lt.u32 %p1, %r0, 32; @%p1 bra R; st.shared.b64 [%rd1], 9; R: {between} @!%p1 bra E; {read} E:"
    )
}

#[test]
fn the_reader_may_come_first() {
    for read in [
        "ld.shared.b64 %rd3, [%rd1]; red.global.add.u64 [%rd0], %rd3;",
        "ld.shared.b32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra E; red.global.add.u32 [%rd0], 1;",
        "ld.shared.b64 %rd3, [%rd1]; ld.global.b32 %r4, [%rd3];",
        "atom.shared.add.u64 %rd3, [%rd1], 1;",
    ] {
        racy(BLOCK, SHARED, &handed(read, ""), Race, &["st.shared.b64", "without"]);
    }
    // An asynchronous copy that reads them is still in flight, or complete without any thread having waited.
    let copy = "setp.ne.u32 %p3, %r0, 0; @%p3 bra E; mov.u32 %r5, 16; fence.proxy.async;\n\
        cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%rd1], %r5; cp.async.bulk.commit_group;\n\
        cp.async.bulk.wait_group 0;";
    for schedule in schedules() {
        let fault = run(&text(SHARED, &handed(copy, "")), BLOCK, schedule).unwrap_err();
        assert!(matches!(fault.kind, Race | InFlight), "{schedule}: {fault}");
    }
    right(BLOCK, SHARED, &handed("ld.shared.b64 %rd3, [%rd1]; red.global.add.u64 [%rd0], %rd3;", "bar.sync 0;"));
    // No thread writes at all, or only after a barrier.
    let never = handed("ld.shared.b64 %rd3, [%rd1+256]; red.global.add.u64 [%rd0], %rd3;", "");
    racy(BLOCK, SHARED, &never, Uninitialized, &["has never been written"]);
    let later = "mov.u64 %rd1, s; ld.shared.b64 %rd3, [%rd1]; bar.sync 0; st.shared.b64 [%rd1], %rd3;";
    racy(
        Shape { block: 1, ..BLOCK },
        SHARED,
        later,
        Uninitialized,
        &["offset 0 of shared memory has never been written"],
    );
}

#[test]
fn a_barrier_object_that_is_used_before_it_is_there() {
    let body = |sync: &str| {
        format!(
            "setp.ne.u32 %p1, %r0, 32; @%p1 bra B; mbarrier.init.shared.b64 [b], 64;\n\
             B: {sync} mbarrier.arrive.shared.b64 %rd1, [b]; W: mbarrier.test_wait.shared.b64 %p2, [b], %rd1; @!%p2 bra W;"
        )
    };
    racy(BLOCK, SHARED, &body(""), Race, &["mbarrier."]);
    right(BLOCK, SHARED, &body("bar.sync 0;"));
}

/// A bulk load of 16 bytes over bytes that were written before.
fn overwritten(before: &str, fence: &str) -> String {
    format!(
        "mov.u64 %rd1, s; mov.u64 %rd2, b; {before} mbarrier.init.shared.b64 [b], 1; {fence} mov.b32 %r1, 16;\n\
         mbarrier.arrive.expect_tx.shared.b64 _, [b], %r1;\n\
         cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd0], %r1, [%rd2];\n\
         W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra W; ld.shared.b64 %rd3, [%rd1];"
    )
}

#[test]
fn an_asynchronous_write_over_a_generic_one() {
    let one = Shape { block: 1, ..BLOCK };
    let store = "st.shared.v2.b64 [%rd1], {1, 2};";
    racy(one, SHARED, &overwritten(store, ""), Race, &["without `fence.proxy.async`", "`st.shared.v2.b64`"]);
    right(one, SHARED, &overwritten(store, "fence.proxy.async;"));
    right(one, SHARED, &overwritten("", ""));
    // A generic read before it needs no fence: pipelines return buffers in this way, through an mbarrier alone.
    right(one, SHARED, &overwritten(&format!("{store} fence.proxy.async; ld.shared.b64 %rd3, [%rd1];"), ""));
}

#[test]
fn an_asynchronous_read_of_what_cp_async_wrote() {
    // `cp.async` writes through the generic proxy: that it is complete does not make its bytes visible to a bulk copy.
    let body = |fence: &str| {
        format!(
            "mov.u64 %rd1, s; cp.async.cg.shared.global [%rd1], [%rd0], 16; cp.async.wait_all; {fence}\n\
             mov.u32 %r1, 16; cp.async.bulk.global.shared::cta.bulk_group [%rd0+16], [%rd1], %r1;\n\
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
        )
    };
    let one = Shape { block: 1, ..BLOCK };
    racy(one, SHARED, &body(""), Race, &["without `fence.proxy.async`", "`cp.async.cg.shared.global`"]);
    right(one, SHARED, &body("fence.proxy.async.shared::cta;"));
}

#[test]
fn an_asynchronous_read_of_global_memory_that_was_written_generically() {
    let one = Shape { block: 1, ..BLOCK };
    let store = "st.global.v2.b64 [%rd0], {1, 2};";
    racy(one, SHARED, &overwritten(store, ""), Race, &["without `fence.proxy.async`", "`st.global.v2.b64`"]);
    right(one, SHARED, &overwritten(store, "fence.proxy.async.global;"));
}

/// The first thread of each block copies bytes that its block wrote to the same 16 bytes of global memory.
fn gathered(copy: &str, before: &str) -> String {
    format!(
        "mov.u64 %rd1, s; setp.ne.u32 %p1, %r0, 0; @%p1 bra B; st.shared.v2.b64 [%rd1], {{1, 2}}; {before}\n\
         B: bar.sync 0; @%p1 bra E; mov.b32 %r1, 16; {copy} [%rd0], [%rd1], %r1;\n\
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E:"
    )
}

#[test]
fn reductions_of_several_blocks_do_not_race_but_copies_do() {
    let two = Shape { grid: 2, ..BLOCK };
    let (fence, plain) = ("fence.proxy.async.shared::cta;", "cp.async.bulk.global.shared::cta.bulk_group");
    let add = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64";
    right(two, SHARED, &gathered(add, fence));
    // The second copy finds the first one in flight, or complete but not ordered before it.
    let collide = |body: &str| {
        for schedule in schedules() {
            let fault = run(&text(SHARED, body), two, schedule).unwrap_err();
            assert!(matches!(fault.kind, Race | InFlight), "{schedule}: {fault}");
        }
    };
    collide(&gathered(plain, fence));
    racy(two, SHARED, &gathered(add, ""), Race, &["without `fence.proxy.async`", "`st.shared.v2.b64`"]);
    // Updates of words of different sizes are not atomic with each other.
    let other = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
    let mixed = gathered(add, fence).replace(
        &format!("{add} [%rd0]"),
        &format!(
            "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p2, %r2, 0; @%p2 {other} [%rd0], [%rd1], %r1; @!%p2 {add} [%rd0]"
        ),
    );
    collide(&mixed);
}

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
