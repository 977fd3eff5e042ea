//! The numbers of a map, computed from its tile where the map is made.

use melior::ir::{Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::{Builder, arith, llvm, llvm_type, tile};
use tile_plan::families::tensor_map::{Extent, Stride, TensorMap};

use super::error::MapError;
use crate::emit::{Kit, base_address};
use crate::read::{name, root, run_time};

/// The numbers of a map, as integers of 64 bits.
pub struct MapNumbers<'c, 'a> {
    /// The address at which the map begins.
    pub base: Value<'c, 'a>,
    /// Extent, and stride in bytes, of each dimension.
    pub dims: Vec<[Value<'c, 'a>; 2]>,
}

/// Computes the numbers of a map of a tile, at the insertion point.
///
/// # Errors
/// A tile that has no memory there, or not the run-time numbers that the map refers to.
pub fn describe<'c: 'a, 'a>(
    map: &TensorMap,
    tile: Value<'c, 'a>,
    builder: Builder<'c, 'a>,
) -> Result<MapNumbers<'c, 'a>, MapError> {
    let kit = Kit::new(builder);
    let root = root::root(tile);
    let view = defining_op(root).filter(|&view| name(view) == tile::ViewOp::NAME);
    let memory = view.and_then(|view| view.operand_at(0)).ok_or(MapError::NoView)?;
    let base = if llvm_type::is_pointer(memory.r#type()) {
        llvm::ptrtoint(builder, memory, builder.context.integer(64)).value()
    } else {
        kit.index_as_i64(base_address(builder, memory))
    };
    let (extents, strides) = (run_time::extents(tile), run_time::strides(root));
    let extent = |dimension: usize| {
        let (_, extent) = extents.iter().find(|known| known.0 == dimension).ok_or(MapError::NoNumber("an extent"))?;
        Ok::<_, MapError>(kit.index_as_i64(extent.value(builder)))
    };
    let mut dims = Vec::with_capacity(map.dims.len());
    for dim in &map.dims {
        let extent = match dim.extent {
            Extent::Const(extent) => kit.i64(extent),
            Extent::Of(dimension) => extent(dimension)?,
            Extent::Blocks { dimension, elements } => {
                arith::ceildivui(builder, extent(dimension)?, kit.i64(elements)).value()
            }
        };
        let stride = match dim.stride {
            Stride::Bytes(bytes) => kit.i64(bytes),
            Stride::Times { stride, bytes } => {
                let stride = strides.get(stride).ok_or(MapError::NoNumber("a stride"))?;
                kit.times(kit.index_as_i64(stride.value(builder)), bytes)
            }
        };
        dims.push([extent, stride]);
    }
    Ok(MapNumbers { base: kit.plus(base, map.base), dims })
}
