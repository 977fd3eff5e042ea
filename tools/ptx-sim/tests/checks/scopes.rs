//! A release and an acquire order threads of different blocks only if both scopes include both threads.

use ptx_sim::FaultKind::Race;

use super::{Shape, racy, right};

const PAIR: Shape = Shape { grid: 2, block: 32, cluster: 2, words: 64, dynamic: 0, map: None };
const APART: Shape = Shape { cluster: 1, ..PAIR };
const SHARED: &str = ".shared .align 16 .b8 s[512]; .shared .align 8 .b8 b[8];";
const SYNC: &str = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
const SCOPES: [&str; 4] = ["cta", "cluster", "gpu", "sys"];

/// Block 1 writes to the shared memory of block 0, and arrives at its mbarrier; block 0 waits and reads.
fn arrival(arrive: &str, wait: &str) -> String {
    format!(
        "mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p1, %r0, 0; @%p1 bra B; mbarrier.init.shared.b64 [b], 1;\n\
         fence.mbarrier_init.release.cluster; B: {SYNC} @%p1 bra E; setp.eq.u32 %p2, %r1, 0; @%p2 bra Z;\n\
         mov.u64 %rd1, b; cvt.u32.u64 %r3, %rd1; mapa.shared::cluster.u32 %r4, %r3, 0;\n\
         mov.u64 %rd2, s; cvt.u32.u64 %r5, %rd2; mapa.shared::cluster.u32 %r6, %r5, 0;\n\
         st.shared::cluster.b32 [%r6], 7; mbarrier.arrive{arrive}.shared::cluster.b64 _, [%r4]; bra E;\n\
         Z: W: mbarrier.try_wait.parity{wait}.shared.b64 %p3, [b], 0; @!%p3 bra W; ld.shared.b32 %r8, [s];\n\
         red.global.add.u32 [%rd0], %r8; E: {SYNC}"
    )
}

#[test]
fn of_arrivals_and_waits_at_an_mbarrier() {
    right(PAIR, SHARED, &arrival(".release.cluster", ".acquire.cluster"));
    // Without a scope, an mbarrier's is that of the block.
    for arrive in ["", ".release.cta", ".relaxed.cluster"] {
        racy(PAIR, SHARED, &arrival(arrive, ".acquire.cluster"), Race, &["st.shared::cluster.b32", "without"]);
    }
    for wait in ["", ".acquire.cta", ".relaxed.cluster"] {
        racy(PAIR, SHARED, &arrival(".release.cluster", wait), Race, &["st.shared::cluster.b32", "without"]);
    }
}

/// The threads of one block are in every scope.
#[test]
fn of_an_mbarrier_in_one_block() {
    let body = |arrive: &str, wait: &str| {
        format!(
            "setp.ne.u32 %p1, %r0, 0; @%p1 bra B; mbarrier.init.shared.b64 [b], 1; B: bar.sync 0;\n\
             setp.eq.u32 %p2, %r0, 32; @%p2 bra Z; @%p1 bra E; st.shared.b32 [s], 7;\n\
             mbarrier.arrive.release.{arrive}.shared.b64 _, [b]; bra E;\n\
             Z: W: mbarrier.try_wait.parity.acquire.{wait}.shared.b64 %p3, [b], 0; @!%p3 bra W;\n\
             ld.shared.b32 %r8, [s]; red.global.add.u32 [%rd0], %r8; E: bar.sync 0;"
        )
    };
    let shape = Shape { grid: 1, block: 64, ..APART };
    for arrive in &SCOPES[..2] {
        for wait in &SCOPES[..2] {
            right(shape, SHARED, &body(arrive, wait));
        }
    }
}

/// Block 0 writes to global memory and sets a flag; block 1 polls it and reads.
fn flag(set: &str, poll: &str) -> String {
    format!(
        "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r0, 0; @%p1 bra E; setp.eq.u32 %p2, %r1, 1; @%p2 bra W;\n\
         st.global.b32 [%rd0], 7; {set} bra E;\n\
         W: {poll} setp.eq.u32 %p3, %r8, 0; @%p3 bra W; ld.global.b32 %r9, [%rd0]; st.global.b32 [%rd0+8], %r9; E:"
    )
}

/// Whether two scopes include each other's thread, by their positions in `SCOPES`.
fn inclusive(a: usize, b: usize, shape: Shape) -> bool {
    a.min(b) >= if shape.cluster == 2 { 1 } else { 2 }
}

#[test]
fn of_releases_acquires_and_fences() {
    for shape in [PAIR, APART] {
        for (a, set) in SCOPES.iter().enumerate() {
            for (b, poll) in SCOPES.iter().enumerate() {
                let plain = flag(
                    &format!("st.release.{set}.global.b32 [%rd0+4], 1;"),
                    &format!("ld.acquire.{poll}.global.b32 %r8, [%rd0+4];"),
                );
                let fenced = flag(
                    &format!("fence.acq_rel.{set}; st.relaxed.sys.global.b32 [%rd0+4], 1;"),
                    &format!("ld.relaxed.sys.global.b32 %r8, [%rd0+4]; fence.acq_rel.{poll};"),
                );
                // A narrow order of one word that others access, too, is a race of these accesses themselves.
                for body in [plain, fenced] {
                    if inclusive(a, b, shape) {
                        right(shape, "", &body);
                    } else {
                        racy(shape, "", &body, Race, &["without a barrier or an ordering atomic"]);
                    }
                }
            }
        }
    }
}
