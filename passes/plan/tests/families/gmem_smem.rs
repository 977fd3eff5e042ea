//! `gmem_smem`: the copies that it takes, the width of its accesses, and where each element goes.

use crate::common::build::{
    F16, F32, F64, U8, copy, cta, declined, laid_out, only, part, planned, rows, thread, vectors, vectors_with, warp,
    warpgroup, width,
};
use crate::common::oracle::Values;
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Eval};
use tile_plan::address::vector_address;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm};
use tile_plan::problem::threads::{Active, Threads};

const G: Space = Space::Global;
const S: Space = Space::Shared;

fn tile(bits: u32, threads: Threads) -> Problem {
    copy(rows(G, &[32, 32]), rows(S, &[32, 32]), bits, threads)
}

#[test]
fn element_width_sets_vector_and_rounds() {
    assert_eq!(width(&tile(F32, warp())), (4, 8));
    assert_eq!(width(&tile(F16, warp())), (8, 4));
    assert_eq!(width(&tile(U8, warp())), (16, 2));
    assert_eq!(width(&tile(F64, warp())), (2, 16));
}

#[test]
fn scope_sets_the_threads() {
    assert_eq!(width(&tile(F32, thread())), (4, 256));
    assert_eq!(width(&tile(F32, warpgroup())), (4, 2));
    assert_eq!(width(&tile(F32, cta(64))), (4, 4));
}

#[test]
fn both_directions() {
    let back = copy(rows(S, &[32, 32]), rows(G, &[32, 32]), F32, warp());
    assert_eq!(width(&back), (4, 8));
}

#[test]
fn threads_lie_side_by_side_in_a_round() {
    let (copy, narrowings) = vectors(&tile(F32, warp()));
    for (f, t) in [(0, 0), (0, 31), (3, 5), (7, 31)] {
        for role in [Role::Src, Role::Dst] {
            assert_eq!(vector_address(&mut Eval, &copy, role, f, t, &[]), Ok(128 * f + 4 * t));
        }
    }
    assert_eq!((copy.thread_iters, copy.bytes_per_thread(), narrowings), (1, 128, vec![]));
}

fn start_column(bits: u32, column: i64) -> i64 {
    let global = part(rows(G, &[32, 96]), &[(0, 32), (column, 64)]);
    width(&copy(global, rows(S, &[32, 64]), bits, warp())).0
}

#[test]
fn start_column_limits_the_width() {
    let table: [(u32, &[(i64, i64)]); 4] = [
        (F16, &[(0, 8), (8, 8), (16, 8), (4, 4), (2, 2), (6, 2), (1, 1), (3, 1)]),
        (F32, &[(0, 4), (4, 4), (8, 4), (16, 4), (2, 2), (6, 2), (1, 1), (3, 1)]),
        (U8, &[(16, 16), (8, 8), (4, 4), (2, 2), (6, 2), (1, 1)]),
        (F64, &[(0, 2), (2, 2), (6, 2), (1, 1), (3, 1)]),
    ];
    for (bits, columns) in table {
        for &(column, expected) in columns {
            assert_eq!(start_column(bits, column), expected, "{bits} bits, column {column}");
        }
    }
}

fn padded(bits: u32, global: i64, shared: i64) -> i64 {
    let side = |space, pad: i64| laid_out(space, &[32, 64], &format!("(32, 64) : ({}, 1)", 64 + pad));
    width(&copy(side(G, global), side(S, shared), bits, warp())).0
}

#[test]
fn row_padding_limits_the_width() {
    for (pad, expected) in [(0, 8), (8, 8), (4, 4), (12, 4), (2, 2), (1, 1)] {
        assert_eq!((padded(F16, pad, 0), padded(F16, 0, pad)), (expected, expected), "pad {pad}");
    }
    for (pad, expected) in [(0, 4), (4, 4), (8, 4), (12, 4), (2, 2), (1, 1)] {
        assert_eq!((padded(F32, pad, 0), padded(F32, 0, pad)), (expected, expected), "pad {pad}");
    }
}

#[test]
fn transposed_sides() {
    let plain = |space| rows(space, &[64, 64]);
    let transposed = |space| laid_out(space, &[64, 64], "(64, 64) : (1, 64)");
    assert_eq!(width(&copy(plain(G), transposed(S), F32, cta(128))), (1, 32));
    assert_eq!(width(&copy(transposed(G), plain(S), F32, cta(128))), (1, 32));
    assert_eq!(width(&copy(transposed(G), transposed(S), F32, cta(128))), (4, 8));
    let tiled = laid_out(S, &[64, 64], "(64, 8, 8) : (8, 512, 1)");
    assert_eq!(width(&copy(plain(G), tiled, F16, cta(128))), (8, 4));
}

