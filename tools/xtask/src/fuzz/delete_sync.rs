//! Runs every program of the tests, and programs of random copies, without each of its synchronizing instructions in
//! turn.
//!
//! The programs are the `tile-run` commands in the `RUN` lines of lit tests and in the console fences of pages. Each is
//! repeated with `--delete-sync` under every schedule. tile-run reports for each deletion whether it was noticed, or
//! why it need not be.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::{files, folder, prepared};
use crate::setup::{Toolchain, cuda, numpy};
use crate::{build, process, workspace};

/// The flags that are added to each command.
const FLAGS: &str = "--delete-sync --schedule=all";

/// The time limit of a program with all its deletions.
const TIME: &str = "600s";

/// A command, as lit's shell runs it, with the commands that must run before it.
struct Program {
    /// The file that contains it, and its number there.
    name: String,
    before: Vec<String>,
    command: String,
}

/// The counts in the last line of tile-run, summed over programs.
#[derive(Default)]
struct Tally {
    programs: usize,
    counts: BTreeMap<String, usize>,
    /// Programs with missed deletions, or that do not run.
    bad: Vec<String>,
}

/// Runs at most `count` programs, spread over all of them, and those of `count` random copies, synchronous and
/// asynchronous. The tools must be built.
///
/// # Errors
/// If a deletion is missed, or a program does not run.
pub fn run(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    let [tests, copies] = [of_tests(toolchain, count), of_copies(toolchain, count, seed)];
    tests.and(copies)
}

fn of_copies(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    println!("the programs of {count} random copies, and of as many asynchronous ones");
    let (count, seed) = (count.to_string(), seed.to_string());
    let mut command = toolchain.command(build::tool("tile-conformance"));
    process::run(command.args(["--delete-sync", "--random", &count, "--random-async", &count, "--seed", &seed]))
}

fn of_tests(toolchain: &Toolchain, count: u64) -> Result<()> {
    let start = Instant::now();
    let numpy = numpy::find_or_fetch(cuda::Retry::Never);
    let mut all = programs(toolchain, numpy.is_some())?;
    let wanted = usize::try_from(count).unwrap_or(usize::MAX).clamp(1, all.len().max(1));
    if wanted < all.len() {
        // The benchmark's programs are large: a few minutes each with all deletions.
        all.retain(|program| !program.command.contains("/tile-bench/"));
    }
    let chosen: Vec<&Program> = (0..wanted.min(all.len())).map(|i| &all[i * all.len() / wanted]).collect();
    println!("{} of {} programs, without each of their synchronizing instructions", chosen.len(), all.len());
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let work = |thread: usize| -> Result<()> {
        while let Some(program) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            let output = program.run(toolchain, numpy.as_deref(), thread)?;
            tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(program, &output);
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| -> Result<()> {
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        all.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread panicked")))
    })?;
    let tally = tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let counts: Vec<String> = tally.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    println!("{} programs in {:.0} s; deletions: {}", tally.programs, start.elapsed().as_secs_f64(), counts.join(", "));
    match tally.bad.len() {
        0 => Ok(()),
        bad => bail!("{bad} programs with a deletion that is missed"),
    }
}

impl Tally {
    fn add(&mut self, program: &Program, output: &str) {
        self.programs += 1;
        let last = output.lines().rev().find(|line| line.contains(" noticed, "));
        for part in last.unwrap_or_default().split(", ") {
            if let Some((count, what)) = part.split_once(' ') {
                *self.counts.entry(what.to_owned()).or_default() += count.parse().unwrap_or(0);
            }
        }
        let missed: Vec<&str> = output.lines().filter(|line| line.contains("NOT NOTICED")).collect();
        if missed.is_empty() && last.is_some() {
            return;
        }
        println!("{}\n  {} {FLAGS}", program.name, program.command);
        let shown = if missed.is_empty() { output.lines().rev().take(5).collect() } else { missed };
        shown.iter().for_each(|line| println!("  {line}"));
        self.bad.push(program.name.clone());
    }
}

