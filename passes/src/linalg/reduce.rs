//! Reductions.

use melior::ir::{Value, ValueLike};
use tile_dialect::ir::results_of;
use tile_ops::tile::ReduceKind;
use tile_ops::{region, tile};
use tile_plan::linalg::LinalgRefusal;

use super::body::{self, BodyCombination};
use super::map::MapFunction;
use super::padding::{FunctionEdge, Padding};
use super::read::StructuredReading;
use super::site::{LoopOrder, Site};
use super::tiles::{self, element_of, memref_type};

/// Writes a reduction.
///
/// # Errors
/// An operand cannot be loaded or stored.
pub fn write<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    along: &[usize],
    input: Option<usize>,
) -> Result<(), LinalgRefusal> {
    let inputs = reading.structured.inputs;
    let block = reading.body.ok_or(LinalgRefusal::NotCombined)?;
    let combination = body::combination(block, inputs).ok_or(LinalgRefusal::NotCombined)?;
    let loops: Vec<usize> = (0..reading.structured.extents.len()).collect();
    let (memref, out) = (reading.operands[inputs], LoopOrder::new(&reading.structured, inputs, &loops));
    let element = memref_type(memref).map(element_of).ok_or(LinalgRefusal::Tensors)?;
    let is_open = along.iter().any(|&number| reading.structured.is_open[number]);
    let is_loaded = |input: &usize| !is_open || tiles::tile(reading.operands[*input]).is_none();
    let terms = match input.filter(is_loaded) {
        Some(input) => {
            let padding = if is_open { Padding::Neutral(combination.kind) } else { Padding::One };
            site.operand(reading.operands[input], &LoopOrder::new(&reading.structured, input, &loops), Some(padding))?
        }
        None => {
            let edge = FunctionEdge::of_reduction(site.builder, reading, along, (combination.kind, element))?;
            let wanted = (vec![combination.term], Padding::One);
            let function = MapFunction { edge, ..MapFunction::of_operands(site, reading, block, &loops, wanted)? };
            let terms = site.alloc(site.working(&reading.structured.extents, element)?)?;
            function.write(site, &[terms]);
            terms
        }
    };
    let (mut reduced, mut shape) = (terms, reading.structured.extents.clone());
    for &number in along {
        shape[number] = 1;
        let next = site.alloc(site.beside(reduced, &shape, element)?)?;
        combine_along(site, &combination, reduced, next, number as i64);
        reduced = next;
    }
    // What the result was before is combined with it, too.
    let result = site.operand(memref, &out, Some(Padding::One))?;
    let all = MapFunction {
        block,
        loops,
        read: vec![(combination.result, result), (combination.term, reduced)],
        known: Vec::new(),
        wanted: body::yielded(block),
        edge: None,
    };
    all.write(site, &[result]);
    site.finish(memref, result, &out)
}

/// Combines the elements of a tile along a dimension.
fn combine_along<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    combination: &BodyCombination<'c, 'a>,
    terms: Value<'c, 'a>,
    reduced: Value<'c, 'a>,
    dimension: i64,
) {
    let builder = site.builder;
    let element = combination.term.r#type();
    let is_custom = combination.kind == ReduceKind::Custom;
    let region = if is_custom { builder.body(&[element, element]) } else { region() };
    let reduce =
        tile::reduce(builder, &[terms], &[reduced], combination.kind, dimension, site.team.scope, region).build();
    if is_custom {
        builder.fill(reduce.operation(), 0, |arguments| {
            let copy = builder.rewriter.insert_clone(combination.op, arguments);
            tile::r#yield(builder, &results_of(copy)).build();
        });
    }
}
