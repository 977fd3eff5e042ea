//! `bulk`: the copies that it takes and the clauses that they need, chunks, reductions, hints, and where each element
//! goes.

use crate::common::build::{
    F16, F32, copy, cta, declined, declined_on, issued, laid_out, only, part, planned, rows, thread, warp, warpgroup,
};
use crate::common::bulk::{bulk, bulk_with};
use crate::common::oracle::Values;
use tile_isa::bulk::Route;
use tile_isa::{Cache, Space};
use tile_layout::Eval;
use tile_plan::address::bulk_address;
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};

const G: Space = Space::Global;
const S: Space = Space::Shared;

fn named(problem: Problem) -> Problem {
    Problem { forced: Some("bulk".to_owned()), ..problem }
}

/// A copy to shared memory, which names the variant.
fn load(src: Operand, dst: Operand, bits: u32, threads: Threads) -> Problem {
    named(issued(&copy(src, dst, bits, threads), Completion::Barrier, |_| {}))
}

/// A copy to global memory, with a clause that only this variant honours.
fn store(src: Operand, dst: Operand, bits: u32, threads: Threads) -> Problem {
    issued(&copy(src, dst, bits, threads), Completion::BulkGroup, |_| {})
}

fn decline(problem: &Problem) -> (&'static str, String) {
    let decline = declined(problem, "bulk");
    (decline.cause, decline.reason)
}

#[test]
fn what_continues_on_both_sides_is_one_chunk() {
    let tile = |space| rows(space, &[64, 64]);
    assert_eq!(bulk(&load(tile(G), tile(S), F16, cta(128))), (1, 8192));
    assert_eq!(bulk(&store(tile(S), tile(G), F16, warp())), (1, 8192));
    let window = |column| part(rows(G, &[64, 256]), &[(0, 64), (column, 64)]);
    assert_eq!(bulk(&load(window(64), tile(S), F16, warpgroup())), (64, 128));
    assert_eq!(bulk(&store(tile(S), window(128), F16, thread())), (64, 128));
    let swizzled = laid_out(S, &[64, 64], "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>");
    assert_eq!(bulk(&load(tile(G), swizzled.clone(), F16, warp())), (512, 16));
    let alike = laid_out(G, &[64, 64], "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>");
    assert_eq!(bulk(&load(alike, swizzled, F16, warp())), (1, 8192));
}

#[test]
fn chunks_are_where_both_sides_have_them() {
    let problem = load(part(rows(G, &[8, 64]), &[(2, 4), (16, 32)]), rows(S, &[4, 32]), F16, warp());
    let copy = bulk_with(&problem, &Values::default());
    for chunk in 0..4 {
        let at = |role| bulk_address(&mut Eval, &copy, role, chunk, &[]).unwrap();
        assert_eq!((at(Role::Src), at(Role::Dst)), (64 * (2 + chunk) + 16, 32 * chunk));
    }
}

#[test]
fn chunks_are_multiples_of_16_bytes_at_multiples_of_16_bytes() {
    let window = |column, columns| part(rows(G, &[8, 64]), &[(0, 8), (column, columns)]);
    let to = |columns| rows(S, &[8, columns]);
    let (cause, reason) = decline(&load(window(0, 12), to(12), F16, warp()));
    assert_eq!((cause, &reason[..14]), ("chunk-not-16-bytes", "chunk_bytes=24"));
    assert_eq!(decline(&load(window(4, 8), to(8), F16, warp())).0, "offset-not-divisible");
    assert_eq!(
        decline(&store(rows(S, &[8, 32]), laid_out(G, &[8, 32], "(8, 32) : (36, 1)"), F16, warp())).0,
        "stride-not-divisible"
    );
    let loose = Operand { align_bytes: 8, ..rows(G, &[256]) };
    let (cause, reason) = decline(&load(loose, rows(S, &[256]), F16, warp()));
    assert_eq!(cause, "storage-alignment");
    assert!(reason.contains("(llvm.align = 16 on the memory would promise it)"), "{reason}");
}

