//! `--tile-plan-memory`: the shared tiles of a kernel become views of one array, in which those that are never live
//! simultaneously share storage.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Parts, Rewriter};
use tile_dialect::memref::{DYNAMIC, bit_width};
use tile_dialect::{BufferType, DYNAMIC_SHARED, guard};
use tile_ops::{Builder, Case, constant, gpu, memref, tile};
use tile_plan::sync::{MemoryPlan, plan_memory};

use super::kernel::{Leader, SyncKernel};
use super::shared_buffers::{self, SharedTile};
use crate::emit::STATIC_SHARED_BYTES;
use crate::launches::{kernel_launches, set_dynamic_shared};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use crate::read::{kernel, name};
use crate::report;

/// Plans the shared memory of every kernel at or below the root; `false`, after errors, where one needs more than the chip has.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let rewriter = ir.rewriter();
    let mut complete = shared_buffers::make_scratch(ir.root(), options, rewriter);
    for function in shared_buffers::functions(ir.root()) {
        complete &= guard::on_op(function, false, || one(ir.root(), function, options, rewriter));
    }
    complete
}

/// The plan for a kernel's shared memory.
struct Decided<'c, 'a> {
    tiles: Vec<SharedTile<'c, 'a>>,
    memory: MemoryPlan,
    /// Bytes of other static shared memory.
    others: i64,
    /// Whether the array is dynamic shared memory, whose size the launch sets.
    dynamic: bool,
    /// Bytes of shared memory that the chip has.
    limit: i64,
}

/// Plans the shared memory of one kernel, whose launches below the root then request it.
pub fn one<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    match decide(function, options) {
        Ok(Some(decided)) => {
            carry_out(root, function, &decided, rewriter);
            true
        }
        Ok(None) => true,
        Err(diagnostic) => {
            diagnostic.emit(function);
            false
        }
    }
}

/// Whether the tiles of a kernel may be too large for each to have its own bytes.
pub fn may_share(function: OperationRef<'_, '_>, options: &LoweringOptions) -> bool {
    let tiles = shared_buffers::tiles(function);
    let Some(target) = tiles.first().and_then(|tile| Reader::new(options).target(tile.op).ok()) else { return false };
    let others = shared_buffers::others(function).0.saturating_add(shared_buffers::scratch_bytes(function, options));
    let apart = tiles
        .iter()
        .fold(others, |all, tile| all.saturating_add(tile.storage.bytes).saturating_add(tile.storage.alignment));
    apart > target.shared_bytes()
}

fn decide<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
) -> Result<Option<Decided<'c, 'a>>, Diagnostic<'c>> {
    let mut tiles = shared_buffers::tiles(function);
    if tiles.is_empty() {
        return Ok(None);
    }
    let ranges = Ranges::none();
    let kernel = SyncKernel::with_rings(function, options, &ranges, Leader::LAST).map_err(Diagnostic::error)?;
    let program = kernel.program();
    let shares =
        kernel.failures().is_empty() && program.reaches_own_memory_too() && shared_buffers::find(&mut tiles, &kernel);
    let storage: Vec<_> = tiles.iter().map(|tile| tile.storage).collect();
    let target = kernel.reader().target(tiles[0].op).map_err(Diagnostic::error)?;
    let (limit, (others, divided)) = (target.shared_bytes(), shared_buffers::others(function));
    let whole = |memory: &MemoryPlan| others.saturating_add(memory.bytes);
    let apart = plan_memory(program, &storage, false);
    // Liveness does not see whether a copy is still in flight after the last read, as one in a ring of mbarriers may be.
    let keeps_apart = !shares || kernel.failures().needs_execution() && whole(&apart) <= limit;
    let memory = if keeps_apart { apart } else { plan_memory(program, &storage, true) };
    let whole = whole(&memory);
    let decided = Decided { dynamic: whole > STATIC_SHARED_BYTES, limit, tiles, memory, others };
    if whole > decided.limit {
        return Err(too_much(&decided, whole, &target.to_string()));
    }
    if decided.dynamic && divided {
        let text = format!(
            "needs {whole} bytes of shared memory, more than the {STATIC_SHARED_BYTES} that may be static, and divides dynamic \
             shared memory itself, expected one or the other"
        );
        return Err(Diagnostic::error(text));
    }
    Ok(Some(decided))
}

