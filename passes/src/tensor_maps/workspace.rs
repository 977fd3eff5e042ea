//! Where the maps are that a kernel changes for itself: rows of 128 bytes of an argument, and shared memory in which they are changed.

use melior::ir::attribute::DictionaryAttribute;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, RegionLike, Type, Value, ValueLike};
use tile_dialect::ir::{Arguments, Parts};
use tile_dialect::memref::{self, DYNAMIC, dictionary_entry, has_no_layout};
use tile_dialect::{BufferType, LayoutAttr, MAP_WORKSPACE, Space};
use tile_layout::{Layout, OPEN};
use tile_ops::gpu::Dimension;
use tile_ops::{Builder, arith, constant, gpu, interface, llvm, llvm_type, tile};
use tile_plan::families::tensor_map::MAP_BYTES;

use super::error::MapError;
use crate::emit::Kit;

/// The run-time strides of a template, in elements: multiples of 16 bytes, whatever an element is.
const TEMPLATE_STRIDE: i64 = 16;

/// The argument that a kernel has for maps.
///
/// # Errors
/// There is none, or one of another type.
pub fn argument<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, MapError> {
    let lists = interface::argument_attributes(function);
    let is_one = |index: &usize| {
        let list = lists.and_then(|lists| DictionaryAttribute::try_from(lists.element(*index).ok()?).ok());
        list.is_some_and(|list| dictionary_entry(list.into(), MAP_WORKSPACE).is_some())
    };
    let body = function.region_at(0).and_then(|region| region.first_block());
    let index = (0..lists.map_or(0, |lists| lists.len())).find(is_one);
    let argument = index.and_then(|index| Some(Value::from(body?.argument_at(index)?)));
    let workspace = argument.ok_or(MapError::NoWorkspace)?;
    match MemRefType::try_from(workspace.r#type()).ok().filter(|memref| is_rows(*memref)) {
        Some(_) => Ok(workspace),
        None => Err(MapError::Workspace(workspace.r#type().to_string())),
    }
}

fn is_rows(memref: MemRefType<'_>) -> bool {
    let extents = memref::extents(memref);
    let is_of_bytes = memref::bit_width(melior::ir::ShapedTypeLike::element(&memref)) == Some(8);
    extents.len() == 2 && extents[1] == MAP_BYTES && is_of_bytes && has_no_layout(memref)
}

/// The workspace of a kernel.
#[derive(Clone, Copy)]
pub struct MapWorkspace<'c, 'a> {
    /// The argument.
    memory: Value<'c, 'a>,
    /// The same as a tile.
    rows: Value<'c, 'a>,
    /// The first row of the block.
    first: Value<'c, 'a>,
    /// A row of shared memory.
    scratch: Value<'c, 'a>,
}

impl<'c: 'a, 'a> MapWorkspace<'c, 'a> {
    /// That of a kernel with so many maps, at its start.
    ///
    /// # Errors
    /// As [`argument`].
    pub fn new(builder: Builder<'c, 'a>, function: OperationRef<'c, 'a>, maps: usize) -> Result<Self, MapError> {
        let memory = argument(function)?;
        let extents = MemRefType::try_from(memory.r#type()).map(memref::extents).map_err(|_| MapError::Rows)?;
        let count = if extents[0] == DYNAMIC { OPEN } else { extents[0] };
        let whole = bytes(builder, &[count, MAP_BYTES], Space::Global).ok_or(MapError::NoWorkspaceTile)?;
        let rows = tile::view(builder, memory, &[], whole.as_type()).value();
        let scratch = bytes(builder, &[MAP_BYTES], Space::Shared).ok_or(MapError::NoWorkspaceTile)?;
        let scratch = tile::alloc(builder, scratch.as_type()).value();
        let maps = constant::index(builder, i64::try_from(maps).map_err(|_| MapError::Malformed)?);
        let first = arith::muli(builder, block_number(builder), maps).value();
        Ok(MapWorkspace { memory, rows, first, scratch })
    }

    /// A map that the host makes, of a tile of the same type: of the memory of the workspace, since it is never copied.
    pub fn template(&self, builder: Builder<'c, 'a>, tile: Value<'c, 'a>, map: Type<'c>) -> Option<Value<'c, 'a>> {
        let buffer = BufferType::from_type(tile.r#type())?;
        let kit = Kit::new(builder);
        let address = tile_ops::memref::extract_aligned_pointer_as_index(builder, self.memory).value();
        let word = arith::index_cast(builder, address, kit.int_type(64)).value();
        let pointer = llvm::inttoptr(builder, word, kit.pointer(llvm_type::Space::Global)).value();
        let extents = buffer.shape().iter().filter(|&&extent| extent == OPEN).map(|_| 1);
        let strides = (0..buffer.layout().stride_count()).map(|_| TEMPLATE_STRIDE);
        let numbers: Vec<_> = extents.chain(strides).map(|number| constant::index(builder, number)).collect();
        let any = tile::view(builder, pointer, &numbers, tile.r#type()).value();
        Some(tile::tensor_map(builder, any, map).value())
    }

    /// Map `number` of the block, changed to that of a tile.
    pub fn update(
        &self,
        builder: Builder<'c, 'a>,
        map: Value<'c, 'a>,
        tile: Value<'c, 'a>,
        number: usize,
    ) -> Option<Value<'c, 'a>> {
        let number = constant::index(builder, i64::try_from(number).ok()?);
        let row = arith::addi(builder, self.first, number).value();
        let buffer = bytes(builder, &[MAP_BYTES], Space::Global)?;
        let slot = tile::subview(builder, self.rows, &[row], &[DYNAMIC, 0], &[1, MAP_BYTES], buffer.as_type()).value();
        Some(tile::update_map(builder, map, tile, slot, self.scratch, tile::Scope::Cta).value())
    }
}

fn bytes<'c>(builder: Builder<'c, '_>, shape: &[i64], space: Space) -> Option<BufferType<'c>> {
    let layout = LayoutAttr::new(builder.location, &Layout::open_row_major(shape).ok()?)?;
    BufferType::new(builder.location, shape, Kit::new(builder).int_type(8), space, layout)
}

/// The number of the block in the grid.
fn block_number<'c: 'a, 'a>(builder: Builder<'c, 'a>) -> Value<'c, 'a> {
    let id = |dimension| gpu::block_id(builder, dimension).value();
    let count = |dimension| gpu::grid_dim(builder, dimension).value();
    let plane = arith::muli(builder, count(Dimension::Y), id(Dimension::Z)).value();
    let row = arith::addi(builder, plane, id(Dimension::Y)).value();
    let before = arith::muli(builder, count(Dimension::X), row).value();
    arith::addi(builder, before, id(Dimension::X)).value()
}
