//! Where values come from, as far as it matters to which threads see the same.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::defining_op;
use tile_dialect::ir::{Parts, as_argument};
use tile_dialect::ops::{Scope, integer};
use tile_dialect::{Space, memref};
use tile_layout::Level;

use super::launch::{self, Argument};
use super::{arithmetic, divisibility, kernel, name, words};

/// How the result of an op follows from its operands.
pub enum Source {
    /// One number.
    Constant(i64),
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// Threads of a block: along x, y, z.
    BlockSize(usize),
    /// The thread's position in its warp.
    Lane,
    /// The warp's position in its block.
    Warp,
    /// A function of the operands, perhaps one that can be evaluated.
    Computed,
    /// The same where all operands are, at most within such a group.
    Mixed(Level),
    /// What the threads of such a group make together: the same for all of them, if these operands are.
    Gathered {
        /// The group.
        level: Level,
        /// Which operands.
        by: &'static [usize],
    },
    /// The operand; promised to be the same within such a group.
    Promised(Level),
}

/// Ops that are functions of their operands unless they read memory, by the beginning of their names.
const PURE: [&str; 5] = ["affine.", "arith.", "index.", "math.", "vector."];

/// Registers that are the same for the whole block: `ctaid`, `ntid`, `nctaid`, …; `clusterid`, `cluster.ctarank`, …
const SPECIAL_REGISTERS: [&str; 4] =
    ["nvvm.read.ptx.sreg.ctaid", "nvvm.read.ptx.sreg.n", "nvvm.read.ptx.sreg.cluster", "nvvm.read.ptx.sreg.gridid"];

/// More ops that are functions of their operands and of the block, by their whole names. A memref or a pointer is as
/// uniform as the place that it points to.
const PURE_NAMES: [&str; 35] = [
    "builtin.unrealized_conversion_cast",
    "gpu.block_id",
    "gpu.grid_dim",
    "gpu.num_subgroups",
    "gpu.subgroup_size",
    "gpu.cluster_id",
    "gpu.cluster_dim",
    "gpu.cluster_dim_blocks",
    "gpu.cluster_block_id",
    "gpu.dynamic_shared_memory",
    "llvm.addrspacecast",
    "llvm.bitcast",
    "llvm.extractvalue",
    "llvm.getelementptr",
    "llvm.inttoptr",
    "llvm.mlir.addressof",
    "llvm.mlir.constant",
    "llvm.ptrtoint",
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.dim",
    "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata",
    "memref.get_global",
    "memref.memory_space_cast",
    "memref.rank",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
    "memref.view",
    "nvgpu.mbarrier.create",
    "tile.assume",
    "tile.view",
];

/// Reads that give all threads of one address the same. Others may read anything.
const LOADS: [&str; 5] = ["memref.load", "affine.load", "vector.load", "vector.transfer_read", "llvm.load"];

/// How an op that is no structured control flow makes its results.
pub fn of(op: OperationRef<'_, '_>) -> Source {
    let name = name(op);
    match name.as_str() {
        "arith.constant" | "index.constant" => {
            arithmetic::constant(op).map_or(Source::Mixed(Level::Cta), Source::Constant)
        }
        "gpu.thread_id" => dimension(op).map_or(Source::Mixed(Level::Thread), Source::Thread),
        "nvvm.read.ptx.sreg.tid.x" => Source::Thread(0),
        "nvvm.read.ptx.sreg.tid.y" => Source::Thread(1),
        "nvvm.read.ptx.sreg.tid.z" => Source::Thread(2),
        "gpu.block_dim" => dimension(op).map_or(Source::Mixed(Level::Cta), Source::BlockSize),
        "nvvm.read.ptx.sreg.ntid.x" => Source::BlockSize(0),
        "nvvm.read.ptx.sreg.ntid.y" => Source::BlockSize(1),
        "nvvm.read.ptx.sreg.ntid.z" => Source::BlockSize(2),
        "gpu.lane_id" | "nvvm.read.ptx.sreg.laneid" => Source::Lane,
        "gpu.subgroup_id" => Source::Warp,
        "nvvm.read.ptx.sreg.warpsize" => Source::Constant(32),
        "nvvm.read.ptx.sreg.warpid" => Source::Mixed(Level::Warp),
        "tile.assume" if !makes_private(op) => promise(op).map_or(Source::Computed, Source::Promised),
        loaded if LOADS.contains(&loaded) => Source::Mixed(within(op)),
        other if pure(other) && op.region_count() == 0 && !makes_private(op) => Source::Computed,
        other => together(op, other).unwrap_or(Source::Mixed(Level::Thread)),
    }
}

/// What `tile.assume` promises of uniformity.
fn promise(op: OperationRef<'_, '_>) -> Option<Level> {
    let scope = integer(op, "uniform").and_then(Scope::from_code)?;
    Some(words::scope(scope).level())
}

