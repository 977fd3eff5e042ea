//! Accesses are checked against the bounds of variables, not only those of a block's shared memory.

use ptx_sim::FaultKind::OutOfBounds;

use super::{Shape, racy, right};

const ONE: Shape = Shape { grid: 1, block: 1, cluster: 1, words: 4, dynamic: 0, map: None };
const TWO: &str = ".shared .align 8 .b8 s[64]; .shared .align 8 .b8 t[64];";

#[test]
fn an_access_that_runs_into_the_next_variable() {
    // Both kernels access both variables, so that both are allocated.
    let body = |offset: u32| {
        format!(
            "st.shared.b64 [t], 0; mov.u64 %rd1, s; mov.u64 %rd2, {offset}; add.s64 %rd3, %rd1, %rd2; st.shared.b64 [%rd3], 1;"
        )
    };
    racy(ONE, TWO, &body(64), OutOfBounds, &["derived from `s`, which is bytes 0 to 64"]);
    right(ONE, TWO, &body(56));
    let back = "st.shared.b64 [s], 0; mov.u64 %rd1, t; add.s64 %rd3, %rd1, -8; st.shared.b64 [%rd3], 1;";
    racy(ONE, TWO, back, OutOfBounds, &["derived from `t`"]);
    let offset = "st.shared.b64 [s], 0; mov.u64 %rd1, t; st.shared.b64 [%rd1+-8], 1;";
    racy(ONE, TWO, offset, OutOfBounds, &["derived from `t`"]);
}

#[test]
fn a_loop_that_goes_too_far() {
    let body = |count: u32| {
        format!(
            "st.shared.b64 [t], 0; mov.u64 %rd1, s; mov.u32 %r1, 0;\n\
             L: st.shared.b64 [%rd1], 1; add.s64 %rd1, %rd1, 8; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {count};\n\
             @%p1 bra L;"
        )
    };
    racy(ONE, TWO, &body(9), OutOfBounds, &["bytes 64 to 72", "derived from `s`"]);
    right(ONE, TWO, &body(8));
}

#[test]
fn generic_addresses_32_bit_ones_and_other_instructions() {
    let accesses = [
        "cvta.shared.u64 %rd4, %rd3; st.b64 [%rd4], 1;",
        "cvt.u32.u64 %r3, %rd3; st.shared.b64 [%r3], 1;",
        "red.shared.add.u64 [%rd3], 1;",
        "cp.async.ca.shared.global [%rd3], [%rd0], 8; cp.async.wait_all;",
        "mbarrier.init.shared.b64 [%rd3], 1;",
        "st.shared.v2.b32 [%rd3], {1, 2};",
    ];
    for access in accesses {
        let body = |offset: u32| {
            format!(
                "st.shared.v2.b64 [t], {{0, 0}}; st.shared.b64 [s+56], 0; mov.u64 %rd1, s; add.s64 %rd3, %rd1, {offset}; {access}"
            )
        };
        racy(ONE, TWO, &body(64), OutOfBounds, &["derived from `s`"]);
        right(ONE, TWO, &body(56));
    }
}

/// An address that may be derived from either of two variables may be in either, but not in the gap between them.
#[test]
fn addresses_of_one_or_the_other() {
    let vars = ".shared .align 8 .b8 s[60]; .shared .align 8 .b8 t[64]; .shared .align 8 .b8 u[8];";
    let body = |offset: u32| {
        format!(
            "st.shared.b64 [u], 0; ld.global.b64 %rd5, [%rd0]; setp.eq.u64 %p1, %rd5, 0; mov.u64 %rd1, s; mov.u64 %rd2, t;\n\
             selp.b64 %rd3, %rd1, %rd2, %p1; add.s64 %rd3, %rd3, {offset}; st.shared.b32 [%rd3], 1;"
        )
    };
    right(ONE, vars, &body(56));
    right(ONE, vars, &body(64));
    racy(ONE, vars, &body(60), OutOfBounds, &["derived from `s`", "or from `t`"]);
    racy(ONE, vars, &body(128), OutOfBounds, &["derived from `s`", "or from `t`"]);
}

