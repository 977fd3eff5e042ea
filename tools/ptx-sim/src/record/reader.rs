//! Reading recordings; module `text` shows their format.

use std::str::Lines;

use thiserror::Error;

use super::text::{FIRST, ROW};
use super::{RecordedArg, RecordedBuffer, Recording};
use crate::needs::{Dim3, Launch};
use crate::tensor_map::{BufferMap, TensorMap, TiledMap};

/// The error for a text that is not a [`Recording`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: got `{got}`, expected {expected}")]
pub struct RecordingError {
    /// The line, from 1.
    pub line: usize,
    /// The text found there.
    pub got: String,
    /// What was expected.
    pub expected: &'static str,
}

/// The largest size of a buffer that is accepted, in bytes.
const MOST: usize = 1 << 30;

impl Recording {
    /// Reads a recording in the format of `to_string`.
    ///
    /// # Errors
    /// The first line that is not as expected.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let mut reader = Reader { lines: text.lines(), number: 0, current: "" };
        reader.next();
        if reader.current != FIRST {
            return Err(reader.error("the first line of a recording"));
        }
        let kernel = reader.field("kernel")?.to_string();
        let (grid, block) = (Dim3(reader.triple("grid")?), Dim3(reader.triple("block")?));
        reader.next();
        let cluster = match reader.current.strip_prefix("cluster ") {
            Some(numbers) => {
                let cluster = reader.three(numbers)?;
                reader.next();
                Some(Dim3(cluster))
            }
            None => None,
        };
        let shared = reader.current.strip_prefix("shared ").and_then(|n| n.parse().ok());
        let dynamic_shared = shared.ok_or_else(|| reader.error("`shared` and a number of bytes"))?;
        let args = reader.args()?;
        let skipped: usize = text.split_inclusive('\n').take(reader.number).map(str::len).sum();
        let ptx = text[skipped..].to_string();
        Ok(Self { ptx, kernel, launch: Launch { grid, block, cluster, dynamic_shared }, args })
    }
}

struct Reader<'t> {
    lines: Lines<'t>,
    /// Number of lines read so far.
    number: usize,
    current: &'t str,
}

impl<'t> Reader<'t> {
    /// Reads a line; past the end it is empty.
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
            } else if let Some(text) = self.current.strip_prefix("map ") {
                let map = map(text).ok_or_else(|| self.error("`map`, an argument, an offset and fields"))?;
                RecordedArg::Map(map)
            } else {
                let size = self.current.strip_prefix("buffer ").and_then(|n| n.parse().ok());
                let size =
                    size.filter(|&n| n <= MOST).ok_or_else(|| self.error("`value`, `map`, `buffer` or `ptx`"))?;
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

/// An argument, an offset, and the fields of a tensor map.
fn map(text: &str) -> Option<BufferMap> {
    let (buffer, rest) = text.split_once(' ')?;
    let (offset, fields) = rest.split_once(' ')?;
    let (base, fields): (_, TiledMap) = (offset.parse().ok()?, fields.parse().ok()?);
    Some(BufferMap { buffer: buffer.parse().ok()?, map: TensorMap::tiled(TiledMap { base, ..fields }).ok()? })
}
