//! The tiles of an op's operands: memory that has become a tile, or a tile of the op's own, which is loaded from the operand or stored
//! to it.

use melior::ir::{BlockRef, OperationRef, Type, Value};
use tile_dialect::memref::{DYNAMIC, bit_width};
use tile_dialect::ops::Scope;
use tile_dialect::{BufferType, LayoutAttr, Space, derived_type};
use tile_isa::convert::NumberFormat;
use tile_layout::Layout;
use tile_ops::{Builder, arith, constant, tile};
use tile_plan::linalg::{LinalgRefusal, ProductEpilogue, StructuredOp};

use super::copies::{self, CopyDirection, MemrefRegion};
use super::padding::Padding;
use super::team::Team;
use super::tiles::{buffer, element_of, memref_type, tile};
use crate::emit::scope_number;

/// The most elements of a tile that one thread has for itself.
const MAX_THREAD_ELEMENTS: i64 = 64;

/// Where the code of an op goes.
#[derive(Clone, Copy)]
pub struct Site<'s, 'c, 'a> {
    /// Inserts before the op.
    pub builder: Builder<'c, 'a>,
    /// The first block of the kernel, which tiles are allocated in.
    pub entry: BlockRef<'c, 'a>,
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// How sums are stored, where that is stated.
    pub epilogue: Option<ProductEpilogue>,
    /// The threads that do the op together.
    pub team: Team,
    /// The extents of the tiles of maps and reductions that are in registers; the values of their rows have 1 instead of some.
    pub whole: Option<&'s [i64]>,
}

/// The dimensions of an operand in the order of loops.
pub struct LoopOrder {
    /// The dimension of the operand for each loop that it has.
    pub dimensions: Vec<usize>,
    /// Its extents, in the order of the loops that it has.
    pub present: Vec<i64>,
    /// Whether each of these is less at run time.
    pub is_open: Vec<bool>,
    /// The extents, with 1 for loops that it does not have.
    pub all: Vec<i64>,
    /// Whether it has each loop.
    has: Vec<bool>,
}

impl LoopOrder {
    /// That of an operand of an op, for a tile of these loops.
    pub fn new(structured: &StructuredOp, operand: usize, loops: &[usize]) -> Self {
        let map = structured.maps[operand].as_deref().unwrap_or_default();
        let dimension = |number: &usize| map.iter().position(|one| one == number);
        let dimensions: Vec<usize> = loops.iter().filter_map(dimension).collect();
        let of_loops = || dimensions.iter().map(|&dimension| map[dimension]);
        let present = of_loops().map(|number| structured.extents[number]).collect();
        let is_open = of_loops().map(|number| structured.is_open[number]).collect();
        let extent = |number: &usize| if map.contains(number) { structured.extents[*number] } else { 1 };
        let has = loops.iter().map(|number| map.contains(number)).collect();
        LoopOrder { present, is_open, all: loops.iter().map(extent).collect(), has, dimensions }
    }
}

