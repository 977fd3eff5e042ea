//! Changes of tensor maps are released, acquired and not made before copies through the map are complete.

use ptx_sim::FaultKind::{InFlight, Race};

use super::{Shape, racy, right, run, schedules, text_for};

/// The tensor is the first 64 words of the array, and 128 bytes behind it hold the map that the kernel changes.
const ONE: Shape =
    Shape { grid: 1, block: 64, cluster: 1, words: 96, dynamic: 0, map: Some("type=u64,dims=4x16,box=4x4") };

const SHARED: &str = ".shared .align 1024 .b8 s[1024]; .shared .align 128 .b8 m[128]; .shared .align 8 .b8 b[16];";

/// Thread 0 initializes the barrier; the first 16 threads copy the kernel's map to shared memory, and thread `t` of each block
/// writes word `t` of the tensor, which a bulk copy then may read.
const BEGIN: &str = "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u64 %rd2, s; mov.u64 %rd3, b; mov.u64 %rd4, m;\n\
    mul.wide.u32 %rd5, %r0, 8; add.s64 %rd6, %rd1, %rd5; add.s64 %rd7, %rd4, %rd5; add.s64 %rd8, %rd0, 512;\n\
    setp.ne.u32 %p0, %r0, 0; setp.lt.u32 %p2, %r0, 16; setp.ge.u32 %p3, %r0, 32; mov.u32 %r1, %ctaid.x;\n\
    @!%p0 mbarrier.init.shared.b64 [b], 1; @!%p0 fence.mbarrier_init.release.cluster;\n\
    @%p2 ld.b64 %rd9, [%rd6]; @%p2 st.shared.b64 [%rd7], %rd9; bar.sync 0;\n";
/// The map then begins at the tensor's fifth row.
const REPLACE: &str = "add.s64 %rd10, %rd0, 128;\n\
    @!%p0 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%rd4], %rd10;\n";
const MEET: &str = "bar.warp.sync 0xffffffff;\n";
/// The first warp copies the map.
const COPY: &str = "@%p3 bra C; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned \
    [%rd8], [%rd4], 128; C:\n";
const ACQUIRE: &str = "@!%p0 fence.proxy.tensormap::generic.acquire.gpu [%rd8], 128;\n";
const STORE: &str = "@!%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd8, {0, 0}], [%rd2];\n\
    @!%p0 cp.async.bulk.commit_group;\n";
/// The first 16 threads write what the store reads.
const FILL: &str = "add.s64 %rd11, %rd2, %rd5; add.s64 %rd12, %rd5, 7; @%p2 st.shared.b64 [%rd11], %rd12;\n\
    fence.proxy.async; bar.sync 0;\n";
const DRAIN: &str = "@!%p0 cp.async.bulk.wait_group 0;\n";
const LOAD: &str = "@!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [b], 128;\n\
    @!%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%rd2], [%rd8, {0, 0}], [%rd3];\n";
const WAIT: &str = "W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra W;\n";
/// Thread 0 changes the map in global memory.
const IN_PLACE: &str = "@!%p0 tensormap.replace.tile.global_dim.global.b1024.b32 [%rd8], 1, 2;\n";
const RELEASE: &str = "@!%p0 fence.proxy.tensormap::generic.release.gpu;\n";

fn body(parts: &[&str]) -> String {
    [&[BEGIN], parts].concat().concat()
}

#[test]
fn a_map_that_a_warp_copies_is_acquired() {
    let left = right(ONE, SHARED, &body(&[REPLACE, MEET, COPY, ACQUIRE, FILL, STORE, DRAIN]));
    let expected: Vec<_> = (0..16).map(|word| Some(8 * word + 7)).collect();
    assert_eq!((&left[16..32], left[15], left[32]), (&expected[..], Some(0), Some(0)));
    racy(
        ONE,
        SHARED,
        &body(&[REPLACE, MEET, COPY, FILL, STORE, DRAIN]),
        Race,
        &[
            "were written by",
            "tensormap.cp_fenceproxy",
            "without `fence.proxy.tensormap::generic.acquire`",
            "use of a tensor map",
        ],
    );
    let other = ACQUIRE.replace("[%rd8]", "[%rd8+128]");
    let two = Shape { words: 112, ..ONE };
    racy(
        two,
        SHARED,
        &body(&[REPLACE, MEET, COPY, &other, FILL, STORE, DRAIN]),
        Race,
        &["generic.acquire` of the map"],
    );
    // The acquire comes before what it should see.
    racy(
        ONE,
        SHARED,
        &body(&[REPLACE, MEET, ACQUIRE, COPY, FILL, STORE, DRAIN]),
        Race,
        &["generic.acquire` of the map"],
    );
    // Another thread of the block may acquire, if the issuer is ordered after it.
    let second = ACQUIRE.replace("@!%p0", "@%p3");
    right(ONE, SHARED, &body(&[REPLACE, MEET, COPY, "bar.sync 0;", &second, FILL, STORE, DRAIN]));
    racy(
        ONE,
        SHARED,
        &body(&[REPLACE, MEET, COPY, "bar.sync 0;", FILL, &second, STORE, DRAIN]),
        Race,
        &["generic.acquire`"],
    );
}