#[test]
fn run_time_begins_are_used_as_far_as_they_are_known() {
    let from = |divisor| {
        let begin = vec![Begin::Const(0), Begin::Dynamic { value: 0, divisor, residue: 0 }];
        let source = Operand { begin, extent: vec![8, 32], ..rows(G, &[8, 64]) };
        load(source, rows(S, &[8, 32]), F16, warp())
    };
    let values = Values { src: vec![16], dst: vec![], ..Values::default() };
    assert_eq!(bulk_with(&from(8), &values).chunk_bytes(), 64);
    let (cause, reason) = decline(&from(4));
    assert_eq!(cause, "dynamic-begin-not-divisible");
    assert!(reason.contains("(tile.assume … divisible_by 8 would promise it)"), "{reason}");
}

#[test]
fn who_waits_for_another_variant_gets_that() {
    let tile = copy(rows(G, &[64, 64]), rows(S, &[64, 64]), F16, cta(128));
    let back = copy(rows(S, &[64, 64]), rows(G, &[64, 64]), F16, cta(128));
    let taken = |problem: &Problem| planned(problem).variant();
    assert_eq!(taken(&issued(&tile, Completion::Barrier, |_| {})), "ldgsts");
    assert_eq!(taken(&issued(&back, Completion::Caller, |_| {})), "gmem_smem");
    assert_eq!(taken(&issued(&back, Completion::BulkGroup, |_| {})), "bulk");
    assert_eq!(taken(&named(issued(&back, Completion::Caller, |_| {}))), "bulk");
    // Even where ldgsts declines, an mbarrier that expects its arrivals would never complete.
    let columns = laid_out(G, &[64, 64], "(64, 64) : (1, 64)");
    let torn = copy(columns, rows(S, &[64, 64]), F16, cta(128));
    let error = select(&issued(&torn, Completion::Barrier, |_| {}), &crate::common::build::chip("sm_90a")).unwrap_err();
    assert!(error.to_string().contains("bulk declined: a bulk copy arrives on the mbarrier once"), "{error}");
    let plain = issued(&back, Completion::Caller, |_| {});
    let (_, declines) = select(&plain, &crate::common::build::chip("sm_90a")).unwrap();
    assert!(declines.iter().any(|decline| (decline.variant, decline.cause) == ("bulk", "variant-not-named")));
}

#[test]
fn what_completes_it_is_what_the_instruction_has() {
    let tile = copy(rows(G, &[64, 64]), rows(S, &[64, 64]), F16, cta(128));
    let back = copy(rows(S, &[64, 64]), rows(G, &[64, 64]), F16, cta(128));
    let with = |base: &Problem, completion| decline(&issued(base, completion, |_| {})).0;
    assert_eq!(with(&tile, Completion::Caller), "mbarrier-missing");
    assert_eq!(with(&tile, Completion::Group), "request-not-supported");
    assert_eq!(with(&tile, Completion::BulkGroup), "request-not-supported");
    assert_eq!(with(&back, Completion::Barrier), "request-not-supported");
    assert_eq!(with(&back, Completion::Group), "request-not-supported");
    let masked = issued(&back, Completion::BulkGroup, |ask| ask.predicated = true);
    assert_eq!(
        decline(&masked),
        ("request-not-supported", "the copy requests predicate; allowed: bulk_group, reduce".to_owned())
    );
    let reduced = issued(&tile, Completion::Barrier, |ask| ask.reduce = Some("add".to_owned()));
    assert_eq!(decline(&reduced).0, "request-not-supported");
}

fn reducing(word: &str, element: &str, bits: u32) -> Problem {
    let tile = copy(rows(S, &[64, 64]), rows(G, &[64, 64]), bits, cta(128));
    let tile = Problem { element: Element::new(bits, element), ..tile };
    issued(&tile, Completion::BulkGroup, |ask| ask.reduce = Some(word.to_owned()))
}

