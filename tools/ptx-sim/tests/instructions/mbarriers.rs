//! `mbarrier` objects.

use super::run_words;
use ptx_sim::FaultKind;

const SHARED: &str = ".shared .align 8 .b8 b[16]; .shared .align 4 .b8 s[256];";

#[test]
fn phases_states_and_parity() {
    let bit = |p: &str, at: u32| format!("selp.b64 %rd20, {}, 0, {p}; add.s64 %rd9, %rd9, %rd20;\n", 1u64 << at);
    let mut body = String::from("mov.u64 %rd9, 0; mbarrier.init.shared.b64 [b], 2;\n");
    body += "mbarrier.arrive.shared.b64 %rd1, [b]; mbarrier.test_wait.shared.b64 %p1, [b], %rd1;\n";
    body += &bit("%p1", 0);
    body += "mbarrier.try_wait.parity.shared.b64 %p1, [b], 1;\n";
    body += &bit("%p1", 1);
    body += "mbarrier.arrive.release.cta.shared::cta.b64 %rd2, [b], 1; mbarrier.test_wait.acquire.cta.shared::cta.b64 %p1, [b], %rd1;\n";
    body += &bit("%p1", 2);
    body += "mbarrier.test_wait.parity.shared.b64 %p1, [b], 0;\n";
    body += &bit("%p1", 3);
    body += "mbarrier.test_wait.parity.shared.b64 %p1, [b], 1;\n";
    body += &bit("%p1", 4);
    body += "mbarrier.pending_count.b64 %r1, %rd2; cvt.u64.u32 %rd3, %r1; shl.b64 %rd3, %rd3, 8; add.s64 %rd9, %rd9, %rd3;\n";
    // Pending bytes keep the phase open after the last arrival.
    body += "mbarrier.arrive.expect_tx.shared.b64 %rd1, [b], 64; mbarrier.arrive.shared.b64 _, [b]; mbarrier.test_wait.shared.b64 %p1, [b], %rd1;\n";
    body += &bit("%p1", 16);
    body += "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 48; mbarrier.test_wait.shared.b64 %p1, [b], %rd1;\n";
    body += &bit("%p1", 17);
    body += "mbarrier.complete_tx.shared.b64 [b], 16; mbarrier.try_wait.shared.b64 %p1, [b], %rd1, 1000;\n";
    body += &bit("%p1", 18);
    // A drop lowers the count of later phases.
    body += "mbarrier.arrive_drop.shared.b64 %rd1, [b]; mbarrier.arrive.shared.b64 _, [b]; mbarrier.arrive.shared.b64 %rd1, [b];\n";
    body += "mbarrier.test_wait.shared.b64 %p1, [b], %rd1;\n";
    body += &bit("%p1", 19);
    body += "mbarrier.inval.shared.b64 [b]; st.global.b64 [%rd0], %rd9;";
    let want = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 8 | 1 << 18 | 1 << 19;
    assert_eq!(run_words(1, 1, SHARED, &body).unwrap_or_else(|e| panic!("{e}")), [want]);
}

/// One warp fills, another waits: the phase orders the data.
fn handshake(arrive: &str, wait: &str) -> Result<Vec<u64>, ptx_sim::LaunchError> {
    let body = format!(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [b], 32; bar.sync 0;\n\
         and.b32 %r2, %r1, 31; mul.wide.u32 %rd1, %r2, 8; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1;\n\
         setp.ge.u32 %p2, %r1, 32; @%p2 bra WAIT; cvt.u64.u32 %rd3, %r1; st.shared.b64 [%rd2], %rd3; {arrive} ret;\n\
         WAIT: {wait} @!%p3 bra WAIT; xor.b32 %r2, %r2, 1; mul.wide.u32 %rd4, %r2, 8; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd4;\n\
         ld.shared.b64 %rd3, [%rd2]; add.s64 %rd5, %rd0, %rd1; st.global.b64 [%rd5], %rd3;"
    );
    run_words(64, 32, ".shared .align 8 .b8 b[16]; .shared .align 8 .b8 s[256];", &body)
}

#[test]
fn a_phase_orders_unless_it_is_relaxed() {
    let wait = "mbarrier.try_wait.parity.shared.b64 %p3, [b], 0;";
    let out = handshake("mbarrier.arrive.shared.b64 _, [b];", wait).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(out, (0..32).map(|i| i ^ 1).collect::<Vec<u64>>());
    let relaxed = handshake("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [b];", wait).unwrap_err();
    assert_eq!(relaxed.fault().unwrap().kind, FaultKind::Race, "{relaxed}");
    let relaxed = "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p3, [b], 0;";
    let error = handshake("mbarrier.arrive.shared.b64 _, [b];", relaxed).unwrap_err();
    assert_eq!(error.fault().unwrap().kind, FaultKind::Race, "{error}");
    let never = handshake("", wait).unwrap_err();
    assert_eq!(never.fault().unwrap().kind, FaultKind::Livelock, "{never}");
}

#[test]
fn misuse() {
    let kind = |body: &str| run_words(1, 1, SHARED, body).unwrap_err().fault().unwrap().kind;
    assert_eq!(kind("mbarrier.arrive.shared.b64 _, [b];"), FaultKind::Uninitialized);
    assert_eq!(kind("st.shared.b64 [b], 1; mbarrier.arrive.shared.b64 _, [b];"), FaultKind::Invalid);
    assert_eq!(kind("mbarrier.init.shared.b64 [b], 0;"), FaultKind::Invalid);
    assert_eq!(kind("mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.shared.b64 _, [b], 2;"), FaultKind::Invalid);
    assert_eq!(kind("mbarrier.init.shared.b64 [b], 1; st.shared.b32 [b+4], 0;"), FaultKind::Invalid);
    assert_eq!(
        kind("mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.noComplete.shared.b64 %rd1, [b], 1;"),
        FaultKind::Invalid
    );
}