#[test]
fn lanes_meet_before_one_of_them_copies_what_another_has_replaced() {
    let words = ["were written by", "tensormap.replace", "without a barrier"];
    racy(ONE, SHARED, &body(&[REPLACE, COPY, ACQUIRE, FILL, STORE, DRAIN]), Race, &words);
}

#[test]
fn a_map_that_is_changed_in_place_is_released_and_acquired() {
    let made = [REPLACE, MEET, COPY, ACQUIRE].concat();
    let all = |parts: &[&str]| body(&[&[&made, FILL], parts, &[STORE, DRAIN]].concat());
    let left = right(ONE, SHARED, &all(&[IN_PLACE, RELEASE, ACQUIRE]));
    assert_eq!((left[23], left[24]), (Some(63), Some(0)), "two rows");
    racy(ONE, SHARED, &all(&[IN_PLACE, RELEASE]), Race, &["tensormap.replace", "generic.acquire` of the map"]);
    racy(
        ONE,
        SHARED,
        &all(&[IN_PLACE, ACQUIRE]),
        Race,
        &["tensormap.replace", "without `fence.proxy.tensormap::generic.release`"],
    );
    racy(ONE, SHARED, &all(&[IN_PLACE]), Race, &["without `fence.proxy.tensormap::generic.release`"]);
    // A fence of threads is none of maps.
    let plain = "@!%p0 fence.acq_rel.sys; @!%p0 fence.proxy.async;\n";
    racy(ONE, SHARED, &all(&[IN_PLACE, plain, ACQUIRE]), Race, &["without `fence.proxy.tensormap::generic.release`"]);
    // Another thread changes it.
    let other = |text: &str| text.replace("@!%p0", "setp.eq.u32 %p4, %r0, 40; @%p4");
    let (change, release) = (other(IN_PLACE), other(RELEASE));
    right(ONE, SHARED, &all(&["bar.sync 0;", &change, &release, "bar.sync 0;", ACQUIRE]));
    // Either may come first.
    let at_once = text_for(ONE, SHARED, &all(&["bar.sync 0;", &change, &release, ACQUIRE]));
    for schedule in schedules() {
        let fault = run(&at_once, ONE, schedule).unwrap_err();
        assert!(matches!(fault.kind, Race | InFlight), "{schedule}: {fault}");
    }
    right(ONE, SHARED, &all(&["bar.sync 0;", &change, "bar.sync 0;", RELEASE, ACQUIRE]));
}

#[test]
fn a_map_stays_until_copies_through_it_are_complete() {
    let made = [REPLACE, MEET, COPY, ACQUIRE].concat();
    let again = [IN_PLACE, RELEASE, ACQUIRE].concat();
    let before = |words: &[&str], parts: &[&str]| {
        let text = body(&[&[&made[..]], parts].concat());
        racy(ONE, SHARED, &text, InFlight, words);
    };
    before(&["asynchronously", "this thread does not know"], &[FILL, STORE, &again, DRAIN]);
    let read = "@!%p0 cp.async.bulk.wait_group.read 0;\n";
    right(ONE, SHARED, &body(&[&made, FILL, STORE, read, &again, DRAIN]));
    before(&["the asynchronous instruction", "this thread has not waited for"], &[LOAD, &again, WAIT]);
    right(ONE, SHARED, &body(&[&made, LOAD, WAIT, &again]));
}

#[test]
fn scopes_include_both_blocks() {
    let pair = Shape { grid: 2, cluster: 2, ..ONE };
    let meet = "barrier.cluster.arrive; barrier.cluster.wait;\n";
    // Block 0 makes the map, and block 1 uses it.
    let only = |rank: u32, label: &str, part: &str| {
        format!("setp.ne.u32 %p5, %r1, {rank}; @%p5 bra {label};\n{part}\n{label}:\n")
    };
    let whole = |copy: &str, acquire: &str| {
        let made = only(0, "M", &[REPLACE, MEET, copy].concat());
        let used = only(1, "U", &[FILL, acquire, STORE, DRAIN].concat());
        body(&[&made, meet, &used])
    };
    for scope in ["cluster", "gpu", "sys"] {
        let with = |text: &str| text.replace(".gpu", &format!(".{scope}"));
        right(pair, SHARED, &whole(&with(COPY), &with(ACQUIRE)));
        let narrow = COPY.replace("release.gpu", "release.cta");
        racy(
            pair,
            SHARED,
            &whole(&narrow, &with(ACQUIRE)),
            Race,
            &["without `fence.proxy.tensormap::generic.release`"],
        );
        let narrow = ACQUIRE.replace("acquire.gpu", "acquire.cta");
        racy(pair, SHARED, &whole(&with(COPY), &narrow), Race, &["in a scope that includes both"]);
    }
    // The acquire is made by the other block.
    let made = only(0, "M", &[REPLACE, MEET, COPY, ACQUIRE].concat());
    let used = only(1, "U", &[FILL, STORE, DRAIN].concat());
    racy(pair, SHARED, &body(&[&made, meet, &used]), Race, &["generic.acquire` of the map in this block"]);
}
