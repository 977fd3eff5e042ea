//! Shared memory of other blocks of the cluster may be accessed only while they are known to run.

use ptx_sim::FaultKind::{CopyLeak, InFlight, Lifetime, Livelock, Race};

use super::{Shape, racy, right, run, schedules, text_for};

const PAIR: Shape = Shape { grid: 2, block: 32, cluster: 2, words: 64, dynamic: 0, map: None };
const SHARED: &str = ".shared .align 16 .b8 s[512]; .shared .align 8 .b8 b[8];";
const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";

/// Each block accesses the other's shared memory; `before` and `after` surround the access.
fn exchange(before: &str, access: &str, after: &str) -> String {
    format!(
        "mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u64 %rd1, s; cvt.u32.u64 %r3, %rd1;\n\
         mad.lo.u32 %r4, %r0, 4, %r3; mapa.shared::cluster.u32 %r5, %r4, %r2;\n\
         st.shared.b32 [%r4], %r0; {before} {access} {after}"
    )
}

#[test]
fn a_block_that_may_have_ended() {
    let accesses = [
        "ld.shared::cluster.b32 %r6, [%r5];",
        "st.shared::cluster.b32 [%r5+128], %r0;",
        "red.relaxed.cluster.shared::cluster.add.u32 [%r5], 1;",
    ];
    for access in accesses {
        racy(PAIR, SHARED, &exchange(SYNC, access, ""), Lifetime, &["ended"]);
        let arrived = "barrier.cluster.arrive.aligned;";
        racy(PAIR, SHARED, &exchange(SYNC, access, arrived), Lifetime, &["ended"]);
        right(PAIR, SHARED, &exchange(SYNC, access, SYNC));
    }
}

/// A relaxed arrival releases only what an earlier fence has prepared.
#[test]
fn a_relaxed_arrival_is_not_enough_at_the_end() {
    let relaxed = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;";
    let access = "ld.shared::cluster.b32 %r6, [%r5];";
    racy(PAIR, SHARED, &exchange(SYNC, access, relaxed), Lifetime, &["ended"]);
    right(PAIR, SHARED, &exchange(SYNC, access, &format!("fence.acq_rel.cluster; {relaxed}")));
    let narrow = format!("fence.acq_rel.cta; {relaxed}");
    racy(PAIR, SHARED, &exchange(SYNC, access, &narrow), Lifetime, &["ended"]);
}

#[test]
fn a_block_that_may_not_have_started() {
    let access = "st.shared::cluster.b32 [%r5+128], %r0;";
    racy(PAIR, SHARED, &exchange("", access, SYNC), Lifetime, &["does not know that it has started"]);
    // This access needs only that the other block has started, which a relaxed arrival guarantees.
    let relaxed = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;";
    right(PAIR, SHARED, &exchange(relaxed, access, SYNC));
}

#[test]
fn an_arrival_at_a_barrier_of_a_block_that_may_have_ended() {
    let body = |wait: &str| {
        format!(
            "mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r0, 0; @%p1 bra B; mbarrier.init.shared.b64 [b], 1;\n\
             fence.mbarrier_init.release.cluster; B: {SYNC} @%p1 exit; setp.eq.u32 %p2, %r1, 0; @%p2 bra Z;\n\
             mov.u64 %rd1, b; cvt.u32.u64 %r3, %rd1; mapa.shared::cluster.u32 %r4, %r3, 0;\n\
             mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4]; bra E; Z: {wait} E:"
        )
    };
    let wait = "W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [b], 0; @!%p3 bra W;";
    racy(PAIR, SHARED, &body(""), Lifetime, &["ended"]);
    right(PAIR, SHARED, &body(wait));
}