#[test]
fn reductions_are_those_of_the_type() {
    let suffix = |word, element, bits| match planned(&reducing(word, element, bits)) {
        CopyPlan::Bulk(copy) => copy.instruction(),
        other => panic!("no bulk copy: {other:?}"),
    };
    assert_eq!(suffix("add", "f32", F32), "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32");
    assert_eq!(suffix("umax", "i32", F32), "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32");
    assert_eq!(
        decline(&reducing("add", "i16", F16)),
        (
            "reduction-unsupported",
            "got reduce = \"add\" of elements of type i16; allowed: i32, si32, ui32, i64, si64, ui64, f16, bf16, f32, f64"
                .to_owned()
        )
    );
    assert_eq!(decline(&reducing("max", "f32", F32)).0, "reduction-unsupported");
}

#[test]
fn hints_are_those_of_l2() {
    let tile = |space| rows(space, &[64, 64]);
    let hinted =
        |problem: Problem, name, value| Problem { cache: Cache::from_options([(name, value)]).unwrap(), ..problem };
    let first = |problem| hinted(problem, "l2_evict", "L2::evict_first");
    for problem in [load(tile(G), tile(S), F16, warp()), store(tile(S), tile(G), F16, warp())] {
        let copy = bulk_with(&first(problem.clone()), &Values::default());
        assert_eq!(copy.l2_evict.as_deref(), Some("L2::evict_first"));
        assert!(copy.instruction().contains(".L2::cache_hint"), "{}", copy.instruction());
        let (cause, reason) = decline(&hinted(problem, "prefetch_size", "L2::128B"));
        assert_eq!(cause, "hint-needs-load");
        assert!(reason.contains("no cache hint L2::128B; it has l2_evict only"), "{reason}");
    }
}

#[test]
fn one_thread_of_a_whole_scope_on_sm_90() {
    let tile = |space| rows(space, &[64, 64]);
    let some = load(tile(G), tile(S), F16, only(cta(128), |thread| thread < 32));
    assert_eq!(decline(&some).0, "not-all-threads-active");
    let alone = load(tile(G), tile(S), F16, only(thread(), |thread| thread == 7));
    assert_eq!(bulk(&alone), (1, 8192));
    assert_eq!(declined_on(&load(tile(G), tile(S), F16, warp()), "bulk", "sm_89").cause, "chip-lacks-bulk-copy");
    for (src, dst) in [(S, S), (G, G), (S, Space::Local)] {
        assert_eq!(decline(&load(tile(src), tile(dst), F16, warp())).0, "unsupported-spaces");
    }
}

#[test]
fn no_more_bytes_than_an_mbarrier_counts() {
    let huge = |space| rows(space, &[1 << 20]);
    let (cause, reason) = decline(&load(huge(G), huge(S), 8, warp()));
    assert_eq!(cause, "too-many-bytes");
    assert_eq!(reason, "got 1048576 bytes, expected at most 1048575, which an mbarrier counts");
}

#[test]
fn shares_what_every_copy_must_satisfy() {
    let replicated = laid_out(S, &[256], "(256) : (1) + R(2 : 256)");
    assert_eq!(decline(&load(rows(G, &[256]), replicated, F16, warp())).0, "memory-replica");
    assert_eq!(decline(&load(rows(G, &[256]), rows(S, &[128]), F16, warp())).0, "extents-differ");
}

#[test]
fn copies_written_by_hand_are_checked() {
    let tile = |space| rows(space, &[64, 64]);
    let good = bulk_with(&load(tile(G), tile(S), F16, warp()), &Values::default());
    assert_eq!((good.verify(), good.route()), (Ok(()), Ok(Route::ToShared)));
    let broken = |change: fn(&mut BulkCopy)| {
        let mut copy = good.clone();
        change(&mut copy);
        copy.verify().unwrap_err().reason
    };
    assert!(broken(|copy| copy.dst.space = G).contains("got global to global"));
    assert!(
        broken(|copy| copy.reduction = tile_isa::async_reduction::Reduction::of("add", "f16").ok())
            .contains("got reduce")
    );
    let hinted = |copy: &mut BulkCopy| (copy.src.space, copy.l2_evict) = (S, Some("L2::evict_last".to_owned()));
    assert!(broken(hinted).contains("got l2_evict"));
}