impl Program {
    fn run(&self, toolchain: &Toolchain, numpy: Option<&Path>, thread: usize) -> Result<String> {
        let folder = folder().join(format!("delete-sync-{thread}"));
        // Removes the files of another program.
        let _ = fs::remove_dir_all(&folder);
        prepared(&folder)?;
        let temporary = folder.join("t");
        let script = [self.before.join("\n"), format!("timeout {TIME} {} {FLAGS} 2>&1", self.command)].join("\n");
        let script = script.replace("%t", &temporary.display().to_string());
        let mut shell = toolchain.command("bash");
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = build::tool("tile-run");
        let bin = bin.parent().unwrap_or(Path::new("."));
        shell.env("PATH", format!("{}:{}:{path}", bin.display(), toolchain.prefix.join("bin").display()));
        // Scripts of some tests compute the expected results, and need numpy.
        shell.envs(numpy.map(|folder| ("PYTHONPATH", folder)));
        // Pages write files into the current folder, and refer to test files relative to the checkout.
        let _ = std::os::unix::fs::symlink(workspace::root().join("test"), folder.join("test"));
        shell.current_dir(&folder).args(["-c", &script]).stdin(Stdio::null()).stderr(Stdio::null());
        let output = shell.output().context("cannot start bash")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// All programs, in the order of their files; those of tests that need numpy only if it is available.
fn programs(toolchain: &Toolchain, numpy: bool) -> Result<Vec<Program>> {
    let mut out = Vec::new();
    for path in files(&["test", "docs"])?.into_iter().chain([workspace::root().join("README.md")]) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if !numpy && text.contains("REQUIRES: numpy") {
            continue;
        }
        let shown = workspace::shown(&path);
        let commands = match path.extension().and_then(|extension| extension.to_str()) {
            Some("mlir" | "test") => run_lines(&text),
            // Other commands are about files that the page writes.
            Some("md") => console_lines(&text).into_iter().filter(|line| line.starts_with("tile-run test/")).collect(),
            _ => continue,
        };
        let commands: Vec<String> = commands.iter().map(|command| substituted(toolchain, command, &path)).collect();
        out.extend(of_file(&shown, &commands));
    }
    Ok(out)
}

/// The commands of a test that run a program, each with the earlier commands that prepare its files.
fn of_file(shown: &str, commands: &[String]) -> Vec<Program> {
    let (mut out, mut before) = (Vec::new(), Vec::new());
    for command in commands {
        if command.starts_with("tile-run ") {
            // The processing of the output does not matter, nor do schedules.
            let end = ["|", "2>", ">"].iter().filter_map(|sign| command.find(&format!(" {sign}"))).min();
            let words = without_schedule(command[..end.unwrap_or(command.len())].split_whitespace());
            let known = |flag: &str| words.iter().any(|word| word.starts_with(flag));
            let fixed = ["--no-check", "--max-steps", "--device", "--delete-sync"].into_iter().any(known);
            if known("--expect") && !fixed {
                let name = format!("{shown}: {}", out.len() + 1);
                let words: Vec<String> = words.iter().map(|word| for_bash(word)).collect();
                out.push(Program { name, before: before.clone(), command: words.join(" ") });
            }
            if known("--write") {
                before.push(command.clone());
            }
        } else if !command.contains("tile-run") {
            before.extend(prepares(command).map(str::to_owned));
        }
    }
    out
}

/// A command that writes files, without the processing of its output.
fn prepares(command: &str) -> Option<&str> {
    let (writer, check) = command.split_once('|').unwrap_or((command, ""));
    match check.contains("FileCheck") {
        true => Some(writer.trim()).filter(|writer| writer.contains(" -o %t")),
        false => Some(command).filter(|command| !command.contains("FileCheck")),
    }
}

/// Quotes a word for bash if necessary: to lit's own shell, parentheses are ordinary characters.
fn for_bash(word: &str) -> String {
    if word.contains('(') && !word.contains('\'') { format!("'{word}'") } else { word.to_owned() }
}

/// The words of a command without those that name schedules.
fn without_schedule<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let mut value = false;
    let mut out = Vec::new();
    for word in words {
        if !std::mem::take(&mut value) && !word.starts_with("--schedule=") {
            value = word == "--schedule";
            if !value {
                out.push(word);
            }
        }
    }
    out
}

fn substituted(toolchain: &Toolchain, command: &str, path: &Path) -> String {
    let parent = path.parent().unwrap_or(Path::new(""));
    let names: [(&str, PathBuf); 6] = [
        ("%python", "python3".into()),
        ("%tile_source", workspace::root()),
        ("%llvm_prefix", toolchain.prefix.clone()),
        ("%tile_bin", build::tool("")),
        ("%S", parent.to_owned()),
        ("%s", path.to_owned()),
    ];
    names.iter().fold(command.to_owned(), |all, (name, value)| all.replace(name, &value.display().to_string()))
}

/// The commands of `RUN:` lines; a line that ends in `\` continues on the next.
fn run_lines(text: &str) -> Vec<String> {
    joined(text.lines().filter_map(|line| Some(line.split_once("RUN:")?.1.trim())))
}

/// The commands that a page shows.
fn console_lines(text: &str) -> Vec<String> {
    let mut inside = false;
    let shown = text.lines().filter(|line| {
        inside |= line.starts_with("$ ");
        let this = inside;
        inside &= line.ends_with('\\');
        this
    });
    joined(shown.map(|line| line.trim_start_matches("$ ").trim()))
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    let (mut out, mut open) = (Vec::new(), String::new());
    for line in lines {
        match line.strip_suffix('\\') {
            Some(part) => open += part,
            None => out.push(std::mem::take(&mut open) + line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_with_what_prepares_them() {
        let text = "// RUN: split-file %s %t\n// RUN: tile-run %t/a.mlir --schedule=all --grid 2 \\\n\
                    // RUN:   --arg f32[4]=ones --expect-unchanged 0 | FileCheck %s\n// RUN: not tile-run %t/b.mlir --arg i32=1\n";
        let all = of_file("x", &run_lines(text));
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].before, ["split-file %s %t"]);
        assert_eq!(all[0].command, "tile-run %t/a.mlir --grid 2 --arg f32[4]=ones --expect-unchanged 0");
        let text = "RUN: tile-opt %s -o %t/p.mlir \\\nRUN: 2>&1 | FileCheck %s\nRUN: tile-opt %s | FileCheck %s\n\
                    RUN: tile-run %t/p.mlir --arg f16[4]=normal(0,1) --expect-equal 0,1\n";
        let all = of_file("x", &run_lines(text));
        assert_eq!(all[0].before, ["tile-opt %s -o %t/p.mlir 2>&1"]);
        assert_eq!(all[0].command, "tile-run %t/p.mlir --arg 'f16[4]=normal(0,1)' --expect-equal 0,1");
        assert_eq!(console_lines("$ tile-run a \\\n    --arg b\nsays this\n"), ["tile-run a --arg b"]);
    }
}