impl<'c: 'a, 'a> Site<'_, 'c, 'a> {
    /// Allocates a tile; in shared memory, each of several scopes has its part of one.
    ///
    /// # Errors
    /// There is no such part.
    pub fn alloc(&self, buffer: BufferType<'c>) -> Result<Value<'c, 'a>, LinalgRefusal> {
        let start = |rewriter: tile_dialect::ir::Rewriter<'c, 'a>| rewriter.set_insertion_point_to_start(self.entry);
        let allocate = |buffer: BufferType<'c>| {
            self.builder.elsewhere(start, |builder| tile::alloc(builder, buffer.as_type()).value())
        };
        let Team { scope, instances, .. } = self.team;
        if instances == 1 || buffer.space() != Space::Shared {
            return Ok(allocate(buffer));
        }
        let (sizes, mut shape, mut begins) = (buffer.shape(), buffer.shape().to_vec(), vec![0; buffer.shape().len()]);
        (shape[0], begins[0]) = (shape[0] * instances, DYNAMIC);
        let all = allocate(working_type(self.builder.location, scope, &shape, buffer.element())?);
        let number = scope_number(self.builder, self.op, scope).ok_or(LinalgRefusal::BlockSize)?;
        let begin = arith::muli(self.builder, number, constant::index(self.builder, sizes[0])).value();
        part(self.builder, all, (&[begin], &begins), sizes)
    }

    /// A type of tiles that the threads have together: in registers, where it is one thread or the extents are those of the kernel's maps
    /// and reductions; else in shared memory, in a layout that is still to be chosen where there is a choice.
    ///
    /// # Errors
    /// There are no tiles of such elements, or as large ones.
    pub fn working(&self, shape: &[i64], element: Type<'c>) -> Result<BufferType<'c>, LinalgRefusal> {
        if self.is_in_registers(shape) {
            return open_registers(self.builder.location, shape, element);
        }
        working_type(self.builder.location, self.team.scope, shape, element)
    }

    /// A type of tiles that are where another one is, if the threads have both together.
    ///
    /// # Errors
    /// As [`working`](Self::working).
    pub fn beside(
        &self,
        tile: Value<'c, 'a>,
        shape: &[i64],
        element: Type<'c>,
    ) -> Result<BufferType<'c>, LinalgRefusal> {
        match self.buffer(tile)?.space() {
            Space::Local => self.working(shape, element),
            _ => working_type(self.builder.location, self.team.scope, shape, element),
        }
    }

    /// Whether tiles of these extents are in registers.
    fn is_in_registers(&self, shape: &[i64]) -> bool {
        let is_part = |(&extent, &whole): (&i64, &i64)| extent == whole || extent == 1;
        self.whole.is_some_and(|whole| whole.len() == shape.len() && shape.iter().zip(whole).all(is_part))
    }

    /// A tile with the dimensions of an operand in the order of loops; it has its elements if there is a padding.
    ///
    /// # Errors
    /// It cannot be loaded.
    pub fn operand(
        &self,
        memref: Value<'c, 'a>,
        order: &LoopOrder,
        padding: Option<Padding>,
    ) -> Result<Value<'c, 'a>, LinalgRefusal> {
        let tile = match tile(memref) {
            Some(tile) => {
                let held = self.in_order(tile, order)?;
                if self.buffer(held)?.shape() == order.all {
                    return Ok(held);
                }
                // It has other extents than the op's tiles.
                let element = self.buffer(held)?.element();
                let copied = self.alloc(self.working(&order.all, element)?)?;
                if let Some(padding) = padding {
                    self.copy_tile(held, copied, Some(padding))?;
                }
                copied
            }
            None => {
                let element = memref_type(memref).map(element_of).ok_or(LinalgRefusal::Tensors)?;
                let shape = if self.is_in_registers(&order.all) { &order.all } else { &order.present };
                let tile = self.alloc(self.working(shape, element)?)?;
                if let Some(padding) = padding {
                    self.load(memref, tile, order, padding)?;
                }
                tile
            }
        };
        self.reshaped(tile, &order.all)
    }

    /// The tile of an operand with its dimensions in the order of loops, and 1 for those that it lacks.
    fn in_order(&self, tile: Value<'c, 'a>, order: &LoopOrder) -> Result<Value<'c, 'a>, LinalgRefusal> {
        // Registers have no views.
        if self.buffer(tile)?.shape() == order.all && order.dimensions.is_sorted() {
            return Ok(tile);
        }
        let tile = self.permuted(self.without_units(tile, &order.dimensions)?, &ranks(&order.dimensions))?;
        let mut extents = self.buffer(tile)?.shape().iter().copied();
        let shape: Vec<i64> = order.has.iter().map(|has| if *has { extents.next().unwrap_or(1) } else { 1 }).collect();
        self.reshaped(tile, &shape)
    }

    /// Stores what an op has written to a tile of its own.
    ///
    /// # Errors
    /// It cannot be stored.
    pub fn finish(&self, memref: Value<'c, 'a>, tile: Value<'c, 'a>, order: &LoopOrder) -> Result<(), LinalgRefusal> {
        if let Some(held) = self::tile(memref) {
            let shape = self.buffer(held)?.shape();
            let is_stored = shape == order.all
                || order.dimensions.iter().map(|&number| shape[number]).eq(order.present.iter().copied());
            return if is_stored { Ok(()) } else { self.copy_tile(tile, self.in_order(held, order)?, None) };
        }
        let tile = if self.buffer(tile)?.space() == Space::Local { tile } else { self.reshaped(tile, &order.present)? };
        self.store(memref, tile, order)
    }

    /// Loads a tile from memory.
    ///
    /// # Errors
    /// No `tile.copy` does.
    pub fn load(
        &self,
        memref: Value<'c, 'a>,
        tile: Value<'c, 'a>,
        order: &LoopOrder,
        padding: Padding,
    ) -> Result<(), LinalgRefusal> {
        let element = self.buffer(tile)?.element();
        let is_open = order.is_open.contains(&true);
        let filler = if is_open { Some(padding.filler(self.builder, element)?) } else { None };
        self.copy_region(memref, tile, order, CopyDirection::Load(filler))
    }

    /// Stores a tile to memory.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn store(&self, memref: Value<'c, 'a>, tile: Value<'c, 'a>, order: &LoopOrder) -> Result<(), LinalgRefusal> {
        let tile = if self.is_stored_by_shared(self.buffer(tile)?) {
            let from = self.buffer(tile)?;
            let shared = self.alloc(self.working(from.shape(), from.element())?)?;
            self.copy_tile(tile, shared, None)?;
            shared
        } else {
            tile
        };
        self.copy_region(memref, tile, order, CopyDirection::Store)
    }

    fn copy_region(
        &self,
        memref: Value<'c, 'a>,
        tile: Value<'c, 'a>,
        order: &LoopOrder,
        direction: CopyDirection<'c, 'a>,
    ) -> Result<(), LinalgRefusal> {
        let buffer = self.buffer(tile)?;
        let sizes = if buffer.shape().len() == order.dimensions.len() { buffer.shape() } else { &order.present };
        let region = MemrefRegion { memref, dimensions: &order.dimensions, sizes, is_open: &order.is_open };
        copies::copy_region(self.op, &region, tile, direction).map(drop)
    }

    /// Whether sums go to global memory through shared memory: those of instructions whose lanes store less than sectors.
    fn is_stored_by_shared(&self, sums: BufferType<'c>) -> bool {
        let bits = bit_width(sums.element()).unwrap_or_default();
        let bytes = sums.shape().iter().product::<i64>() * i64::from(bits) / 8;
        let chosen =
            if 2 * bytes <= self.team.shared_bytes { ProductEpilogue::of_bits(bits) } else { ProductEpilogue::Direct };
        let is_of_instruction = sums.space() == Space::Local && sums.is_auto() && self.whole.is_none();
        is_of_instruction && self.epilogue.unwrap_or(chosen) == ProductEpilogue::Shared
    }

    /// A tile without the dimensions that are not named, each of extent 1.
    fn without_units(&self, tile: Value<'c, 'a>, dimensions: &[usize]) -> Result<Value<'c, 'a>, LinalgRefusal> {
        let from = self.buffer(tile)?;
        let shape = from.shape().iter().enumerate().filter(|(dimension, _)| dimensions.contains(dimension));
        let shape: Vec<i64> = shape.map(|(_, extent)| *extent).collect();
        self.reshaped(tile, &shape)
    }

    /// Copies a tile to another one, which may have other extents: the elements that both have. What is beyond is padded, or keeps its
    /// value.
    ///
    /// # Errors
    /// No element pads a tile.
    pub fn copy_tile(
        &self,
        from: Value<'c, 'a>,
        to: Value<'c, 'a>,
        padding: Option<Padding>,
    ) -> Result<(), LinalgRefusal> {
        let [source, dest] = [self.buffer(from)?, self.buffer(to)?];
        let sizes: Vec<i64> = source.shape().iter().zip(dest.shape()).map(|(one, other)| *one.max(other)).collect();
        let begins = vec![0; sizes.len()];
        let region = |buffer: BufferType<'c>| {
            if buffer.shape() == sizes { (&[][..], &[][..]) } else { (&begins[..], &sizes[..]) }
        };
        let (of_source, of_dest) = (region(source), region(dest));
        let is_masked = source.shape() != dest.shape();
        let filler = match padding.filter(|_| source.shape() != sizes) {
            Some(padding) => Some(padding.filler(self.builder, dest.element())?),
            None => None,
        };
        tile::copy(self.builder, from, &[], to, &[], of_source.0, of_source.1, of_dest.0, of_dest.1, self.team.scope)
            .masked(is_masked)
            .filler(filler)
            .build();
        Ok(())
    }

    /// A tile with its dimensions in another order.
    ///
    /// # Errors
    /// There is no such view.
    pub fn permuted(&self, tile: Value<'c, 'a>, dimensions: &[usize]) -> Result<Value<'c, 'a>, LinalgRefusal> {
        if dimensions.is_sorted() {
            return Ok(tile);
        }
        let order: Vec<i64> = dimensions.iter().map(|&dimension| dimension as i64).collect();
        let from = self.buffer(tile)?;
        let shape: Vec<i64> = dimensions.iter().map(|&dimension| from.shape()[dimension]).collect();
        let view = if from.is_auto() {
            from.left_open(self.builder.location, &shape)
        } else {
            let layout = from.layout().transposed(from.shape(), dimensions).ok();
            layout.and_then(|layout| self.with_layout(from, &shape, &layout))
        };
        Ok(tile::permute(self.builder, tile, &order, view.ok_or_else(|| no_view(from))?.as_type()).value())
    }

    /// A tile with further or fewer dimensions of extent 1.
    ///
    /// # Errors
    /// There is no such view.
    pub fn reshaped(&self, tile: Value<'c, 'a>, shape: &[i64]) -> Result<Value<'c, 'a>, LinalgRefusal> {
        let from = self.buffer(tile)?;
        if from.shape() == shape {
            return Ok(tile);
        }
        let view = if from.is_auto() {
            from.left_open(self.builder.location, shape)
        } else {
            self.with_layout(from, shape, &from.layout())
        };
        Ok(tile::reshape(self.builder, tile, view.ok_or_else(|| no_view(from))?.as_type()).value())
    }

    fn with_layout(&self, from: BufferType<'c>, shape: &[i64], layout: &Layout) -> Option<BufferType<'c>> {
        let location = self.builder.location;
        BufferType::new(location, shape, from.element(), from.space(), LayoutAttr::new(location, layout)?)
    }

    pub fn buffer(&self, tile: Value<'c, 'a>) -> Result<BufferType<'c>, LinalgRefusal> {
        buffer(tile).ok_or(LinalgRefusal::Tensors)
    }
}

