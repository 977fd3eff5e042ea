//! The parameters of a launch, its shape, and the addresses of its variables.

mod symbols;

use crate::memory::Pointer;
use crate::needs::{Dim3, Launch, Needs};
use crate::schedule::Schedule;
use crate::tensor_map::TensorMap;

pub(crate) use symbols::{Symbols, Variables, place_symbols};

/// The most shared memory of one block on any current device, in bytes.
pub(crate) const MAX_SHARED: u64 = 227 * 1024;

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
    /// Lanes of one instruction that store the same value to the same address: no order is missing that could change a
    /// value, so compilers do this (Triton after each reduction). Off by default; a race like any other where it is on.
    pub equal_stores: bool,
}

impl Checks {
    /// Every checker.
    pub const ALL: Self = Self { init: true, races: true, proxy: true, leaks: true, equal_stores: true };
    /// Only the checks that execution itself needs: bounds, alignment, the rules of instructions, deadlock.
    pub const NONE: Self = Self { init: false, races: false, proxy: false, leaks: false, equal_stores: false };
}

impl Default for Checks {
    /// Every checker that finds mistakes only.
    fn default() -> Self {
        Self { equal_stores: false, ..Self::ALL }
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
            checks: Checks::default(),
            step_limit: 1 << 36,
            resident_blocks: 1024,
            sm_count: 132,
        }
    }

    /// A launch of this shape; everything else by default.
    pub fn of(launch: &Launch, schedule: Schedule) -> Self {
        let &Launch { grid, block, cluster, dynamic_shared } = launch;
        let cluster = cluster.map(|cluster| cluster.0);
        Self { grid: grid.0, block: block.0, cluster, dynamic_shared, schedule, ..Self::new(1, 1) }
    }

    /// The shape of the launch.
    pub fn launch(&self) -> Launch {
        let &Self { grid, block, cluster, dynamic_shared, .. } = self;
        Launch { grid: Dim3(grid), block: Dim3(block), cluster: cluster.map(Dim3), dynamic_shared }
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
    /// A tensor map, of 128 bytes.
    Map(TensorMap),
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
            Self::Map(map) => map.encode().into(),
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

/// The shape of a launch, checked.
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

impl Shape {
    /// The shape of a launch that gives a kernel what it needs.
    pub(crate) fn new(needs: &Needs, config: &LaunchConfig) -> Result<Self, String> {
        let Launch { grid, block, cluster, .. } = config.launch();
        let explicit = cluster.or(needs.cluster);
        let cluster = explicit.unwrap_or(Dim3::ONE);
        let blocks = grid.volume();
        if blocks > 1 << 24 {
            return Err(format!("got {blocks} blocks, expected 1 to 2^24"));
        }
        let (threads, ranks, explicit_cluster) = (block.volume() as u32, cluster.volume() as u32, explicit.is_some());
        let clusters = (blocks / u64::from(ranks)) as u32;
        Ok(Self { grid: grid.0, block: block.0, cluster: cluster.0, threads, ranks, clusters, explicit_cluster })
    }
}
