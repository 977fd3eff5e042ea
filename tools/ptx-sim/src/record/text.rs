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
//! map 2 64 type=u8,dims=16,…                               a tensor map of argument 2, 64 bytes behind its start
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

use super::{RecordedArg, Recording};
use crate::needs::{Dim3, Launch};
use crate::tensor_map::BufferMap;

/// The first line.
pub(super) const FIRST: &str = "recording of a launch";

/// Bytes of a line.
pub(super) const ROW: usize = 32;

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let triple = |Dim3([x, y, z])| format!("{x} {y} {z}");
        let Launch { grid, block, cluster, dynamic_shared } = self.launch;
        writeln!(f, "{FIRST}\nkernel {}\ngrid {}\nblock {}", self.kernel, triple(grid), triple(block))?;
        if let Some(cluster) = cluster {
            writeln!(f, "cluster {}", triple(cluster))?;
        }
        writeln!(f, "shared {dynamic_shared}")?;
        for arg in &self.args {
            match arg {
                RecordedArg::Value(bytes) => {
                    writeln!(f, "value {}", row(&bytes.iter().copied().map(Some).collect::<Vec<_>>()))?;
                }
                RecordedArg::Map(BufferMap { buffer, map }) => {
                    let fields = map.arguments();
                    writeln!(f, "map {buffer} {} {fields}", fields.base)?;
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

#[cfg(test)]
mod tests {
    use super::super::RecordedBuffer;
    use super::*;
    use crate::tensor_map::{TensorMap, TiledMap};

    fn map() -> TensorMap {
        let fields: TiledMap = "type=u8,dims=16x2,box=16x2".parse().unwrap();
        TensorMap::tiled(TiledMap { base: 16, ..fields }).unwrap()
    }

    fn recording() -> Recording {
        let before: Vec<Option<u8>> = (0..100).map(|i| (i % 7 != 0).then_some(if i < 64 { 3 } else { i })).collect();
        let after = vec![Some(9); 100];
        Recording {
            ptx: ".version 8.0\n\nptx\n// the end".into(),
            kernel: "k".into(),
            launch: Launch {
                grid: Dim3([4, 1, 1]),
                block: Dim3([32, 2, 1]),
                cluster: Some(Dim3([2, 1, 1])),
                dynamic_shared: 64,
            },
            args: vec![
                RecordedArg::Value(vec![0x2a, 0]),
                RecordedArg::Buffer(RecordedBuffer { before, after }),
                RecordedArg::Buffer(RecordedBuffer::default()),
                RecordedArg::Map(BufferMap { buffer: 1, map: map() }),
            ],
        }
    }

    #[test]
    fn texts_round_trip() {
        let with = recording();
        let launch = Launch { cluster: None, ..recording().launch };
        let without = Recording { launch, ptx: String::new(), args: Vec::new(), ..recording() };
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
            ("buffer 100", "buffer 99999999999", 8, "`value`, `map`, `buffer` or `ptx`"),
            ("buffer 100", "buffer 90", 12, "a row of 32 bytes, or the rest of the buffer"),
            ("before", "after", 9, "before"),
            ("map 1", "map x", 22, "`map`, an argument, an offset and fields"),
            ("dims=16x2", "dims=16+2", 22, "`map`, an argument, an offset and fields"),
        ] {
            let error = Recording::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert_eq!((error.line, error.expected), (line, expected), "{from} -> {to}: {error}");
        }
        for end in 0..text.find("\nptx\n").unwrap() + 4 {
            assert!(Recording::parse(&text[..end]).is_err(), "{end}");
        }
    }
}
