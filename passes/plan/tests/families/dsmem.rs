//! `dsmem`: chunks, swizzles, requirements, and where each element goes.

use crate::common::build::{
    F16, F32, U8, copy, declined, declined_on, issued, laid_out, part, planned, rows, thread, warp,
};
use crate::common::bulk::{bulk, bulk_with};
use crate::common::oracle::Values;
use tile_isa::Space;
use tile_layout::Eval;
use tile_plan::address::bulk_address;
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;

const S: Space = Space::Shared;

fn remote(problem: &Problem) -> Problem {
    issued(problem, Completion::Barrier, |ask| ask.remote_cta = true)
}

fn between(src: Operand, dst: Operand, bits: u32) -> Problem {
    remote(&copy(src, dst, bits, thread()))
}

fn decline(problem: &Problem) -> (&'static str, String) {
    let decline = declined(problem, "dsmem");
    (decline.cause, decline.reason)
}

#[test]
fn neighbours_on_both_sides_are_one_chunk() {
    assert_eq!(bulk(&between(rows(S, &[256]), rows(S, &[256]), F16)), (1, 512));
    let padded = |pitch: i64| laid_out(S, &[8, 128], &format!("(8, 128) : ({pitch}, 1)"));
    assert_eq!(bulk(&between(padded(256), padded(512), F16)), (8, 256));
    assert_eq!(bulk(&between(padded(128), padded(128), F16)), (1, 2048));
    assert_eq!(bulk(&between(padded(128), padded(136), F16)), (8, 256));
    let columns = laid_out(S, &[64, 64], "(64, 64) : (1, 64)");
    assert_eq!(bulk(&between(columns.clone(), columns, F16)), (1, 8192));
}

#[test]
fn chunks_are_where_both_sides_have_them() {
    let side = |pitch: i64| laid_out(S, &[4, 16], &format!("(4, 16) : ({pitch}, 1) + 32"));
    let copy = bulk_with(&between(side(24), side(48), F16), &Values::default());
    for chunk in 0..4 {
        let at = |role| bulk_address(&mut Eval, &copy, role, chunk, &[]).unwrap();
        assert_eq!((at(Role::Src), at(Role::Dst)), (32 + 24 * chunk, 32 + 48 * chunk));
    }
}

#[test]
fn a_source_may_be_read_twice() {
    let twice = laid_out(S, &[2, 4, 8], "(2, 4, 8) : (0, 8, 1)");
    assert_eq!(bulk(&between(twice, rows(S, &[2, 4, 8]), F16)), (2, 64));
}

#[test]
fn chunks_are_multiples_of_16_bytes() {
    let narrow = |columns: i64| laid_out(S, &[8, columns], &format!("(8, {columns}) : (64, 1)"));
    assert_eq!(bulk(&between(narrow(8), narrow(8), F16)), (8, 16));
    assert_eq!(bulk(&between(narrow(24), narrow(24), F16)), (8, 48));
    for (columns, bytes) in [(4, 8), (12, 24)] {
        assert_eq!(
            decline(&between(narrow(columns), narrow(columns), F16)),
            ("chunk-not-16-bytes", format!("chunk_bytes={bytes}, contiguous on both sides; needed 16 or a multiple"))
        );
    }
    let transposed = laid_out(S, &[64, 64], "(64, 64) : (1, 64)");
    assert!(decline(&between(rows(S, &[64, 64]), transposed, F16)).1.starts_with("chunk_bytes=2,"));
    // A single element can be enough.
    let spread = || laid_out(S, &[4], "(4) : (2)");
    assert_eq!(bulk(&between(spread(), spread(), 128)), (4, 16));
}

#[test]
fn chunks_begin_at_multiples_of_16_bytes() {
    let window = |column| part(rows(S, &[8, 64]), &[(0, 8), (column, 32)]);
    assert_eq!(bulk(&between(window(8), rows(S, &[8, 32]), F16)), (8, 64));
    let (cause, reason) = decline(&between(window(4), rows(S, &[8, 32]), F16));
    assert_eq!(cause, "offset-not-divisible");
    assert!(reason.starts_with("its chunks begin at multiples of 16 bytes: the source"), "{reason}");
    let pitch = |pitch: i64| laid_out(S, &[8, 32], &format!("(8, 32) : ({pitch}, 1)"));
    assert_eq!(bulk(&between(pitch(40), pitch(32), F16)), (8, 64));
    assert_eq!(decline(&between(pitch(32), pitch(36), F16)).0, "stride-not-divisible");
    let loose = |align_bytes| Operand { align_bytes, ..rows(S, &[256]) };
    assert_eq!(bulk(&between(loose(16), loose(16), F16)), (1, 512));
    let decline = declined(&between(loose(16), loose(8), F16), "dsmem");
    assert_eq!((decline.cause, decline.operand), ("storage-alignment", Some(Role::Dst)));
}

fn swizzled(shape: [i64; 2], swizzle: &str) -> Operand {
    laid_out(S, &shape, &format!("({}, {}) : (64, 1), swizzle<{swizzle}>", shape[0], shape[1]))
}