/// An mbarrier that another block uses needs a fence after its init, however the blocks synchronize.
#[test]
fn an_mbarrier_of_another_block_is_fenced() {
    let body = |fence: &str, sync: &str| {
        format!(
            "mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r0, 0; @%p1 bra B; mbarrier.init.shared.b64 [b], 1;\n\
             {fence} B: {sync} @%p1 exit; setp.eq.u32 %p2, %r1, 0; @%p2 bra Z;\n\
             mov.u64 %rd1, b; cvt.u32.u64 %r3, %rd1; mapa.shared::cluster.u32 %r4, %r3, 0;\n\
             mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4]; bra E;\n\
             Z: W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [b], 0; @!%p3 bra W; E:"
        )
    };
    let relaxed = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;";
    for sync in [SYNC, relaxed] {
        right(PAIR, SHARED, &body("fence.mbarrier_init.release.cluster;", sync));
        right(PAIR, SHARED, &body("fence.acq_rel.cluster;", sync));
    }
    racy(PAIR, SHARED, &body("", SYNC), Race, &["without `fence.mbarrier_init`", "mbarrier.init.shared.b64"]);
    racy(PAIR, SHARED, &body("fence.acq_rel.cta;", SYNC), Race, &["without `fence.mbarrier_init`"]);
    let copied = copy("W: mbarrier.try_wait.parity.shared.b64 %p3, [b], 0; @!%p3 bra W;", SYNC);
    let bare = copied.replace("fence.mbarrier_init.release.cluster;", "");
    racy(PAIR, SHARED, &bare, Race, &["without `fence.mbarrier_init`"]);
    right(PAIR, SHARED, &copied.replace("fence.mbarrier_init.release.cluster;", "fence.proxy.async;"));
}

/// Block 0 copies 16 bytes to block 1, which waits for them.
fn copy(wait: &str, last: &str) -> String {
    format!(
        "mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r0, 0; @%p1 bra B;\n\
         mov.u64 %rd1, s; st.shared.v2.b64 [%rd1], {{1, 2}}; fence.proxy.async.shared::cta;\n\
         mbarrier.init.shared.b64 [b], 1; fence.mbarrier_init.release.cluster;\n\
         B: {SYNC} @%p1 bra L; setp.eq.u32 %p2, %r1, 1; @%p2 bra T;\n\
         mov.u64 %rd2, b; cvt.u32.u64 %r3, %rd2; mapa.shared::cluster.u32 %r4, %r3, 1; cvt.u32.u64 %r5, %rd1;\n\
         add.u32 %r6, %r5, 16; mapa.shared::cluster.u32 %r7, %r6, 1; mov.u32 %r8, 16;\n\
         cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7], [%r5], %r8, [%r4]; bra L;\n\
         T: mbarrier.arrive.expect_tx.shared.b64 _, [b], 16; {wait} L: {last}"
    )
}

#[test]
fn a_copy_whose_source_or_target_may_be_gone() {
    let wait = "W: mbarrier.try_wait.parity.shared.b64 %p3, [b], 0; @!%p3 bra W;";
    // The source's block does not know that the copy is complete.
    racy(PAIR, SHARED, &copy(wait, ""), CopyLeak, &["block (0,0,0) may end before"]);
    // Nor does the target's block, which does not wait at all.
    racy(PAIR, SHARED, &copy("", SYNC), CopyLeak, &["may end before this operation is complete"]);
    right(PAIR, SHARED, &copy(wait, SYNC));
}

#[test]
fn a_copy_from_or_to_its_own_block() {
    let shape = Shape { grid: 1, block: 1, cluster: 1, words: 2, dynamic: 0, map: None };
    let store = |wait: &str| {
        format!(
            "mov.u64 %rd1, s; st.shared.v2.b64 [%rd1], {{1, 2}}; fence.proxy.async.shared::cta; mov.b32 %r1, 16;\n\
             cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%rd1], %r1; cp.async.bulk.commit_group; {wait}"
        )
    };
    racy(shape, SHARED, &store(""), CopyLeak, &["may end before"]);
    racy(shape, SHARED, &store("nanosleep.u32 1; cp.async.bulk.wait_group.read 1;"), CopyLeak, &["may end before"]);
    let long = "mov.u32 %r9, 0; L: add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 2000; @%p1 bra L;";
    racy(shape, SHARED, &store(long), CopyLeak, &["may end before"]);
    right(shape, SHARED, &store("cp.async.bulk.wait_group.read 0;"));
    let load = |wait: &str| {
        format!(
            "mbarrier.init.shared.b64 [b], 1; fence.proxy.async; mov.u64 %rd1, s; mov.u64 %rd2, b; mov.b32 %r1, 16;\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [b], %r1;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd0], %r1, [%rd2]; {wait}"
        )
    };
    racy(shape, SHARED, &load(long), CopyLeak, &["may end before"]);
    right(shape, SHARED, &load("W: mbarrier.try_wait.parity.shared.b64 %p3, [b], 0; @!%p3 bra W;"));
}

