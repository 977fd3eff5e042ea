//! Printing: the counters of a simulated run as a table, and lines whose reader may have closed its end of the pipe.
//!
//! `println!` panics when the reader of its output has closed the pipe, as `head` does when it has read enough.

use std::fmt;

use ptx_sim::{Counts, Report};

/// Displays the counters of a run: a line for each opcode that accesses memory, and one for all instructions.
///
/// ```text
/// opcode                issued   bytes  sectors  wavefronts  conflicts
/// ld.global.nc.v4.b32        8    4096      128
/// st.shared.v4.b32           8    4096                   32          0
/// all instructions          44   16384      256          64          0
/// ```
/// `issued` counts warp instructions; sectors are 32 bytes of global memory each; wavefronts are passes over the banks
/// of shared memory, and conflicts are those that another layout would avoid.
pub struct Table<'a>(pub &'a Report);

const HEAD: [&str; 6] = ["opcode", "issued", "bytes", "sectors", "wavefronts", "conflicts"];

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_opcode = self.0.by_opcode();
        let memory = by_opcode.iter().filter(|(_, counts)| bytes(counts) > 0);
        let mut rows = vec![HEAD.map(String::from)];
        rows.extend(memory.map(|(opcode, counts)| row(opcode, counts)));
        rows.push(row("all instructions", &self.0.total));
        let width = |column: usize| rows.iter().map(|r| r[column].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
        for (number, row) in rows.iter().enumerate() {
            let mut line = format!("{:<width$}", row[0], width = widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                line.push_str(&format!("  {cell:>width$}"));
            }
            write!(f, "{}{}", if number > 0 { "\n" } else { "" }, line.trim_end())?;
        }
        let local = self.0.total.local_bytes;
        if local > 0 { write!(f, "\n{local} bytes of these went to local memory") } else { Ok(()) }
    }
}

fn bytes(counts: &Counts) -> u64 {
    counts.global_bytes + counts.shared_bytes + counts.local_bytes + counts.tensor_bytes
}

fn row(name: &str, counts: &Counts) -> [String; 6] {
    let shared = |value: u64| if counts.shared_bytes > 0 { value.to_string() } else { String::new() };
    let sectors = if counts.global_bytes > 0 { counts.sectors.to_string() } else { String::new() };
    [
        name.into(),
        counts.warps.to_string(),
        bytes(counts).to_string(),
        sectors,
        shared(counts.wavefronts),
        shared(counts.bank_conflicts()),
    ]
}

/// `println!` that silently continues when its reader has closed the pipe.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stdout(), $($text)*);
    }};
}

/// `eprintln!` of errors, warnings and notes, as [`tile_cli::complain`] prints them.
#[macro_export]
macro_rules! complain {
    ($($text:tt)*) => {
        $crate::complain(&::std::format!($($text)*))
    };
}
