//! The registry as a table of Markdown.

use std::fmt::Write;

use crate::families::of;
use crate::families::variant::{About, Variant};
use crate::problem::Request;

/// The variants in the order in which they are tried: name, priority, operation, chips, and what is moved.
///
/// ```
/// let table = tile_plan::variants::table::markdown();
/// assert!(table.contains("| `ldgsts` | 20 | `tile.copy_async` | sm_80 or later | "), "{table}");
/// ```
pub fn markdown() -> String {
    let mut table = String::from("| variant | priority | of | chips | moves |\n| --- | --- | --- | --- | --- |\n");
    for request in Request::ALL {
        of(request).iter().for_each(|variant| row(&mut table, request.op(), *variant));
    }
    table
}

fn row(table: &mut String, op: &str, variant: &dyn Variant) {
    let About { name, priority, only_when_forced, engine, moves, .. } = *variant.about();
    let named = if only_when_forced { ", only when named" } else { "" };
    let chips = engine.map_or("all", |engine| engine.chips);
    // Writing to a string does not fail.
    let _ = writeln!(table, "| `{name}` | {priority}{named} | `{op}` | {chips} | {moves} |");
}
