//! `synchronous`: copies that request no feature that only asynchronous copies have.

use crate::common::build::{
    F16, F32, U8, chip, copy, cta, declined, declined_on, issued, laid_out, planned, rows, thread, warp,
};
use tile_isa::Space;
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::mask::Mask;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;

const G: Space = Space::Global;
const S: Space = Space::Shared;

type Ask = fn(&mut Asynchronous);

fn plain(problem: &Problem) -> Problem {
    issued(problem, Completion::Caller, |_| {})
}

/// The variants that declined before, and the variant of the plan.
fn asked(problem: &Problem) -> (Vec<&'static str>, &'static str) {
    let (aligned, declines) = select(problem, &chip("sm_90a")).unwrap();
    (declines.iter().map(|decline| decline.variant).collect(), aligned.variant())
}

/// Rows of 6 bytes, 8 apart: no 4 bytes are aligned.
fn torn() -> Problem {
    copy(laid_out(G, &[32, 6], "(32, 6) : (8, 1)"), rows(S, &[32, 6]), U8, warp())
}

#[test]
fn is_the_last_one_asked() {
    let narrow = plain(&torn());
    let (before, took) = asked(&narrow);
    assert_eq!((before.first(), took), (Some(&"ldgsts"), "gmem_smem"));
    assert!(!before.contains(&"synchronous"));
    assert!(matches!(planned(&narrow), CopyPlan::Partition(_)));
}

#[test]
fn takes_whatever_a_synchronous_copy_is() {
    let fragment = laid_out(Space::Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let cases = [
        (copy(rows(S, &[8, 8]), fragment, F16, warp()), "ldstmatrix"),
        (copy(rows(S, &[32, 32]), rows(G, &[32, 32]), F32, warp()), "gmem_smem"),
        (copy(rows(S, &[32]), rows(S, &[32]), F32, warp()), "same_memory"),
        (copy(rows(G, &[4, 6]), laid_out(S, &[4, 6], "(4, 6) : (6, 1) + R(2 : 24)"), F32, warp()), "fallback"),
    ];
    for (problem, variant) in cases {
        assert_eq!(planned(&plain(&problem)), planned(&problem));
        assert_eq!(planned(&plain(&problem)).variant(), variant);
        assert_eq!(planned(&issued(&problem, Completion::Group, |_| {})).variant(), variant);
    }
}

#[test]
fn can_be_named() {
    let tile = copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, warp());
    assert_eq!(planned(&plain(&tile)).variant(), "ldgsts");
    let forced = Problem { forced: Some("synchronous".to_owned()), ..plain(&tile) };
    assert_eq!(planned(&forced).variant(), "gmem_smem");
}

#[test]
fn honours_nothing_asynchronous() {
    let base = torn();
    let requests: [(&str, Ask); 8] = [
        ("mbarrier", |ask| ask.completion = Completion::Barrier),
        ("remote_cta", |ask| ask.remote_cta = true),
        ("predicate", |ask| ask.predicated = true),
        ("fill", |ask| ask.zero_fill = true),
        ("direct", |ask| ask.direct = true),
        ("shape", |ask| ask.shape = Some("32x128b".to_owned())),
        ("multicast", |ask| ask.multicast = Some("warpx4".to_owned())),
        ("cta_group", |ask| ask.cta_group = Some(1)),
    ];
    for (name, ask) in requests {
        let decline = declined(&issued(&base, Completion::Caller, ask), "synchronous");
        assert_eq!(decline.cause, "request-not-supported");
        assert_eq!(decline.reason, format!("the copy requests {name}; allowed: group"));
    }
}

#[test]
fn a_group_needs_a_chip_that_has_groups() {
    let base = copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, warp());
    let decline = declined_on(&issued(&base, Completion::Group, |_| {}), "synchronous", "sm_75");
    assert_eq!(
        (decline.cause, decline.reason.as_str()),
        ("chip-lacks-cp-async", "a cp.async group needs sm_80 or later; got sm_75")
    );
    let (aligned, declines) = select(&plain(&base), &chip("sm_75")).unwrap();
    assert_eq!((aligned.variant(), declines[0].cause), ("gmem_smem", "chip-lacks-cp-async"));
}

#[test]
fn what_may_be_chosen_holds_for_what_does_it_too() {
    let tile = plain(&torn());
    let allowing = |names: &[&str]| {
        let allowed = Some(names.iter().map(|name| (*name).to_owned()).collect());
        select(&Problem { allowed, ..tile.clone() }, &chip("sm_90a"))
    };
    let causes = |error: SelectError| {
        let SelectError::Declined { declines, .. } = error else { panic!("{error}") };
        let last = declines.last().unwrap().clone();
        assert!(
            declines[..declines.len() - 1].iter().all(|decline| decline.cause == "variant-not-allowed"),
            "{declines:?}"
        );
        (last.variant, last.cause, last.reason)
    };
    assert_eq!(allowing(&["synchronous", "gmem_smem"]).unwrap().0.variant(), "gmem_smem");
    assert_eq!(allowing(&["synchronous", "fallback"]).unwrap().0.variant(), "fallback");
    let (variant, cause, reason) = causes(allowing(&["synchronous"]).unwrap_err());
    assert_eq!((variant, cause), ("synchronous", "no-synchronous-variant"));
    let not_allowed = "gmem_smem declined: the pass option 'variants' does not allow it; allowed: synchronous";
    assert!(reason.contains(not_allowed), "{reason}");
    let (variant, cause, reason) = causes(allowing(&["gmem_smem"]).unwrap_err());
    assert_eq!((variant, cause), ("synchronous", "variant-not-allowed"));
    assert_eq!(reason, "the pass option 'variants' does not allow it; allowed: gmem_smem");
}

#[test]
fn tensor_memory_is_never_taken() {
    let tensor = laid_out(Space::Tmem, &[128, 32], "(128, 32) : (1@TLane, 1@TCol)");
    let problem = copy(rows(S, &[128, 32]), tensor.clone(), F32, thread());
    let decline = declined(&plain(&problem), "synchronous");
    assert_eq!((decline.cause, decline.operand), ("tensor-memory", Some(Role::Dst)));
    let back = copy(tensor, rows(S, &[128, 32]), F32, thread());
    assert_eq!(declined(&plain(&back), "synchronous").operand, Some(Role::Src));
}

#[test]
fn what_no_synchronous_variant_takes_is_one_decline() {
    let lanes = || laid_out(Space::Local, &[32, 8], "(32, 8) : (1@laneid, 1)");
    let masked = Problem { mask: Some(Mask::of(&[32, 8], Vec::new(), None)), ..copy(lanes(), lanes(), F16, warp()) };
    let decline = declined(&plain(&masked), "synchronous");
    assert_eq!(decline.cause, "no-synchronous-variant");
    assert!(decline.reason.starts_with("no synchronous variant takes the copy: ldstmatrix declined: "), "{decline}");
    assert!(decline.reason.contains("; fallback declined: both operands are in registers"), "{decline}");
    let unknown = Operand { align_bytes: 2, ..rows(G, &[32, 32]) };
    let decline = declined(&plain(&copy(unknown, rows(S, &[32, 32]), F32, cta(64))), "synchronous");
    assert!(decline.reason.contains("aligned to 2 bytes"), "{decline}");
}
