//! Reads a `tile.scan` into a planning problem on integers.

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::memref::{DYNAMIC, strides_and_offset};
use tile_dialect::ops::{ScanOp, chain_hooks, chain_requests, kernel_names};
use tile_ops::{gpu, interface};
use tile_plan::scan::{Problem, ScannedElement};
use tile_plan::target::Target;

use crate::options::LoweringOptions;
use crate::read::{kernel, target};
use crate::walk;

/// A scan in the planner's form.
pub struct ScanReading {
    /// The problem.
    pub problem: Problem,
    /// The chip to plan for.
    pub target: Target,
}

/// Reads an op whose verifier has run.
///
/// # Errors
/// An unknown element type or chip.
pub fn read(op: ScanOp<'_, '_>, options: &LoweringOptions) -> Result<ScanReading, String> {
    Ok(ScanReading { problem: problem(op, options)?, target: target(op.0, options, ELSEWHERE)? })
}

/// The problem alone, which is the same for every target.
///
/// # Errors
/// An unknown element type.
pub fn problem(op: ScanOp<'_, '_>, options: &LoweringOptions) -> Result<Problem, String> {
    let element = op.element().ok_or("scans elements that are no numbers")?;
    let bytes = i64::from(element.bits() / 8);
    let aligned = |array| alignment(array, bytes, options);
    Ok(Problem {
        element: ScannedElement { bits: element.scalar_bits, lanes: element.lanes, float: element.float },
        alignment: aligned(op.source()).min(aligned(op.dest())),
        is_backwards: is_backwards(op.source()) || is_backwards(op.dest()),
        requests: chain_requests(op.0),
        hooks: chain_hooks(op.0),
    })
}

/// The alignment of an array's first element, in bytes: the promised alignment of the memref, as far as the offset
/// preserves it.
pub fn alignment(array: Value<'_, '_>, element_bytes: i64, options: &LoweringOptions) -> i64 {
    let promised = crate::read::alignment::of_argument(array).unwrap_or(options.argument_bytes);
    let memref = MemRefType::try_from(array.r#type()).ok();
    let offset = memref.and_then(strides_and_offset).map_or(DYNAMIC, |(_, offset)| offset);
    match offset {
        // The lowest address is known at run time only.
        _ if is_backwards(array) => promised.min(element_bytes),
        0 => promised,
        DYNAMIC => promised.min(element_bytes),
        elements => {
            let bytes = elements.saturating_mul(element_bytes);
            promised.min(bytes & bytes.wrapping_neg())
        }
    }
}

/// Whether the elements of an array follow each other from the highest address to the lowest.
pub fn is_backwards(array: Value<'_, '_>) -> bool {
    let memref = MemRefType::try_from(array.r#type()).ok();
    memref.and_then(strides_and_offset).is_some_and(|(strides, _)| strides == [-1])
}

/// What writes scans for portable targets.
const ELSEWHERE: &str = "tile-translate writes a scan for portable targets";

/// The chip of the `gpu.module` that an op names; where there is none yet, the one in the options. `elsewhere` says what writes
/// such an op for portable targets.
///
/// # Errors
/// A portable target, or an unknown chip.
pub fn target(op: OperationRef<'_, '_>, options: &LoweringOptions, elsewhere: &str) -> Result<Target, String> {
    if let Some(portable) = options.chip.filter(|chip| chip.api().is_some()) {
        return Err(format!("got {portable}, expected one of NVIDIA's chips: {elsewhere}"));
    }
    let named = kernel_names(op).map(|(module, _)| module);
    let root = kernel::ancestors(op).last().unwrap_or(op);
    let module =
        walk::named(root, gpu::GPUModuleOp::NAME).into_iter().find(|module| interface::symbol_name(*module) == named);
    Ok(target::resolve(module.unwrap_or(op), options.chip.as_ref())?)
}
