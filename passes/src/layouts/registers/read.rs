//! The tiles in registers of a kernel, what relates them, and the products that decide their layouts.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op, results_of, uses};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{BlockScanOp, CopyOp, MapOp, MmaOp, ReduceOp};
use tile_dialect::{BufferType, Space, schedule_of};
use tile_isa::Scope;
use tile_isa::convert::{Clause, NumberFormat};
use tile_layout::{Axis, Iter, OPEN, gcd};
use tile_ops::tile;
use tile_plan::linalg::{
    FactorSource, LinalgSchedule, LocalTile, LocalTiles, ProductInstruction, ProductProblem, TileProduct, TileRelation,
    TileView, ViewForm, run_of_rows,
};
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::Threads;

use super::super::flow::TileClass;
use super::RegisterError;
use super::copied::{CopiedTile, shared_copy};
use crate::read::error::ReadError;
use crate::read::name;
use crate::read::problem::Reader;
use crate::read::values::{is_view, key};
use crate::walk;

/// What the planner is asked for a kernel.
pub struct RegisterReading<'t, 'c, 'a> {
    /// The tiles whose layouts are open: the first ones of the problem.
    pub classes: &'t [&'t TileClass<'c, 'a>],
    /// For each of these, the copy whose source products may read instead.
    pub copied: Vec<Option<CopiedTile<'c, 'a>>>,
    /// The products.
    pub products: Vec<MmaOp<'c, 'a>>,
    /// The problem.
    pub tiles: LocalTiles,
    /// The tiles that come after those of the classes: the views of these, and tiles that have layouts.
    others: Vec<Value<'c, 'a>>,
}

