//! `ldgsts`: the copies that it takes, the width of its accesses, the requests that it honours, and where each element
//! goes.

use crate::common::build::{
    F16, F32, F64, U8, copy, cta, declined, declined_on, issued, laid_out, only, part, planned, rows, thread, vectors,
    warp, warpgroup, width,
};
use tile_isa::{Cache, Space};
use tile_layout::{Eval, counted};
use tile_plan::address::vector_address;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::role::Role;

const G: Space = Space::Global;
const S: Space = Space::Shared;

fn plain(problem: &Problem) -> Problem {
    issued(problem, Completion::Caller, |_| {})
}

fn tile(shape: &[i64], bits: u32) -> Problem {
    plain(&copy(rows(G, shape), rows(S, shape), bits, warp()))
}

fn decline(problem: &Problem) -> (&'static str, String) {
    let decline = declined(problem, "ldgsts");
    (decline.cause, decline.reason)
}

#[test]
fn takes_what_gmem_smem_takes_in_its_widths() {
    for (bits, expected) in [(F64, (2, 16)), (F32, (4, 8)), (F16, (8, 4)), (U8, (16, 2))] {
        let problem = tile(&[32, 32], bits);
        assert_eq!(planned(&problem).variant(), "ldgsts");
        assert_eq!(width(&problem), expected);
    }
    let other = |threads| plain(&copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, threads));
    assert_eq!([thread(), warpgroup(), cta(64)].map(|threads| width(&other(threads))), [(4, 256), (4, 2), (4, 4)]);
}

#[test]
fn threads_lie_side_by_side_in_a_round() {
    let (copy, _) = vectors(&tile(&[32, 32], F32));
    for (f, t) in [(0, 0), (0, 31), (3, 5), (7, 31)] {
        for role in [Role::Src, Role::Dst] {
            assert_eq!(vector_address(&mut Eval, &copy, role, f, t, &[]), Ok(128 * f + 4 * t));
        }
    }
}

#[test]
fn four_bytes_are_the_least() {
    // A thread's share may be less, or odd: some threads copy 16 bytes.
    assert_eq!(width(&tile(&[32, 6], F16)), (8, 1));
    assert_eq!(width(&tile(&[32, 6], U8)), (16, 1));
    assert_eq!(width(&tile(&[33, 32], F16)), (8, 5));
    assert_eq!(width(&tile(&[32, 3], F64)), (2, 2));
    // Rows of 6 bytes, 8 apart, do not divide into 4 bytes.
    let apart = copy(laid_out(G, &[32, 6], "(32, 6) : (8, 1)"), rows(S, &[32, 6]), U8, warp());
    let (cause, reason) = decline(&plain(&apart));
    assert_eq!(cause, "share-under-4-bytes");
    assert_eq!(
        reason,
        "cp.async moves 4, 8 or 16 bytes; 4 are not possible: the source holds runs of 6 elements; needed a multiple of 4"
    );
}

#[test]
fn the_side_at_fault_is_named() {
    let problem = |column| {
        let global = part(rows(G, &[32, 96]), &[(0, 32), (column, 64)]);
        plain(&copy(global, rows(S, &[32, 64]), F16, warp()))
    };
    assert_eq!([0, 8, 4, 2].map(|column| width(&problem(column)).0), [8, 8, 4, 2]);
    let decline = declined(&problem(1), "ldgsts");
    assert_eq!((decline.cause, decline.operand), ("share-under-4-bytes", Some(Role::Src)));
    let swizzled = |per_element: u32| {
        let shared =
            laid_out(S, &[32, 64], &format!("(32, 64) : (64, 1), swizzle<base = {per_element}, bits = 3, shift = 3>"));
        plain(&copy(rows(G, &[32, 64]), shared, F16, warp()))
    };
    assert_eq!([3, 2, 1].map(|per_element| width(&swizzled(per_element)).0), [8, 4, 2]);
    let decline = declined(&swizzled(0), "ldgsts");
    assert_eq!(decline.operand, Some(Role::Dst));
    assert!(decline.reason.contains("the destination's swizzle keeps 1 element together; needed 2"), "{decline}");
}

