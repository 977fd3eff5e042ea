//! Prefetches: the lines and chunks of each region, and what each variant declines.

use crate::common::build::{F32, F64, U8, chip, copy, cta, declined, declined_on, laid_out, only, part, rows, warp};
use crate::common::oracle::Values;
use crate::common::prefetch::{check_prefetch, prefetch_of, prefetched};
use tile_isa::Space;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::prefetch::plan::{Hint, Prefetch};
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::{Active, Threads};
use tile_plan::target::Target;

const G: Space = Space::Global;

fn of(src: Operand, bits: u32, threads: Threads) -> Problem {
    prefetch_of(&copy(src.clone(), src.clone(), bits, threads), src)
}

fn named(problem: &Problem, variant: &str) -> Prefetch {
    prefetched(&Problem { forced: Some(variant.to_owned()), ..problem.clone() })
}

/// The instructions of all sequences.
fn instructions(plan: &Prefetch) -> i64 {
    plan.sequences().iter().map(|sequence| plan.count(sequence)).sum()
}

#[test]
fn runs_are_chunks_where_they_begin_at_multiples_of_16_bytes() {
    let whole = prefetched(&of(rows(G, &[64, 64]), F32, cta(128)));
    assert_eq!((whole.hint, whole.runs(), whole.run_bytes(), whole.rounds()), (Hint::Chunks, 1, 16384, 1));
    let window = prefetched(&of(part(rows(G, &[64, 256]), &[(0, 64), (4, 64)]), F32, cta(48)));
    assert_eq!((window.hint, window.runs(), window.run_bytes(), window.rounds()), (Hint::Chunks, 64, 256, 2));
    let transposed = prefetched(&of(laid_out(G, &[64, 64], "(64, 64) : (1, 64)"), F32, warp()));
    assert_eq!((transposed.hint, transposed.runs()), (Hint::Chunks, 1));
}

#[test]
fn each_line_of_a_run_once_where_its_alignment_is_known() {
    let lines = |align, begin, extent| {
        let tile = Operand { align_bytes: align, ..part(rows(G, &[64, 256]), &[(0, 64), (begin, extent)]) };
        let plan = named(&of(tile, F32, cta(64)), "prefetch");
        (instructions(&plan), plan.last_line)
    };
    assert_eq!(lines(128, 32, 64), (128, false));
    assert_eq!(lines(128, 16, 64), (192, true));
    assert_eq!(lines(64, 32, 64), (192, true));
    assert_eq!(lines(64, 16, 16), (64, false));
    assert_eq!(lines(4, 3, 1), (64, false));
    assert_eq!(lines(4, 3, 2), (128, true));
}

#[test]
fn a_column_is_an_instruction_for_each_row() {
    let plan = prefetched(&of(part(rows(G, &[64, 256]), &[(0, 64), (7, 1)]), F64, warp()));
    assert_eq!((plan.hint, plan.runs(), plan.run(), plan.rounds()), (Hint::Lines, 64, 1, 2));
    let once = prefetched(&of(laid_out(G, &[8, 64], "(8, 64) : (0, 1)"), F32, warp()));
    assert_eq!((once.runs(), once.run_bytes()), (1, 256));
}

#[test]
fn some_threads_share_the_lines() {
    let tile = part(rows(G, &[64, 255]), &[(0, 64), (0, 32)]);
    let plan = prefetched(&of(tile, F32, only(cta(128), |thread| thread >= 96)));
    assert_eq!((plan.hint, plan.threads, plan.ranks.as_ref().map(|ranks| ranks.first)), (Hint::Lines, 32, Some(96)));
    assert_eq!(plan.rounds(), 4);
}

fn said(problem: &Problem, variant: &str) -> (&'static str, String) {
    let decline = declined(problem, variant);
    (decline.cause, decline.reason)
}

#[test]
fn bulk_declines_what_is_no_chunk() {
    let window = |begin, extent, bits| of(part(rows(G, &[64, 256]), &[(0, 64), (begin, extent)]), bits, warp());
    assert_eq!(
        said(&window(0, 5, F32), "bulk_prefetch"),
        ("chunk-not-16-bytes", "chunk_bytes=20, contiguous; needed 16 or a multiple".to_owned())
    );
    assert_eq!(said(&window(8, 16, U8), "bulk_prefetch").0, "offset-not-divisible");
    let tile = Operand { align_bytes: 8, ..rows(G, &[64, 64]) };
    assert_eq!(said(&of(tile, F32, warp()), "bulk_prefetch").0, "storage-alignment");
    let mut moved = part(rows(G, &[64, 256]), &[(0, 64), (0, 64)]);
    moved.begin[1] = Begin::Dynamic { value: 0, divisor: 2, residue: 0 };
    let (cause, reason) = said(&of(moved, F32, warp()), "bulk_prefetch");
    assert_eq!(cause, "dynamic-begin-not-divisible");
    assert!(reason.contains("tile.assume … divisible_by 4"), "{reason}");
    let (cause, reason) = said(&of(rows(G, &[1 << 20, 1 << 10]), F32, warp()), "bulk_prefetch");
    assert_eq!(cause, "too-many-bytes");
    assert!(reason.starts_with("chunk_bytes=4294967296, contiguous; needed 2147483632 at most"), "{reason}");
    assert_eq!(declined_on(&window(0, 64, F32), "bulk_prefetch", "sm_80").cause, "chip-lacks-bulk-copy");
}

