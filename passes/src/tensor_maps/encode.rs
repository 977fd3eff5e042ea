//! A map on the host: its fields as numbers, and a call of the runtime's encoder.
//!
//! ```mlir
//!   %m = tile.tensor_map %a : … to !tile.tensor_map<…>
//!     └▶ %bytes = llvm.alloca 1 x !llvm.array<16 x i64> {alignment = 64}
//!        %fields = llvm.alloca 1 x !llvm.array<21 x i64>          element, rank, swizzle, promotion, fill, then for each
//!        llvm.store …                                             dimension extent, stride in bytes, box, element stride
//!        llvm.call @tileEncodeTensorMap(%bytes, %base, %fields)   or @tileEncodeIm2colMap, with pixels and corners
//!        %value = llvm.load %bytes : !llvm.array<16 x i64>        which a launch copies to the kernel's parameters
//! ```

use melior::ir::{OperationRef, Type, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts, defining_op, results_of};
use tile_dialect::{Ctx, TensorMapType};
use tile_ops::llvm_type::{self, Space, array};
use tile_ops::{Builder, builtin, gpu, llvm};
use tile_plan::families::tensor_map::{MAP_BYTES, MapElement, MapSwizzle, TensorMap};

use super::argument::MAP_ALIGN_BYTES;
use super::described::{MapNumbers, describe};
use super::error::MapError;
use crate::emit::{Function, Kit};
use crate::read::{kernel, name};
use crate::{launches, walk};

/// The runtime's encoders: of boxes, and of pixels of images.
const ENCODER: &str = "tileEncodeTensorMap";
const IM2COL_ENCODER: &str = "tileEncodeIm2colMap";

