//! Programs of cases with their memory before and after, in files that `tile-replay` repeats on a GPU.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::case::Case;
use crate::execute::{self, RunError};
use crate::lower::Compiler;

/// The error of recording.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A program is already wrong in the simulator.
    #[error("{id}: {wrong}")]
    RunError {
        /// The case.
        id: String,
        /// The fault.
        wrong: RunError,
    },
}

/// The outcomes of the cases.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// Written to files.
    pub written: usize,
    /// Refused by the compiler.
    pub refused: usize,
    /// Several threads or warps write different values to one location: any of them may be the last.
    pub ambiguous: usize,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recorded launches: {}; copies refused: {}, ", self.written, self.refused)?;
        write!(f, "that leave open who writes last: {}", self.ambiguous)
    }
}

/// Runs each case in the simulator and writes `ID.launch` into the folder, up to `most` files.
///
/// # Errors
/// The first program that is wrong, and the first file that cannot be written.
pub fn all(cases: impl Iterator<Item = Case>, most: usize, folder: &Path) -> Result<Recorded, RecordError> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        |error| RecordError::Write { path, error }
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let (compiler, mut done) = (Compiler::new(), Recorded::default());
    for case in cases {
        if done.written == most {
            break;
        }
        if execute::is_ambiguous(&case) {
            done.ambiguous += 1;
            continue;
        }
        match execute::record(&case, &compiler) {
            Ok(recording) => {
                let path = folder.join(format!("{}.launch", case.id));
                fs::write(&path, recording.to_string()).map_err(unwritable(&path))?;
                done.written += 1;
            }
            Err(RunError::Lowering(_)) => done.refused += 1,
            Err(wrong) => return Err(RecordError::RunError { id: case.id, wrong }),
        }
    }
    Ok(done)
}
