//! The printed report: counts, causes, coverage; and the files of programs that went wrong.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::Duration;

use tile_oracle::ast::Program;
use tile_oracle::text::Text;

use super::features;
use super::judge::{Twin, Verdict};
use crate::Args;
use crate::generator;
use crate::tally::{self, Outcome, Tally};

/// Counts of everything.
#[derive(Clone, Debug, Default)]
pub struct Report {
    tally: Tally,
    done: BTreeMap<(String, String, String), u64>,
    features: BTreeMap<String, u64>,
    /// Copies of each kind, by the variant that did them.
    kinds: BTreeMap<String, BTreeMap<String, u64>>,
    twins: BTreeMap<(String, String), u64>,
    /// The programs that the check accepts without some of their barriers, and those that it refuses.
    fewer_barriers: [u64; 2],
    /// Programs whose twin went unnoticed.
    unnoticed: Vec<u64>,
    slow: u64,
}

impl generator::Report<Verdict> for Report {
    fn add(&mut self, verdict: Verdict) {
        self.tally.count(verdict.number, verdict.outcome);
        for copy in verdict.copies {
            self.slow += u64::from(copy.variant == "fallback" && copy.most > 1);
            let name = if copy.asynchronous { format!("{} (async)", copy.variant) } else { copy.variant };
            for kind in copy.kinds {
                *self.kinds.entry(kind).or_default().entry(name.clone()).or_default() += 1;
            }
            *self.done.entry((name, copy.way, copy.scope)).or_default() += 1;
        }
        verdict.features.into_iter().for_each(|feature| *self.features.entry(feature).or_default() += 1);
        if let Some(accepted) = verdict.fewer_barriers {
            self.fewer_barriers[usize::from(!accepted)] += 1;
        }
        if let Some(twin) = verdict.twin {
            if twin.noticed.is_none() {
                self.unnoticed.push(verdict.number);
            }
            let how = twin.noticed.unwrap_or_else(|| "nothing".to_owned());
            *self.twins.entry((twin.missing, how)).or_default() += 1;
        }
    }

    fn is_clean(&self) -> bool {
        self.tally.is_clean() && self.unnoticed.is_empty()
    }

    fn text(&self, time: Duration, tables: bool) -> String {
        let mut text = self.tally.text(time, tables);
        // Writing to a string does not fail.
        let _ = self.write(&mut text, tables);
        text
    }
}

impl Report {
    fn write(&self, out: &mut String, tables: bool) -> fmt::Result {
        if tables {
            self.tables(out)?;
        }
        for ((missing, how), count) in &self.twins {
            writeln!(out, "{count} twins without a {missing}: noticed as {how}")?;
        }
        let [accepted, refused] = self.fewer_barriers;
        writeln!(
            out,
            "with fewer barriers: {accepted} accepted by --tile-check-sync and right, {refused} refused by it"
        )?;
        let copies: u64 = self.done.values().sum();
        writeln!(out, "{copies} copies, {} of them by the fallback with more than one thread", self.slow)?;
        self.unnoticed.iter().try_for_each(|number| writeln!(out, "program {number}: its twin went unnoticed"))
    }

    /// For each kind, the number of copies drawn in accepted programs, and the variants that did them; also kinds that
    /// were not drawn.
    fn kinds(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "copies that are")?;
        for kind in features::KINDS {
            let by = self.kinds.get(kind).into_iter().flatten();
            let all: u64 = by.clone().map(|(_, count)| count).sum();
            let mut by: Vec<_> = by.collect();
            by.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let names: Vec<String> = by.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
            let names = if names.is_empty() { "none was drawn".to_owned() } else { names.join(", ") };
            writeln!(out, "  {all:>6}  {kind}: {names}")?;
        }
        Ok(())
    }

    /// The copies of each scope, by variant and memories; then the programs with each feature.
    fn tables(&self, out: &mut String) -> fmt::Result {
        const SCOPES: [&str; 4] = ["thread", "warp", "warpgroup", "cta"];
        writeln!(
            out,
            "{:<24}{:<20}{:>9}{:>9}{:>11}{:>9}",
            "copies by", "", SCOPES[0], SCOPES[1], SCOPES[2], SCOPES[3]
        )?;
        let mut rows: BTreeMap<(&str, &str), [u64; 4]> = BTreeMap::new();
        for ((variant, way, scope), count) in &self.done {
            let at = SCOPES.iter().position(|name| name == scope).unwrap_or(0);
            rows.entry((variant, way)).or_default()[at] += count;
        }
        for ((variant, way), [thread, warp, group, cta]) in rows {
            writeln!(out, "{variant:<24}{way:<20}{thread:>9}{warp:>9}{group:>11}{cta:>9}")?;
        }
        self.kinds(out)?;
        writeln!(out, "programs with")?;
        self.features.iter().try_for_each(|(feature, count)| writeln!(out, "  {count:>6}  {feature}"))
    }
}

/// Saves a program that went wrong, with the finding and the command that reproduces it.
pub fn finding(args: &Args, number: u64, program: &Program, outcome: &Outcome) {
    keep(args, number, program, &outcome.to_string());
}

/// Saves a program whose twin went unnoticed.
pub fn unnoticed(args: &Args, number: u64, program: &Program, twin: &Twin) {
    keep(args, number, program, &format!("without a {} that it needs, nothing is noticed", twin.missing));
}

fn keep(args: &Args, number: u64, program: &Program, what: &str) {
    let [grid, block] = [program.grid, program.block];
    let launch = format!("{grid:?} blocks of {block:?} threads");
    tally::keep(args, number, what, &launch, &Text::of(program).text);
}
