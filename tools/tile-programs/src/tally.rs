//! Verdicts and counts for kinds of programs that have no tables of their own, and the files of findings.

use std::collections::BTreeMap;
use std::time::Duration;
use std::{fmt, fs};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tile_passes::{Error, embed};

use crate::generator::Report;
use crate::{Args, needed};

/// The outcome of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It did what it should.
    Right,
    /// It was refused, for causes with these names.
    Refused(Vec<String>),
    /// Something is wrong: the kind of finding, and the details.
    Finding(String, String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Finding(kind, what) => write!(f, "{kind}: {what}"),
            other => write!(f, "{other:?} in the end"),
        }
    }
}

/// What becomes of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its number.
    pub number: u64,
    /// Its outcome.
    pub outcome: Outcome,
    /// Rows of tables that it counts in: the title of the table, and the row.
    pub counted: Vec<(String, String)>,
}

/// Counts of verdicts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    right: u64,
    refused: u64,
    causes: BTreeMap<String, u64>,
    findings: Vec<(u64, String, String)>,
    tables: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Tally {
    /// Counts the outcome of one more program.
    pub fn count(&mut self, number: u64, outcome: Outcome) {
        match outcome {
            Outcome::Right => self.right += 1,
            Outcome::Refused(causes) => {
                self.refused += 1;
                causes.into_iter().for_each(|cause| *self.causes.entry(cause).or_default() += 1);
            }
            Outcome::Finding(kind, what) => self.findings.push((number, kind, what)),
        }
    }
}

impl Tally {
    /// What is wrong with removals.
    fn unnoticed(&self) -> Option<String> {
        needed::too_few(self.tables.get(needed::TABLE)?)
    }
}

impl Report<Verdict> for Tally {
    fn add(&mut self, verdict: Verdict) {
        self.count(verdict.number, verdict.outcome);
        for (table, row) in verdict.counted {
            *self.tables.entry(table).or_default().entry(row).or_default() += 1;
        }
    }

    fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.unnoticed().is_none()
    }

    fn text(&self, time: Duration, tables: bool) -> String {
        let (found, seconds) = (self.findings.len() as u64, time.as_secs_f64());
        let all = self.right + self.refused + found;
        let mut text = format!(
            "{all} programs in {seconds:.0} s: {} right, {} refused, {found} wrong\n",
            self.right, self.refused
        );
        text += &rows(&self.causes);
        for (title, table) in self.tables.iter().filter(|_| tables) {
            text += &format!("{title}\n{}", rows(table));
        }
        text += &self.unnoticed().map(|what| format!("{what}\n")).unwrap_or_default();
        for (number, kind, what) in &self.findings {
            text += &format!("program {number}: {kind}: {what}\n");
        }
        text
    }
}

/// The rows of a table, the most frequent first.
fn rows(table: &BTreeMap<String, u64>) -> String {
    let mut rows: Vec<_> = table.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    rows.iter().map(|(row, count)| format!("  {count:>6}  {row}\n")).collect()
}

/// The first error, without what differs from one kernel to the next.
pub fn reason(error: &Error) -> String {
    let heard = error.diagnostics();
    let message = if heard.is_empty() { error.to_string() } else { embed::first_error(heard) };
    let mut short = String::new();
    for (at, part) in message.split('\'').enumerate() {
        short += if at % 2 == 0 { part } else { "_" };
    }
    // Threads, bytes and iterations.
    let end = short.find(": for example").unwrap_or(short.len());
    let digits = |text: &str| text.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).collect();
    let short: String = digits(short[..end].lines().next().unwrap_or_default());
    let mut words: Vec<&str> = Vec::new();
    for word in short.split(' ') {
        // A sequence of digits counts once, whatever its length.
        words.push(if word.contains('#') { word.trim_end_matches('#') } else { word });
    }
    words.join(" ")
}

/// Saves a program that went wrong, with what is wrong, the command that reproduces it, and `notes`, such as its launch.
pub fn keep(args: &Args, number: u64, what: &str, notes: &str, program: &str) {
    let kind = args.kind.to_possible_value();
    let kind = kind.as_ref().map_or("", |kind| kind.get_name());
    let comment = |text: &str| text.lines().map(|line| format!("// {line}\n")).collect::<String>();
    let again = format!("reproduce with: tile-programs --kind {kind} --seed {} --first {number} --count 1", args.seed);
    let text = [comment(what), comment(&again), comment(notes), program.to_owned()].concat();
    let path = args.save.join(format!("{kind}-{}-{number}.mlir", args.seed));
    let kept = fs::create_dir_all(&args.save).and_then(|()| fs::write(&path, text));
    if let Err(error) = kept {
        eprintln!("cannot write {}: {error}", path.display());
    }
}
