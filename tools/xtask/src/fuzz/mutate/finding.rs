//! The criteria of findings, and of crashes that are upstream's.

use std::os::unix::process::ExitStatusExt;

use super::stack;
use super::watch::End;

/// A failure that no input may cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A key that is equal for findings that are likely the same bug.
    pub key: String,
    /// The step or tool in which it happened.
    pub step: String,
    /// The end of the output.
    pub output: String,
    /// Whether it is MLIR's or LLVM's own bug (see [`stack::upstream`]).
    pub upstream: bool,
}

/// Texts in the output that are findings even if the process ends normally.
const TEXTS: [&str; 6] = [
    "panicked at",
    "made the compiler fail",
    "AddressSanitizer",
    "ThreadSanitizer",
    ": runtime error: ",
    "Assertion `",
];

/// The number of bytes that are kept of a long output.
const KEPT: usize = 12_000;

/// The finding of a panic; panics are distinguished by their locations.
pub fn of_panic(text: &str, step: &str) -> Finding {
    let place = text.split_once("panicked at ").map_or(text, |(_, rest)| rest);
    let place = place.split_whitespace().next().unwrap_or_default().trim_end_matches(':');
    Finding { key: format!("panic at {place}"), step: step.to_owned(), output: text.to_owned(), upstream: false }
}

/// The finding, if any, in the end of a process with its output.
pub fn of_end(end: End, output: &str, step: &str) -> Option<Finding> {
    let finding = |key: String, upstream| {
        let from = output.ceil_char_boundary(output.len().saturating_sub(KEPT));
        Some(Finding { key, step: step.to_owned(), output: output[from..].to_owned(), upstream })
    };
    let what = match end {
        End::Hang => Some("hang".to_owned()),
        End::Memory => Some("more than 4 GB".to_owned()),
        End::Exit(status) => status.signal().map(|signal| format!("signal {signal}")),
    };
    if let Some(what) = what {
        if step == "read" && output.contains("Rust cannot catch foreign exceptions") {
            // Our C++ has no exceptions, so the exception is the reader's, which does not call ours when it throws.
            return finding(format!("{what}: a C++ exception leaves upstream's reader"), true);
        }
        let frames = stack::frames(output);
        return match stack::upstream(&frames) {
            Some(whose) => finding(format!("{what}: {whose}"), true),
            None => finding(format!("{what} in {}", stack::top(&frames)), false),
        };
    }
    if let Some(line) = output.lines().find(|line| TEXTS.iter().any(|text| line.contains(text))) {
        return Some(Finding { step: step.to_owned(), ..of_panic(line, step) });
    }
    let panicked = matches!(end, End::Exit(status) if status.code() == Some(101));
    panicked.then(|| finding(format!("a panic in {step}"), false)).flatten()
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::*;

    fn exit(raw: i32) -> End {
        End::Exit(ExitStatus::from_raw(raw))
    }

    #[test]
    fn an_error_is_none_and_a_panic_is_one() {
        assert_eq!(of_end(exit(256), "error: got 3, expected 4", "read"), None);
        let panic = "thread 'main' panicked at tools/a.rs:7:5: index";
        assert_eq!(of_end(exit(256), panic, "read").map(|found| found.key).as_deref(), Some("panic at tools/a.rs:7:5"));
        let caught = "x.mlir:1:1: error: made the compiler fail: index 3";
        assert!(of_end(exit(256), caught, "read").is_some_and(|found| !found.upstream));
        assert!(of_end(exit(101 << 8), "", "read").is_some());
    }

    #[test]
    fn an_exception_of_the_reader_is_upstreams() {
        let output = "fatal runtime error: Rust cannot catch foreign exceptions, aborting";
        assert!(of_end(exit(6), output, "read").is_some_and(|found| found.upstream));
        assert!(of_end(exit(6), output, "tile-vectorize-copy").is_some_and(|found| !found.upstream));
    }

    #[test]
    fn hangs_memory_and_signals_are_findings() {
        assert_eq!(of_end(End::Hang, "", "read").map(|found| found.key).as_deref(), Some("hang in no frame"));
        assert!(of_end(End::Memory, "", "read").is_some());
        assert_eq!(of_end(exit(11), "", "read").map(|found| found.key).as_deref(), Some("signal 11 in no frame"));
    }
}