#[test]
fn equal_swizzles_at_equal_phase_keep_long_chunks() {
    let same = |swizzle| between(swizzled([64, 64], swizzle), swizzled([64, 64], swizzle), F16);
    assert_eq!(bulk(&same("3, 3, 3")), (1, 8192));
    // Even where the swizzle keeps no 16 bytes together, and where low bits change high ones.
    assert_eq!(bulk(&same("0, 3, 3")), (1, 8192));
    assert_eq!(bulk(&same("3, 3, 3, outer")), (1, 8192));
    let from = |row: i64, rows: i64| part(swizzled([64, 64], "3, 3, 3"), &[(row, rows), (0, 64)]);
    assert_eq!(bulk(&between(from(3, 16), from(11, 16), F16)), (1, 2048));
}

#[test]
fn other_phases_leave_what_both_swizzles_keep_together() {
    let from = |row: i64| part(swizzled([64, 64], "3, 3, 3"), &[(row, 16), (0, 64)]);
    let copy = bulk_with(&between(from(0), from(1), F16), &Values::default());
    assert_eq!((copy.chunks(), copy.chunk_bytes()), (128, 16));
    // Row 1 of the source is row 2 of the destination; its chunk 0 is 1 along here, 2 along there.
    let at = |role| bulk_address(&mut Eval, &copy, role, 8, &[]).unwrap();
    assert_eq!((at(Role::Src), at(Role::Dst)), (64 + 8, 128 + 16));
    assert_eq!(bulk(&between(rows(S, &[64, 64]), swizzled([64, 64], "3, 3, 3"), F16)), (512, 16));
    assert_eq!(bulk(&between(rows(S, &[64, 64]), swizzled([64, 64], "4, 2, 3"), F16)), (256, 32));
    assert_eq!(bulk(&between(swizzled([64, 64], "4, 2, 3"), swizzled([64, 64], "3, 3, 3"), F16)), (512, 16));
    assert_eq!(bulk(&between(swizzled([64, 64], "3, 0, 3"), rows(S, &[64, 64]), F16)), (1, 8192));
    assert_eq!(bulk(&between(swizzled([64, 64], "2, 3, 3"), rows(S, &[64, 64]), F32)), (1024, 16));
}

#[test]
fn chunks_lie_inside_those_of_the_swizzle() {
    // The swizzle keeps 32 bytes together, but runs start in the middle of these.
    let from = |column| part(swizzled([64, 64], "4, 2, 3"), &[(0, 64), (column, 32)]);
    assert_eq!(bulk(&between(from(16), rows(S, &[64, 32]), F16)), (128, 32));
    assert_eq!(bulk(&between(from(8), rows(S, &[64, 32]), F16)), (256, 16));
    assert_eq!(bulk(&between(part(swizzled([64, 64], "4, 2, 3"), &[(0, 64), (0, 24)]), rows(S, &[64, 24]), F16)).1, 16);
}

#[test]
fn parts_of_a_block_are_no_whole_blocks() {
    let half = || part(swizzled([64, 64], "3, 3, 3"), &[(0, 64), (0, 32)]);
    assert_eq!(bulk(&between(half(), half(), F16)), (256, 16));
    let panel = || laid_out(S, &[64, 64], "(64, 64) : (128, 1), swizzle<base = 3, bits = 3, shift = 3>");
    assert_eq!(bulk(&between(panel(), panel(), F16)), (64, 128));
    let wider = laid_out(S, &[64, 64], "(64, 64) : (192, 1), swizzle<base = 3, bits = 3, shift = 3>");
    assert_eq!(bulk(&between(panel(), wider, F16)), (512, 16));
}

#[test]
fn a_swizzle_that_keeps_less_than_16_bytes_is_declined() {
    let decline = declined(&between(rows(S, &[64, 64]), swizzled([64, 64], "2, 3, 3"), F16), "dsmem");
    assert_eq!((decline.cause, decline.operand), ("swizzle-chunk-too-small", Some(Role::Dst)));
    assert!(decline.reason.contains("swizzle keeps 4 elements together; needed 8, 16 bytes"), "{decline}");
    assert_eq!(bulk(&between(rows(S, &[64, 64]), swizzled([64, 64], "4, 3, 3"), U8)), (256, 16));
}

fn from_row(swizzle: &str, divisor: i64, residue: i64) -> Operand {
    let begin = vec![Begin::Dynamic { value: 0, divisor, residue }, Begin::Const(0)];
    Operand { begin, extent: vec![8, 64], ..laid_out(S, &[64, 64], &format!("(64, 64) : (64, 1){swizzle}")) }
}

