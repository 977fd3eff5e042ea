//! Runs steps, some of them at the same time. The output of each is shown in one piece when it ends.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::process;

use super::report::{Ending, Report};
use super::steps::Step;

/// How many steps run at the same time. Most of them use two cores for a part of their time.
const MAX_AT_ONCE: usize = 2;

/// Runs all steps, and records how they end.
///
/// Whenever fewer than [`MAX_AT_ONCE`] run, the first that may start does so: what it needs has succeeded or was never among
/// the steps, and no other step builds in the folder that it builds in. A step is left out once one that it needs did not
/// succeed. `runner` runs one, and returns whether it succeeded and its output.
///
/// # Errors
/// A step that could not run.
pub fn run(
    steps: &[&Step],
    runner: impl Fn(&Step) -> Result<(bool, String)> + Sync,
    report: &mut Report,
) -> Result<()> {
    let runner = &runner;
    let (sender, ended) = mpsc::channel();
    thread::scope(|scope| {
        let mut waiting = steps.to_vec();
        let mut running: Vec<&Step> = Vec::new();
        loop {
            while running.len() < MAX_AT_ONCE
                && let Some(next) = waiting.iter().position(|step| may_start(step, &waiting, &running))
            {
                let step = waiting.remove(next);
                running.push(step);
                let sender = sender.clone();
                scope.spawn(move || {
                    let start = Instant::now();
                    sender.send((step, runner(step), start.elapsed()))
                });
            }
            if running.is_empty() {
                return Ok(());
            }
            let (step, result, time) = ended.recv().context("a step that runs always ends")?;
            running.retain(|other| other.name != step.name);
            let (is_fine, output) = result.with_context(|| format!("cannot run the step {}", step.name))?;
            let ending = if is_fine { Ending::Ok } else { Ending::Failed };
            println!("\n── {}: {ending}, {:.1} s\n{}", step.name, time.as_secs_f64(), output.trim_end());
            report.add(step.name, ending, time);
            waiting.retain(|step| match report.lost(step.needs) {
                None => true,
                Some(needed) => {
                    report.add(step.name, Ending::Lost(needed), Duration::ZERO);
                    false
                }
            });
        }
    })
}

/// Whether nothing that `step` needs is outstanding, and no step that runs builds in its folder.
fn may_start(step: &Step, waiting: &[&Step], running: &[&Step]) -> bool {
    let is_outstanding = |name: &&str| waiting.iter().chain(running).any(|other| other.name == *name);
    let is_taken = running.iter().any(|other| other.folder.is_some() && other.folder == step.folder);
    !step.needs.iter().any(is_outstanding) && !is_taken
}

/// Runs a step as a process of this program.
pub fn in_process(step: &Step) -> Result<(bool, String)> {
    let (status, output) = captured(process::this_program().args(["test", "--step", step.name]))?;
    Ok((status.success(), output))
}

/// Runs a command; returns both of its streams, in the order in which they were written.
fn captured(command: &mut Command) -> Result<(ExitStatus, String)> {
    let (mut reader, writer) = io::pipe()?;
    let mut child = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command keeps the pipe's other end open, and so would reading.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((child.wait()?, String::from_utf8_lossy(&output).into_owned()))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::steps::{Group, STEPS};
    use super::*;

    fn step(name: &'static str, needs: &'static [&'static str], folder: Option<&'static str>) -> Step {
        Step { name, group: Group::Test, needs, folder, missing: |_| None, run: |_| Ok(()) }
    }

    #[test]
    fn a_step_waits_for_what_it_needs_and_for_its_folder() {
        let steps = [
            step("build", &[], Some("release")),
            step("lint", &[], Some("release")),
            step("broken", &[], None),
            step("lit", &["build"], None),
            step("page", &["broken"], None),
            step("site", &["page", "build"], None),
        ];
        // What ran when a step began, in the order in which they began.
        let (begun, now) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let runner = |step: &Step| {
            begun.lock().unwrap().push((step.name, now.lock().unwrap().clone()));
            now.lock().unwrap().push(step.name);
            thread::sleep(Duration::from_millis(20));
            now.lock().unwrap().retain(|name| *name != step.name);
            Ok((step.name != "broken", String::new()))
        };
        let mut report = Report::default();
        run(&steps.iter().collect::<Vec<_>>(), runner, &mut report).unwrap();
        let begun = begun.into_inner().unwrap();
        assert_eq!(begun.len(), 4, "{begun:?}");
        for (name, beside) in &begun {
            assert!(beside.len() < MAX_AT_ONCE, "{begun:?}");
            assert!(!["lint", "lit"].contains(name) || !beside.contains(&"build"), "{begun:?}");
        }
        assert_eq!(report.failed(), ["broken"]);
        let text = report.to_string();
        assert!(["broken", "page"].iter().all(|name| text.contains(&format!("skipped: {name} did not"))), "{text}");
    }

    #[test]
    fn both_streams_are_captured_in_order() {
        let (status, output) = captured(Command::new("sh").args(["-c", "echo a; echo b >&2; echo c; exit 3"])).unwrap();
        assert_eq!((status.code(), output.as_str()), (Some(3), "a\nb\nc\n"));
    }

    /// A step that needs itself, or a later one that needs it, would never start.
    #[test]
    fn steps_need_earlier_ones() {
        for (index, step) in STEPS.iter().enumerate() {
            for needed in step.needs {
                assert!(STEPS[..index].iter().any(|earlier| earlier.name == *needed), "{}: {needed}", step.name);
            }
        }
    }
}
