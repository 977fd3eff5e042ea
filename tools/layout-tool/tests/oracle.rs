//! The algebra against an independent implementation: the Python package tensor-layouts, where it is installed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use layout_tool::algebra::{coalesce, complement, compose, divide, left_inverse, right_inverse};
use layout_tool::modes::Modes;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::{any_modes, dense_modes};

/// Reads lines `operation|operand|operand|result` and prints each that the package computes otherwise. Results are compared as functions.
/// The package refuses some steps of extents of 1, which have results here.
const SCRIPT: &str = r#"
import sys
import tensor_layouts as cute

def layout(text):
    shape, stride = text.split(":")
    return cute.Layout(eval(shape), eval(stride))

operations = {
    "coalesce": cute.coalesce,
    "compose": cute.compose,
    "complement": lambda a, size: cute.complement(a, size),
    "divide": cute.logical_divide,
    "right_inverse": cute.right_inverse,
    "left_inverse": cute.left_inverse,
}
checked = wrong = refused = 0
for line in sys.stdin:
    name, *operands, result = line.strip().split("|")
    operands = [layout(text) if ":" in text else int(text) for text in operands]
    got = layout(result)
    try:
        expected = operations[name](*operands)
    except cute.LayoutError:
        refused += 1
        continue
    checked += 1
    if name == "left_inverse":
        # It is free to say anything about addresses that hold nothing.
        held = [operands[0](i) for i in range(cute.size(operands[0]))]
        same = all(got(at) == expected(at) for at in held)
    elif name == "right_inverse" and cute.size(got) != cute.size(expected):
        # Where addresses are held twice, either holder will do.
        same = cute.size(got) > cute.size(expected) and all(operands[0](got(i)) == i for i in range(cute.size(got)))
    else:
        same = cute.size(got) == cute.size(expected) and all(got(i) == expected(i) for i in range(cute.size(got)))
    if not same:
        wrong += 1
        print(f"{line.strip()}: expected {expected}")
print(f"checked {checked}, wrong {wrong}, refused by tensor-layouts {refused}")
sys.exit(wrong > 0 or refused * 20 > checked)
"#;

/// Python with the packages that `cargo xtask setup` fetches.
fn python() -> Command {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tensor-layouts");
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", packages).env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

fn cases() -> String {
    let mut runner = TestRunner::deterministic();
    let mut drawn = |strategy: &dyn Fn(&mut TestRunner) -> Modes| strategy(&mut runner);
    let any = |runner: &mut TestRunner| any_modes().new_tree(runner).expect("a layout").current();
    let dense = |runner: &mut TestRunner| dense_modes().new_tree(runner).expect("a layout").current();
    let mut lines = String::new();
    for round in 0..2000 {
        let a = if round % 2 == 0 { drawn(&any) } else { drawn(&dense) };
        let b = drawn(&any);
        let size = a.cosize() * (1 + round % 3);
        let results = [
            ("coalesce", format!("{a}"), coalesce(&a).ok()),
            ("compose", format!("{a}|{b}"), compose(&a, &b).ok().filter(|_| b.cosize() <= a.size().unwrap_or(0))),
            ("complement", format!("{a}|{size}"), complement(&a, size).ok()),
            ("divide", format!("{a}|{b}"), divide(&a, &b).ok().filter(|_| b.cosize() <= a.size().unwrap_or(0))),
            ("right_inverse", format!("{a}"), right_inverse(&a).ok()),
            ("left_inverse", format!("{a}"), left_inverse(&a).ok()),
        ];
        for (name, operands, result) in results {
            if let Some(result) = result {
                lines.push_str(&format!("{name}|{operands}|{result}\n"));
            }
        }
    }
    lines
}

#[test]
fn tensor_layouts_agrees() {
    let imported = python().args(["-c", "import tensor_layouts"]).stderr(Stdio::null()).status();
    if !imported.is_ok_and(|status| status.success()) {
        println!("skipped: python3 has no tensor-layouts; `cargo xtask setup` fetches it");
        return;
    }
    let mut child =
        python().args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3");
    let mut input = child.stdin.take().expect("standard input");
    let cases = cases();
    // Python prints while it reads.
    let writer = std::thread::spawn(move || input.write_all(cases.as_bytes()));
    let output = child.wait_with_output().expect("the output");
    writer.join().expect("a thread").expect("all cases are read");
    let printed = String::from_utf8_lossy(&output.stdout);
    let tail: Vec<&str> = printed.lines().rev().take(20).collect();
    assert!(output.status.success(), "{}", tail.join("\n"));
    println!("{}", tail.first().unwrap_or(&""));
}
