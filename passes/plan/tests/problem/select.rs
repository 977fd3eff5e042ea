//! Which variants are tried, in which order, and the message when no variant takes the copy.

use crate::common::build::{F16, F32, chip, copy, issued, laid_out, only, rows, warp};
use tile_isa::Space;
use tile_plan::choose::{Rule, SelectError};
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::operands::Operands;
use tile_plan::problem::role::Role;
use tile_plan::variants::{all, all_async, by_name};

#[test]
fn higher_priority_first_and_ties_in_order() {
    let table: Vec<(&str, u32, bool)> =
        all().iter().map(|variant| (variant.name(), variant.priority(), variant.only_when_forced())).collect();
    let forced = ["vec_256b", "vec_128b", "vec_64b", "vec_32b", "vec_16b"].map(|name| (name, 20, true));
    let others = [
        ("ldstmatrix", 10, false),
        ("transpose", 10, false),
        ("realign", 10, false),
        ("realign_loads", 10, true),
        ("gmem_smem", 10, false),
        ("realign_reg", 10, false),
        ("reg", 10, false),
        ("same_memory", 10, false),
        ("shuffle", 10, false),
        ("scratch", 9, false),
        ("fallback", 0, false),
    ];
    assert_eq!(table, [&forced[..], &others[..]].concat());
    assert!(all().iter().all(|variant| by_name(variant.name()).is_some()));
    assert!(by_name("vec_auto").is_none());
}

#[test]
fn asynchronous_copies_have_variants_of_their_own() {
    let table: Vec<(&str, u32)> = all_async().iter().map(|variant| (variant.name(), variant.priority())).collect();
    assert!(table.is_sorted_by_key(|&(_, priority)| std::cmp::Reverse(priority)), "{table:?}");
    assert_eq!((table.first(), table.last()), (Some(&("ldgsts", 20)), Some(&("synchronous", 0))));
    assert!(all_async().iter().all(|variant| by_name(variant.name()).is_some()));
    // A map has to be made for the copy first.
    assert!(all_async().iter().all(|variant| variant.only_when_forced() == (variant.name() == "tma")));
    let tile = copy(rows(Space::Global, &[32, 32]), rows(Space::Shared, &[32, 32]), F32, warp());
    let forced = Problem { forced: Some("reg".to_owned()), ..issued(&tile, Completion::Caller, |_| {}) };
    let error = select(&forced, &chip("sm_90a")).unwrap_err().to_string();
    assert!(error.starts_with("tile.copy_async: no variant named 'reg'; known variants: ldgsts, dsmem"), "{error}");
}

/// Variants that read and write need both operands.
#[test]
fn an_operand_is_missing() {
    let tile = rows(Space::Global, &[32, 32]);
    let both = copy(tile.clone(), rows(Space::Shared, &[32, 32]), F32, warp());
    for role in [Role::Src, Role::Dst] {
        let one = Problem { operands: Operands::one(role, tile.clone()), ..both.clone() };
        for variant in all() {
            let refusal = variant.plan(&one, &chip("sm_90a")).unwrap_err();
            if !variant.only_when_forced() {
                assert_eq!(
                    (refusal.cause, refusal.operand),
                    ("operand-missing", Some(role.other())),
                    "{}",
                    variant.name()
                );
            }
        }
    }
}

#[test]
fn those_asked_before_say_why_not() {
    let twice = laid_out(Space::Shared, &[4, 6], "(4, 6) : (6, 1) + R(2 : 24)");
    let small = copy(rows(Space::Global, &[4, 6]), twice, F32, warp());
    let (aligned, declines) = select(&small, &chip("sm_90a")).unwrap();
    let causes: Vec<(&str, &str)> = declines.iter().map(|decline| (decline.variant, decline.cause)).collect();
    assert_eq!(aligned.variant(), "fallback");
    assert_eq!(
        causes,
        [
            ("ldstmatrix", "unsupported-spaces"),
            ("transpose", "unsupported-spaces"),
            ("realign", "rows-aligned"),
            ("gmem_smem", "memory-replica"),
            ("realign_reg", "unsupported-spaces"),
            ("reg", "unsupported-spaces"),
            ("same_memory", "unsupported-spaces"),
            ("shuffle", "unsupported-spaces"),
            ("scratch", "unsupported-spaces")
        ]
    );
}

#[test]
fn a_copy_that_nobody_takes_lists_everyone() {
    let lanes = || laid_out(Space::Local, &[32, 8], "(32, 8) : (1@laneid, 1)");
    let some = only(warp(), |thread| thread < 16);
    let error = select(&copy(lanes(), lanes(), F16, some), &chip("sm_90a")).unwrap_err();
    let SelectError::Declined { declines, .. } = &error else { panic!("{error:?}") };
    assert_eq!(declines.len(), 10);
    let text = error.to_string();
    assert!(text.starts_with("no variant takes tile.copy\n  ldstmatrix declined: unsupported memory scopes"), "{text}");
    assert!(text.contains("\n  fallback declined: both operands are in registers"), "{text}");
}