fn swizzled(bits: u32, per_element: u32) -> i64 {
    let shared =
        laid_out(S, &[32, 64], &format!("(32, 64) : (64, 1), swizzle<base = {per_element}, bits = 3, shift = 3>"));
    width(&copy(rows(G, &[32, 64]), shared, bits, warp())).0
}

#[test]
fn a_vector_stays_in_a_swizzle_chunk() {
    let table: [(u32, &[i64]); 3] = [(F16, &[1, 2, 4, 8, 8]), (U8, &[1, 2, 4, 8, 16]), (F32, &[1, 2, 4, 4, 4])];
    for (bits, widths) in table {
        for (per_element, &expected) in (0..).zip(widths) {
            assert_eq!(swizzled(bits, per_element), expected, "{bits} bits, per_element {per_element}");
        }
    }
}

/// Global rows of 128 16-bit elements, of which 8 rows and 64 columns are copied.
fn dynamic(row: Begin, column: Begin, values: &[i64]) -> (i64, Vec<String>) {
    let global = Operand { begin: vec![row, column], extent: vec![8, 64], ..rows(G, &[64, 128]) };
    let problem = copy(global, rows(S, &[8, 64]), F16, warp());
    let values = Values { src: values.to_vec(), dst: vec![], ..Values::default() };
    let (copy, narrowings) = vectors_with(&problem, &values);
    (copy.vector, narrowings.into_iter().map(|narrowing| narrowing.cause.to_owned()).collect())
}

#[test]
fn run_time_begins_are_used_as_far_as_they_are_known() {
    let value = |divisor, residue| Begin::Dynamic { value: 0, divisor, residue };
    let zero = Begin::Const(0);
    assert_eq!(dynamic(value(1, 0), zero, &[13]).0, 8);
    let (width, causes) = dynamic(zero, value(1, 0), &[5]);
    assert_eq!((width, causes), (1, vec!["dynamic-begin-not-divisible".to_owned(); 3]));
    assert_eq!(dynamic(zero, value(8, 0), &[24]).0, 8);
    assert_eq!(dynamic(zero, value(8, 4), &[12]).0, 4);
    assert_eq!(dynamic(zero, value(2, 0), &[6]).0, 2);
}

#[test]
fn run_time_begins_inside_several_iters() {
    let tiled = laid_out(G, &[64, 8], "(4, 16, 8) : (1024, 8, 1)");
    let problem = |divisor, residue, count| {
        let begin = vec![Begin::Dynamic { value: 0, divisor, residue }, Begin::Const(0)];
        let global = Operand { begin, extent: vec![count, 8], ..tiled.clone() };
        copy(global, rows(S, &[count, 8]), F16, warp())
    };
    let from = |value| Values { src: vec![value], dst: vec![], ..Values::default() };
    assert_eq!(vectors_with(&problem(16, 0, 16), &from(32)).0.vector, 4);
    // Rows 4 to 11 of some 16: the 4 is in the offset, all else in the term.
    let (plan, _) = vectors_with(&problem(32, 20, 8), &from(52));
    assert_eq!((plan.vector, plan.side(Role::Src).layout.offset_on(Axis::Memory)), (2, 32));
    let term = DynamicTerm { value: 0, div: 16, stride: 1024, axis: tile_layout::Axis::Memory, divisor: 2, residue: 1 };
    assert_eq!(plan.side(Role::Src).dynamic, [term]);
    let decline = declined(&problem(8, 0, 16), "gmem_smem");
    assert_eq!((decline.cause, decline.operand), ("dynamic-begin-not-divisible", Some(Role::Src)));
    assert!(decline.reason.contains("≡ 0 (mod 8) inside iters of 16"), "{decline}");
}

