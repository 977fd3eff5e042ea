//! Launching a kernel.

use thiserror::Error;

use crate::code::{Kernel, Program, Symbol};
use crate::counters::Report;
use crate::exec::Machine;
use crate::fault::Fault;
use crate::memory::{Memory, MemoryError, Pointer};
use crate::module::Module;
use crate::parse::Space;
use crate::schedule::Schedule;

/// Which checkers run. All do by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// Reads of bytes without a value.
    pub init: bool,
    /// Races, and asynchronous copies that nobody waited for.
    pub races: bool,
    /// Generic writes that an asynchronous copy reads without `fence.proxy.async` between them.
    pub proxy: bool,
    /// Tensor memory and copies left over at the end.
    pub leaks: bool,
}

impl Checks {
    /// Every checker.
    pub const ALL: Self = Self { init: true, races: true, proxy: true, leaks: true };
    /// Only what execution itself cannot do without: bounds, alignment, the rules of instructions, deadlock.
    pub const NONE: Self = Self { init: false, races: false, proxy: false, leaks: false };
}

impl Default for Checks {
    fn default() -> Self {
        Self::ALL
    }
}

/// The shape of a launch and how it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z; where it is not given, what the kernel requires, or 1.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Who makes progress.
    pub schedule: Schedule,
    /// What is checked.
    pub checks: Checks,
    /// Warp instructions after which the launch is given up.
    pub step_limit: u64,
    /// The most blocks that run at the same time (at least one cluster does).
    pub resident_blocks: usize,
    /// Multiprocessors that `%nsmid` tells of.
    pub multiprocessors: u32,
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
            multiprocessors: 132,
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
    /// An aggregate, as it stands in memory.
    Bytes(Vec<u8>),
}

impl Arg {
    fn bytes(&self) -> Vec<u8> {
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

/// Why a launch gave no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// The launch itself is wrong.
    #[error("kernel `{kernel}` cannot be launched: {message}")]
    Config {
        /// The kernel.
        kernel: String,
        /// Got and expected.
        message: String,
    },
    /// The module's variables do not fit into memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The kernel did something wrong.
    #[error(transparent)]
    Fault(Box<Fault>),
}

impl LaunchError {
    /// The fault, where the kernel is to blame.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// How far a launch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Warp instructions so far.
    pub steps: u64,
    /// Blocks that have ended.
    pub blocks_done: u64,
    /// Blocks in all.
    pub blocks: u64,
}

/// Runs `kernel` to its end, or to the first fault.
pub fn launch(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
) -> Result<Report, LaunchError> {
    launch_with(memory, module, kernel, config, args, &mut |_| true)
}

/// The same; `progress` is called now and then, and stops the launch by returning false.
pub fn launch_with(
    memory: &mut Memory,
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<Report, LaunchError> {
    let error = |message: String| LaunchError::Config { kernel: kernel.to_string(), message };
    let program = &*module.program;
    let Some(kernel) = program.kernels.iter().find(|k| k.name == kernel) else {
        return Err(error("the module has no such kernel".into()));
    };
    let shape = Shape::new(kernel, config).map_err(error)?;
    let params = parameters(kernel, args).map_err(error)?;
    let (symbols, shared) = place_symbols(memory, module, kernel, config)?;
    if shared > MOST_SHARED {
        return Err(error(format!("{shared} bytes of shared memory, at most {MOST_SHARED} are possible")));
    }
    memory.allocations.iter_mut().for_each(|a| a.segment.shadow.clear());
    let machine = Machine::new(program, kernel, config, shape, memory, params, symbols, shared as usize);
    machine.run(progress).map_err(|fault| LaunchError::Fault(Box::new(fault)))
}

/// What one block of any current device can have, in bytes.
const MOST_SHARED: u64 = 227 * 1024;

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
    d.iter().map(|&x| u64::from(x)).product()
}

impl Shape {
    fn new(kernel: &Kernel, config: &LaunchConfig) -> Result<Self, String> {
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

/// The bytes of the parameter space.
fn parameters(kernel: &Kernel, args: &[Arg]) -> Result<Vec<u8>, String> {
    if args.len() != kernel.params.len() {
        return Err(format!("got {} arguments, expected {}", args.len(), kernel.params.len()));
    }
    let size = kernel.params.last().map_or(0, |p| p.offset + p.size);
    let mut out = vec![0; size as usize];
    for (param, arg) in kernel.params.iter().zip(args) {
        let bytes = arg.bytes();
        if bytes.len() as u64 != param.size {
            return Err(format!("argument `{}` has {} bytes, expected {}", param.name, bytes.len(), param.size));
        }
        out[param.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(out)
}

/// Gives every symbol its address (in shared memory its offset); also gives the bytes of shared memory of a block.
fn place_symbols(
    memory: &mut Memory,
    module: &Module,
    kernel: &Kernel,
    config: &LaunchConfig,
) -> Result<(Vec<u64>, u64), MemoryError> {
    let program = &*module.program;
    let mut addresses = vec![0; program.symbols.len()];
    let mut end = 0u64;
    let shared = |s: &Symbol| matches!(s.space, Space::Shared | Space::SharedCluster);
    for &index in kernel.symbols.iter().filter(|&&i| shared(&program.symbols[i as usize])) {
        let symbol = &program.symbols[index as usize];
        let Some(size) = symbol.size else { continue };
        addresses[index as usize] = end.next_multiple_of(symbol.align);
        end = addresses[index as usize].saturating_add(size);
    }
    // Dynamic shared memory comes last; all names for it are the same place.
    let dynamic = program.symbols.iter().filter(|s| shared(s) && s.size.is_none());
    let align = dynamic.map(|s| s.align).max().unwrap_or(1).max(16);
    let start = if config.dynamic_shared > 0 { end.next_multiple_of(align) } else { end };
    for (address, symbol) in addresses.iter_mut().zip(&program.symbols) {
        if shared(symbol) && symbol.size.is_none() {
            *address = start;
        }
    }
    place_globals(memory, module, program, &mut addresses)?;
    Ok((addresses, start + u64::from(config.dynamic_shared)))
}

/// Module variables are allocated and initialized on the first launch of their module.
fn place_globals(
    memory: &mut Memory,
    module: &Module,
    program: &Program,
    addresses: &mut [u64],
) -> Result<(), MemoryError> {
    let mut fresh = Vec::new();
    for (index, symbol) in program.symbols.iter().enumerate() {
        if !matches!(symbol.space, Space::Global | Space::Const) {
            continue;
        }
        let key = (module.id, index as u32);
        addresses[index] = match memory.symbols.get(&key) {
            Some(&address) => address,
            None => {
                let size = symbol.size.unwrap_or(0) as usize;
                let pointer = memory.alloc_aligned(size, symbol.align)?;
                let mut bytes = symbol.init.clone();
                bytes.resize(size, 0);
                memory.write(pointer, &bytes)?;
                memory.symbols.insert(key, pointer.0);
                fresh.push(index);
                pointer.0
            }
        };
    }
    for index in fresh {
        let symbol = &program.symbols[index];
        for r in &symbol.relocations {
            let target = program.symbols.iter().position(|s| s.name == r.symbol).map_or(0, |i| addresses[i]);
            let value = target.wrapping_add_signed(r.addend);
            memory.write(Pointer(addresses[index] + r.offset), &value.to_le_bytes())?;
        }
        let (allocation, _) = memory.find(addresses[index], 0).unwrap_or_default();
        memory.allocations[allocation].read_only = symbol.space == Space::Const;
    }
    Ok(())
}
