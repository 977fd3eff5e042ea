//! Copies of boxes of tensors are ordered like all bulk copies: by barriers, groups and proxy fences.

use ptx_sim::FaultKind::{CopyLeak, InFlight, Lifetime, Livelock, Race};

use super::{Shape, racy, right, run, schedules, text_for};

/// A tensor of 16 rows of 32 bytes, in boxes of 4 rows; narrow boxes of half a row leave gaps in shared memory.
const ONE: Shape =
    Shape { grid: 1, block: 64, cluster: 1, words: 64, dynamic: 0, map: Some("type=u64,dims=4x16,box=4x4") };
const NARROW: Shape = Shape { map: Some("type=u64,dims=4x16,box=2x4,swizzle=32"), ..ONE };

const SHARED: &str = ".shared .align 1024 .b8 s[1024]; .shared .align 8 .b8 b[16];";

/// Thread 0 initializes the barrier.
const BEGIN: &str = "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u64 %rd2, s; mov.u64 %rd3, b;\n\
    mul.wide.u32 %rd4, %r0, 8; add.s64 %rd4, %rd2, %rd4; setp.ne.u32 %p0, %r0, 0;\n\
    @!%p0 mbarrier.init.shared.b64 [b], 1; @!%p0 fence.mbarrier_init.release.cluster; bar.sync 0;\n";
/// Thread 0 loads 128 bytes, or 64 of a narrow box.
const LOAD: &str = "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [b], 128;\n\
    @!%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%rd2], [%rd1, {0, 4}], [%rd3];\n";
const WAIT: &str = "W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra W;\n";
const STORE: &str = "@!%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {0, 4}], [%rd2];\n\
    @!%p0 cp.async.bulk.commit_group;\n";
/// Threads 0 to 15 write the words that `STORE` stores.
const FILL: &str = "setp.lt.u32 %p2, %r0, 16; cvt.u64.u32 %rd5, %r0; @%p2 st.shared.b64 [%rd4], %rd5;\n";
/// They use the words that `LOAD` loads.
const USE: &str = "setp.lt.u32 %p2, %r0, 16; @%p2 ld.shared.b64 %rd6, [%rd4]; @%p2 red.global.add.u64 [%rd0], %rd6;\n";
const FENCE: &str = "fence.proxy.async; bar.sync 0;\n";
const DRAIN: &str = "@!%p0 cp.async.bulk.wait_group 0;\n";

fn body(parts: &[&str]) -> String {
    [&[BEGIN], parts].concat().concat()
}

#[test]
fn a_load_is_waited_for_by_each_reader() {
    right(ONE, SHARED, &body(&[LOAD, WAIT, USE]));
    racy(ONE, SHARED, &body(&[LOAD, USE, WAIT]), InFlight, &["this thread has not waited for", "cp.async.bulk.tensor"]);
    // One thread has waited for it; the others know only through a barrier of the block.
    let by_one = WAIT.replace("W:", "@%p0 bra E; W:").replace("bra W;", "bra W; E:");
    racy(ONE, SHARED, &body(&[LOAD, &by_one, USE]), InFlight, &["this thread has not waited for"]);
    right(ONE, SHARED, &body(&[LOAD, &by_one, "bar.sync 0;", USE]));
}

#[test]
fn a_stage_is_not_used_again_before_the_load_is_complete() {
    racy(ONE, SHARED, &body(&[LOAD, FILL, WAIT]), InFlight, &["this thread has not waited for"]);
    let (_, once_more) = LOAD.split_once('\n').unwrap();
    let both = LOAD.replace("_, [b], 128", "_, [b], 256");
    racy(ONE, SHARED, &body(&[&both, once_more, WAIT]), InFlight, &["this thread has not waited for"]);
    // Other threads have read the stage, and nothing tells the issuer.
    let again = LOAD.replace("{0, 4}", "{0, 8}");
    let second = WAIT.replace("W", "X").replace(", 0;", ", 1;");
    racy(ONE, SHARED, &body(&[LOAD, WAIT, USE, &again, &second]), Race, &["were read by", "ld.shared.b64"]);
    right(ONE, SHARED, &body(&[LOAD, WAIT, USE, "bar.sync 0;", &again, &second]));
}

