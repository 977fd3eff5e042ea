//! Functions of elements.

use melior::ir::{BlockRef, Value, ValueLike};
use tile_dialect::Space;
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::Scope;
use tile_ops::tile;
use tile_plan::linalg::LinalgRefusal;

use super::body;
use super::padding::{FunctionEdge, Padding};
use super::read::StructuredReading;
use super::site::{self, LoopOrder, Site};
use super::tiles::{self, buffer, element_of, memref_type};
use crate::read::values::key;

/// What a map reads and computes.
pub struct MapFunction<'c, 'a> {
    /// The body.
    pub block: BlockRef<'c, 'a>,
    /// The loops of the tiles' dimensions.
    pub loops: Vec<usize>,
    /// The arguments of the body that are read, each with its tile.
    pub read: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// What is known of other arguments.
    pub known: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    /// The values of the body that are results.
    pub wanted: Vec<Value<'c, 'a>>,
    /// What results are beyond the ends of loops.
    pub edge: Option<FunctionEdge<'c, 'a>>,
}

impl<'c: 'a, 'a> MapFunction<'c, 'a> {
    /// That of the operands whose elements are used for `wanted`: each is loaded where it is no tile.
    ///
    /// # Errors
    /// An operand cannot be loaded.
    pub fn of_operands(
        site: &Site<'_, 'c, 'a>,
        reading: &StructuredReading<'c, 'a>,
        block: BlockRef<'c, 'a>,
        loops: &[usize],
        (wanted, padding): (Vec<Value<'c, 'a>>, Padding),
    ) -> Result<Self, LinalgRefusal> {
        let used = body::reached(block, &wanted, |_| false);
        let (mut read, mut known) = (Vec::new(), Vec::new());
        for (operand, argument) in
            arguments_of(block).into_iter().enumerate().filter(|(_, argument)| used.contains(&key(*argument)))
        {
            let value = reading.operands[operand];
            if memref_type(value).is_none() {
                known.push((argument, value));
                continue;
            }
            read.push((
                argument,
                site.operand(value, &LoopOrder::new(&reading.structured, operand, loops), Some(padding))?,
            ));
        }
        Ok(MapFunction { block, loops: loops.to_vec(), read, known, wanted, edge: None })
    }

    /// Whether a source is in registers that have the extents of the results.
    fn is_in_registers(&self, shape: &[i64]) -> bool {
        let mut buffers = self.read.iter().filter_map(|(_, tile)| buffer(*tile));
        buffers.any(|buffer| buffer.space() == Space::Local && buffer.shape() == shape)
    }

    /// Writes the map.
    pub fn write(&self, site: &Site<'_, 'c, 'a>, dests: &[Value<'c, 'a>]) {
        let known: Vec<usize> = self.read.iter().map(|(argument, _)| key(*argument)).collect();
        let reached = body::reached(self.block, &self.wanted, |value| known.contains(&value));
        let has_coordinates = self.edge.is_some() || body::has_coordinates(self.block, &reached);
        let context = site.builder.context;
        let element = |(argument, _): &(Value<'c, 'a>, Value<'c, 'a>)| argument.r#type();
        let mut types: Vec<_> = self.read.iter().map(element).collect();
        types.extend(self.loops.iter().filter(|_| has_coordinates).map(|_| context.index()));
        let sources: Vec<_> = self.read.iter().map(|(_, tile)| *tile).collect();
        let map = tile::map(site.builder, &sources, dests, site.team.scope, site.builder.body(&types)).build();
        site.builder.fill(map.operation(), 0, |arguments| {
            let elements = self.read.iter().map(|(argument, _)| *argument).zip(arguments.iter().copied());
            let values: Vec<_> = elements.chain(self.known.iter().copied()).collect();
            let coordinate = |number: usize| {
                let place = self.loops.iter().position(|one| *one == number)?;
                arguments.get(self.read.len() + place).copied()
            };
            let mut results = body::copied(site.builder, self.block, &values, coordinate, &self.wanted);
            if let Some(edge) = &self.edge {
                results.iter_mut().for_each(|result| *result = edge.select(site.builder, *result, coordinate));
            }
            tile::r#yield(site.builder, &results).build();
        });
    }
}

/// Writes an op that computes elements.
///
/// # Errors
/// An operand cannot be loaded or stored.
pub fn write<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    block: BlockRef<'c, 'a>,
    loops: &[usize],
) -> Result<(), LinalgRefusal> {
    let function = MapFunction::of_operands(site, reading, block, loops, (body::yielded(block), Padding::One))?;
    let results = reading.structured.inputs..reading.operands.len();
    // What one thread has for itself has no layout of a product.
    let is_together = site.team.scope != Scope::Thread;
    let mut dests = Vec::new();
    for operand in results.clone() {
        let (memref, order) = (reading.operands[operand], LoopOrder::new(&reading.structured, operand, loops));
        let element = memref_type(memref).map(element_of).ok_or(LinalgRefusal::Tensors)?;
        dests.push(if is_together && function.is_in_registers(&order.all) && tiles::tile(memref).is_none() {
            site.alloc(site::open_registers(site.builder.location, &order.all, element)?)?
        } else {
            site.operand(memref, &order, None)?
        });
    }
    function.write(site, &dests);
    for (operand, tile) in results.zip(dests) {
        site.finish(reading.operands[operand], tile, &LoopOrder::new(&reading.structured, operand, loops))?;
    }
    Ok(())
}
