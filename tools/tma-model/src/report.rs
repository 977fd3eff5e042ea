//! The number of cases by verdict.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::judge::{Judged, Verdict};

/// Prints the cases that failed, and the number of cases by verdict; with `verbose`, why each case is not alike.
///
/// # Errors
/// An error of writing to `out`.
pub fn print(out: &mut impl Write, all: &[Judged], verbose: bool) -> io::Result<()> {
    for judged in
        all.iter().filter(|judged| verbose && judged.verdict != Verdict::Alike || judged.verdict == Verdict::Failed)
    {
        let word = if judged.verdict == Verdict::Failed { "FAIL" } else { "PASS" };
        writeln!(out, "{word} {}: {}: {}", judged.id, judged.verdict, judged.why)?;
    }
    for (verdict, count) in counts(all) {
        writeln!(out, "{count:>5}  {verdict}")?;
    }
    Ok(())
}

/// The number of cases that failed.
pub fn failures(all: &[Judged]) -> usize {
    counts(all).get(&Verdict::Failed).copied().unwrap_or(0)
}

/// The number of cases by verdict.
pub fn counts(all: &[Judged]) -> BTreeMap<Verdict, usize> {
    let mut counts = BTreeMap::new();
    all.iter().for_each(|judged| *counts.entry(judged.verdict).or_default() += 1);
    counts
}
