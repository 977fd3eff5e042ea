//! `cargo xtask house`: counts what makes the compiler large or hard to change, beside what is aimed at.
//!
//! Everything is counted in the files under version control, so nothing needs to be built. What needs a clock is measured
//! by `cargo xtask bench`.

mod code;
mod measures;

use std::fs;

use anyhow::{Context, Result};

use crate::process;
use crate::table::Table;
use crate::workspace;
use measures::{MEASURES, Source};

/// Prints the table of measures.
pub fn show() -> Result<()> {
    print!("{}", table(&sources()?)?);
    Ok(())
}

fn table(sources: &[Source]) -> Result<Table> {
    let mut table = Table::new(&["measure", "now", "target"]);
    for measure in &MEASURES {
        let now = (measure.count)(sources)?;
        table.row(&[measure.name.to_owned(), now.to_string(), measure.target.to_string()]);
    }
    Ok(table)
}

/// The sources under version control: Rust, C++ and TableGen.
fn sources() -> Result<Vec<Source>> {
    let root = workspace::root();
    let listed = process::stdout(process::command("git").args(["ls-files", "*.rs", "*.cpp", "*.h", "*.td"]))?;
    // A file may have been deleted since it was added.
    let present = listed.lines().filter(|path| root.join(path).exists());
    present
        .map(|path| {
            let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
            Ok(Source::new(path, text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A measure that finds nothing to count in the checkout would report a success.
    #[test]
    fn everything_that_is_counted_exists() {
        let sources = sources().unwrap();
        assert!(sources.len() > 500, "{} sources", sources.len());
        let printed = table(&sources).unwrap().to_string();
        assert_eq!(printed.lines().count(), MEASURES.len() + 1, "{printed}");
    }
}