/// The error of a kernel that needs too much, with notes at the tiles that are live simultaneously.
fn too_much<'c>(decided: &Decided<'c, '_>, whole: i64, chip: &str) -> Diagnostic<'c> {
    let Decided { tiles, memory, others, limit, .. } = decided;
    let live: i64 = memory.most.iter().map(|&tile| tiles[tile].storage.bytes).sum();
    let others = if *others > 0 { format!(", and {others} that are not tile.alloc's") } else { String::new() };
    let text = format!(
        "needs {whole} bytes of shared memory, expected at most {limit} on {chip}: {live} bytes are live at once in {} \
         tiles{others}",
        memory.most.len()
    );
    memory.most.iter().fold(Diagnostic::error(text), |diagnostic, &tile| {
        diagnostic.note(tiles[tile].op.location(), format!("{} bytes", tiles[tile].storage.bytes))
    })
}

fn carry_out<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    decided: &Decided<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) {
    let Decided { tiles, memory, .. } = decided;
    let first = function.region_at(0).and_then(|region| region.first_block()?.first_operation());
    let Some(first) = first else { return };
    remark(first, decided);
    let builder = Builder::before(rewriter, first);
    let array = array(builder, function, decided);
    if decided.dynamic {
        set_dynamic_size(root, function, memory, rewriter);
    }
    for (tile, &begin) in tiles.iter().zip(&memory.begins) {
        let builder = Builder::before(rewriter, tile.op);
        let Some(buffer) = tile.op.result_at(0).and_then(|made| BufferType::from_type(made.r#type())) else { continue };
        let space = gpu::AddressSpace::Workgroup.attribute(builder.context);
        let bytes = i64::from(bit_width(buffer.element()).unwrap_or(8).div_ceil(8));
        let part = MemRefType::new(buffer.element(), &[tile.storage.bytes / bytes.max(1)], None, Some(space));
        let begin = constant::index(builder, begin);
        let memory = memref::view(builder, array, begin, &[], part.into()).value();
        let viewed = tile::view(builder, memory, &[], buffer.as_type()).value();
        rewriter.replace(tile.op, &[viewed]);
    }
}

/// The array that all tiles are parts of.
fn array<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    function: OperationRef<'c, 'a>,
    decided: &Decided<'c, 'a>,
) -> Value<'c, 'a> {
    let space = gpu::AddressSpace::Workgroup.attribute(builder.context);
    let byte = builder.context.integer(8);
    let MemoryPlan { bytes, alignment, .. } = decided.memory;
    if decided.dynamic {
        let whole = MemRefType::new(byte, &[DYNAMIC], None, Some(space));
        let memory = gpu::dynamic_shared_memory(builder, whole.into()).value();
        return memref::assume_alignment(builder, memory, alignment).value();
    }
    let whole = MemRefType::new(byte, &[bytes], None, Some(space));
    if kernel::is_launch(function) {
        let memory = crate::shim::add_launch_attribution(function, whole.into(), function.location());
        return memref::assume_alignment(builder, memory, alignment).value();
    }
    crate::shim::add_workgroup_attribution(function, whole.into(), function.location(), alignment)
}

/// Sets the dynamic shared memory of launches, and states its size and alignment on the kernel.
fn set_dynamic_size<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    memory: &MemoryPlan,
    rewriter: Rewriter<'c, 'a>,
) {
    let launches = match name(function) {
        gpu::LaunchOp::NAME => vec![function],
        _ => {
            let builder = Builder::before(rewriter, function);
            let needed = builder.context.i64_array(&[memory.bytes, memory.alignment]);
            rewriter.set_attribute(function, DYNAMIC_SHARED, needed);
            kernel_launches(root, function)
        }
    };
    launches.into_iter().for_each(|launch| set_dynamic_shared(launch, memory.bytes, rewriter));
}

fn remark(op: OperationRef<'_, '_>, decided: &Decided<'_, '_>) {
    let Decided { tiles, memory, others, dynamic, limit } = decided;
    let apart: i64 = tiles.iter().map(|tile| tile.storage.bytes).sum();
    let live: i64 = memory.most.iter().map(|&tile| tiles[tile].storage.bytes).sum();
    let (fixed, given) = if *dynamic { (*others, memory.bytes) } else { others_and(*others, memory.bytes) };
    let args = [
        ("Static", fixed.to_string()),
        ("Dynamic", given.to_string()),
        ("Limit", limit.to_string()),
        ("Tiles", tiles.len().to_string()),
        ("WithoutSharing", apart.to_string()),
        ("LiveAtOnce", live.to_string()),
    ];
    report::emit(op, RemarkKind::Passed, "shared-memory", "each tile has an offset in shared memory", &args);
}

fn others_and(others: i64, bytes: i64) -> (i64, i64) {
    (others.saturating_add(bytes), 0)
}