#[test]
fn the_wish_for_narrow_vectors_is_kept() {
    let limited = |bits, max_vector_bits| Problem { max_vector_bits, ..tile(&[32, 32], bits) };
    assert_eq!([128, 64, 32].map(|limit| width(&limited(F16, limit)).0), [8, 4, 2]);
    assert_eq!(
        decline(&limited(F16, 16)),
        ("vector-limit-under-4-bytes", "cp.async moves 32, 64 or 128 bits; vectors are limited to 16".to_owned())
    );
    // One element is never too wide.
    assert_eq!([F32, F64].map(|bits| width(&limited(bits, 16)).0), [1, 1]);
}

#[test]
fn needs_sm_80() {
    let decline = declined_on(&tile(&[32, 32], F32), "ldgsts", "sm_75");
    assert_eq!(
        (decline.cause, decline.reason.as_str()),
        ("chip-lacks-cp-async", "cp.async needs sm_80 or later; got sm_75")
    );
    let target = crate::common::build::chip("sm_80");
    assert_eq!(select(&tile(&[32, 32], F32), &target).unwrap().0.variant(), "ldgsts");
}

#[test]
fn goes_from_global_to_shared_only() {
    for (src, dst) in [(S, G), (S, S), (G, G), (G, Space::Local), (S, Space::Tmem)] {
        let (cause, reason) = decline(&plain(&copy(rows(src, &[32, 32]), rows(dst, &[32, 32]), F32, warp())));
        assert_eq!(cause, "unsupported-spaces");
        assert_eq!(reason, format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared"));
    }
}

#[test]
fn shares_the_conditions_of_gmem_smem() {
    let with = |threads| plain(&copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, threads));
    assert_eq!((width(&with(cta(96))), vectors(&with(cta(96))).0.last()), ((4, 3), 64));
    let first_warp = vectors(&with(only(cta(128), |thread| thread < 32))).0;
    assert_eq!((first_warp.threads, first_warp.rounds), (32, 8));
    assert_eq!(decline(&with(only(warp(), |lane| [0, 5, 6].contains(&lane)))).0, "not-all-threads-active");
    let replicated = laid_out(S, &[32, 32], "(32, 32) : (32, 1) + R(2 : 1024)");
    assert_eq!(decline(&plain(&copy(rows(G, &[32, 32]), replicated, F32, warp()))).0, "memory-replica");
    let other = plain(&copy(rows(G, &[32, 32]), rows(S, &[32, 31]), F32, warp()));
    assert_eq!(decline(&other).0, "extents-differ");
}

#[test]
fn honours_completion_predicate_and_fill() {
    let base = tile(&[32, 32], F32);
    let honoured = [
        issued(&base, Completion::Group, |_| {}),
        issued(&base, Completion::Barrier, |_| {}),
        issued(&base, Completion::Caller, |ask| ask.predicated = true),
        issued(&base, Completion::Barrier, |ask| (ask.predicated, ask.zero_fill) = (true, true)),
    ];
    for problem in honoured {
        assert_eq!(planned(&problem).variant(), "ldgsts", "{:?}", problem.asynchronous);
    }
    let fill = issued(&base, Completion::Caller, |ask| ask.zero_fill = true);
    assert_eq!(decline(&fill).0, "fill-without-predicate");
}

#[test]
fn declines_what_it_cannot_honour() {
    let base = tile(&[32, 32], F32);
    let remote = issued(&base, Completion::Barrier, |ask| ask.remote_cta = true);
    assert_eq!(
        decline(&remote),
        (
            "request-not-supported",
            "the copy requests remote_cta; allowed: group, mbarrier, predicate, fill, direct".to_owned()
        )
    );
    let tensor = issued(&base, Completion::Caller, |ask| {
        ask.shape = Some("32x128b".to_owned());
        ask.multicast = Some("warpx4".to_owned());
        ask.cta_group = Some(1);
    });
    assert!(decline(&tensor).1.contains("requests shape, multicast, cta_group; allowed"));
}

#[test]
fn of_cache_hints_only_the_prefetch_size() {
    let hinted = |options: &[(&str, &str)]| {
        let cache = Cache::from_options(options.iter().copied()).unwrap();
        Problem { cache, ..tile(&[32, 32], F32) }
    };
    for size in ["L2::64B", "L2::128B", "L2::256B"] {
        let instruction = vectors(&hinted(&[("prefetch_size", size)])).0.instruction();
        assert_eq!(instruction, Some(format!("cp.async.cg.shared.global.{size}")));
    }
    for (option, value) in [("cache", "nc"), ("l1_evict", "L1::no_allocate"), ("l2_evict", "L2::evict_first")] {
        let (cause, reason) = decline(&hinted(&[(option, value), ("prefetch_size", "L2::64B")]));
        assert_eq!(cause, "hint-needs-load");
        assert_eq!(reason, format!("cp.async has no cache hint {value}; it has prefetch_size only"));
    }
}