#[test]
fn both_decline_swizzles_other_memories_and_unknown_threads() {
    let swizzled =
        of(laid_out(G, &[64, 64], "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>"), F32, warp());
    let shared = of(rows(Space::Shared, &[64, 64]), F32, warp());
    let unknown = Active::Unknown { why: "a condition".to_owned() };
    let some = of(rows(G, &[64, 64]), F32, Threads { active: unknown, ..warp() });
    for variant in ["prefetch", "bulk_prefetch"] {
        assert_eq!(
            said(&swizzled, variant),
            (
                "swizzled-source",
                "swizzle<base = 3, bits = 3, shift = 3> moves parts of a line; needed a source without a swizzle"
                    .to_owned()
            )
        );
        assert_eq!(
            said(&shared, variant),
            ("unsupported-spaces", "unsupported memory scope shared; allowed: global".to_owned())
        );
        assert_eq!(said(&some, variant).0, "active-unknown");
    }
    for problem in [swizzled, some] {
        assert_eq!(prefetched(&problem).hint, Hint::Dropped);
    }
    assert_eq!(said(&shared, "dropped").0, "unsupported-spaces");
}

#[test]
fn a_portable_target_drops_it() {
    let problem = of(rows(G, &[64, 64]), F32, cta(64));
    let target = Target::portable("webgpu").unwrap();
    let (plan, declines) = select(&problem, &target).unwrap();
    assert_eq!(plan.variant(), "dropped");
    let causes: Vec<_> = declines.iter().map(|decline| decline.cause).collect();
    assert_eq!(causes, ["chip-lacks-bulk-copy", "chip-lacks-prefetch"]);
    let CopyPlan::Prefetch(plan) = plan else { panic!("no prefetch") };
    assert_eq!((check_prefetch(&problem, &plan, &Values::default()), plan.rounds()), (Ok(()), 0));
}

#[test]
fn it_touches_nothing_and_costs_its_instructions() {
    let problem = of(part(rows(G, &[64, 256]), &[(0, 64), (0, 64)]), F32, warp());
    let (plan, _) = select(&problem, &chip("sm_80")).unwrap();
    let touched = plan.touched(&problem, &chip("sm_80")).unwrap();
    assert!(touched.accesses.is_empty());
    assert_eq!(plan.cost(&problem, &chip("sm_80")).unwrap().to_string(), "4 instructions, 0 wavefronts");
}

#[test]
fn plans_that_no_variant_makes() {
    let text = "prefetch \"prefetch\", threads = 32, bits = 32, src = {layout = (8, 64) : (256, 1), space = global, align = 16}";
    let wrong = |from: &str, to: &str| {
        let plan = CopyPlan::from_text(&text.replace(from, to)).unwrap();
        plan.verify().unwrap_err().reason
    };
    assert_eq!(CopyPlan::from_text(text).unwrap().verify(), Ok(()));
    assert_eq!(wrong("global", "shared"), "got a prefetch of shared memory, expected global");
    assert_eq!(wrong("threads = 32", "threads = 0"), "got 0 threads, expected 1 or more");
    assert_eq!(wrong("(256, 1)", "(256, 2)"), "got last iter 64:2 in the source's layout, expected a run of stride 1");
    assert!(
        wrong("(256, 1)", "(256, 1), swizzle<base = 3, bits = 3, shift = 3>").starts_with("got the swizzled layout")
    );
    assert!(wrong("bits = 32", "bits = 12").starts_with("got elements of 12 bits"));
    let bulk = |more: &str| text.replace("\"prefetch\"", "\"bulk_prefetch\"").replace("bits = 32", more);
    let refused = |text: &str| CopyPlan::from_text(text).unwrap().verify().unwrap_err().reason;
    assert_eq!(CopyPlan::from_text(&bulk("bits = 32")).unwrap().verify(), Ok(()));
    assert_eq!(refused(&bulk("bits = 32, last")), "got last, expected it for lines only");
    assert_eq!(
        refused(&bulk("bits = 32").replace("(8, 64)", "(8, 63)")),
        "chunk_bytes=252, contiguous; needed 16 or a multiple"
    );
    let ranked = text.replace("threads = 32", "threads = 32, ranks = {first = 0, digits = [(16, 1)]}");
    assert_eq!(refused(&ranked), "the ranks do not count 32 threads");
}
