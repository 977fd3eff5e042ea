//! The parameters of a launch, its shape checked against what the kernel requires, and the addresses of its variables.

mod symbols;

use crate::code::Kernel;
use crate::memory::Pointer;
use crate::schedule::Schedule;

pub(crate) use symbols::{Symbols, Variables, place_symbols};

/// The checkers that run; by default all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// Reads of bytes without a value, and decisions on values that PTX leaves undefined.
    pub init: bool,
    /// Races, and asynchronous copies that are never waited for.
    pub races: bool,
    /// Generic writes that an asynchronous copy reads or overwrites without `fence.proxy.async` between them.
    pub proxy: bool,
    /// Tensor memory and copies left over at the end.
    pub leaks: bool,
}

impl Checks {
    /// Every checker.
    pub const ALL: Self = Self { init: true, races: true, proxy: true, leaks: true };
    /// Only the checks that execution itself needs: bounds, alignment, the rules of instructions, deadlock.
    pub const NONE: Self = Self { init: false, races: false, proxy: false, leaks: false };
}

impl Default for Checks {
    fn default() -> Self {
        Self::ALL
    }
}

/// The shape of a launch and how it is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z; none means what the kernel requires, or else 1.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Which warps make progress.
    pub schedule: Schedule,
    /// What is checked.
    pub checks: Checks,
    /// The most instructions that warps may issue in the whole launch, as [`Report::total`](crate::Report::total)
    /// counts them; a launch that needs more is stopped.
    pub step_limit: u64,
    /// The most blocks that run at the same time (always at least one cluster).
    pub resident_blocks: usize,
    /// The number of SMs, the value of `%nsmid`.
    pub sm_count: u32,
}

impl LaunchConfig {
    /// `grid` blocks of `block` threads; everything else by default.
    pub fn new(grid: u32, block: u32) -> Self {
        Self {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            schedule: Schedule::Fair,
            checks: Checks::ALL,
            step_limit: 1 << 36,
            resident_blocks: 1024,
            sm_count: 132,
        }
    }
}

/// A kernel argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// A device address.
    Ptr(Pointer),
    /// 8 bits.
    U8(u8),
    /// 16 bits, also f16 and bf16 by their bits.
    U16(u16),
    /// 32 bits.
    U32(u32),
    /// 64 bits.
    U64(u64),
    /// A float.
    F32(f32),
    /// A double.
    F64(f64),
    /// An aggregate, by its bytes in memory.
    Bytes(Vec<u8>),
}

impl Arg {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Ptr(p) => p.0.to_le_bytes().into(),
            Self::U8(v) => v.to_le_bytes().into(),
            Self::U16(v) => v.to_le_bytes().into(),
            Self::U32(v) => v.to_le_bytes().into(),
            Self::U64(v) => v.to_le_bytes().into(),
            Self::F32(v) => v.to_le_bytes().into(),
            Self::F64(v) => v.to_le_bytes().into(),
            Self::Bytes(b) => b.clone(),
        }
    }
}

/// The progress of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Warp instructions so far.
    pub steps: u64,
    /// Blocks that have ended.
    pub blocks_done: u64,
    /// Blocks in all.
    pub blocks: u64,
}

/// The checked shape of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: [u32; 3],
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Blocks of a cluster.
    pub(crate) ranks: u32,
    /// Clusters of the grid.
    pub(crate) clusters: u32,
    pub(crate) explicit_cluster: bool,
}

fn volume(d: [u32; 3]) -> u64 {
    d.iter().fold(1u64, |n, &x| n.saturating_mul(x.into()))
}

impl Shape {
    pub(crate) fn new(kernel: &Kernel, config: &LaunchConfig) -> Result<Self, String> {
        let cluster = config.cluster.or(kernel.bounds.cluster).unwrap_or([1; 3]);
        let (threads, ranks) = (volume(config.block), volume(cluster));
        if threads == 0 || threads > 1024 {
            return Err(format!("got {threads} threads in a block, expected 1 to 1024"));
        }
        if ranks == 0 || ranks > 16 {
            return Err(format!("got {ranks} blocks in a cluster, expected 1 to 16"));
        }
        if let Some(required) = kernel.bounds.threads.filter(|&r| volume(r) != threads) {
            return Err(format!("got blocks of {:?} threads, `.reqntid` is {required:?}", config.block));
        }
        if let Some(most) = kernel.bounds.max_threads.filter(|&m| volume(m) < threads) {
            return Err(format!("got blocks of {:?} threads, `.maxntid` is {most:?}", config.block));
        }
        if let Some(required) = kernel.bounds.cluster.filter(|&r| r != cluster) {
            return Err(format!("got clusters of {cluster:?} blocks, `.reqnctapercluster` is {required:?}"));
        }
        if config.grid.iter().zip(&cluster).any(|(g, c)| g % c != 0) {
            return Err(format!("a grid of {:?} blocks is not a multiple of the cluster {cluster:?}", config.grid));
        }
        let blocks = volume(config.grid);
        if blocks == 0 || blocks > 1 << 24 {
            return Err(format!("got {blocks} blocks, expected 1 to 2^24"));
        }
        let explicit_cluster = config.cluster.is_some() || kernel.bounds.cluster.is_some();
        let (threads, ranks) = (threads as u32, ranks as u32);
        let clusters = (blocks / u64::from(ranks)) as u32;
        Ok(Self { grid: config.grid, block: config.block, cluster, threads, ranks, clusters, explicit_cluster })
    }
}
