//! Asynchronous operations between their issue and their completion.
//!
//! Data are moved when an operation completes, not when it is issued: after a delay that depends on the schedule, or
//! earlier if a thread waits for it.

use std::collections::VecDeque;

use super::multiplication::TensorProduct;
use super::place::MemoryLocation;
use super::region::Sum;
use crate::check::Know;
use crate::code::Reduction;
use crate::memory::Segment;
use crate::schedule::{Random, Schedule};

/// An mbarrier object, by the rank of its block and its offset there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarrierPlace {
    pub(crate) rank: usize,
    pub(crate) offset: usize,
}

/// A thread, by the rank of its block, its warp and its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub(crate) rank: usize,
    pub(crate) warp: u32,
    pub(crate) lane: usize,
}

/// How a bulk copy signals that it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completion {
    Barrier(BarrierPlace),
    /// The issuer's bulk group of this number.
    Group(u32),
}

/// What a part of a bulk copy's target receives.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Memory(MemoryLocation),
    /// A word, again and again.
    Fill([u8; 8]),
}

/// Bytes that a bulk copy moves from one place to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) src: Source,
    pub(crate) dst: MemoryLocation,
    pub(crate) bytes: usize,
}

impl Part {
    /// The places in memory that it uses.
    pub(crate) fn places(&self) -> impl Iterator<Item = MemoryLocation> + use<> {
        let source = match self.src {
            Source::Memory(place) => Some(place),
            Source::Fill(_) => None,
        };
        source.into_iter().chain([self.dst])
    }
}

#[derive(Debug, Clone)]
pub(crate) struct BulkMove {
    /// All parts of shared memory are of the same block, on each side.
    pub(crate) parts: Vec<Part>,
    /// The tensor map, which is read, too.
    pub(crate) map: Option<MemoryLocation>,
    /// The bytes that a barrier counts.
    pub(crate) bytes: u64,
    pub(crate) completion: Completion,
    /// Its number in the recording.
    pub(crate) number: u32,
    pub(crate) change: Change,
}

/// How the words of a bulk copy's target depend on those of its source.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// They are the same.
    None,
    /// They are rounded to tf32.
    Rounded,
    /// They are reduced with those that the target had before.
    Reduced(Reduction),
}

/// 16 bytes from an offset in shared memory to a byte offset in tensor memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) src: usize,
    pub(crate) dst: usize,
}

/// Copies of the same pieces in each of these blocks, from its own shared memory to its own tensor memory.
#[derive(Debug, Clone)]
pub(crate) struct TmemMove {
    pub(crate) blocks: Vec<usize>,
    pub(crate) pieces: Vec<Piece>,
    /// The number of the commit that follows it.
    pub(crate) time: u32,
}

#[derive(Debug, Clone)]
pub(crate) enum Work {
    Bulk(BulkMove),
    /// `cp.async.mbarrier.arrive`: the issuer's copies up to this ticket, then an arrival.
    CopyArrive {
        ticket: u32,
        barrier: BarrierPlace,
        know: Know,
        /// The issuer's copies.
        accesses: Know,
        number: u32,
    },
    TmemCopy(TmemMove),
    TensorProduct(Box<TensorProduct>),
    /// `tcgen05.commit`: an arrival after the issuer's `tcgen05.cp` and `tcgen05.mma` have completed.
    TensorCommit {
        barriers: Vec<BarrierPlace>,
        know: Know,
        /// The accesses that it commits.
        accesses: Know,
        /// The number of the commit.
        time: u32,
        /// Its number in the recording.
        number: u32,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) due: u64,
    /// The order of issue.
    pub(crate) seq: u64,
    /// Index of the cluster.
    pub(crate) cluster: usize,
    pub(crate) issuer: Issuer,
    /// Index of the instruction.
    pub(crate) at: u32,
    pub(crate) work: Work,
}

/// Operations that have not completed, in the order of their issue.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    pub(crate) jobs: VecDeque<Job>,
    issued: u64,
}

impl Engine {
    /// Adds a job and assigns its number.
    pub(crate) fn issue(&mut self, job: Job) {
        self.issued += 1;
        self.jobs.push_back(Job { seq: self.issued, ..job });
    }

    /// Takes the first job that satisfies `wanted`.
    pub(crate) fn take(&mut self, wanted: impl Fn(&Job) -> bool) -> Option<Job> {
        let index = self.jobs.iter().position(wanted)?;
        self.jobs.remove(index)
    }
}

/// The step at which an operation completes if no thread waits for it earlier.
pub(crate) fn due(steps: u64, schedule: Schedule, random: &mut Random) -> u64 {
    match schedule {
        Schedule::Random(_) => steps + random.below(1000),
        _ => steps + 200,
    }
}

/// The copies of one lane that are not complete, and the groups they are in.
#[derive(Debug, Default)]
pub(crate) struct LaneCopies {
    pub(crate) pending: Vec<Pending>,
    /// Copies since the last commit or arrival have this number plus one.
    pub(crate) tickets: u32,
    /// The number that was current at each commit.
    pub(crate) groups: Vec<u32>,
    /// Bulk groups committed so far.
    pub(crate) bulk_groups: u32,
    /// `tcgen05.commit`s so far.
    pub(crate) tensor_commits: u32,
    /// Sums in tensor memory of its last `tcgen05.mma`s.
    pub(crate) sums: Vec<Sum>,
}

#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) ticket: u32,
    pub(crate) rank: usize,
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
    pub(crate) data: [u8; 16],
    /// Bytes of the source that had no value.
    pub(crate) missing: u32,
}

impl Pending {
    pub(crate) fn arrive(&self, shared: &mut Segment) {
        shared.write(self.offset, &self.data[..self.bytes]);
        shared.forget(self.offset, self.missing);
    }
}

impl LaneCopies {
    pub(crate) fn close(&mut self) -> u32 {
        self.tickets += 1;
        self.tickets
    }
}
