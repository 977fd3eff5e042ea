//! Where values come from, as far as it matters to which threads see the same.

use melior::ir::block::BlockArgument;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{defining_op, parent_of};
use tile_dialect::{Space, memref};
use tile_layout::Level;

use super::launch::{self, Argument};
use super::{arithmetic, divisibility, kernel, name};

/// How the result of an op follows from its operands.
pub enum Source {
    /// One number.
    Constant(i64),
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// The thread's position in its warp.
    Lane,
    /// The warp's position in its block.
    Warp,
    /// A function of the operands, perhaps one that can be evaluated.
    Computed,
    /// The same where all operands are, at most within such a group.
    Mixed(Level),
}

/// Ops that are functions of their operands unless they read memory, by the beginning of their names.
const PURE: [&str; 5] = ["affine.", "arith.", "index.", "math.", "vector."];

/// Registers that are the same for the whole block: `ctaid`, `ntid`, `nctaid`, …; `clusterid`, `cluster.ctarank`, …
const SPECIAL_REGISTERS: [&str; 3] = ["nvvm.read.ptx.sreg.ctaid", "nvvm.read.ptx.sreg.n", "nvvm.read.ptx.sreg.cluster"];

/// More ops that are functions of their operands and of the block, by their whole names. A memref is as uniform as the place that it points to.
const PURE_NAMES: [&str; 27] = [
    "gpu.block_id",
    "gpu.block_dim",
    "gpu.grid_dim",
    "gpu.num_subgroups",
    "gpu.subgroup_size",
    "gpu.cluster_id",
    "gpu.cluster_dim",
    "gpu.cluster_dim_blocks",
    "gpu.cluster_block_id",
    "gpu.dynamic_shared_memory",
    "llvm.mlir.constant",
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
    "tile.assume",
    "tile.view",
];

/// Reads that give all threads of one address the same. Others may read anything.
const LOADS: [&str; 4] = ["memref.load", "affine.load", "vector.load", "vector.transfer_read"];

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
        "gpu.lane_id" | "nvvm.read.ptx.sreg.laneid" => Source::Lane,
        "gpu.subgroup_id" => Source::Warp,
        loaded if LOADS.contains(&loaded) => Source::Mixed(within(op)),
        other if pure(other) && op.region_count() == 0 && !makes_private(op) => Source::Computed,
        _ => Source::Mixed(Level::Thread),
    }
}

fn pure(name: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let reads = ["load", "read", "gather"].iter().any(|read| name.contains(read));
    PURE_NAMES.contains(&name) || starts(&SPECIAL_REGISTERS) || starts(&PURE) && !reads
}

/// The dimension that an op such as `gpu.thread_id` is of: 0, 1, 2 for x, y, z.
pub fn dimension(op: OperationRef<'_, '_>) -> Option<usize> {
    let text = op.attribute("dimension").ok()?.to_string();
    let letter = text.chars().rev().find(char::is_ascii_alphabetic)?;
    ['x', 'y', 'z'].iter().position(|&dimension| dimension == letter)
}

/// Is the value private memory, which is each thread's own whatever its address?
fn is_private(value: Value<'_, '_>) -> bool {
    MemRefType::try_from(value.r#type())
        .is_ok_and(|r#type| memref::space(r#type).is_none_or(|space| space == Space::Local))
}

fn makes_private(op: OperationRef<'_, '_>) -> bool {
    op.results().any(|result| is_private(result.into()))
}

fn within(load: OperationRef<'_, '_>) -> Level {
    if load.operand(0).is_ok_and(|source| !is_private(source)) { Level::Cta } else { Level::Thread }
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

/// How far an argument of a function (or of a block that is jumped to) is uniform.
fn argument(value: Value<'_, '_>) -> Level {
    let uniform = || {
        let argument = BlockArgument::try_from(value).ok()?;
        let function = argument.owner().parent_operation()?;
        let entry = function.regions().next()?.first_block()?;
        let own = entry.to_raw().ptr == argument.owner().to_raw().ptr && function.has_attribute("function_type");
        Some(own && kernel::is_entry(function) && !is_private(value))
    };
    if uniform().unwrap_or(false) { Level::Cta } else { Level::Thread }
}

/// The structured op that makes a value: as its result, or by handing it to its body.
pub fn structured<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let op = match defining_op(value) {
        Some(op) => op,
        None => parent_of(value)?,
    };
    let known = ["scf.for", "scf.while", "scf.if", "affine.for", "affine.if"];
    known.contains(&name(op).as_str()).then_some(op)
}

/// What decides the values of a structured op: its operands (bounds, condition, initial values), and what its
/// regions yield.
pub fn decisive<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut values: Vec<_> = op.operands().collect();
    for region in op.regions() {
        let Some(terminator) = region.first_block().and_then(|block| block.terminator()) else { continue };
        values.extend(terminator.operands());
    }
    values
}