/// The barrier that counts a copy's bytes must be initialized, ordered before the thread that issues the copy.
#[test]
fn a_copy_whose_barrier_another_thread_makes() {
    let shape = Shape { grid: 1, block: 64, cluster: 1, words: 2, dynamic: 0, map: None };
    let body = |sync: &str| {
        format!(
            "setp.eq.u32 %p1, %r0, 0; @!%p1 bra B; mbarrier.init.shared.b64 [b], 1; fence.proxy.async; B: {sync}\n\
             setp.ne.u32 %p2, %r0, 32; @%p2 bra W; mov.u64 %rd1, s; mov.u64 %rd2, b; mov.b32 %r1, 16;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd0], %r1, [%rd2];\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [b], %r1;\n\
             W: mbarrier.try_wait.parity.shared.b64 %p3, [b], 0; @!%p3 bra W;"
        )
    };
    racy(shape, SHARED, &body(""), Race, &["mbarrier.init.shared.b64"]);
    right(shape, SHARED, &body("bar.sync 0;"));
    // A thread that has waited for the copy knows that it was issued, and may invalidate the object.
    let ended = format!(
        "{} @%p1 mbarrier.inval.shared.b64 [b];",
        body("bar.sync 0;").replace("@!%p3 bra W;", "@!%p3 bra W; bar.sync 0;")
    );
    right(shape, SHARED, &ended);
}

/// Each block stores two values in the other one, whose barrier counts them; what it reads after the wait, it may store there once more.
#[test]
fn asynchronous_stores() {
    let shape = Shape { grid: 2, block: 1, cluster: 2, ..Shape::default() };
    let shared = ".shared .align 8 .b64 b; .shared .align 16 .b8 s[16];";
    let body = |wait: &str| {
        format!(
            "mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u64 %rd1, b; cvt.u32.u64 %r3, %rd1; mov.u64 %rd2, s; cvt.u32.u64 %r4, %rd2;\n\
             mbarrier.init.shared.b64 [%r3], 1; fence.mbarrier_init.release.cluster; st.shared.u32 [%r4], 9;\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 16;\n\
             barrier.cluster.arrive; barrier.cluster.wait;\n\
             mapa.shared::cluster.u32 %r5, %r3, %r2; mapa.shared::cluster.u32 %r6, %r4, %r2; cvt.u64.u32 %rd3, %r1; add.u64 %rd4, %rd3, 5;\n\
             st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%r6], {{%rd3, %rd4}}, [%r5];\n\
             {wait}\n\
             ld.shared.v2.u64 {{%rd5, %rd6}}, [%r4]; mul.wide.u32 %rd7, %r1, 16; add.u64 %rd7, %rd0, %rd7;\n\
             st.global.v2.u64 [%rd7], {{%rd5, %rd6}}; barrier.cluster.arrive; barrier.cluster.wait;"
        )
    };
    let wait = "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra W;";
    assert_eq!(right(shape, shared, &body(wait))[..4], [Some(1), Some(6), Some(0), Some(5)]);
    let more = body(wait).replace("_, [%r3], 16", "_, [%r3], 24");
    for (wrong, schedule) in [body(""), more].iter().flat_map(|ptx| schedules().into_iter().map(move |how| (ptx, how)))
    {
        let fault = run(&text_for(shape, shared, wrong), shape, schedule).unwrap_err();
        assert!(matches!(fault.kind, InFlight | Race | Livelock), "{schedule}: {fault}");
    }
}