#[test]
fn threads_need_not_divide_the_elements() {
    let shared_out = |shape: &[i64], bits, threads| {
        let plan = vectors(&copy(rows(G, shape), rows(S, shape), bits, threads)).0;
        (plan.vector_bits(), plan.rounds, plan.last())
    };
    assert_eq!(shared_out(&[4, 6], F32, warp()), (128, 1, 6));
    assert_eq!(shared_out(&[32, 32], F32, cta(96)), (128, 3, 64));
    assert_eq!(shared_out(&[33, 32], F32, cta(256)), (128, 2, 8));
    assert_eq!(shared_out(&[7, 5], F32, warp()), (32, 2, 3));
    assert_eq!(shared_out(&[7, 5], F16, cta(1024)), (16, 1, 35));
    assert_eq!(shared_out(&[1, 1], F16, warp()), (16, 1, 1));
}

/// Equal shares of narrower vectors, unless wider ones take fewer rounds.
#[test]
fn wider_vectors_are_for_fewer_rounds() {
    assert_eq!(width(&tile(F32, cta(1024))), (1, 1));
    let plan = |columns, threads| vectors(&copy(rows(G, &[32, columns]), rows(S, &[32, columns]), F16, threads)).0;
    let six = plan(6, warp());
    assert_eq!((six.vector_bits(), six.rounds, six.last()), (128, 1, 24));
    let twelve = plan(12, warp());
    assert_eq!((twelve.vector_bits(), twelve.rounds, twelve.last()), (128, 2, 16));
    let two = plan(2, warp());
    assert_eq!((two.vector_bits(), two.rounds, two.is_even()), (32, 1, true));
}

/// The rows of a tile that 256 threads copy 32 at a time: only the row moves from round to round.
#[test]
fn uneven_rounds_differ_by_a_constant() {
    let padded = laid_out(S, &[33, 32], "(33, 32) : (36, 1)");
    let (plan, _) = vectors(&copy(rows(G, &[33, 32]), padded, F32, cta(256)));
    let at = |role, f, t| vector_address(&mut Eval, &plan, role, f, t, &[]).unwrap();
    for t in 0..8 {
        assert_eq!(at(Role::Src, 1, t) - at(Role::Src, 0, t), 1024);
        assert_eq!(at(Role::Dst, 1, t) - at(Role::Dst, 0, t), 32 * 36);
    }
}

#[test]
fn other_spaces_are_declined() {
    for (src, dst) in [(G, G), (S, S), (G, Space::Local)] {
        let problem = copy(rows(src, &[32, 32]), rows(dst, &[32, 32]), F32, warp());
        let decline = declined(&problem, "gmem_smem");
        assert_eq!(decline.cause, "unsupported-spaces");
        assert!(decline.reason.contains(&format!("src={src} dst={dst}; allowed: global -> shared")), "{decline}");
    }
}

/// The active threads share the copy by their ranks.
#[test]
fn active_threads_share_the_copy() {
    let ranks = |threads| {
        let (plan, _) = vectors(&tile(F32, threads));
        let ranks = plan.ranks.as_ref().map(|ranks| (ranks.first, ranks.digits.clone()));
        (plan.threads, plan.rounds, plan.last(), ranks)
    };
    let first = |limit: i64| move |thread: i64| thread < limit;
    assert_eq!(ranks(only(cta(128), first(32))), (32, 8, 32, Some((0, vec![(32, 1)]))));
    let lanes = |set: fn(i64) -> bool| only(Threads::all(Scope::Warp, Some(128)), set);
    assert_eq!(ranks(lanes(|thread| thread % 32 >= 16)), (16, 16, 16, Some((16, vec![(16, 1)]))));
    assert_eq!(ranks(lanes(|thread| thread % 3 == 0 && thread < 32)), (11, 24, 3, Some((0, vec![(11, 3)]))));
    let boxed = only(cta(128), |thread| (8..16).contains(&(thread % 32)) && thread < 64);
    assert_eq!(ranks(boxed), (16, 16, 16, Some((8, vec![(2, 32), (8, 1)]))));
    // Warp 0 is complete, of warp 1 lanes 8 and up are active: these are active in both.
    assert_eq!(
        ranks(lanes(|thread| thread < 32 || (40..64).contains(&thread))),
        (24, 11, 16, Some((8, vec![(24, 1)])))
    );
    assert_eq!(ranks(Threads::all(Scope::Warp, Some(48))), (16, 16, 16, Some((0, vec![(16, 1)]))));
    assert_eq!(ranks(only(cta(128), |thread| thread == 7)), (1, 256, 1, Some((7, vec![]))));
}