#[test]
fn sixteen_bytes_pass_by_l1() {
    let instruction = |shape: &[i64], bits| vectors(&tile(shape, bits)).0.instruction();
    assert_eq!(instruction(&[32, 32], F32).as_deref(), Some("cp.async.cg.shared.global"));
    assert_eq!(instruction(&[32, 1], F64).as_deref(), Some("cp.async.ca.shared.global"));
    assert_eq!(instruction(&[33, 8], F16).as_deref(), Some("cp.async.cg.shared.global"));
    let loads = copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, warp());
    assert_eq!(vectors(&loads).0.instruction(), None);
}

fn direct(elements: i64, begin: i64) -> Problem {
    let operand = |space, begin| part(rows(space, &[64]), &[(begin, elements)]);
    let problem = copy(operand(G, begin), operand(S, 0), F16, thread());
    issued(&problem, Completion::Caller, |ask| ask.direct = true)
}

fn one(problem: &Problem) -> VectorCopy {
    let CopyPlan::Partition(copy) = planned(problem) else { panic!("no partition") };
    vectorize(&copy, &crate::common::build::chip("sm_90a"), problem.max_vector_bits).unwrap().0
}

#[test]
fn direct_is_one_instruction() {
    for (elements, bits) in [(2, 32), (4, 64), (8, 128)] {
        let copy = one(&direct(elements, 8));
        assert_eq!((copy.vector_bits(), copy.rounds, copy.threads), (bits, 1, 1));
    }
    // Two instructions of 64 bits do not count: it is the one that was requested, or none.
    assert_eq!(one(&Problem { max_vector_bits: 64, ..direct(8, 8) }).vector_bits(), 128);
}

#[test]
fn direct_needs_4_8_or_16_neighbouring_bytes() {
    for elements in [1, 3, 6, 16] {
        let (cause, reason) = decline(&direct(elements, 0));
        assert_eq!(cause, "region-not-one-vector");
        assert!(
            reason.contains(&format!("{} of 16 bits, {} bits", counted(elements, "element"), 16 * elements)),
            "{reason}"
        );
    }
    assert_eq!(decline(&direct(8, 4)).0, "offset-not-divisible");
    let column = part(laid_out(G, &[64, 64], "(64, 64) : (64, 1)"), &[(0, 2), (0, 1)]);
    let problem = copy(column, part(rows(S, &[64, 1]), &[(0, 2), (0, 1)]), F16, thread());
    let problem = issued(&problem, Completion::Caller, |ask| ask.direct = true);
    assert_eq!(decline(&problem).0, "not-contiguous");
}

#[test]
fn direct_is_for_one_thread() {
    let base = copy(rows(G, &[8]), rows(S, &[8]), F16, warp());
    let problem = issued(&base, Completion::Caller, |ask| ask.direct = true);
    assert_eq!(decline(&problem), ("scope-not-thread", "a direct copy needs thread scope; got warp".to_owned()));
}

#[test]
fn stage_two_reads_only_what_stage_one_makes() {
    let CopyPlan::Partition(copy) = planned(&tile(&[32, 32], F32)) else { panic!("no partition") };
    let target = crate::common::build::chip("sm_90a");
    let mut backward = copy.clone();
    std::mem::swap(backward.src.as_mut().unwrap(), &mut backward.dst);
    let error = vectorize(&backward, &target, 128).unwrap_err();
    assert_eq!(error.cause, "malformed-matched-copy");
    assert!(error.reason.contains("from global to shared memory; got shared to global"), "{error}");
    let mut odd = copy.clone();
    odd.forced_bits = Some(256);
    let error = vectorize(&odd, &target, 256).unwrap_err();
    assert!(
        error.reason.contains("got forced_bits = 256 for elements of 32 bits, expected one of 32, 64, 128"),
        "{error}"
    );
    let error = vectorize(&copy, &crate::common::build::chip("sm_75"), 128).unwrap_err();
    assert_eq!(error.cause, "chip-lacks-cp-async");
}
