//! The requests of an asynchronous copy.

use std::collections::BTreeMap;

use serde_json::Value;
use tile_isa::Space;
use tile_plan::problem::asynchronous::Completion;

use super::names::option;
use super::{Case, OptionValue, Side};

/// The requests that an asynchronous copy makes by operands; those by attributes are among the case's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The completion mechanism.
    pub completion: Completion,
    /// Whether the destination is in the other CTA of a cluster of two.
    pub remote: bool,
    /// Whether a run-time predicate selects the threads that copy their share.
    pub predicated: bool,
    /// Whether zeros are written where the predicate is false.
    pub zero_fill: bool,
}

/// The operands and the options of a recorded copy; unknown names become options, which the compiler must refuse.
///
/// ```text
///   mbar, remote_cta_id, predicate    operands; the recorded values are expressions of another language
///   prefetch_size 128                 prefetch_size = "L2::128B"; -1 is none
///   fill_mode "zero"                  fill = "zero"
///   direct true                       direct
/// ```
pub(super) fn issue(config: &BTreeMap<String, Value>) -> Result<(Issue, Vec<(String, OptionValue)>), String> {
    let mut issue = Issue { completion: Completion::Caller, remote: false, predicated: false, zero_fill: false };
    let mut options = Vec::new();
    for (name, value) in config {
        match (name.as_str(), value) {
            ("mbar", _) => issue.completion = Completion::Barrier,
            ("remote_cta_id", _) => issue.remote = true,
            ("predicate", _) => issue.predicated = true,
            ("prefetch_size", Value::Number(size)) if size.as_i64() == Some(-1) => {}
            ("prefetch_size", Value::Number(size)) => {
                options.push((name.clone(), OptionValue::Text(format!("L2::{size}B"))));
            }
            ("fill_mode", Value::String(mode)) => {
                issue.zero_fill = mode == "zero";
                options.push(("fill".to_owned(), OptionValue::Text(mode.clone())));
            }
            ("direct", Value::Bool(false)) => {}
            ("direct", Value::Bool(true)) => options.push((name.clone(), OptionValue::Unit)),
            _ => options.push(option(name, value)?),
        }
    }
    Ok((issue, options))
}

/// Whether the copy may be done synchronously. A recorded refusal then need not be reproduced.
///
/// A `tile.copy_async` between memories that loads and stores reach, and that requests nothing specific to asynchronous
/// copies, is done by a synchronous variant if no other accepts it.
pub(super) fn may_be_done_at_once(issue: Issue, options: &[(String, OptionValue)], sides: [&Side; 2]) -> bool {
    let plain = Issue { completion: Completion::Caller, remote: false, predicated: false, zero_fill: false };
    issue == plain
        && options.iter().all(|(name, _)| name == "prefetch_size")
        && sides.iter().all(|side| side.space != Space::Tmem)
}

/// Checks that the block has the four warps that are needed to fill tensor memory, of which each warp reaches a
/// quarter.
pub(super) fn check_tensor_memory(case: &Case) -> Result<(), String> {
    let [src, dst] = [case.src.space, case.dst.space].map(|space| space == Space::Tmem);
    match (src, dst, case.block) {
        (true, true, _) => Err("got tensor memory on both sides, expected one at most".to_owned()),
        (true, _, 128..) | (_, true, 128..) | (false, false, _) => Ok(()),
        _ => Err(format!("got block_threads {}, expected 128 at least for tensor memory", case.block)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &str) -> (Issue, Vec<(String, OptionValue)>) {
        issue(&serde_json::from_str(config).unwrap()).unwrap()
    }

    #[test]
    fn operands_and_attributes_are_told_apart() {
        let (issue, options) = read(r#"{"mbar": "T.x", "remote_cta_id": 1, "predicate": "p", "fill_mode": "zero"}"#);
        assert_eq!(issue, Issue { completion: Completion::Barrier, remote: true, predicated: true, zero_fill: true });
        assert_eq!(options, [("fill".to_owned(), OptionValue::Text("zero".to_owned()))]);
    }

    #[test]
    fn what_is_switched_off_is_left_out() {
        assert_eq!(read(r#"{"direct": false, "prefetch_size": -1}"#).1, []);
        let (_, options) = read(r#"{"direct": true, "prefetch_size": 64, "cta_group": 2}"#);
        let expected = [
            ("cta_group".to_owned(), OptionValue::Integer(2)),
            ("direct".to_owned(), OptionValue::Unit),
            ("prefetch_size".to_owned(), OptionValue::Text("L2::64B".to_owned())),
        ];
        assert_eq!(options, expected);
    }
}