/// A map as a value of the host.
fn map_value(context: Ctx<'_>) -> Type<'_> {
    array(context.integer(64), (MAP_BYTES / 8) as u32)
}

/// Encodes a map, in place of the op.
///
/// # Errors
/// A map in a kernel, or of a tile that has no memory there.
pub fn encode<'c: 'a, 'a>(
    ir_root: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    function: &Function<'c, 'a>,
    builder: Builder<'c, 'a>,
) -> Result<(), MapError> {
    if kernel::function(op).is_some_and(|around| kernel::is_launch(around) || kernel::is_entry(around)) {
        return Err(MapError::InKernel);
    }
    let (tile, result) = (op.operand_at(0).ok_or(MapError::Malformed)?, op.result_at(0).ok_or(MapError::Malformed)?);
    let map = TensorMapType::from_type(result.r#type()).and_then(TensorMapType::map).ok_or(MapError::Malformed)?;
    let (kit, context) = (Kit::new(builder), builder.context);
    let described = describe(&map, tile, builder)?;
    let base = llvm::inttoptr(builder, described.base, kit.pointer(Space::Generic)).value();
    let fields = fields(&map, &described, builder);
    let room = |elements: Type<'c>, alignment| {
        function.at_start(builder, |builder| {
            let one = Kit::new(builder).i64(1);
            let pointer = Kit::new(builder).pointer(Space::Generic);
            llvm::alloca(builder, one, elements, pointer).alignment(alignment).value()
        })
    };
    let bytes = room(map_value(context), MAP_ALIGN_BYTES);
    let count = u32::try_from(fields.len()).map_err(|_| MapError::Malformed)?;
    let list = room(array(context.integer(64), count), 8);
    for (index, field) in fields.into_iter().enumerate() {
        kit.store(field, kit.beyond(list, 8 * index as i64), 8);
    }
    let encoder = if map.pixels == 0 { ENCODER } else { IM2COL_ENCODER };
    declare(ir_root, encoder, builder)?;
    llvm::call(builder, &[bytes, base, list], &[], &[]).callee(encoder).build();
    let value = kit.load(bytes, map_value(context), MAP_ALIGN_BYTES);
    let made = builtin::unrealized_conversion_cast(builder, &[value], &[result.r#type()]).build().operation();
    builder.rewriter.replace(op, &results_of(made));
    Ok(())
}

/// The numbers that the encoder takes.
fn fields<'c: 'a, 'a>(map: &TensorMap, described: &MapNumbers<'c, 'a>, builder: Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let kit = Kit::new(builder);
    let rank = map.dims.len() as i64;
    let codes = [element(map.element), rank, swizzle(map.swizzle), map.promotion as i64, map.fill as i64];
    let mut fields: Vec<_> = codes.into_iter().map(|code| kit.i64(code)).collect();
    for (dim, &[extent, stride]) in map.dims.iter().zip(&described.dims) {
        fields.extend([extent, stride, kit.i64(dim.boxed), kit.i64(dim.element_stride)]);
    }
    if map.pixels != 0 {
        let corners = map.dims.iter().skip(1).take(map.filter_offsets()).flat_map(|dim| [dim.lower, dim.upper]);
        fields.extend(std::iter::once(map.pixels).chain(corners).map(|number| kit.i64(number)));
    }
    fields
}

/// `CUtensorMapDataType`.
fn element(element: MapElement) -> i64 {
    match element {
        MapElement::UInt8 => 0,
        MapElement::UInt16 => 1,
        MapElement::UInt32 => 2,
        MapElement::Int32 => 3,
        MapElement::UInt64 => 4,
        MapElement::Int64 => 5,
        MapElement::Float16 => 6,
        MapElement::Float32 => 7,
        MapElement::Float64 => 8,
        MapElement::BFloat16 => 9,
        MapElement::TFloat32 => 11,
    }
}

/// `CUtensorMapSwizzle`.
fn swizzle(mode: MapSwizzle) -> i64 {
    match mode.span() {
        None => 0,
        Some(span) => (span / 16).ilog2().into(),
    }
}

/// Declares an encoder in the module around the host's code.
fn declare<'c: 'a, 'a>(root: OperationRef<'c, 'a>, encoder: &str, builder: Builder<'c, 'a>) -> Result<(), MapError> {
    if walk::symbol(root, encoder).is_some() {
        return Ok(());
    }
    let block = root.region_at(0).and_then(|region| melior::ir::RegionLike::first_block(&region));
    let block = block.filter(|_| name(root) == builtin::ModuleOp::NAME);
    let block = block.ok_or(MapError::NoModule)?;
    let pointer = Kit::new(builder).pointer(Space::Generic);
    let r#type = llvm_type::procedure(builder.context, &[pointer; 3]);
    let go = |rewriter: tile_dialect::ir::Rewriter<'c, 'a>| rewriter.set_insertion_point_to_start(block);
    builder.elsewhere(go, |builder| llvm::func(builder, encoder, r#type, tile_ops::region()).build());
    Ok(())
}

/// Makes the launches below the root pass maps as values, where they pass pointers to them; `false`, after errors, where one passes
/// a map that is not made where the launch is.
pub fn pass(ir: &mut Ir<'_>) -> bool {
    let mut complete = true;
    for launch in walk::named(ir.root(), gpu::LaunchFuncOp::NAME) {
        complete &= pass_values(launch).map_err(|reason| Diagnostic::error(reason).emit(launch)).is_ok();
    }
    complete
}

fn pass_values<'c: 'a, 'a>(launch: OperationRef<'c, 'a>) -> Result<(), MapError> {
    let mut passed: Vec<Value<'c, 'a>> = launches::arguments(launch).collect();
    let mut changed = false;
    for operand in &mut passed {
        let Some(map) = cast_from(*operand).filter(|map| TensorMapType::from_type(map.r#type()).is_some()) else {
            continue;
        };
        let value = cast_from(map).filter(|value| value.r#type() == map_value(Ctx::of(launch)));
        *operand = value.ok_or(MapError::MadeElsewhere)?;
        changed = true;
    }
    if changed {
        crate::shim::set_kernel_operands(launch, &passed);
    }
    Ok(())
}

/// The value that a cast converts.
fn cast_from<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = defining_op(value).filter(|&op| name(op) == builtin::UnrealizedConversionCastOp::NAME)?;
    op.operand_at(0)
}
