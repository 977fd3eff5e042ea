//! Plans of copies, as the command line says them.

use layout_tool::answer;

fn planned(arguments: &[&str]) -> String {
    let answer = answer(["tile-layout", "plan"].iter().chain(arguments).copied());
    assert_eq!(answer.status, 0, "{}", answer.text);
    answer.text
}

fn refused(arguments: &[&str]) -> String {
    let answer = answer(["tile-layout", "plan"].iter().chain(arguments).copied());
    assert_eq!(answer.status, 2, "{}", answer.text);
    answer.text
}

const ROWS: &str = "(32, 32) : (32, 1)";

#[test]
fn the_reason_of_each_width_and_the_cost_are_said() {
    let text = planned(&[ROWS, "(32, 32) : (1, 32)", "--element-bits", "32", "--threads", "32"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "copied by gmem_smem: 32 loads and 32 stores of 32 bits per thread; 64 bits are too wide");
    assert!(lines[1].starts_with("  not of 128 bits: the destination: 4 elements at a time"), "{text}");
    assert!(lines[2].starts_with("  not of 64 bits: the destination: 2 elements at a time"), "{text}");
    let rest = [
        "  cost of a warp: 64 instructions, 1024 wavefronts",
        "  of all warps: 1024 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least",
        "realign declined: the destination's fastest iter is 32:32; needed a row of stride 1",
        "for other memories: ldstmatrix, transpose",
    ];
    assert_eq!(lines[3..], rest);
}

#[test]
fn chips_memories_and_completion_decide() {
    let tile = [ROWS, "(32, 32) : (32, 1)", "--threads", "128"];
    let first = |more: &[&str]| planned(&[&tile[..], more].concat()).lines().next().map(str::to_owned);
    assert_eq!(first(&[]).as_deref(), Some("copied by gmem_smem: 1 load and 1 store of 128 bits per thread"));
    assert_eq!(first(&["--async"]).as_deref(), Some("copied by ldgsts: 1 cp.async of 128 bits per thread"));
    assert_eq!(
        first(&["--to", "global"]).as_deref(),
        Some("copied by same_memory: 1 load and 1 store of 128 bits per thread")
    );
    let narrow = planned(&[&tile[..], &["--align", "4"]].concat());
    assert!(narrow.starts_with("copied by gmem_smem: 4 loads and 4 stores of 32 bits per thread"), "{narrow}");
    assert!(narrow.contains("  not of 64 bits: "), "{narrow}");
}

#[test]
fn each_step_of_several_is_said() {
    let text = planned(&["(128, 128) : (128, 1)", "(128, 128) : (1, 128)", "--to", "global"]);
    assert!(text.starts_with("copied by transpose\n"), "{text}");
    assert!(text.contains("\n  step 3, then a barrier:\n    copied by reg: "), "{text}");
}

#[test]
fn bad_questions_are_refused() {
    assert!(refused(&[ROWS, "(32, 16) : (16, 1)"]).contains("got a shape of 1024 elements"));
    assert!(refused(&[ROWS, ROWS, "--to", "nowhere"]).contains("expected one of global, shared, local, tmem"));
    assert!(refused(&[ROWS, ROWS, "--align", "3"]).contains("got '3', expected a power of two"));
    assert!(refused(&[ROWS, ROWS, "--threads", "0"]).contains("got a block of 0 threads; needed 1 to 1024"));
    assert!(refused(&[ROWS, ROWS, "--element-bits", "5"]).contains("needed 8, 16, 32, 64 or 128"));
    assert!(refused(&[ROWS, ROWS, "--chip", "sm_1"]).contains("unknown chip 'sm_1'; known chips: "));
    let tensor_memory = refused(&[ROWS, ROWS, "--from", "tmem"]);
    assert_eq!(tensor_memory, "error: a tmem buffer has no axis 'm'\n");
}