/// Legal patterns: a pointer from memory, a difference of pointers, one array that a kernel divides.
#[test]
fn what_is_legal_stays_so() {
    let through_memory = "st.shared.b64 [s], 0; mov.u64 %rd1, t; st.global.b64 [%rd0], %rd1; ld.global.b64 %rd2, [%rd0];\n\
        mov.u64 %rd3, s; setp.eq.u32 %p1, %r0, 0; selp.b64 %rd3, %rd2, %rd3, %p1; st.shared.b64 [%rd3+8], 1;\n\
        st.shared.b64 [%rd2], 1; add.s64 %rd2, %rd2, -64; st.shared.b64 [%rd2], 1;";
    right(ONE, TWO, through_memory);
    let difference = "mov.u64 %rd1, s; mov.u64 %rd2, t; sub.s64 %rd3, %rd2, %rd1; add.s64 %rd4, %rd1, %rd3;\n\
        st.shared.b64 [%rd4+56], 1;";
    right(ONE, TWO, difference);
    let dynamic = ".shared .align 8 .b8 s[8]; .extern .shared .align 16 .b8 a[]; .extern .shared .align 16 .b8 c[];";
    let divided = |offset: u32| {
        format!(
            "st.shared.b64 [s], 0; mov.u64 %rd1, a; add.s64 %rd2, %rd1, {offset}; st.shared.b64 [%rd2], 1; mov.u64 %rd3, c;\n\
             ld.shared.b64 %rd4, [%rd3+{offset}];"
        )
    };
    let shape = Shape { dynamic: 256, ..ONE };
    right(shape, dynamic, &divided(248));
    racy(shape, dynamic, &divided(256), OutOfBounds, &["256 B"].map(|_| "272"));
    racy(
        shape,
        dynamic,
        &divided(8).replace("%rd1, {offset}", "%rd1, -16").replace("%rd1, 8", "%rd1, -16"),
        OutOfBounds,
        &["derived from `a`"],
    );
}

/// An access through an address of unknown origin must still be inside one variable.
#[test]
fn an_address_from_nowhere() {
    let vars = ".shared .align 4 .b8 s[60]; .shared .align 4 .b8 t[64];";
    let body =
        |at: u32| format!("st.shared.b32 [s], 0; st.shared.b32 [t], 0; mov.u32 %r1, {at}; st.shared.b64 [%r1], 1;");
    racy(ONE, vars, &body(56), OutOfBounds, &["no variable contains all of them"]);
    right(ONE, vars, &body(48));
    right(ONE, vars, &body(64));
}

/// Each thread's local memory is its own: a generic address of it is of no use to another thread.
#[test]
fn local_memory_of_another_thread() {
    let block = Shape { grid: 1, block: 64, cluster: 1, words: 64, dynamic: 0, map: None };
    let body = |distance: u32, access: &str| {
        format!(
            ".local .align 8 .b8 l[16]; mov.u64 %rd1, l; cvta.local.u64 %rd2, %rd1; st.local.b64 [%rd1+8], 5;\n\
             mul.wide.u32 %rd3, %r0, 8; add.s64 %rd4, %rd0, %rd3; st.global.b64 [%rd4], %rd2; bar.sync 0;\n\
             xor.b32 %r1, %r0, {distance}; mul.wide.u32 %rd3, %r1, 8; add.s64 %rd5, %rd0, %rd3;\n\
             ld.global.b64 %rd6, [%rd5]; add.s64 %rd6, %rd6, 8; {access}"
        )
    };
    let load = "ld.b64 %rd7, [%rd6]; bar.sync 0; st.global.b64 [%rd4], %rd7;";
    let store = "st.b64 [%rd6], 6; ld.local.b64 %rd7, [%rd1+8]; bar.sync 0; st.global.b64 [%rd4], %rd7;";
    let local = "cvta.to.local.u64 %rd6, %rd6; ld.local.b64 %rd7, [%rd6]; bar.sync 0; st.global.b64 [%rd4], %rd7;";
    for (access, value) in [(load, 5), (store, 6), (local, 5)] {
        assert_eq!(right(block, "", &body(0, access)), vec![Some(value); 64]);
        for distance in [1, 32] {
            racy(block, "", &body(distance, access), OutOfBounds, &["local memory"]);
        }
    }
}

