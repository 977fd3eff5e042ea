//! Assembling the program with ptxas.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Mismatch;

/// A working assembler.
#[derive(Clone, Debug)]
pub struct Assembler {
    path: PathBuf,
}

impl Assembler {
    /// The program at `path`, which is a file or a name to be looked up.
    ///
    /// # Errors
    /// The system's error if the program does not run.
    pub fn new(path: &Path) -> io::Result<Self> {
        Command::new(path).arg("--version").stdout(Stdio::null()).status()?;
        Ok(Assembler { path: path.to_owned() })
    }

    /// The assembler's error for a program for `chip`, if any.
    pub(super) fn objection(&self, chip: &str, program: &str) -> Option<Mismatch> {
        match self.run(chip, program) {
            Ok((true, _)) => None,
            Ok((false, printed)) => Some(Mismatch::new("ptxas", printed.trim(), "no error")),
            Err(error) => Some(Mismatch::new("ptxas", error, "a run")),
        }
    }

    fn run(&self, chip: &str, program: &str) -> io::Result<(bool, String)> {
        let mut child = Command::new(&self.path)
            .args(["-arch", chip, "-o", "/dev/null", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // It reads all input before it prints anything; if it does not read its input, it reports an error itself.
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(program.as_bytes());
        }
        let done = child.wait_with_output()?;
        let printed = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ok((done.status.success(), printed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_are_not_there_are_errors() {
        assert!(Assembler::new(Path::new("/no/such/ptxas")).is_err());
    }
}
