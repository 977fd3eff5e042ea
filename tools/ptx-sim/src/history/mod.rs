//! The happens-before graph of one run, as a second opinion on the vector clocks of `check`.
//!
//! The clocks store the knowledge of each thread but not its reason. Here a run is recorded ([`crate::check::Trace`])
//! and turned into a graph: its nodes are the accesses of one thread between two of its synchronizing instructions, and
//! the accesses of asynchronous copies; its edges are program order, and the order that barriers, mbarriers, fences,
//! releases, waits and completions add. Every pair of conflicting accesses must be connected. The graph can be built
//! again as if one instruction ordered nothing: if all pairs are still connected, the program is as free of races
//! without it, at least in this run.
//!
//! ```text
//!   notes ─build─▶ graph ─┐
//!     └───conflicts─▶ pairs ─unordered─▶ the first pair that is not connected
//! ```

mod build;
mod conflicts;

use std::fmt;

use self::build::Build;
use self::conflicts::Pair;
use crate::check::{Note, Trace};
use crate::code::Program;
use crate::counters::Counts;

/// The most events; a run with more is too long for the graph.
const MAX_NOTES: usize = 1 << 23;

/// The recorded events of a launch, see [`launch_recorded`](crate::launch_recorded).
///
/// ```
/// use ptx_sim::{Arg, LaunchConfig, Memory, Module, launch_recorded};
///
/// let module = Module::parse("
///     .version 8.0
///     .target sm_90
///     .address_size 64
///     .visible .entry turn(.param .u64 out) {
///         .shared .align 4 .b8 tile[256];
///         .reg .b32 %r<6>;
///         mov.u32 %r1, %tid.x;
///         mov.u32 %r2, tile;
///         shl.b32 %r3, %r1, 2;
///         add.u32 %r4, %r2, %r3;
///         st.shared.b32 [%r4], %r1;
///         bar.sync 0;
///         bar.sync 0;
///         xor.b32 %r3, %r3, 128;
///         add.u32 %r4, %r2, %r3;
///         ld.shared.b32 %r5, [%r4];
///         ret;
///     }")?;
/// let mut memory = Memory::new();
/// let out = memory.alloc(4)?;
/// let (_, history) = launch_recorded(&mut memory, &module, "turn", &LaunchConfig::new(1, 64), &[Arg::Ptr(out)])?;
/// let history = history.ok_or("a short run is written down")?;
/// // Either barrier could be left out: the other one suffices.
/// assert!(history.check().is_ok() && history.without(&[13]).is_ok() && history.without(&[14]).is_ok());
/// let race = history.without(&[13, 14]).unwrap_err();
/// assert_eq!((race.first, race.second), (12, 17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct History {
    notes: Vec<Note>,
    pairs: Vec<Pair>,
    /// The line of each instruction, and whether any lane executed it.
    lines: Vec<(u32, bool)>,
    /// Blocks of a cluster.
    ranks: u32,
}

/// Two unordered accesses to the same bytes, at least one of which writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unordered {
    /// The PTX line of the access that ran first; 0 for the start of the block whose memory is accessed.
    pub first: u32,
    /// The PTX line of the other access; 0 for the end of the block whose memory is accessed.
    pub second: u32,
    /// Whether they are ordered, but without a proxy fence between them.
    pub proxy: bool,
}

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.second) {
            (line, 0) => return write!(f, "the block whose memory line {line} accesses may have ended"),
            (0, line) => return write!(f, "the block whose memory line {line} accesses may not have started"),
            _ => {}
        }
        let what = if self.proxy { "proxy fence" } else { "order" };
        write!(f, "no {what} between the accesses at lines {} and {}", self.first, self.second)
    }
}

impl History {
    pub(crate) fn new(trace: Trace, program: &Program, counts: &[Counts], ranks: u32) -> Option<Self> {
        let notes = trace.notes;
        if notes.len() > MAX_NOTES {
            return None;
        }
        let mut touches = Vec::new();
        let graph = Build::new(ranks, &|_| false).run(&notes, &mut |touch| touches.push(touch));
        let pairs = conflicts::pairs(&touches, &graph, ranks)?;
        let lines = program.info.iter().zip(counts).map(|(info, counts)| (info.line, counts.lanes > 0)).collect();
        Some(Self { notes, pairs, lines, ranks })
    }

    /// Checks that the graph orders all conflicting accesses, as the clocks must have found.
    ///
    /// # Errors
    /// The first pair that it does not order.
    pub fn check(&self) -> Result<(), Unordered> {
        self.without(&[])
    }

    /// Like [`History::check`], as if the instructions at these lines of the PTX ordered nothing.
    ///
    /// # Errors
    /// The first pair that is then unordered.
    pub fn without(&self, lines: &[u32]) -> Result<(), Unordered> {
        let skip = |at: u32| lines.contains(&self.lines[at as usize].0);
        let graph = Build::new(self.ranks, &skip).run(&self.notes, &mut |_| {});
        match conflicts::unordered(&graph, &self.pairs) {
            None => Ok(()),
            Some(pair) => {
                let line = |at: u32| self.lines.get(at as usize).map_or(0, |line| line.0);
                Err(Unordered { first: line(pair.at.0), second: line(pair.at.1), proxy: pair.proxy })
            }
        }
    }

    /// Whether any thread executed an instruction at this line.
    pub fn executed(&self, line: u32) -> bool {
        self.lines.contains(&(line, true))
    }

    /// Whether an instruction at this line had any modelled effect that orders accesses.
    pub fn orders(&self, line: u32) -> bool {
        let touch = |note: &Note| matches!(note.1, crate::check::Event::Touch(_) | crate::check::Event::Copy { .. });
        self.notes.iter().any(|note| self.lines[note.0 as usize].0 == line && !touch(note))
    }

    /// The number of conflicting pairs.
    pub fn conflicts(&self) -> usize {
        self.pairs.len()
    }
}