#[test]
fn inactive_threads_are_named() {
    let decline = declined(&tile(F32, only(warp(), |lane| [0, 5, 6].contains(&lane))), "gmem_smem");
    assert_eq!(
        (decline.cause, decline.reason.as_str()),
        ("not-all-threads-active", "the warp has 3 active threads of 32")
    );
    // No lane is active in both warps.
    let apart = only(Threads::all(Scope::Warp, Some(64)), |thread| !(16..48).contains(&thread));
    assert_eq!(declined(&tile(F32, apart), "gmem_smem").cause, "not-all-threads-active");
    let whole = only(Threads::all(Scope::Warp, Some(128)), |thread| thread < 32);
    assert_eq!(width(&tile(F32, whole)), (4, 8));
    let unknown = Threads { active: Active::Unknown { why: "n < m".to_owned(), in_warps: false }, ..warp() };
    let decline = declined(&tile(F32, unknown), "gmem_smem");
    assert_eq!((decline.cause, decline.reason.contains("n < m")), ("active-unknown", true));
}

#[test]
fn alignment_and_wish_limit_the_width() {
    let loose = Operand { align_bytes: 8, ..rows(G, &[32, 32]) };
    let (plan, narrowings) = vectors(&copy(loose, rows(S, &[32, 32]), F32, warp()));
    assert_eq!((plan.vector, narrowings[0].cause, narrowings[0].bits), (2, "storage-alignment", 128));
    assert_eq!(narrowings[0].operand, Some(Role::Src));
    let narrow = Problem { max_vector_bits: 64, ..tile(F32, warp()) };
    assert_eq!(width(&narrow), (2, 16));
}

#[test]
fn narrowings_show_an_element() {
    let shared = laid_out(S, &[32, 64], "(32, 64) : (66, 1)");
    let (plan, narrowings) = vectors(&copy(rows(G, &[32, 64]), shared, F32, warp()));
    assert_eq!((plan.vector, narrowings.len()), (2, 1));
    assert_eq!((narrowings[0].cause, narrowings[0].operand), ("stride-not-divisible", Some(Role::Dst)));
    assert!(narrowings[0].reason.contains("not 66"), "{}", narrowings[0].reason);
    assert!(narrowings[0].reason.contains("is at address 66"), "{}", narrowings[0].reason);
}

#[test]
fn rounds_and_threads_need_not_meet_between_iters() {
    let side = |space, pad: i64| laid_out(space, &[16, 48], &format!("(16, 48) : ({}, 1)", 48 + pad));
    let (plan, _) = vectors(&copy(side(G, 48), side(S, 0), F32, warp()));
    assert_eq!((plan.vector, plan.rounds, plan.thread_iters), (4, 6, 0));
}

#[test]
fn sides_without_common_refinement_keep_their_order() {
    let global = laid_out(G, &[12, 32], "(4, 3, 32) : (96, 400, 1)");
    let shared = laid_out(S, &[12, 32], "(3, 4, 32) : (128, 32, 1)");
    assert_eq!(width(&copy(global, shared, F32, warp())), (4, 3));
}

#[test]
fn replicated_destinations_are_left_to_the_fallback() {
    let shared = || laid_out(S, &[32, 32], "(32, 32) : (32, 1) + R(2 : 1024)");
    let problem = copy(rows(G, &[32, 32]), shared(), F32, warp());
    assert_eq!(declined(&problem, "gmem_smem").cause, "memory-replica");
    assert_eq!(planned(&problem).variant(), "fallback");
    let back = copy(shared(), rows(G, &[32, 32]), F32, warp());
    assert_eq!(width(&back), (4, 8));
}

#[test]
fn the_swizzle_sees_the_complete_address() {
    let shared = laid_out(S, &[64, 64], "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>");
    let problem = copy(rows(G, &[8, 32]), part(shared, &[(5, 8), (24, 32)]), F16, warp());
    let (plan, _) = vectors(&problem);
    assert_eq!(plan.vector, 8);
    // Row 5, column 24: 3 chunks along, xor 5.
    assert_eq!(vector_address(&mut Eval, &plan, Role::Dst, 0, 0, &[]), Ok(5 * 64 + (3 ^ 5) * 8));
}

#[test]
fn unit_dimensions_come_and_go() {
    let global = part(rows(G, &[4, 32, 32]), &[(2, 1), (0, 32), (0, 32)]);
    assert_eq!(width(&copy(global, rows(S, &[32, 32]), F32, warp())), (4, 8));
    let column = copy(rows(G, &[64, 1]), rows(S, &[64, 1]), F32, warp());
    assert_eq!(width(&column), (2, 1));
}