/// Each block's shared memory is its own: a generic address of it is of no use to a block outside of the cluster, and to
/// one inside only as `mapa` makes it.
#[test]
fn shared_memory_of_another_block() {
    let shared = ".shared .align 8 .b8 s[16];";
    let made = "mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; st.shared.b64 [%rd1+8], 5; mov.u32 %r1, %ctaid.x;";
    let load = "ld.b64 %rd7, [%rd6]; st.global.b64 [%rd4], %rd7;";
    let store = "st.b64 [%rd6], 5; ld.b64 %rd7, [%rd6]; st.global.b64 [%rd4], %rd7;";
    let by_window = "cvta.to.shared.u64 %rd6, %rd6; ld.shared.b64 %rd7, [%rd6]; st.global.b64 [%rd4], %rd7;";
    let blocks = Shape { grid: 2, block: 1, cluster: 1, words: 8, dynamic: 0, map: None };
    let alone = |user: u32, access: &str| {
        format!(
            "{made} add.s64 %rd4, %rd0, 16; setp.ne.u32 %p0, %r1, 0; @%p0 bra USE;\n\
             st.global.b64 [%rd0], %rd2; st.release.gpu.global.b32 [%rd0+8], 1;\n\
             USE: setp.ne.u32 %p1, %r1, {user}; @%p1 bra DONE;\n\
             WAIT: ld.acquire.gpu.global.b32 %r2, [%rd0+8]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT;\n\
             ld.global.b64 %rd6, [%rd0]; add.s64 %rd6, %rd6, 8; {access}\n\
             DONE:"
        )
    };
    let sync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    let cluster = |map: &str, access: &str| {
        format!(
            "{made} {map} mul.wide.u32 %rd3, %r1, 8; add.s64 %rd4, %rd0, %rd3; st.global.b64 [%rd4+32], %rd2; {sync}\n\
             xor.b32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 8; add.s64 %rd5, %rd0, %rd3;\n\
             ld.global.b64 %rd6, [%rd5+32]; add.s64 %rd6, %rd6, 8; {access} {sync}"
        )
    };
    for access in [load, store, by_window] {
        assert_eq!(right(blocks, shared, &alone(0, access))[2], Some(5));
        racy(blocks, shared, &alone(1, access), OutOfBounds, &["that block 0 has made", "a thread of block 1 uses it"]);
        let both = Shape { cluster: 2, ..blocks };
        racy(both, shared, &cluster("", access), OutOfBounds, &["that block", "uses it"]);
    }
    let both = Shape { cluster: 2, ..blocks };
    assert_eq!(right(both, shared, &cluster("mapa.u64 %rd2, %rd2, %r1;", load))[..2], [Some(5); 2]);
}

/// A compiler may leave an access behind a condition that never holds: it is a fault only where it is executed.
#[test]
fn a_direct_access_beyond_a_variable() {
    let body = |limit: u32| {
        format!(
            "st.shared.b64 [s], 0; st.shared.b64 [t], 0; mov.u32 %r1, {limit}; setp.gt.u32 %p1, %r1, 0; @%p1 bra E; ld.shared.b64 %rd1, [s+64]; E: ret;"
        )
    };
    right(ONE, TWO, &body(1));
    racy(ONE, TWO, &body(0), OutOfBounds, &["derived from `s`"]);
}
