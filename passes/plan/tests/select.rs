//! Who is asked, in which order, and what is said when nobody takes the copy.

mod common;

use common::build::{F16, F32, chip, copy, laid_out, rows, warp};
use tile_plan::variants::{all, by_name};
use tile_plan::{SelectError, Space, select};

#[test]
fn higher_priority_first_and_ties_in_order() {
    let table: Vec<(&str, u32, bool)> =
        all().iter().map(|variant| (variant.name(), variant.priority(), variant.only_when_forced())).collect();
    let forced = ["vec_256b", "vec_128b", "vec_64b", "vec_32b", "vec_16b"].map(|name| (name, 20, true));
    let others = [("ldstmatrix", 10, false), ("gmem_smem", 10, false), ("reg", 10, false), ("fallback", 0, false)];
    assert_eq!(table, [&forced[..], &others[..]].concat());
    assert!(all().iter().all(|variant| by_name(variant.name()).is_some()));
    assert!(by_name("vec_auto").is_none());
}

#[test]
fn those_asked_before_say_why_not() {
    let small = copy(rows(Space::Global, &[4, 6]), rows(Space::Shared, &[4, 6]), F32, warp());
    let (aligned, declines) = select(&small, &chip("sm_90a")).unwrap();
    let said: Vec<(&str, &str)> = declines.iter().map(|decline| (decline.variant, decline.cause)).collect();
    assert_eq!(aligned.variant(), "fallback");
    assert_eq!(
        said,
        [("ldstmatrix", "unsupported-spaces"), ("gmem_smem", "count-not-divisible"), ("reg", "unsupported-spaces")]
    );
}

#[test]
fn a_copy_that_nobody_takes_lists_everyone() {
    let lanes = || laid_out(Space::Local, &[32, 8], "(32, 8) : (1@laneid, 1)");
    let error = select(&copy(lanes(), lanes(), F16, warp()), &chip("sm_90a")).unwrap_err();
    let SelectError::Declined { declines } = &error else { panic!("{error:?}") };
    assert_eq!(declines.len(), 4);
    let text = error.to_string();
    assert!(text.starts_with("no variant takes the copy\n  ldstmatrix declined: unsupported memory scopes"), "{text}");
    assert!(text.contains("\n  fallback declined: both operands are in registers"), "{text}");
}
