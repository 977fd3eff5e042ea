//! Recordings in folders, and the comparison of a launch's memory with that of the simulator.

use std::fmt;
use std::path::{Path, PathBuf};

use ptx_sim::{RecordedArg, Recording};

use super::ReplayError;

/// The extension of recordings.
const EXTENSION: &str = "launch";

/// The given files, and the recordings in the given folders, sorted by name.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReplayError> {
    let mut files = Vec::new();
    for path in paths {
        let error = |error| ReplayError::Read { path: path.clone(), error };
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in path.read_dir().map_err(error)? {
            let file = entry.map_err(error)?.path();
            if file.extension().is_some_and(|e| e == EXTENSION) {
                files.push(file);
            }
        }
    }
    if files.is_empty() {
        return Err(ReplayError::None(paths.to_vec()));
    }
    files.sort();
    Ok(files)
}

pub(super) fn read(path: &Path) -> Result<Recording, ReplayError> {
    let text = std::fs::read_to_string(path).map_err(|error| ReplayError::Read { path: path.into(), error })?;
    Recording::parse(&text).map_err(|error| ReplayError::Recording { path: path.into(), error })
}

/// Writes a recording with the memory that a device left, under its file's name.
pub(super) fn write(
    folder: &Path,
    file: &Path,
    mut recording: Recording,
    left: Vec<Vec<u8>>,
) -> Result<(), ReplayError> {
    let buffers = recording.args.iter_mut().filter_map(|arg| match arg {
        RecordedArg::Buffer(buffer) => Some(buffer),
        RecordedArg::Value(_) | RecordedArg::Map(_) => None,
    });
    for (buffer, left) in buffers.zip(left) {
        buffer.after = left.into_iter().map(Some).collect();
    }
    let path = folder.join(file.file_name().unwrap_or_default());
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, recording.to_string()));
    written.map_err(|error| ReplayError::Write { path, error })
}

/// The first buffer that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// The argument, counted from 0.
    argument: usize,
    /// The size of the buffer in bytes.
    bytes: usize,
    /// The number of bytes that differ.
    differing: usize,
    /// The first of them: its offset, the actual byte and the expected one.
    first: (usize, u8, u8),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, got, expected) = self.first;
        write!(f, "argument {}: {} of {} bytes differ, ", self.argument, self.differing, self.bytes)?;
        write!(f, "the first at {at}: got {got:#04x}, expected {expected:#04x}")
    }
}

/// Compares each buffer; `left` has the buffers in the order of the arguments. Bytes without a value are skipped.
pub(super) fn difference(recording: &Recording, left: &[Vec<u8>]) -> Option<Difference> {
    let buffers = recording.args.iter().enumerate().filter_map(|(argument, arg)| match arg {
        RecordedArg::Buffer(buffer) => Some((argument, buffer)),
        RecordedArg::Value(_) | RecordedArg::Map(_) => None,
    });
    buffers.zip(left).find_map(|((argument, buffer), left)| {
        let pairs = left.iter().zip(&buffer.after).enumerate();
        let mut wrong = pairs.filter_map(|(at, (&got, want))| want.filter(|&w| w != got).map(|want| (at, got, want)));
        let first = wrong.next()?;
        Some(Difference { argument, bytes: left.len(), differing: 1 + wrong.count(), first })
    })
}