#[test]
fn a_store_sees_what_a_proxy_fence_makes_visible() {
    right(ONE, SHARED, &body(&[FILL, FENCE, STORE, DRAIN]));
    racy(ONE, SHARED, &body(&[FILL, "bar.sync 0;", STORE, DRAIN]), Race, &["without `fence.proxy.async`", "st.shared"]);
    racy(ONE, SHARED, &body(&[FILL, "fence.proxy.async;", STORE, DRAIN]), Race, &["without a barrier", "st.shared"]);
    // The fence must be on the side of the writers, or follow the barrier on the side of the issuer.
    right(ONE, SHARED, &body(&[FILL, "bar.sync 0; fence.proxy.async;", STORE, DRAIN]));
    // A load of what threads have written to global memory.
    let write = "@!%p0 st.global.b64 [%rd0+128], 7;\n";
    racy(ONE, SHARED, &body(&[write, LOAD, WAIT]), Race, &["without `fence.proxy.async`", "st.global"]);
    right(ONE, SHARED, &body(&[write, "fence.proxy.async;", LOAD, WAIT]));
}

#[test]
fn the_two_ways_to_wait_for_a_store() {
    let read = "@!%p0 cp.async.bulk.wait_group.read 0; bar.sync 0;\n";
    let all = "@!%p0 cp.async.bulk.wait_group 0; bar.sync 0;\n";
    let used = "ld.global.b64 %rd7, [%rd0+128]; st.global.b64 [%rd0], %rd7;\n";
    let used = format!("@%p0 bra F; {used} F:");
    racy(ONE, SHARED, &body(&[FILL, FENCE, STORE, "bar.sync 0;", FILL, DRAIN]), InFlight, &["asynchronously"]);
    right(ONE, SHARED, &body(&[FILL, FENCE, STORE, read, FILL, DRAIN]));
    racy(
        ONE,
        SHARED,
        &body(&[FILL, FENCE, STORE, read, &used, DRAIN]),
        InFlight,
        &["does not know that it is complete"],
    );
    right(ONE, SHARED, &body(&[FILL, FENCE, STORE, all, &used]));
    racy(ONE, SHARED, &body(&[FILL, FENCE, STORE]), CopyLeak, &["none of its threads waits"]);
}

#[test]
fn only_bytes_of_the_box_are_used() {
    let load = LOAD.replace("128", "64");
    // Odd chunks are gaps, as long as address bit 7 does not exchange the two.
    let gaps = "setp.eq.u32 %p3, %r0, 2; @%p3 st.shared.b64 [%rd4], 5;\n";
    right(NARROW, SHARED, &body(&[&load, gaps, WAIT]));
    racy(NARROW, SHARED, &body(&[&load, &gaps.replace("%r0, 2", "%r0, 4"), WAIT]), InFlight, &["asynchronous"]);
    // Rows outside the tensor are written, too.
    let below = load.replace("{0, 4}", "{0, 16}");
    racy(NARROW, SHARED, &body(&[&below, &gaps.replace("%r0, 2", "%r0, 4"), WAIT]), InFlight, &["asynchronous"]);
}

#[test]
fn bytes_that_are_not_expected() {
    racy(ONE, SHARED, &body(&[&LOAD.replace("128", "144"), WAIT]), Livelock, &["polls memory that no thread changes"]);
    // Bytes outside the tensor are counted.
    right(ONE, SHARED, &body(&[&LOAD.replace("{0, 4}", "{0, 14}"), WAIT]));
}

