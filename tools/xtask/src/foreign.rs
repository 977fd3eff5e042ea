//! `cargo xtask foreign`: how much of the PTX that other compilers made the simulator accepts, and what it finds in it.
//!
//! ```text
//! corpora/nvrtc/vadd.ptx    a folder for each compiler
//! corpora/nvrtc/vadd.run    arguments of tile-run, one a line; files are relative to the folder
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process;
use crate::table::Table;
use crate::workspace;

/// What became of a file that has a launch.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// It ended well; with the number of comparisons that held.
    Good(usize),
    /// A checker found something, or a result differs: what.
    Bad(String),
    /// It was not executed: why.
    NotRun(String),
}

/// Prints the table of a folder of corpora, and below it what was refused or found.
///
/// # Errors
/// A folder that cannot be read, or a tool that cannot be built.
pub fn run(corpora: &Path) -> Result<()> {
    let cargo = || process::command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    process::run(cargo().args(["build", "--quiet", "--release", "--package", "tile-run"]))?;
    process::run(cargo().args(["build", "--quiet", "--release", "--package", "ptx-sim", "--example", "read"]))?;
    let tools = workspace::bin(workspace::Profile::Release);
    let mut table =
        Table::new(&["source", "files", "accepted", "executed", "ended well", "compared, equal", "found or different"]);
    let mut remarks = Vec::new();
    for folder in entries(corpora)?.iter().filter(|path| path.is_dir()) {
        let files: Vec<PathBuf> =
            entries(folder)?.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "ptx")).collect();
        if files.is_empty() {
            continue;
        }
        let read =
            process::command(tools.join("examples/read")).args(&files).output().context("cannot start `read`")?;
        let lines = String::from_utf8_lossy(&read.stdout).into_owned();
        let refused: Vec<&str> = lines.lines().filter(|line| !line.contains(", kernels ")).collect();
        remarks.extend(refused.iter().map(|line| (*line).to_owned()));
        let mut counts = [0; 4];
        for file in files.iter().filter(|file| file.with_extension("run").exists()) {
            let outcome = launch(&tools.join("tile-run"), folder, file)?;
            let (good, equal, bad) = match &outcome {
                Outcome::Good(compared) => (1, usize::from(*compared > 0), 0),
                Outcome::Bad(why) | Outcome::NotRun(why) => {
                    remarks.push(format!("{}: {why}", file.display()));
                    (0, 0, usize::from(matches!(outcome, Outcome::Bad(_))))
                }
            };
            for (count, more) in counts.iter_mut().zip([good + bad, good, equal, bad]) {
                *count += more;
            }
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let numbers = [files.len(), files.len() - refused.len()].into_iter().chain(counts);
        table.row(&std::iter::once(name).chain(numbers.map(|n| n.to_string())).collect::<Vec<_>>());
    }
    print!("{table}");
    remarks.iter().for_each(|remark| println!("{remark}"));
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = listed.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Executes a file under every schedule.
fn launch(tool: &Path, folder: &Path, file: &Path) -> Result<Outcome> {
    let path = file.with_extension("run");
    let arguments = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(!arguments.trim().is_empty(), "{} has no arguments", path.display());
    let mut command = process::command(tool);
    command.current_dir(folder).arg(file).args(["--json", "--schedule", "all"]).args(arguments.lines());
    let output = command.output().with_context(|| format!("cannot start `{}`", process::line(&command)))?;
    let document: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    Ok(document.map_or_else(
        || Outcome::NotRun(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no message").to_owned()),
        |document| outcome(&document),
    ))
}

/// The outcome that a document of tile-run describes.
fn outcome(document: &Value) -> Outcome {
    let runs = document["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let comparisons = |run: &Value| run["comparisons"].as_array().cloned().unwrap_or_default();
    if document["good"] == true {
        return Outcome::Good(runs.last().map_or(0, |run| comparisons(run).len()));
    }
    let finding = runs.iter().find_map(|run| run["finding"]["message"].as_str().map(str::to_owned));
    let different = || runs.iter().flat_map(comparisons).find_map(|one| one["difference"].as_str().map(str::to_owned));
    Outcome::Bad(finding.or_else(different).unwrap_or_else(|| "it wrote beside its buffers".to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn documents() {
        let equal = json!({ "good": true, "runs": [{ "finding": null, "comparisons": [{ "holds": true, "difference": null }] }] });
        assert_eq!(outcome(&equal), Outcome::Good(1));
        let race = json!({ "good": false, "runs": [{ "schedule": "fair", "finding": { "message": "race" } }] });
        assert_eq!(outcome(&race), Outcome::Bad("race".to_owned()));
        let other =
            json!({ "good": false, "runs": [{ "finding": null, "comparisons": [{ "difference": "1 of 4" }] }] });
        assert_eq!(outcome(&other), Outcome::Bad("1 of 4".to_owned()));
    }
}