/// The place that each number has among all of them.
fn ranks(numbers: &[usize]) -> Vec<usize> {
    numbers.iter().map(|number| numbers.iter().filter(|other| *other < number).count()).collect()
}

fn no_view(from: BufferType<'_>) -> LinalgRefusal {
    LinalgRefusal::Elements { got: from.as_type().to_string() }
}

/// A type of tiles in registers, whose layout the product decides that they are sums of.
///
/// # Errors
/// There are no tiles of such elements.
pub fn open_registers<'c>(
    location: melior::ir::Location<'c>,
    shape: &[i64],
    element: Type<'c>,
) -> Result<BufferType<'c>, LinalgRefusal> {
    let dense = dense_type(location, shape, element, Space::Local)?;
    dense.left_open(location, shape).ok_or_else(|| no_view(dense))
}

/// A type of tiles row by row.
fn dense_type<'c>(
    location: melior::ir::Location<'c>,
    shape: &[i64],
    element: Type<'c>,
    space: Space,
) -> Result<BufferType<'c>, LinalgRefusal> {
    let other = || LinalgRefusal::Elements { got: element.to_string() };
    NumberFormat::named(&element.to_string()).ok_or_else(other)?;
    let layout = LayoutAttr::new(location, &Layout::row_major(shape));
    layout.and_then(|layout| BufferType::new(location, shape, element, space, layout)).ok_or_else(other)
}

