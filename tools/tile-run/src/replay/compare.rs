//! What a launch left beside what it left in the simulator.

use std::fmt;

use ptx_sim::{RecordedArg, Recording};

/// The first buffer that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// The argument, counted from 0.
    argument: usize,
    /// Bytes of the buffer.
    bytes: usize,
    /// Bytes that differ.
    differing: usize,
    /// The first of them: its offset, what is there, what should be.
    first: (usize, u8, u8),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, got, expected) = self.first;
        write!(f, "argument {}: {} of {} bytes differ, ", self.argument, self.differing, self.bytes)?;
        write!(f, "the first at {at}: got {got:#04x}, expected {expected:#04x}")
    }
}

/// Compares each buffer; `left` has the buffers in the order of the arguments. Bytes without a value are passed over.
pub(super) fn difference(recording: &Recording, left: &[Vec<u8>]) -> Option<Difference> {
    let buffers = recording.args.iter().enumerate().filter_map(|(argument, arg)| match arg {
        RecordedArg::Buffer(buffer) => Some((argument, buffer)),
        RecordedArg::Value(_) => None,
    });
    buffers.zip(left).find_map(|((argument, buffer), left)| {
        let pairs = left.iter().zip(&buffer.after).enumerate();
        let mut wrong = pairs.filter_map(|(at, (&got, want))| want.filter(|&w| w != got).map(|want| (at, got, want)));
        let first = wrong.next()?;
        Some(Difference { argument, bytes: left.len(), differing: 1 + wrong.count(), first })
    })
}