#[test]
fn blocks_that_write_the_same_bytes() {
    let two = Shape { grid: 2, ..ONE };
    racy(two, SHARED, &body(&[FILL, FENCE, STORE, DRAIN]), InFlight, &["asynchronously"]);
    let reduce =
        STORE.replace("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor").replace("cta.tile", "cta.add.tile");
    let left = right(two, SHARED, &body(&[FILL, FENCE, &reduce, DRAIN]));
    assert_eq!(left[16..32], (0..16).map(|word| Some(2 * word)).collect::<Vec<_>>());
    let other = STORE.replace("{0, 4}", "{0, %r5}");
    right(two, SHARED, &body(&[FILL, FENCE, "mov.u32 %r5, %ctaid.x; shl.b32 %r5, %r5, 2;", &other, DRAIN]));
}

#[test]
fn multicast_to_the_same_offset_of_each_block() {
    let pair = Shape { grid: 2, cluster: 2, ..ONE };
    let expect = "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [b], 128;\n";
    let load = "mov.u32 %r5, %cluster_ctarank; setp.eq.u32 %p4, %r5, 0; and.pred %p4, %p4, %p5; mov.b16 %h1, 3;\n\
        @%p4 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster \
        [%rd2], [%rd1, {0, 4}], [%rd3], %h1;\n";
    let load = format!("setp.eq.u32 %p5, %r0, 0; {load}");
    let meet = "barrier.cluster.arrive; barrier.cluster.wait;\n";
    let fill = "@!%p0 st.global.b64 [%rd0+128], 7; fence.proxy.async;\n";
    let used = "add.s64 %rd8, %rd0, 256; ld.shared.b64 %rd6, [%rd2]; @!%p0 red.global.add.u64 [%rd0+256], %rd6;\n";
    let rank_0 = format!("mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p6, %r6, 0; @%p6 bra G; {fill} G:\n");
    let left = right(pair, SHARED, &body(&[&rank_0, expect, meet, &load, WAIT, used, meet]));
    assert_eq!(left[32], Some(14), "each block has received the same bytes");
    racy(
        pair,
        SHARED,
        &body(&[&rank_0, expect, &load, WAIT, used, meet]),
        Lifetime,
        &["barrier of the cluster is missing"],
    );
    // Whether the other block reads before or after the copy is issued, nothing orders the two.
    let early = text_for(pair, SHARED, &body(&[&rank_0, expect, meet, &load, used, WAIT, meet]));
    for schedule in schedules() {
        let fault = run(&early, pair, schedule).unwrap_err();
        assert!(matches!(fault.kind, Race | InFlight), "{schedule}: {fault}");
    }
}

#[test]
fn barriers_of_other_blocks() {
    use ptx_sim::FaultKind::Invalid;
    let pair = Shape { grid: 2, cluster: 2, ..ONE };
    let meet = "barrier.cluster.arrive; barrier.cluster.wait;\n";
    // Block 1 fetches data for itself, and block 0 is told.
    let load = |group: &str| {
        format!(
            "mov.u32 %r5, %cluster_ctarank; setp.eq.u32 %p4, %r5, 1; setp.eq.u32 %p5, %r0, 0; and.pred %p4, %p4, %p5;\n\
             mapa.shared::cluster.u64 %rd8, %rd3, 0;\n\
             @%p4 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{group} \
             [%rd2], [%rd1, {{0, 4}}], [%rd8];\n"
        )
    };
    let expect = "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [b], %r6;\n";
    let bytes = "mov.u32 %r6, %cluster_ctarank; sub.u32 %r6, 1, %r6; shl.b32 %r6, %r6, 7;\n";
    right(pair, SHARED, &body(&[bytes, expect, meet, &load(".cta_group::2"), WAIT, meet]));
    for group in ["", ".cta_group::1"] {
        let expected = "got a barrier in block 0 of the cluster, expected block 1, which receives the data";
        racy(pair, SHARED, &body(&[bytes, expect, meet, &load(group), WAIT, meet]), Invalid, &[expected]);
    }
}