/// As [`Site::working`].
pub fn working_type<'c>(
    location: melior::ir::Location<'c>,
    scope: Scope,
    shape: &[i64],
    element: Type<'c>,
) -> Result<BufferType<'c>, LinalgRefusal> {
    let (is_own, elements) = (scope == Scope::Thread, shape.iter().product::<i64>());
    if is_own && elements > MAX_THREAD_ELEMENTS {
        return Err(LinalgRefusal::TooLarge { elements, most: MAX_THREAD_ELEMENTS });
    }
    let dense = dense_type(location, shape, element, if is_own { Space::Local } else { Space::Shared })?;
    let has_choice = !is_own && shape.iter().filter(|&&extent| extent > 1).count() > 1;
    if has_choice { dense.left_open(location, shape).ok_or_else(|| no_view(dense)) } else { Ok(dense) }
}

/// A part of a tile, which begins at values where `begins` has [`DYNAMIC`].
///
/// # Errors
/// There is no such view.
pub fn part<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    tile: Value<'c, 'a>,
    (values, begins): (&[Value<'c, 'a>], &[i64]),
    sizes: &[i64],
) -> Result<Value<'c, 'a>, LinalgRefusal> {
    let from = buffer(tile).ok_or(LinalgRefusal::Tensors)?;
    let open = if from.is_auto() { from.left_open(builder.location, sizes) } else { Some(from) };
    let view =
        tile::subview(builder, tile, values, begins, sizes, open.ok_or_else(|| no_view(from))?.as_type()).build();
    if !from.is_auto() {
        let derived = derived_type(view.operation(), from).map_err(|_| no_view(from))?;
        builder.rewriter.set_type(view.result(), derived.as_type());
    }
    Ok(view.result())
}
