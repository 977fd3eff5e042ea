//! What each kind of random programs does: it draws a program from a seed and a number, and judges what becomes of it.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Args;

/// A generator of one kind of programs. One is created for a few hundred programs, so that what an MLIR context keeps
/// is freed.
pub trait Generator {
    /// What becomes of a program; it travels between processes as a line of JSON.
    type Verdict: Serialize + DeserializeOwned + Send;
    /// The counts of all verdicts.
    type Report: Report<Self::Verdict>;

    /// A generator for the seed of the arguments.
    fn new(args: &Args) -> Self;

    /// The text of a program.
    fn text(args: &Args, number: u64) -> String;

    /// Draws and judges a program, and saves it where something is wrong with it.
    fn judge(&mut self, args: &Args, number: u64) -> Self::Verdict;

    /// The verdict on a program with which a worker died or hung: `kind` is `crash` or `hang`. It saves the program.
    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Self::Verdict;

    /// The number of the program of a verdict.
    fn number(verdict: &Self::Verdict) -> u64;
}

/// The counts of verdicts.
pub trait Report<Verdict>: Default + Send {
    /// Counts one more program.
    fn add(&mut self, verdict: Verdict);

    /// Whether nothing went wrong.
    fn is_clean(&self) -> bool;

    /// The report, with the coverage tables if `tables`.
    fn text(&self, time: std::time::Duration, tables: bool) -> String;
}