/// Ops by which the threads of a warp, or of a block, make one value.
fn together(op: OperationRef<'_, '_>, name: &str) -> Option<Source> {
    let operand_is = |index: usize, wanted: i64| {
        let constant = op.operand_at(index).and_then(|value| arithmetic::constant(defining_op(value)?));
        constant == Some(wanted)
    };
    let mode_is = |attribute: &str, wanted: &str| {
        op.attribute(attribute).is_ok_and(|mode| mode.to_string().contains(&format!("{wanted}>")))
    };
    let warp = |by| Some(Source::Gathered { level: Level::Warp, by });
    match name {
        "gpu.all_reduce" => Some(Source::Gathered { level: Level::Cta, by: &[] }),
        "gpu.subgroup_reduce" if !op.has_attribute("cluster_size") => warp(&[]),
        "gpu.subgroup_broadcast" => warp(&[]),
        // From one lane of 32, for all.
        "gpu.shuffle" if mode_is("mode", "idx") && operand_is(2, 32) => warp(&[1]),
        "nvvm.shfl.sync" if mode_is("kind", "idx") && operand_is(0, -1) && operand_is(3, 31) => warp(&[2]),
        // Whoever executes it is in the mask that it names.
        "nvvm.vote.sync" => warp(&[0]),
        "nvvm.redux.sync" => warp(&[1]),
        _ => None,
    }
}

fn pure(name: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let reads = ["load", "read", "gather"].iter().any(|read| name.contains(read));
    PURE_NAMES.contains(&name) || starts(&SPECIAL_REGISTERS) || starts(&PURE) && !reads
}

/// Is an op of that name a function of its operands and of what it reads, so that it writes nothing?
pub fn only_computes_or_reads(name: &str) -> bool {
    let writes = ["store", "write", "scatter", "dma"].iter().any(|write| name.contains(write));
    (PURE_NAMES.contains(&name) || PURE.iter().any(|prefix| name.starts_with(prefix))) && !writes
}

/// The dimension that an op such as `gpu.thread_id` is of: 0, 1, 2 for x, y, z.
pub fn dimension(op: OperationRef<'_, '_>) -> Option<usize> {
    let text = op.attribute("dimension").ok()?.to_string();
    let letter = text.chars().rev().find(char::is_ascii_alphabetic)?;
    ['x', 'y', 'z'].iter().position(|&dimension| dimension == letter)
}

/// Is the value private memory, which is each thread's own whatever its address?
fn is_private(value: Value<'_, '_>) -> bool {
    match MemRefType::try_from(value.r#type()) {
        Ok(memref) => memref::space(memref).is_none_or(|space| space == Space::Local),
        Err(_) => value.r#type().to_string() == "!llvm.ptr<5>",
    }
}

fn makes_private(op: OperationRef<'_, '_>) -> bool {
    op.results().any(|result| is_private(result.into()))
}

fn within(load: OperationRef<'_, '_>) -> Level {
    // What is loaded again, or in an order with what others store, may change between two threads' loads.
    let changes = load.has_attribute("volatile_") || integer(load, "ordering").is_some_and(|ordering| ordering != 0);
    if load.operand_at(0).is_some_and(|source| !is_private(source)) && !changes { Level::Cta } else { Level::Thread }
}

/// Where a block argument comes from. That of a launch's body which repeats an operand is known by the operand.
pub fn of_argument(value: Value<'_, '_>) -> Source {
    match launch::argument(value) {
        Some(Argument::Thread(dimension)) => Source::Thread(dimension),
        Some(Argument::OfBlock) => Source::Mixed(Level::Cta),
        Some(Argument::Size(size)) => captured(size),
        Some(Argument::Memory) if is_private(value) => Source::Mixed(Level::Thread),
        Some(Argument::Memory) => Source::Mixed(Level::Cta),
        None => Source::Mixed(argument(value)),
    }
}

/// Where a value comes from that is made outside of the launch around its use: all threads see the same.
pub fn captured(value: Value<'_, '_>) -> Source {
    divisibility::of(value).constant().map_or(Source::Mixed(Level::Cta), Source::Constant)
}

/// How far an argument of a function (or of a block whose branches are not known) is uniform.
///
/// The threads of a scope that call a function together hand it the same memrefs; [`super::calls`] looks at the calls
/// in sight. What else they hand it may be each thread's own, unless the host does.
fn argument(value: Value<'_, '_>) -> Level {
    let uniform = || {
        let argument = as_argument(value)?;
        let function = argument.owner().parent_operation()?;
        let entry = function.regions().next()?.first_block()?;
        let own = entry.to_raw().ptr == argument.owner().to_raw().ptr && function.has_attribute("function_type");
        let shared = kernel::is_entry(function) || MemRefType::try_from(value.r#type()).is_ok();
        Some(own && shared && !is_private(value))
    };
    if uniform().unwrap_or(false) { Level::Cta } else { Level::Thread }
}

/// The operands of an op.
pub fn operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operands().collect()
}