/// The type of a tile.
pub fn buffer<'c>(value: Value<'c, '_>) -> Option<BufferType<'c>> {
    BufferType::from_type(value.r#type())
}

impl<'t, 'c: 'a, 'a> RegisterReading<'t, 'c, 'a> {
    /// Reads all that takes a tile of the classes.
    ///
    /// # Errors
    /// A product whose threads are not known, or no whole scope.
    pub fn new(
        kernel: OperationRef<'c, 'a>,
        classes: &'t [&'t TileClass<'c, 'a>],
        reader: &Reader<'_>,
    ) -> Result<Self, (OperationRef<'c, 'a>, RegisterError)> {
        let copied: Vec<_> = classes.iter().map(|class| shared_copy(class)).collect();
        let mut reading =
            RegisterReading { classes, copied, products: Vec::new(), tiles: LocalTiles::default(), others: Vec::new() };
        let open = classes.iter().zip(&reading.copied);
        let open = open.map(|(class, copied)| (open_tile(&class.roots, class, reader), copied.is_some()));
        reading.tiles.tiles = open.map(|(tile, is_copy)| LocalTile { is_copy, ..tile }).collect();
        for (number, class) in classes.iter().enumerate() {
            class.roots.iter().for_each(|root| reading.views(*root, number, class, reader));
        }
        let takes_tile = |op: &OperationRef<'c, 'a>| classes.iter().any(|class| class.accesses.contains(op));
        for op in walk::matching(kernel, |_| true).into_iter().filter(takes_tile) {
            match name(op) {
                MmaOp::NAME => reading.multiply(MmaOp(op), reader).map_err(|error| (op, error))?,
                _ => reading.relate(op, reader),
            }
        }
        Ok(reading)
    }

    /// Adds the views of a tile, and the views of these.
    fn views(&mut self, tile: Value<'c, 'a>, source: usize, class: &TileClass<'c, 'a>, reader: &Reader<'_>) {
        for (op, _) in uses(tile) {
            let Some((form, &result)) = view_form(op).zip(results_of(op).first()) else { continue };
            self.others.push(result);
            let view = self.tiles.tiles.len();
            self.tiles.tiles.push(open_tile(&[result], class, reader));
            self.tiles.views.push(TileView { source, view, form });
            self.views(result, view, class, reader);
        }
    }

    /// The number of a tile in registers, which it has by now.
    pub fn known_number(&self, value: Value<'c, 'a>) -> Option<usize> {
        let other = self.others.iter().position(|other| key(*other) == key(value));
        let other = other.map(|other| self.classes.len() + other);
        other.or_else(|| self.classes.iter().position(|class| class.has(value)))
    }

    /// A value of a tile with a number.
    pub fn value(&self, number: usize) -> Option<Value<'c, 'a>> {
        let other = || self.others.get(number.checked_sub(self.classes.len())?).copied();
        self.classes.get(number).map_or_else(other, |class| class.roots.first().copied())
    }

    /// The number of a tile in registers.
    fn number(&mut self, value: Value<'c, 'a>) -> Option<usize> {
        let buffer = buffer(value).filter(|buffer| buffer.space() == Space::Local)?;
        if let Some(number) = self.known_number(value) {
            return Some(number);
        }
        self.others.push(value);
        self.tiles.tiles.push(LocalTile {
            shape: buffer.shape().to_vec(),
            bits: bit_width(buffer.element()).unwrap_or_default(),
            known: Some(buffer.layout()),
            threads: Vec::new(),
            reduced: Vec::new(),
            run: 0,
            is_copy: false,
        });
        Some(self.tiles.tiles.len() - 1)
    }

    /// Adds what an op needs of its tiles in registers: those of the same extents, or of one element along a dimension, to be in the
    /// same threads.
    fn relate(&mut self, op: OperationRef<'c, 'a>, reader: &Reader<'_>) {
        let values = match name(op) {
            MapOp::NAME => [MapOp(op).sources(), MapOp(op).dests()].concat(),
            ReduceOp::NAME => [ReduceOp(op).sources(), ReduceOp(op).dests()].concat(),
            BlockScanOp::NAME => [BlockScanOp(op).sources(), BlockScanOp(op).dests()].concat(),
            tile::CopyOp::NAME | tile::CopyAsyncOp::NAME => {
                let regions = [Role::Src, Role::Dst].map(|role| CopyOp(op).written(role));
                let whole = regions.into_iter().flatten().filter(|region| region.sizes.is_empty());
                whole.map(|region| region.buffer).collect()
            }
            _ => Vec::new(),
        };
        let Some(threads) = threads_of(op, reader) else { return };
        let tiles: Vec<usize> = values.into_iter().filter_map(|value| self.number(value)).collect();
        let extents = |tile: usize| self.tiles.tiles[tile].shape.iter().product::<i64>();
        let Some(whole) = tiles.iter().copied().max_by_key(|&tile| (extents(tile), std::cmp::Reverse(tile))) else {
            return;
        };
        for other in tiles.into_iter().filter(|other| *other != whole) {
            let [of_whole, of_other] = [whole, other].map(|tile| &self.tiles.tiles[tile].shape);
            let mut dims = of_whole.iter().zip(of_other).enumerate();
            let is_open = [whole, other].iter().any(|tile| self.tiles.tiles[*tile].known.is_none());
            let is_related =
                is_open && of_whole.len() == of_other.len() && dims.clone().all(|(_, (one, other))| one % other == 0);
            if is_related {
                let is_reduced = |(_, (one, other)): &(usize, (&i64, &i64))| one != other && **other == 1;
                let reduced = dims.by_ref().filter(is_reduced).map(|(dim, _)| dim).collect();
                self.tiles.relations.push(TileRelation { whole, other, reduced, threads: threads.clone() });
            }
        }
    }

    fn multiply(&mut self, product: MmaOp<'c, 'a>, reader: &Reader<'_>) -> Result<(), RegisterError> {
        let Some(operands @ [a, b, c]) = product.operands() else { return Ok(()) };
        let Some(sums) = buffer(c).filter(|sums| sums.space() == Space::Local) else { return Ok(()) };
        let threads = threads(product, reader)?;
        let number = |value| {
            let element = buffer(value)?.element().to_string();
            NumberFormat::named(&element)
        };
        let clause = |word: Option<String>| word.and_then(|word| Clause::named(&word));
        let [Some(of_a), Some(of_b), Some(of_c)] = operands.map(number) else { return Ok(()) };
        let (Some(left), &[m, n]) = (buffer(a), sums.shape()) else { return Ok(()) };
        let problem = ProductProblem {
            size: [m, n, left.shape()[1]],
            numbers: [of_a, of_b, of_c],
            clauses: [clause(product.clause_of_a()), clause(product.clause_of_b())],
            sources: [a, b].map(|factor| self.source(factor)),
            threads,
            may_pad: [false; 3],
        };
        let mistaken =
            |mistake: tile_plan::linalg::ScheduleMistake| Refusal::new("schedule-not-taken", mistake.to_string());
        let stated = schedule_of(product.0).map_err(|mistake| RegisterError::Product(mistaken(mistake)))?;
        let stated = stated.map(|(schedule, _)| schedule).unwrap_or_default();
        let variant = product.variant();
        let forced = ProductInstruction::ALL.into_iter().find(|known| Some(known.name()) == variant.as_deref());
        let schedule = LinalgSchedule { instruction: forced.or(stated.instruction), ..stated };
        let tiles = operands.map(|operand| self.number(operand));
        self.products.push(product);
        self.tiles.products.push(TileProduct { problem, schedule, tiles });
        Ok(())
    }

    /// The shared tile that a factor is in, or has the elements of.
    pub fn shared(&self, factor: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        match buffer(factor)?.space() {
            Space::Shared => Some(factor),
            _ => {
                let class = self.classes.iter().position(|class| class.has(factor))?;
                self.copied[class].map(|copy| copy.source)
            }
        }
    }

    fn source(&self, factor: Value<'c, 'a>) -> FactorSource {
        let Some((shared, buffer)) = self.shared(factor).and_then(|shared| Some((shared, buffer(shared)?))) else {
            return FactorSource::Registers;
        };
        if !buffer.is_auto() {
            return FactorSource::Shared(buffer.layout());
        }
        let view = |value| defining_op(value).filter(|op| is_view(*op));
        let views = std::iter::successors(view(shared), |op| op.operand_at(0).and_then(view));
        let exchanges = views.filter_map(tile::PermuteOp::cast).filter(|view| !view.order().is_sorted());
        FactorSource::Open { is_transposed: exchanges.count() % 2 == 1 }
    }
}

