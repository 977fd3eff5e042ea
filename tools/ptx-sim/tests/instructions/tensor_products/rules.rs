//! The synchronization that `tcgen05.mma` needs, and its errors.

use ptx_sim::FaultKind;

use super::super::errors::refused;
use super::{CASE, COMMIT, Case, WAIT};

fn fault(case: &Case, old: &str, new: &str) -> (FaultKind, String) {
    let body = case.body();
    assert!(body.contains(old), "{body}");
    match case.run("sm_100a", &body.replacen(old, new, 1)) {
        Err(error) => error.fault().map_or_else(|| panic!("{error}"), |f| (f.kind, f.detail.clone())),
        Ok(_) => panic!("a fault is expected of {new} for {old}"),
    }
}

#[test]
fn what_must_be_around_it() {
    let expect = |old: &str, new: &str, kind: FaultKind, part: &str| {
        let (got, detail) = fault(&CASE, old, new);
        assert_eq!(got, kind, "{detail}");
        assert!(detail.contains(part), "{detail}");
    };
    let (multiply, flying) = (CASE.multiply(), "does not know that it is complete");
    let after = |text: &str| format!("{multiply}{text}\n");
    // The product and the load of a warp race, whichever comes first.
    assert!([FaultKind::InFlight, FaultKind::Race].contains(&fault(&CASE, WAIT, "").0));
    expect(WAIT, &format!("@%p3 st.shared.b32 [data], %r1; {WAIT}"), FaultKind::InFlight, flying);
    expect(COMMIT, "@%p3 mbarrier.arrive.shared.b64 _, [bar];", FaultKind::InFlight, flying);
    expect("fence.proxy.async.shared::cta;", "", FaultKind::Race, "fence.proxy.async");
    expect("bar.sync 0;\ntcgen05.fence::after", "tcgen05.fence::after", FaultKind::Race, "without a barrier");
    expect("tcgen05.wait::st.sync.aligned;", "", FaultKind::InFlight, flying);
    // Products that are not ordered after each other: of another shape, with a sum that is read, of another thread.
    let narrow = Case { columns: 8, rows: 64, ..CASE };
    expect(&multiply, &after(&narrow.multiply()), FaultKind::InFlight, flying);
    let reads = multiply.replace("[%r42], %rd10", "[%r43], [%r42]");
    expect(&multiply, &after(&reads), FaultKind::InFlight, flying);
    expect(&multiply, &multiply.replace("@%p3 ", ""), FaultKind::InFlight, flying);
    // A copy is not ordered after a product.
    let copy = "@%p3 tcgen05.cp.cta_group::1.128x256b [%r42], %rd10;";
    expect(&multiply, &after(copy), FaultKind::InFlight, flying);
}

#[test]
fn misuse() {
    let expect = |old: &str, new: &str, kind: FaultKind, part: &str| {
        let (got, detail) = fault(&CASE, old, new);
        assert_eq!(got, kind, "{detail}");
        assert!(detail.contains(part), "{detail}");
    };
    let multiply = CASE.multiply();
    let before = |text: &str| format!("{text} {multiply}");
    let instruction = CASE.instruction();
    let other = |bits: u32| multiply.replace(&instruction.to_string(), &bits.to_string());
    expect(&multiply, &other(instruction | 1 << 17), FaultKind::Invalid, "N = 24 with M = 128");
    expect(&multiply, &other(instruction | 1 << 25), FaultKind::Invalid, "M = 160");
    expect(&multiply, &other(instruction | 1 << 2), FaultKind::Invalid, "sparse");
    let moved = before("add.s64 %rd10, %rd10, 8;");
    expect(&multiply, &moved, FaultKind::Invalid, "A: the descriptor begins at byte 1152");
    let version = before("xor.b64 %rd11, %rd11, 0x400000000000;");
    expect(&multiply, &version, FaultKind::Invalid, "B: bits 46 to 48");
    expect(&multiply, &before("add.s64 %rd11, %rd11, 2048;"), FaultKind::OutOfBounds, "has 41");
    expect(&multiply, &before("add.u32 %r42, %r42, 500;"), FaultKind::OutOfBounds, "columns 500 to 515");
    expect(&multiply, &before("add.u32 %r42, %r42, 0x10000;"), FaultKind::OutOfBounds, "lanes 1 to 128");
    let half = Case { rows: 64, ..CASE };
    let (kind, detail) = fault(&half, &half.multiply(), &format!("add.u32 %r42, %r42, 0x80000; {}", half.multiply()));
    assert!(kind == FaultKind::Invalid && detail.contains("begins in lane 8"), "{detail}");
    let tensor = multiply.replace(" %rd10", " [%r43]");
    expect(&multiply, &format!("add.u32 %r43, %r43, 0x10000; {tensor}"), FaultKind::Invalid, "expected lane 0, as D");
    expect(&multiply, &format!("add.u32 %r43, %r42, 8; {tensor}"), FaultKind::Invalid, "overlap");
    let unwritten = format!("add.u32 %r43, %r43, 64; {tensor}");
    expect(&multiply, &unwritten, FaultKind::Uninitialized, "column 320 of tensor memory");
    for (old, new, part) in [
        ("mma.cta", "mma.sp.cta", "`.sp` is not supported"),
        ("mma.cta_group::1", "mma.ws.cta_group::2", "`.ws` is for one block only"),
        ("kind::f16", "kind::f64", "got `.kind::f64`, supported are `.kind::f16`, "),
        ("kind::f16", "kind::f16.collector::a::use", "`.collector::a::use` is not supported"),
        ("kind::f16", "kind::f16.collector::b0::fill", "`.collector::b0::fill` is not supported"),
        ("kind::f16", "kind::f16.block_scale", "`.block_scale` is not supported"),
        ("kind::f16", "kind::f16.ashift", "`.ashift` is not supported"),
        (", %p7", ", {%r1, %r1}, %p7", "got 2 registers, expected 4"),
        (", %p7", ", %p7, 16", "got 16 as scale of D, expected at most 15"),
    ] {
        let error = refused(&CASE.multiply().replace(old, new));
        assert!(error.contains(part), "{error}");
    }
    let old = CASE.run("sm_120a", &CASE.body()).unwrap_err();
    assert!(old.to_string().contains("got the target sm_120a, expected one of sm_100a"), "{old}");
}