#[test]
fn run_time_begins_are_used_as_far_as_they_are_known() {
    let to = |swizzle: &str| laid_out(S, &[8, 64], &format!("(8, 64) : (64, 1){swizzle}"));
    let at = |row| Values { src: vec![row], dst: vec![], ..Values::default() };
    let plain = bulk_with(&between(from_row("", 1, 0), to(""), F16), &at(13));
    assert_eq!((plain.chunks(), plain.chunk_bytes()), (1, 1024));
    let same = ", swizzle<base = 3, bits = 3, shift = 3>";
    let known = bulk_with(&between(from_row(same, 8, 0), to(same), F16), &at(24));
    assert_eq!((known.chunks(), known.chunk_bytes()), (1, 1024));
    let other_phase = bulk_with(&between(from_row(same, 8, 3), to(same), F16), &at(27));
    assert_eq!((other_phase.chunks(), other_phase.chunk_bytes()), (64, 16));
    let unknown = bulk_with(&between(from_row(same, 4, 0), to(same), F16), &at(12));
    assert_eq!((unknown.chunks(), unknown.chunk_bytes()), (64, 16));
    let column = |divisor| {
        let begin = vec![Begin::Const(0), Begin::Dynamic { value: 0, divisor, residue: 0 }];
        between(Operand { begin, extent: vec![8, 32], ..rows(S, &[8, 64]) }, rows(S, &[8, 32]), F16)
    };
    assert_eq!(bulk_with(&column(8), &at(16)).chunk_bytes(), 64);
    assert_eq!(decline(&column(4)).0, "dynamic-begin-not-divisible");
}

#[test]
fn the_cta_and_its_mbarrier_are_named() {
    let base = copy(rows(S, &[256]), rows(S, &[256]), F16, thread());
    let near = issued(&base, Completion::Barrier, |_| {});
    assert_eq!(decline(&near).0, "remote-cta-missing");
    for completion in [Completion::Caller, Completion::Group] {
        let other = issued(&base, completion, |ask| ask.remote_cta = true);
        let expected = if completion == Completion::Caller { "mbarrier-missing" } else { "request-not-supported" };
        assert_eq!(decline(&other).0, expected);
    }
    let masked = issued(&base, Completion::Barrier, |ask| (ask.remote_cta, ask.predicated) = (true, true));
    assert_eq!(
        decline(&masked),
        ("request-not-supported", "the copy requests predicate; allowed: mbarrier, remote_cta".to_owned())
    );
}

#[test]
fn one_thread_from_shared_to_shared_on_sm_90() {
    let wide = remote(&copy(rows(S, &[256]), rows(S, &[256]), F16, warp()));
    assert_eq!(
        decline(&wide),
        ("scope-not-thread", "a bulk copy is issued by one thread and needs thread scope; got warp".to_owned())
    );
    let spaces = |src, dst| between(rows(src, &[256]), rows(dst, &[256]), F16);
    assert_eq!(decline(&spaces(Space::Global, S)).0, "unsupported-spaces");
    assert_eq!(decline(&spaces(S, Space::Local)).0, "unsupported-spaces");
    assert_eq!(declined_on(&spaces(S, S), "dsmem", "sm_89").cause, "chip-lacks-clusters");
    assert_eq!(planned(&spaces(S, S)).variant(), "dsmem");
}

#[test]
fn shares_what_every_copy_must_satisfy() {
    let replicated = laid_out(S, &[256], "(256) : (1) + R(2 : 256)");
    assert_eq!(decline(&between(rows(S, &[256]), replicated, F16)).0, "memory-replica");
    let uneven = between(laid_out(S, &[96], "(4, 24) : (24, 1)"), laid_out(S, &[96], "(3, 32) : (40, 1)"), F16);
    assert_eq!(bulk(&uneven).1 % 16, 0);
    let apart =
        between(laid_out(S, &[12, 8], "(4, 3, 8) : (32, 8, 1)"), laid_out(S, &[12, 8], "(3, 4, 8) : (40, 8, 1)"), F16);
    assert_eq!(decline(&apart).0, "no-common-refinement");
}

#[test]
fn copies_written_by_hand_are_checked() {
    let good = bulk_with(&between(rows(S, &[256]), rows(S, &[256]), F16), &Values::default());
    assert_eq!(good.verify(), Ok(()));
    let broken = |change: fn(&mut BulkCopy)| {
        let mut copy = good.clone();
        change(&mut copy);
        let error = copy.verify().unwrap_err();
        assert_eq!(error.cause, "malformed-bulk-copy");
        error.reason
    };
    assert!(broken(|copy| copy.element_bits = 12).contains("12 bits"));
    assert!(broken(|copy| copy.chunk = 4).contains("got chunks of 4 elements, expected the 256 of the last iter"));
    assert!(broken(|copy| copy.chunk = 0).contains("got chunks of 0 elements"));
    assert!(
        broken(|copy| copy.src.layout = "(64, 4) : (4, 1)".parse().unwrap()).contains("4 elements of 16 bits, 8 bytes")
    );
    assert!(broken(|copy| copy.src.space = Space::Local).contains("got local to shared"));
    assert!(broken(|copy| copy.dst.layout.shard[0].extent = -1).contains("extent"));
    assert!(broken(|copy| copy.dst.align_bytes = 0).contains("expected at least 1"));
    assert!(broken(|copy| copy.dst.layout = "(2, 256) : (256, 1)".parse().unwrap()).contains("[2, 256]"));
    assert!(
        broken(|copy| copy.src.layout = "(256) : (1), swizzle<base = 3, bits = 3, shift = 3>".parse().unwrap())
            .contains("the 8 that its swizzle")
    );
}
