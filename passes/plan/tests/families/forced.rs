//! `vec_16b` to `vec_256b`: one access of exactly that width, or a reason.

use crate::common::build::{F16, F32, F64, U8, chip, copy, declined_on, laid_out, part, rows, thread, warp};
use crate::common::oracle::{Values, check};
use tile_isa::{Cache, Space};
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;

const G: Space = Space::Global;
const S: Space = Space::Shared;
const L: Space = Space::Local;

fn forced(problem: &Problem, variant: &str, target: &str) -> Result<VectorCopy, String> {
    let problem = Problem { forced: Some(variant.to_owned()), ..problem.clone() };
    let target = chip(target);
    let (aligned, _) = select(&problem, &target).map_err(|error| error.to_string())?;
    check(&problem, &aligned, &target, &Values::default())?;
    let CopyPlan::Partition(copy) = aligned else { return Err("no vector".to_owned()) };
    assert_eq!(copy.variant, variant);
    Ok(vectorize(&copy, &target, problem.max_vector_bits).unwrap().0)
}

fn line(space: Space, count: i64, begin: i64, extent: i64) -> Operand {
    part(rows(space, &[count]), &[(begin, extent)])
}

#[test]
fn every_width_between_every_two_spaces() {
    for (src, dst) in [(G, S), (S, G), (G, L), (L, G), (S, L), (L, S)] {
        for (variant, bits) in [("vec_16b", 16), ("vec_32b", 32), ("vec_64b", 64), ("vec_128b", 128)] {
            let problem = copy(line(src, 64, 16, bits / 16), line(dst, 8, 0, bits / 16), F16, thread());
            let plan = forced(&problem, variant, "sm_80").unwrap();
            assert_eq!((plan.vector_bits(), plan.rounds, plan.threads), (bits, 1, 1));
        }
    }
}

#[test]
fn a_forced_width_beats_the_wish_for_narrow_ones() {
    let problem = Problem { max_vector_bits: 32, ..copy(line(G, 64, 0, 4), line(L, 4, 0, 4), F32, thread()) };
    assert_eq!(forced(&problem, "vec_128b", "sm_90a").unwrap().vector, 4);
}

#[test]
fn widest_accesses_need_the_chip_and_global_memory() {
    let wide = |dst| {
        let global = Operand { align_bytes: 32, ..rows(G, &[8]) };
        copy(global, Operand { align_bytes: 32, ..rows(dst, &[8]) }, F32, thread())
    };
    assert_eq!(forced(&wide(L), "vec_256b", "sm_100a").unwrap().vector, 8);
    let decline = declined_on(&wide(L), "vec_256b", "sm_90a");
    assert_eq!(decline.reason, "256-bit accesses need sm_100 or later; got sm_90a");
    assert_eq!(declined_on(&wide(S), "vec_256b", "sm_100a").cause, "shared-lacks-256-bit-access");
}

fn cause(problem: &Problem, variant: &str) -> &'static str {
    declined_on(problem, variant, "sm_90a").cause
}

#[test]
fn misaligned_starts_are_refused() {
    let at = |begin, count| copy(line(G, 64, begin, count), line(L, 8, 0, count), F32, thread());
    assert!(forced(&at(4, 4), "vec_128b", "sm_90a").is_ok());
    let decline = declined_on(&at(1, 4), "vec_128b", "sm_90a");
    assert_eq!(decline.cause, "offset-not-divisible");
    assert!(decline.reason.contains("the source"), "{decline}");
    assert_eq!(cause(&at(1, 2), "vec_64b"), "offset-not-divisible");
    assert!(forced(&at(1, 1), "vec_32b", "sm_90a").is_ok());
    let loose = Operand { align_bytes: 8, ..line(G, 64, 0, 4) };
    assert_eq!(cause(&copy(loose, line(L, 4, 0, 4), F32, thread()), "vec_128b"), "storage-alignment");
    let begin = vec![Begin::Dynamic { value: 0, divisor: 2, residue: 0 }];
    let moving = Operand { begin, ..line(G, 64, 0, 4) };
    assert_eq!(cause(&copy(moving, line(L, 4, 0, 4), F32, thread()), "vec_128b"), "dynamic-begin-not-divisible");
}

