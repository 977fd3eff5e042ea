//! Runs other programs; each error names the command that failed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Prefixes of the variables with which `cargo run` describes a program to itself. Our build scripts must not see them.
const OF_CARGO_RUN: [&str; 3] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];

/// This program, whatever is at its path by now: the tests of xtask build it anew.
pub fn this_program() -> Command {
    command("/proc/self/exe")
}

/// A command in the checkout's top folder with the user's environment, regardless of how xtask was started.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    for (name, _) in env::vars_os() {
        if OF_CARGO_RUN.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    if let Some(paths) = env::var_os("LD_LIBRARY_PATH") {
        match outside(&paths, &workspace::target()) {
            Some(kept) => command.env("LD_LIBRARY_PATH", kept),
            None => command.env_remove("LD_LIBRARY_PATH"),
        };
    }
    command
}

/// The entries of a search path that lie outside `folder`; `None` if nothing is left. `cargo run` prepends the debug
/// build's folders to `LD_LIBRARY_PATH`, where a release tool would find a debug library.
fn outside(paths: &OsStr, folder: &Path) -> Option<OsString> {
    let kept: Vec<PathBuf> = env::split_paths(paths).filter(|path| !path.starts_with(folder)).collect();
    if kept.is_empty() { None } else { env::join_paths(kept).ok() }
}

/// Runs a command to completion on this terminal; fails if it cannot start or its status is not zero.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", line(command));
    }
    Ok(())
}

/// Runs a command to completion and returns both streams; if its status is not zero, fails with the output.
pub fn output(command: &mut Command) -> Result<Output> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !output.status.success() {
        let text = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream)).concat();
        bail!("`{}` ended with {}\n{}", line(command), output.status, text.trim_end());
    }
    Ok(output)
}

/// Runs a command to completion and returns its standard output.
pub fn stdout(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&output(command)?.stdout).into_owned())
}

/// The command as a user would type it, without its environment.
pub fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The first executable file `name` on `PATH`; an absolute path is used as it is.
pub fn which(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| is_executable(path))
}

/// Whether `path` is a file that may be executed.
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let error = output(Command::new("sh").args(["-c", "echo lost >&2; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("`sh -c 'echo lost >&2; exit 3'`"), "{error}");
        assert!(error.contains("exit status: 3"), "{error}");
        assert!(error.ends_with("lost"), "{error}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program-here")).unwrap_err().to_string();
        assert_eq!(error, "cannot start `no-such-program-here`");
    }

    #[test]
    fn library_folders_of_the_build_are_dropped() {
        let paths = OsStr::new("/c/target/debug/deps:/opt/lib:/c/target/debug");
        assert_eq!(outside(paths, Path::new("/c/target")), Some("/opt/lib".into()));
        assert_eq!(outside(OsStr::new("/c/target/debug"), Path::new("/c/target")), None);
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(line(Command::new("a").args(["--b=c", "", "it's"])), r"a --b=c '' 'it'\''s'");
    }
}
