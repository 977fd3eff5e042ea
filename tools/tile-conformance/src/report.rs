//! The printed report.

use std::collections::BTreeMap;
use std::io::{self, Write};

use tile_layout::counted;

use crate::case::{Case, View};
use crate::compare::Verdict;

/// Prints failures, one line per variant, the skipped cases, and the totals. With `verbose`, also the outcome of every
/// case and the compiler's diagnostics.
///
/// # Errors
/// An error of writing to `out`.
pub fn print(
    out: &mut impl Write,
    verdicts: &[Verdict],
    skipped: &BTreeMap<String, usize>,
    verbose: bool,
) -> io::Result<()> {
    verdicts.iter().try_for_each(|verdict| one(out, verdict, verbose))?;
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for verdict in verdicts {
        let (passed, failed) = groups.entry(&verdict.group).or_default();
        *(if verdict.mismatches.is_empty() { passed } else { failed }) += 1;
    }
    let width = groups.keys().map(|name| name.len()).max().unwrap_or(0);
    for (name, (passed, failed)) in &groups {
        writeln!(out, "{name:width$}  {passed} passed, {failed} failed")?;
    }
    for (op, count) in skipped {
        writeln!(out, "skipped {} of {op}: these passes do not lower it", counted(*count, "case"))?;
    }
    writeln!(out, "{} passed, {} failed", verdicts.len() - failures(verdicts), failures(verdicts))
}

/// Prints how often each variant was drawn with each width of access.
///
/// # Errors
/// An error of writing to `out`.
pub fn histogram(out: &mut impl Write, verdicts: &[Verdict]) -> io::Result<()> {
    let mut drawn: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for verdict in verdicts {
        *drawn.entry((&verdict.group, &verdict.access)).or_default() += 1;
    }
    let most = drawn.values().copied().max().unwrap_or(1).max(1);
    for ((group, access), count) in drawn {
        let bar = "#".repeat((count * 40).div_ceil(most));
        writeln!(out, "{group:<12} {access:<22} {count:>6}  {bar}")?;
    }
    Ok(())
}

/// Kinds of copies, besides their memories and scopes; each must be drawn.
pub(crate) const KINDS: [&str; 14] = [
    "part",
    "permuted",
    "reshaped",
    "cast",
    "extent at run time",
    "stride at run time",
    "masked",
    "begin at run time",
    "some threads of a block",
    "condition on arguments",
    "variant by name",
    "replicated registers",
    "swizzled",
    "converted",
];

/// The kinds of a case.
pub(crate) fn kinds(case: &Case) -> impl Iterator<Item = &'static str> {
    let sides = [&case.src, &case.dst];
    let viewed = |is: &dyn Fn(&View) -> bool| case.wording.views.iter().flatten().any(is);
    let is = [
        viewed(&|view| *view == View::Part),
        viewed(&|view| matches!(view, View::Turned(_))),
        viewed(&|view| matches!(view, View::Merged(_))),
        viewed(&|view| *view == View::Cast),
        sides.iter().any(|side| side.runtime_extents().next().is_some()),
        sides.iter().any(|side| side.runtime_strides().next().is_some()),
        !case.wording.margins.is_empty(),
        sides.iter().any(|side| side.runtime_begins().next().is_some()),
        !case.active.is_empty(),
        !case.enclosing.is_empty(),
        case.forced.is_some(),
        sides.iter().any(|side| !side.layout.replica.is_empty()),
        sides.iter().any(|side| side.layout.swizzle.is_some()),
        case.kinds().is_some(),
    ];
    KINDS.into_iter().zip(is).filter(|(_, is)| *is).map(|(kind, _)| kind)
}

/// Prints the number of copies drawn of each kind, and the variants that did them; also kinds that were not drawn.
///
/// # Errors
/// An error of writing to `out`.
pub fn drawn(out: &mut impl Write, cases: &[Case], verdicts: &[Verdict]) -> io::Result<()> {
    let mut by: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (case, verdict) in cases.iter().zip(verdicts) {
        kinds(case).for_each(|kind| *by.entry(kind).or_default().entry(&verdict.group).or_default() += 1);
    }
    for kind in KINDS {
        let mut all: Vec<(&str, usize)> = by.remove(kind).unwrap_or_default().into_iter().collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let count: usize = all.iter().map(|(_, count)| count).sum();
        let names: Vec<String> = all.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let names = if names.is_empty() { "none was drawn".to_owned() } else { names.join(", ") };
        writeln!(out, "{kind:<24} {count:>6}  {names}")?;
    }
    Ok(())
}

/// The number of cases that did not pass.
pub fn failures(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|verdict| !verdict.mismatches.is_empty()).count()
}

fn one(out: &mut impl Write, verdict: &Verdict, verbose: bool) -> io::Result<()> {
    let failed = !verdict.mismatches.is_empty();
    if !failed && !verbose {
        return Ok(());
    }
    writeln!(out, "{} {}: {}", if failed { "FAIL" } else { "PASS" }, verdict.id, verdict.outcome)?;
    for mismatch in &verdict.mismatches {
        writeln!(out, "  {mismatch}")?;
    }
    if verbose {
        for line in
            verdict.heard.iter().flat_map(|item| item.to_string().lines().map(str::to_owned).collect::<Vec<_>>())
        {
            writeln!(out, "  | {line}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Mismatch;
    use crate::lower::{Said, Severity};

    fn verdict(id: &str, group: &str, mismatches: Vec<Mismatch>) -> Verdict {
        let message =
            Said { severity: Severity::Warning, line: Some(7), text: "slow".to_owned(), notes: vec!["why".into()] };
        let (id, group, outcome) = (id.to_owned(), group.to_owned(), format!("{group}, 1 round"));
        Verdict { id, group, mismatches, outcome, access: "32 bits".to_owned(), heard: vec![message] }
    }

    fn text(verdicts: &[Verdict], verbose: bool) -> String {
        let mut out = Vec::new();
        let skipped = BTreeMap::from([("tma".to_owned(), 3)]);
        print(&mut out, verdicts, &skipped, verbose).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn sums_up() {
        let all = [
            verdict("a", "reg", vec![]),
            verdict("b", "fallback", vec![Mismatch::new("rounds", 3, 4)]),
            verdict("c", "reg", vec![]),
        ];
        let expected = "FAIL b: fallback, 1 round\n  rounds: got 3, expected 4\n\
                        fallback  0 passed, 1 failed\nreg       2 passed, 0 failed\n\
                        skipped 3 cases of tma: these passes do not lower it\n2 passed, 1 failed\n";
        assert_eq!(text(&all, false), expected);
        assert_eq!(failures(&all), 1);
    }

    #[test]
    fn counts_what_was_drawn() {
        let all = [verdict("a", "reg", vec![]), verdict("b", "fallback", vec![]), verdict("c", "reg", vec![])];
        let mut out = Vec::new();
        histogram(&mut out, &all).unwrap();
        let bars = ["#".repeat(20), "#".repeat(40)];
        let expected = format!(
            "fallback     32 bits                     1  {}\nreg          32 bits                     2  {}\n",
            bars[0], bars[1]
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn tells_more_when_asked() {
        let text = text(&[verdict("a", "reg", vec![])], true);
        assert!(text.starts_with("PASS a: reg, 1 round\n  | line 7: warning: slow\n  |   note: why\n"), "{text}");
    }
}
