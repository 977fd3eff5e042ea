//! Recordings as text.
//!
//! ```text
//! recording of a launch
//! kernel copy
//! grid 1 1 1
//! block 32 1 1
//! cluster 2 1 1                                            only where the launch states it
//! shared 0
//! value 2a000000                                           an argument, its lowest byte first
//! buffer 96
//! before
//! 00000000000000000000000000000000000000000000000000000000000000ff       32 bytes a line
//! *                                                        the same line again
//! ................................................0102030405060708       `..` is a byte without a value
//! after
//! …
//! ptx
//! .version 8.6                                             from here to the end
//! ```

use std::fmt::{self, Write};
use std::str::Lines;

use thiserror::Error;

use super::{RecordedArg, RecordedBuffer, Recording};

/// Why a text is not a [`Recording`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: got `{got}`, expected {expected}")]
pub struct RecordingError {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub got: String,
    /// What should.
    pub expected: &'static str,
}

const FIRST: &str = "recording of a launch";

/// Bytes of a line.
const ROW: usize = 32;

/// The most bytes that a buffer may be said to have.
const MOST: usize = 1 << 30;

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let triple = |[x, y, z]: [u32; 3]| format!("{x} {y} {z}");
        writeln!(f, "{FIRST}\nkernel {}\ngrid {}\nblock {}", self.kernel, triple(self.grid), triple(self.block))?;
        if let Some(cluster) = self.cluster {
            writeln!(f, "cluster {}", triple(cluster))?;
        }
        writeln!(f, "shared {}", self.dynamic_shared)?;
        for arg in &self.args {
            match arg {
                RecordedArg::Value(bytes) => {
                    writeln!(f, "value {}", row(&bytes.iter().copied().map(Some).collect::<Vec<_>>()))?;
                }
                RecordedArg::Buffer(buffer) => {
                    writeln!(f, "buffer {}", buffer.before.len())?;
                    write!(f, "before\n{}after\n{}", rows(&buffer.before), rows(&buffer.after))?;
                }
            }
        }
        write!(f, "ptx\n{}", self.ptx)
    }
}

fn row(bytes: &[Option<u8>]) -> String {
    bytes.iter().map(|byte| byte.map_or_else(|| "..".into(), |byte| format!("{byte:02x}"))).collect()
}

fn rows(bytes: &[Option<u8>]) -> String {
    let mut out = String::new();
    let mut last = String::new();
    for chunk in bytes.chunks(ROW) {
        let line = row(chunk);
        let _ = writeln!(out, "{}", if line == last { "*" } else { &line });
        last = line;
    }
    out
}

impl Recording {
    /// Reads what `to_string` gives.
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let mut reader = Reader { lines: text.lines(), number: 0, current: "" };
        reader.next();
        if reader.current != FIRST {
            return Err(reader.error("the first line of a recording"));
        }
        let kernel = reader.field("kernel")?.to_string();
        let (grid, block) = (reader.triple("grid")?, reader.triple("block")?);
        reader.next();
        let cluster = match reader.current.strip_prefix("cluster ") {
            Some(numbers) => {
                let cluster = reader.three(numbers)?;
                reader.next();
                Some(cluster)
            }
            None => None,
        };
        let shared = reader.current.strip_prefix("shared ").and_then(|n| n.parse().ok());
        let dynamic_shared = shared.ok_or_else(|| reader.error("`shared` and a number of bytes"))?;
        let args = reader.args()?;
        let skipped: usize = text.split_inclusive('\n').take(reader.number).map(str::len).sum();
        let ptx = text[skipped..].to_string();
        Ok(Self { ptx, kernel, grid, block, cluster, dynamic_shared, args })
    }
}

struct Reader<'t> {
    lines: Lines<'t>,
    /// Lines taken so far.
    number: usize,
    current: &'t str,
}

impl<'t> Reader<'t> {
    /// Takes a line; past the end it is empty.
    fn next(&mut self) {
        self.current = self.lines.next().unwrap_or("");
        self.number += 1;
    }

    fn error(&self, expected: &'static str) -> RecordingError {
        let got = self.current.chars().take(80).collect();
        RecordingError { line: self.number, got, expected }
    }

    /// The rest of a line that begins with `name`.
    fn field(&mut self, name: &'static str) -> Result<&'t str, RecordingError> {
        self.next();
        let rest = self.current.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.error(name))
    }

    fn triple(&mut self, name: &'static str) -> Result<[u32; 3], RecordingError> {
        let numbers = self.field(name)?;
        self.three(numbers)
    }

