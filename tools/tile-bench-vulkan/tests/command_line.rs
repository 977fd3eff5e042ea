//! Runs the program, on Mesa's software driver where there is no other, with sizes that take no time.

use std::process::Command;

/// Exit status, standard output and standard error.
fn bench(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tile-bench-vulkan")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_row_is_checked() {
    let small = ["--n", "2^12,2^13+5", "--element", "i32", "--items", "4", "--runs", "1", "--warmups", "0"];
    let (status, out, error) = bench(&[&small[..], &["--faults", "2^12"]].concat());
    if error.starts_with("error: no Vulkan: ") {
        return eprintln!("skipped: {error}");
    }
    assert_eq!((status, error.as_str()), (Some(0), ""), "{out}");
    let rows: Vec<&str> = out.lines().filter(|line| line.ends_with("  ok")).collect();
    assert_eq!(rows.len(), 2 + 5, "two sizes and five faults: {out}");
    assert!(rows[0].contains("2^12") && rows[1].contains("2^13+5"), "{out}");
    // Later tiles come first: where blocks run one after the other, the sums of earlier tiles are not published yet.
    let reverse: Vec<&str> = rows[6].trim_start_matches("in reverse").split_whitespace().collect();
    let [tiles, fallbacks] = [1, 2].map(|column| reverse[column].parse::<u64>().unwrap());
    assert!(rows[6].trim_start().starts_with("in reverse") && tiles > 1, "{out}");
    assert!(fallbacks > 0 || !out.starts_with("llvmpipe"), "{out}");
}

#[test]
fn what_cannot_be_measured_has_a_reason() {
    for (arguments, reason) in [
        (["--device", "99"], "error: got device 99, expected one of the "),
        (["--chip", "vulkan9"], "error: unknown target 'vulkan9'; known portable targets: "),
        (["--items", "7"], "got 1000 threads, expected a multiple of 32 from 32 to "),
    ] {
        let (status, _, error) = bench(&[&arguments[..], &["--n", "2^12", "--threads", "1000"]].concat());
        assert_eq!(status, Some(2), "{arguments:?}: {error}");
        assert!(error.contains(reason) || error.starts_with("error: no Vulkan: "), "{arguments:?}: {error}");
    }
    let (status, _, error) = bench(&["--element", "i8"]);
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("[possible values: i32, f32, i64, f64]"), "{error}");
}