#[test]
fn torn_vectors_are_refused() {
    let column = part(rows(G, &[4, 4]), &[(0, 4), (0, 1)]);
    assert_eq!(cause(&copy(column, line(L, 4, 0, 4), F32, thread()), "vec_128b"), "not-contiguous");
    let square = || rows(L, &[2, 2]);
    let padded = laid_out(G, &[2, 2], "(2, 2) : (4, 1)");
    assert_eq!(cause(&copy(padded, square(), F32, thread()), "vec_128b"), "run-too-short");
    let swizzled = laid_out(S, &[2, 2], "(2, 2) : (2, 1), swizzle<base = 1, bits = 1, shift = 1>");
    assert_eq!(cause(&copy(swizzled, square(), F32, thread()), "vec_128b"), "swizzle-chunk-too-small");
    let turned = || laid_out(L, &[2, 2], "(2, 2) : (1, 2)");
    let both = copy(laid_out(G, &[2, 2], "(2, 2) : (1, 2)"), turned(), F32, thread());
    assert_eq!(forced(&both, "vec_128b", "sm_90a").unwrap().vector, 4);
}

#[test]
fn counts_scopes_and_spaces() {
    let problem = copy(line(L, 4, 0, 4), line(S, 4, 0, 4), F32, thread());
    let decline = declined_on(&problem, "vec_64b", "sm_90a");
    assert_eq!(decline.cause, "region-not-one-vector");
    assert!(decline.reason.contains("4 elements of 32 bits, 128 bits; needed exactly 64"), "{decline}");
    assert_eq!(cause(&problem, "vec_256b"), "chip-lacks-256-bit-access");
    let by_warp = Problem { threads: warp(), ..problem.clone() };
    assert_eq!(cause(&by_warp, "vec_128b"), "scope-not-thread");
    for space in [G, S, L] {
        let same = copy(line(space, 4, 0, 4), line(space, 4, 0, 4), F32, thread());
        assert_eq!(cause(&same, "vec_128b"), "unsupported-spaces");
    }
    let spread = copy(rows(S, &[1, 4]), laid_out(L, &[1, 4], "(1, 4) : (1@laneid, 1)"), F32, thread());
    assert_eq!(cause(&spread, "vec_128b"), "thread-axis-wider-than-scope");
    let replicated = laid_out(S, &[4], "(4) : (1) + R(2 : 4)");
    assert_eq!(cause(&copy(line(G, 4, 0, 4), replicated, F32, thread()), "vec_128b"), "memory-replica");
    let crossed = copy(laid_out(G, &[12], "(3, 4) : (4, 1)"), laid_out(S, &[12], "(4, 3) : (3, 1)"), U8, thread());
    assert_eq!(cause(&crossed, "vec_128b"), "region-not-one-vector");
    assert_eq!(cause(&copy(line(G, 4, 0, 1), line(L, 4, 0, 1), F64, thread()), "vec_32b"), "region-not-one-vector");
}

#[test]
fn hints() {
    let hinted = |src, options: &[(&str, &str)]| Problem {
        cache: Cache::from_options(options.iter().copied()).unwrap(),
        ..copy(line(src, 8, 0, 4), line(if src == L { G } else { L }, 4, 0, 4), F32, thread())
    };
    let kept = forced(&hinted(G, &[("cache", "nc"), ("prefetch_size", "L2::256B")]), "vec_128b", "sm_90a").unwrap();
    assert!(kept.cache.nc && kept.cache.prefetch_size.is_some());
    assert_eq!(cause(&hinted(S, &[("cache", "nc")]), "vec_128b"), "cache-needs-global-source");
    assert_eq!(cause(&hinted(L, &[("l1_evict", "L1::no_allocate")]), "vec_128b"), "cache-needs-global-source");
    assert_eq!(cause(&hinted(G, &[("l2_evict", "L2::evict_first")]), "vec_128b"), "hint-needs-256-bits");
}

#[test]
fn names_that_do_not_exist() {
    let problem = copy(line(G, 4, 0, 4), line(L, 4, 0, 4), F32, thread());
    let problem = Problem { forced: Some("vec_512b".to_owned()), ..problem };
    let error = select(&problem, &chip("sm_90a")).unwrap_err();
    assert!(matches!(&error, SelectError::UnknownRule { name, .. } if name == "vec_512b"));
    let text = error.to_string();
    assert!(text.starts_with("tile.copy: no variant named 'vec_512b'; known variants: vec_256b, vec_128b"), "{text}");
    assert!(
        text.ends_with(
            "ldstmatrix, transpose, realign, realign_loads, gmem_smem, realign_reg, reg, same_memory, shuffle, scratch, fallback"
        ),
        "{text}"
    );
}

#[test]
fn they_answer_to_their_name_only() {
    let problem = copy(line(G, 4, 0, 4), line(L, 4, 0, 4), F32, thread());
    let (aligned, declines) = select(&problem, &chip("sm_90a")).unwrap();
    let asked: Vec<&str> = declines.iter().map(|decline| decline.variant).collect();
    assert_eq!(
        (aligned.variant(), asked),
        ("reg", vec!["ldstmatrix", "transpose", "realign", "gmem_smem", "realign_reg"])
    );
}