    fn three(&self, numbers: &str) -> Result<[u32; 3], RecordingError> {
        let list: Result<Vec<u32>, _> = numbers.split(' ').map(str::parse).collect();
        list.ok().and_then(|list| list.try_into().ok()).ok_or_else(|| self.error("three numbers"))
    }

    /// Arguments, up to the line `ptx`.
    fn args(&mut self) -> Result<Vec<RecordedArg>, RecordingError> {
        let mut args = Vec::new();
        loop {
            self.next();
            if self.current == "ptx" {
                return Ok(args);
            }
            let arg = if let Some(text) = self.current.strip_prefix("value ") {
                let bytes: Option<Vec<u8>> = self.bytes(text)?.into_iter().collect();
                RecordedArg::Value(bytes.ok_or_else(|| self.error("bytes that have a value"))?)
            } else {
                let size = self.current.strip_prefix("buffer ").and_then(|n| n.parse().ok());
                let size = size.filter(|&n| n <= MOST).ok_or_else(|| self.error("`value`, `buffer` or `ptx`"))?;
                RecordedArg::Buffer(RecordedBuffer {
                    before: self.rows("before", size)?,
                    after: self.rows("after", size)?,
                })
            };
            args.push(arg);
        }
    }

    fn rows(&mut self, name: &'static str, size: usize) -> Result<Vec<Option<u8>>, RecordingError> {
        self.next();
        if self.current != name {
            return Err(self.error(name));
        }
        let (mut out, mut last) = (Vec::new(), Vec::new());
        while out.len() < size {
            self.next();
            if self.current != "*" {
                last = self.bytes(self.current)?;
            }
            if last.len() != ROW.min(size - out.len()) {
                return Err(self.error("a row of 32 bytes, or the rest of the buffer"));
            }
            out.extend_from_slice(&last);
        }
        Ok(out)
    }

    fn bytes(&self, text: &str) -> Result<Vec<Option<u8>>, RecordingError> {
        let one = |pair: &[u8]| match std::str::from_utf8(pair) {
            Ok("..") => Some(None),
            Ok(pair) if pair.len() == 2 => u8::from_str_radix(pair, 16).ok().map(Some),
            _ => None,
        };
        let bytes: Option<Vec<_>> = text.as_bytes().chunks(2).map(one).collect();
        bytes.ok_or_else(|| self.error("pairs of hexadecimal digits or dots"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording() -> Recording {
        let before: Vec<Option<u8>> = (0..100).map(|i| (i % 7 != 0).then_some(if i < 64 { 3 } else { i })).collect();
        let after = vec![Some(9); 100];
        Recording {
            ptx: ".version 8.0\n\nptx\n// the end".into(),
            kernel: "k".into(),
            grid: [4, 1, 1],
            block: [32, 2, 1],
            cluster: Some([2, 1, 1]),
            dynamic_shared: 64,
            args: vec![
                RecordedArg::Value(vec![0x2a, 0]),
                RecordedArg::Buffer(RecordedBuffer { before, after }),
                RecordedArg::Buffer(RecordedBuffer::default()),
            ],
        }
    }

    #[test]
    fn texts_round_trip() {
        let with = recording();
        let without = Recording { cluster: None, ptx: String::new(), args: Vec::new(), ..recording() };
        for recording in [with, without] {
            assert_eq!(Recording::parse(&recording.to_string()), Ok(recording));
        }
        assert_eq!(recording().to_string().lines().filter(|&line| line == "*").count(), 2);
    }

    #[test]
    fn wrong_lines_are_named() {
        let text = recording().to_string();
        for (from, to, line, expected) in [
            ("recording of", "recordings of", 1, "the first line of a recording"),
            ("kernel", "kernal", 2, "kernel"),
            ("4 1 1", "4 1", 3, "three numbers"),
            ("2 1 1", "2 x 1", 5, "three numbers"),
            ("shared", "shard", 6, "`shared` and a number of bytes"),
            ("2a00", "2a..", 7, "bytes that have a value"),
            ("2a00", "2a0", 7, "pairs of hexadecimal digits or dots"),
            ("buffer 100", "buffer 99999999999", 8, "`value`, `buffer` or `ptx`"),
            ("buffer 100", "buffer 90", 12, "a row of 32 bytes, or the rest of the buffer"),
            ("before", "after", 9, "before"),
        ] {
            let error = Recording::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert_eq!((error.line, error.expected), (line, expected), "{from} -> {to}: {error}");
        }
        for end in 0..text.find("\nptx\n").unwrap() + 4 {
            assert!(Recording::parse(&text[..end]).is_err(), "{end}");
        }
    }
}