/// A tile whose layout is open: values of a class that have one.
fn open_tile<'c: 'a, 'a>(tile: &[Value<'c, 'a>], class: &TileClass<'c, 'a>, reader: &Reader<'_>) -> LocalTile {
    let buffer = tile.first().and_then(|tile| buffer(*tile));
    let shape = buffer.map(|buffer| buffer.shape().to_vec()).unwrap_or_default();
    let bits = buffer.and_then(|buffer| bit_width(buffer.element())).unwrap_or_default();
    let threads = class.accesses.iter().filter_map(|op| threads_of(*op, reader)).collect();
    let reduced = class.accesses.iter().filter_map(|op| combined_dimension(*op, tile)).collect();
    let run = class.accesses.iter().fold(0, |run, op| gcd(run, run_of(*op)));
    LocalTile { shape, bits, known: None, threads, reduced, run, is_copy: false }
}

/// What a view is of the tile that it takes; `None` of other ops.
fn view_form(op: OperationRef<'_, '_>) -> Option<ViewForm> {
    let numbers = |all: Vec<i64>| all.into_iter().map(|number| usize::try_from(number).unwrap_or(usize::MAX)).collect();
    match name(op) {
        tile::ReshapeOp::NAME => Some(ViewForm::Reshape),
        tile::PermuteOp::NAME => Some(ViewForm::Permute(numbers(tile::PermuteOp::cast(op)?.order()))),
        tile::SubviewOp::NAME => {
            let view = tile::SubviewOp::cast(op)?;
            Some(ViewForm::Part { begins: view.static_offsets(), sizes: view.sizes() })
        }
        _ => None,
    }
}

/// The dimension along which an op combines the elements of a tile.
fn combined_dimension<'c: 'a, 'a>(op: OperationRef<'c, 'a>, tile: &[Value<'c, 'a>]) -> Option<usize> {
    let (sources, dimension) = match name(op) {
        ReduceOp::NAME => (ReduceOp(op).sources(), ReduceOp(op).dim()),
        BlockScanOp::NAME => (BlockScanOp(op).sources(), BlockScanOp(op).dim()),
        _ => return None,
    };
    let is_tile = |source: Value<'c, 'a>| tile.iter().any(|tile| key(*tile) == key(source));
    usize::try_from(dimension).ok().filter(|_| sources.into_iter().any(is_tile))
}

/// What divides the places at which rows begin and end in the global memory that a copy accesses, in elements; 0 of another op.
fn run_of(op: OperationRef<'_, '_>) -> i64 {
    if name(op) != tile::CopyOp::NAME {
        return 0;
    }
    let regions = [Role::Src, Role::Dst].map(|role| CopyOp(op).written(role));
    let buffers = regions.into_iter().flatten().filter_map(|region| buffer(region.buffer));
    buffers.filter(|buffer| buffer.space() == Space::Global).fold(0, |run, buffer| gcd(run, run_of_buffer(buffer)))
}

fn run_of_buffer(buffer: BufferType<'_>) -> i64 {
    let layout = buffer.layout();
    let has_strides = layout.shard.len() == buffer.shape().len();
    let stride = |iter: &Iter| if iter.axis == Axis::Memory { iter.stride } else { OPEN };
    let strides: Vec<_> = layout.shard.iter().map(stride).collect();
    if has_strides { run_of_rows(buffer.shape(), &strides) } else { 0 }
}

/// The threads that do an op together.
fn threads_of(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Option<Threads> {
    reader.threads(op, tile_dialect::ops::scope(op)).ok()
}

/// The threads of a product: all of its scope.
fn threads(product: MmaOp<'_, '_>, reader: &Reader<'_>) -> Result<Threads, RegisterError> {
    let threads = reader.threads(product.0, product.scope())?;
    if threads.count().is_none() {
        return Err(ReadError::UnknownBlockSize.into());
    }
    match threads.narrowed() {
        Some(narrowed) if threads.scope != Scope::Thread => Err(RegisterError::Threads(narrowed)),
        _ => Ok(threads),
    }
}
