//! What programs read: JSON, completions of shells, the manual page.

use layout_tool::answer;
use serde_json::{Value, json};

fn document(status: u8, arguments: &[&str]) -> Value {
    let answer = answer(["tile-layout"].iter().chain(arguments).chain(&["--json"]).copied());
    assert_eq!(answer.status, status, "{arguments:?}: {}", answer.text);
    serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {}", answer.text))
}

#[test]
fn pictures_are_tables_of_cells() {
    let picture = document(0, &["copy", "(2, 2) : (2, 1)", "(2, 2) : (1@laneid, 1)", "--arrows", "1"]);
    assert_eq!(picture["tables"][0]["cells"], json!([["0", "1"], ["2", "3"]]));
    assert_eq!(picture["tables"][1]["cells"], json!([["0:0", "0:1"], ["1:0", "1:1"]]));
    assert_eq!(picture["tables"][1]["rows"], json!(["row 0", "row 1"]));
    assert_eq!((&picture["arrows"], picture["notes"][0].is_string()), (&json!([[[0, 0], [0, 0]]]), true));
    let both = answer(["tile-layout", "show", "(2) : (1)", "--json", "--format", "svg"]);
    assert_eq!((both.status, both.text.as_str()), (2, "error: got --json and --format, expected one of them\n"));
}

#[test]
fn layouts_and_verdicts_are_named() {
    assert_eq!(document(0, &["compose", "(6,2):(8,2)", "(4,3):(3,1)"]), json!({"layout": "((2,2),3):((24,2),8)"}));
    assert_eq!(document(0, &["compare", "(64) : (1)", "64:1"]), json!({"equal": true, "verdict": "equal"}));
    let different = document(1, &["compare", "(4) : (1)", "4:2"]);
    assert_eq!((&different["equal"], different["verdict"].is_string()), (&json!(false), true));
}

#[test]
fn a_plan_has_its_widths_costs_and_steps() {
    let rows = "(32, 32) : (32, 1)";
    let plan = document(0, &["plan", rows, "(32, 32) : (1, 32)", "--element-bits", "32", "--threads", "32"]);
    assert_eq!(plan["variant"], "gmem_smem");
    assert_eq!((&plan["not_wider"][0]["bits"], &plan["not_wider"][1]["bits"]), (&json!(128), &json!(64)));
    assert_eq!(plan["cost_of_a_warp"], json!({"instructions": 64, "wavefronts": 1024}));
    assert_eq!((&plan["traffic"]["wavefronts"], &plan["traffic"]["ideal_wavefronts"]), (&json!(1024), &json!(32)));
    let mut declined = plan["declined"].as_array().unwrap().iter().map(|decline| &decline["variant"]);
    assert!(declined.any(|variant| variant == "realign"), "{plan}");
    assert_eq!(plan["steps"], json!([]));
}

#[test]
fn completions_and_the_manual_page_name_the_commands() {
    for (arguments, parts) in [
        (&["tile-layout", "completions", "bash"][..], ["complete -F ", "banks"]),
        (&["tile-layout", "completions", "zsh"], ["#compdef tile-layout", "banks"]),
        (&["tile-layout", "man"], [".TH tile-layout 1", "banks"]),
    ] {
        let answer = answer(arguments.iter().copied());
        assert_eq!(answer.status, 0, "{arguments:?}");
        assert!(parts.iter().all(|part| answer.text.contains(part)), "{arguments:?}: {}", answer.text);
    }
}
