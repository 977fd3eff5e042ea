//! `cargo xtask house`: counts what makes the compiler large or hard to change, beside what is aimed at.
//!
//! Everything is counted in the files under version control, so nothing needs to be built. What needs a clock is measured
//! by `cargo xtask bench`.
//!
//! `--check` is a ratchet: no measure may exceed what [`record`] has of it. `--record` lowers the record to what is counted now; it
//! raises it only with a reason, which stays in the file until the next growth: a figure of docs/performance.md, or a kernel that needed it.

mod code;
mod measures;
mod record;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::table::Table;
use crate::workspace;
use measures::{MEASURES, Source};

/// Options of `cargo xtask house`.
#[derive(clap::Args)]
pub struct HouseOptions {
    /// Fail if a measure exceeds the record.
    #[arg(long)]
    check: bool,
    /// Lower the record to what is counted now.
    #[arg(long, conflicts_with = "check")]
    record: bool,
    /// With --record: what growth pays for, so that the record may rise.
    #[arg(long, requires = "record", value_name = "REASON")]
    paid: Option<String>,
}

/// Prints the table of measures; compares them with the record, or changes it.
pub fn run(options: &HouseOptions) -> Result<()> {
    let sources = sources()?;
    let most = record::read()?;
    print!("{}", table(&sources, &most)?);
    if options.record {
        record::write(&most, &counts(&sources)?, options.paid.as_deref())?;
    }
    if options.check { check(&sources, &most) } else { Ok(()) }
}

/// Fails if a measure exceeds the record.
pub fn check_record() -> Result<()> {
    check(&sources()?, &record::read()?)
}

fn check(sources: &[Source], most: &[record::Line]) -> Result<()> {
    let grown: Vec<String> = counts(sources)?
        .iter()
        .filter_map(|(name, now)| {
            let most = record::most(most, name);
            (most.is_none_or(|most| *now > most))
                .then(|| format!("{name}: got {now}, expected at most {}", most.unwrap_or_default()))
        })
        .collect();
    if grown.is_empty() {
        return Ok(());
    }
    bail!(
        "{}\nDelete as much as is added; or say what the growth pays for: cargo xtask house --record --paid \"…\"",
        grown.join("\n")
    )
}

/// Each measure's name and what is counted.
fn counts(sources: &[Source]) -> Result<Vec<(&'static str, usize)>> {
    MEASURES.iter().map(|measure| Ok((measure.name, (measure.count)(sources)?))).collect()
}

fn table(sources: &[Source], most: &[record::Line]) -> Result<Table> {
    let mut table = Table::new(&["measure", "now", "at most", "target"]);
    for measure in &MEASURES {
        let now = (measure.count)(sources)?;
        let most = record::most(most, measure.name).map(|most| most.to_string()).unwrap_or_default();
        table.row(&[measure.name.to_owned(), now.to_string(), most, measure.target.to_string()]);
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
        let printed = table(&sources, &[]).unwrap().to_string();
        assert_eq!(printed.lines().count(), MEASURES.len() + 1, "{printed}");
    }

    #[test]
    fn a_measure_that_grows_is_named() {
        let sources = sources().unwrap();
        let most = |more: usize| {
            let counted = counts(&sources).unwrap().into_iter();
            counted.map(|(name, now)| record::Line::new(name, (now + more).saturating_sub(1), "")).collect::<Vec<_>>()
        };
        check(&sources, &most(1)).unwrap();
        let error = check(&sources, &most(0)).unwrap_err().to_string();
        assert!(error.contains("lines of Rust: got"), "{error}");
    }
}
