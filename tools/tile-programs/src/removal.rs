//! Removes each operation that orders a kernel: the simulator, or a comparison of memory, must notice, as far as the
//! accesses that LLVM leaves need the operation.
//!
//! The passes know which threads copy a tile together, but not always which of them moves an element: if the same
//! thread moves it twice, no order is needed.

use std::ops::Range;

use crate::judging::RunFailure;
use crate::needed::{NOTICED, REDUNDANT, TABLE};
use crate::tally::{Outcome, Verdict};

/// Whether a line orders accesses, other than by phases of mbarriers.
pub fn orders(line: &str) -> bool {
    let line = line.trim_start();
    const WHOLE: [&str; 4] = ["gpu.barrier", "nvvm.bar.warp.sync", "nvvm.barrier", "nvvm.fence.proxy"];
    const GROUPS: [&str; 3] = ["wait.group", "commit.group", "bulk.wait_group"];
    WHOLE.iter().any(|name| line.starts_with(name))
        || line.strip_prefix("nvvm.cp.async.").is_some_and(|rest| GROUPS.iter().any(|group| rest.contains(group)))
}

/// The text without the lines that order accesses.
pub fn without_order(text: &str) -> String {
    text.lines().filter(|line| !orders(line)).map(|line| format!("{line}\n")).collect()
}

/// The verdict on a kernel: each of `ranges` of its lines is removed in turn, and `runs` says whether something is
/// wrong with the rest. Where nothing is, all accesses have to be `ordered` in a graph of the run, which does not use
/// the simulator's clocks; unless the simulator does not know what the operation orders.
pub fn judge(
    number: u64,
    text: &str,
    ranges: &[Range<usize>],
    runs: impl Fn(&str) -> Result<(), RunFailure>,
    ordered: impl Fn(&str) -> Result<(), RunFailure>,
    unmodelled: impl Fn(&[&str], usize) -> Option<&'static str>,
) -> Verdict {
    let lines: Vec<&str> = text.lines().collect();
    let (mut counted, mut missed) = (Vec::new(), Vec::new());
    for range in ranges {
        let rest = [&lines[..range.start], &lines[range.end..]].concat().join("\n");
        let name = lines[range.start].split_whitespace().next().unwrap_or_default();
        let row = match (runs(&rest), unmodelled(&lines, range.start)) {
            (Err(wrong), _) => format!("{NOTICED}: {}", wrong.kind),
            (Ok(()), Some(why)) => format!("not modelled: {why}"),
            (Ok(()), None) => {
                let hole = ordered(&rest).err();
                missed.extend(hole.map(|wrong| format!("without line {}, {name}: {}", range.start + 1, wrong.what)));
                format!("{REDUNDANT}: {name}")
            }
        };
        counted.push((TABLE.to_owned(), row));
    }
    let outcome = match missed.is_empty() {
        true => Outcome::Right,
        false => Outcome::Finding("a removal is not noticed".to_owned(), missed.join("; ")),
    };
    Verdict { number, outcome, counted }
}
