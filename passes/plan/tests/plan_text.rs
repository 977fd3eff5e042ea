//! Every plan reads back from its text; every mistake in a text has a position, and none makes the reader panic.

use proptest::prelude::*;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{ValueList, ValueUse};
use tile_plan::target::Target;

use crate::common::bulk::{bulk_copy, cluster_copy};
use crate::common::generate::{async_copy, converting, fragment_copy, memory_copy, private_copy, register_copy};
use crate::common::generate_changes::masked;
use crate::common::generate_tensor::{tmem_access, tmem_copy};
use crate::common::oracle::Values;
use crate::common::tape::{Tape, tapes};

fn target() -> Target {
    Target::parse("sm_100a").unwrap()
}

/// Draws a problem, and the run-time values of one.
type Generator = fn(&mut Tape) -> (Problem, Values);

fn problem(tape: &mut Tape) -> Problem {
    let generators: [Generator; 9] = [
        memory_copy,
        register_copy,
        private_copy,
        async_copy,
        cluster_copy,
        bulk_copy,
        tmem_copy,
        tmem_access,
        fragment_copy,
    ];
    let drawn = tape.pick(&generators)(tape);
    match tape.below(4) {
        0 => converting(tape, drawn).0,
        1 => masked(tape, drawn).0,
        _ => drawn.0,
    }
}

/// The plans that ops carry for a problem.
fn carried(problem: &Problem) -> Vec<CopyPlan> {
    let Ok((plan, _)) = select(problem, &target()) else { return Vec::new() };
    let plans = match plan {
        CopyPlan::Composite(plan) => plan.steps.into_iter().map(|step| step.plan).collect(),
        other => vec![other],
    };
    let vectors = plans.iter().filter_map(|plan| match plan {
        CopyPlan::Partition(part) => vectorize(part, &target(), 256).ok().map(|(plan, _)| CopyPlan::Vectors(plan)),
        _ => None,
    });
    let vectors = vectors.collect::<Vec<_>>();
    plans.into_iter().chain(vectors).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_read_back(mut tape in tapes()) {
        for plan in carried(&problem(&mut tape)) {
            let text = plan.to_text().unwrap();
            prop_assert_eq!(CopyPlan::from_text(&text), Ok(plan), "{}", text);
        }
    }

    #[test]
    fn damaged_texts(mut tape in tapes()) {
        for plan in carried(&problem(&mut tape)) {
            let text = plan.to_text().unwrap();
            let cut = |tape: &mut Tape| tape.below(text.len() as i64 + 1) as usize;
            let (one, other) = (cut(&mut tape), cut(&mut tape));
            let (begin, end) = (one.min(other), one.max(other));
            let damaged = [
                text[..begin].to_owned(),
                format!("{}{}", &text[..begin], &text[end..]),
                format!("{}{}{}", &text[..begin], tape.pick(&["-", "99999999999999999999", "}", ",", "\"", "é"]), &text[begin..]),
            ];
            for text in damaged {
                match CopyPlan::from_text(&text) {
                    Ok(read) => {
                        let _ = read.verify();
                        let again = read.to_text().unwrap();
                        prop_assert_eq!(CopyPlan::from_text(&again), Ok(read), "{}", again);
                    }
                    Err(mistake) => prop_assert!(mistake.at() <= text.len() && !mistake.text.is_empty(), "{text}"),
                }
            }
        }
    }
}

/// Where a mistake is, as the text before it, and what it says.
fn mistake(text: &str) -> (&str, String) {
    let mistake = CopyPlan::from_text(text).unwrap_err();
    (&text[..mistake.at()], mistake.text)
}

const SIDES: &str = "src = {layout = (4) : (1), space = shared}, dst = {layout = (4) : (1), space = global}";

#[test]
fn mistakes() {
    let known = "matched, vectors, matrix, tmem_copy, tmem_access, bulk, tensor_map, realigned, realigned_loads, registers, scalar";
    assert_eq!(mistake("vector \"reg\", x"), ("", format!("got plan 'vector', expected one of {known}")));
    assert_eq!(mistake("vectors reg"), ("vectors ", "got 'reg', expected '\"'".to_owned()));
    let bulk = |fields: &str| format!("bulk \"bulk\", {fields}");
    let wrong = |fields: &str| {
        let text = bulk(fields);
        let (before, message) = mistake(&text);
        (before.strip_prefix("bulk \"bulk\", ").unwrap_or(before).to_owned(), message)
    };
    let says = |at: &str, message: &str| (at.to_owned(), message.to_owned());
    assert_eq!(wrong("bits = 32, chunk = 4, src = {layout = (4) : (1), space = shared}"), says("", "got no key 'dst'"));
    assert_eq!(wrong("bits = x"), says("bits = ", "got 'x', expected a number"));
    assert_eq!(wrong("bits = -1"), says("bits = ", "got -1, expected a number from 0 to 4294967295"));
    assert_eq!(
        wrong("bits = 99999999999999999999"),
        says("bits = ", "got 99999999999999999999, expected an integer of 64 bits")
    );
    assert_eq!(wrong("bits"), says("bits", "got the end, expected '=' and a number"));
    assert_eq!(wrong("bits = 32, bits = 32"), says("bits = 32, ", "got key 'bits' twice"));
    assert_eq!(wrong("bits = 32 chunk"), says("bits = 32 ", "got 'chunk', expected ',' or the end"));
    let sides = |sides: &str| wrong(&format!("bits = 32, chunk = 4, {sides}")).1;
    assert_eq!(sides(&SIDES.replace("shared", "there")), "got 'there', expected one of global, shared, local, tmem");
    assert_eq!(
        sides(&SIDES.replace("(4) : (1), space = s", "(4) : (1, 2), space = s")),
        "got 2 strides, expected 1, one for each extent"
    );
    assert_eq!(sides(&SIDES.replace("global}", "global, align = 16, terms = [{stride = 2}]}")), "got no key 'value'");
    assert_eq!(
        sides(&format!("{SIDES}, reduction = \"add\"")).split(", expected").next(),
        Some("got reduction = \"add\"")
    );
    let variant = format!("bulk \"reg\", bits = 32, chunk = 4, {SIDES}");
    assert_eq!(mistake(&variant), ("bulk ", "got variant = \"reg\", expected one of dsmem, bulk".to_owned()));
    let other = format!("bulk \"dsmem\", bits = 32, chunk = 4, {SIDES}");
    assert_eq!(mistake(&other), ("bulk ", "got variant = \"dsmem\", expected \"bulk\"".to_owned()));
}

#[test]
fn uses_of_values() {
    let text = "matched \"gmem_smem\", threads = 32, bits = 32, src = {layout = (8, 4) : (?, 1), space = global, \
                align = 16, terms = [{value = 3, div = 2, stride = 64, divisor = 4, residue = 1}], \
                strides = [{value = 5, divisor = 8}]}, dst = {layout = (32) : (1), space = shared, align = 16}";
    let mut plan = CopyPlan::from_text(text).unwrap();
    assert_eq!(plan.to_text().unwrap(), text);
    let mut seen = Vec::new();
    plan.carried_mut().unwrap().each_value(&mut |ValueUse { list, index, div, divisor, residue }| {
        seen.push((list, *index, div, divisor, residue));
        *index = 0;
    });
    let source = ValueList::Of(Role::Src);
    assert_eq!(seen, [(source, 3, 2, 4, 1), (source, 5, 1, 8, 0)]);
    assert_eq!(plan.to_text().unwrap(), text.replace("value = 3", "value = 0").replace("value = 5", "value = 0"));
}
