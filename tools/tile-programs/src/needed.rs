//! Whether most of what orders kernels is needed.

use std::collections::BTreeMap;

/// The table of removals.
pub const TABLE: &str = "removed operations";
/// The start of the rows of removals that something notices.
pub const NOTICED: &str = "noticed";
/// The start of the rows of removals after which all accesses are still ordered.
pub const REDUNDANT: &str = "redundant";
/// At least so many removals are noticed for each redundant one; with fewer, the passes insert too much.
const NEEDED: u64 = 4;

/// What is wrong with the rows of the table: too few removals are noticed.
pub fn too_few(rows: &BTreeMap<String, u64>) -> Option<String> {
    let sum = |start: &str| rows.iter().filter(|(row, _)| row.starts_with(start)).map(|(_, count)| count).sum::<u64>();
    let (noticed, redundant) = (sum(NOTICED), sum(REDUNDANT));
    let text = || format!("{noticed} removals are noticed and {redundant} redundant, expected {NEEDED} times as many");
    (redundant * NEEDED > noticed).then(text)
}
