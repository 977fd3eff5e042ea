//! Products.

use melior::ir::{OperationRef, Value};
use tile_dialect::Space;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::Scope;
use tile_isa::convert::{Clause, NumberFormat};
use tile_ops::tile;
use tile_plan::linalg::{FactorTile, LinalgRefusal, ProductLoops, ProductPlan, ProductProblem};

use super::body;
use super::read::{StructuredReading, memref_type};
use super::site::{self, LoopOrder, Padding, Site, buffer};
use crate::read::problem::Reader;
use crate::read::values::key;
use crate::report;

/// A product: its tiles, and how it reads the factors.
pub struct ProductReading {
    /// What is multiplied.
    pub problem: ProductProblem,
    /// Its tiles.
    pub plan: ProductPlan,
}

/// Plans a product for the kernel that it is in.
///
/// # Errors
/// No tiles are multiplied like that.
pub fn plan<'c: 'a, 'a>(
    reader: &Reader<'_>,
    op: OperationRef<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    loops: ProductLoops,
) -> Result<ProductReading, LinalgRefusal> {
    let extents = &reading.structured.extents;
    let number = |operand: usize| {
        let element = memref_type(reading.operands[operand]).map(site::element_of).ok_or(LinalgRefusal::Tensors)?;
        let name = element.to_string();
        NumberFormat::named(&name).ok_or(LinalgRefusal::Elements { got: name })
    };
    let [left, right] = loops.factors;
    let size = [extents[loops.m], extents[loops.n], extents[loops.k]];
    let threads = reader.block(op).ok().flatten().ok_or(LinalgRefusal::BlockSize)?.iter().product();
    let problem = ProductProblem {
        size,
        numbers: [number(left)?, number(right)?, number(reading.structured.inputs)?],
        clauses: clauses(reading, loops)?,
        is_transposed: [comes_first(reading, left, loops.k, loops.m), comes_first(reading, right, loops.n, loops.k)],
        threads,
    };
    let target = reader.target(op).map_err(|_| LinalgRefusal::NotAKernel)?;
    let plan = problem.plan(&target).map_err(LinalgRefusal::Product)?;
    Ok(ProductReading { problem, plan })
}

/// Whether a loop comes before another one in an operand.
fn comes_first(reading: &StructuredReading<'_, '_>, operand: usize, one: usize, other: usize) -> bool {
    let map = reading.structured.maps[operand].iter().flatten();
    map.copied().find(|number| [one, other].contains(number)) == Some(one)
}

/// How integers of the factors are read: as the body extends them.
fn clauses(reading: &StructuredReading<'_, '_>, loops: ProductLoops) -> Result<[Option<Clause>; 2], LinalgRefusal> {
    let block = reading.body.ok_or(LinalgRefusal::NotCombined)?;
    let combination = body::combination(block, reading.structured.inputs).ok_or(LinalgRefusal::NotCombined)?;
    let factors = body::factors(combination.term).ok_or(LinalgRefusal::NotCombined)?;
    let arguments = arguments_of(block);
    Ok(loops.factors.map(|input| {
        let is_of = |factor: &&body::FactorElement<'_, '_>| key(factor.value) == key(arguments[input]);
        factors.iter().find(is_of).and_then(|factor| factor.clause)
    }))
}

/// Two loops in the order in which an operand has them.
fn stored(reading: &StructuredReading<'_, '_>, operand: usize, loops: [usize; 2]) -> LoopOrder {
    let map = reading.structured.maps[operand].iter().flatten();
    let stored: Vec<usize> = map.copied().filter(|number| loops.contains(number)).collect();
    LoopOrder::new(&reading.structured, operand, &stored)
}

/// Writes a product.
///
/// # Errors
/// There are no such tiles, or an operand cannot be loaded.
pub fn write<'c: 'a, 'a>(
    reader: &Reader<'_>,
    site: &Site<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    loops: ProductLoops,
) -> Result<(), LinalgRefusal> {
    let ProductReading { problem, plan } = self::plan(reader, site.op, reading, loops)?;
    if plan.variant == "fma" {
        let text =
            "multiplied by single multiplications: no matrix instruction of the chip takes these elements and sizes";
        let cause = "product-without-instruction";
        report::emit(site.op, RemarkKind::Missed, cause, text, &[]);
    }
    let [left, right] = loops.factors;
    let a = factor(site, reading, left, [loops.m, loops.k], problem.is_transposed[0])?;
    let b = factor(site, reading, right, [loops.k, loops.n], problem.is_transposed[1])?;
    let result = reading.structured.inputs;
    let memref = reading.operands[result];
    let order = stored(reading, result, [loops.m, loops.n]);
    let [m, n, k] = problem.size;
    let element = memref_type(memref).map(site::element_of).ok_or(LinalgRefusal::Tensors)?;
    let sums_type = site.registers(&plan.sums, &[m, n], element)?;
    let held = site::tile(memref).filter(|tile| buffer(*tile) == Some(sums_type));
    let sums = held.unwrap_or_else(|| site.alloc(sums_type));
    let shared = match site::tile(memref) {
        Some(tile) => Some(site.reshaped(tile, &[m, n])?),
        None => None,
    };
    match (held, shared) {
        (Some(_), _) => {}
        (None, Some(tile)) => site.copy_tile(tile, sums),
        (None, None) => site.load(memref, sums, &order, Padding::Zero)?,
    }
    for begin in (0..k).step_by(usize::try_from(plan.depth).unwrap_or(1).max(1)) {
        let a = taken(site, a, &plan.factors[0], ([0, begin], [m, plan.depth]))?;
        let b = taken(site, b, &plan.factors[1], ([begin, 0], [plan.depth, n]))?;
        let [word, of_b] = problem.clauses.map(|clause| clause.map(Clause::word));
        let mma = tile::mma(site.builder, a, b, sums, &[], Scope::Cta).group(true).convert(word);
        mma.convert_b(of_b.filter(|of_b| word != Some(of_b)))
            .variant((plan.variant == "fma").then_some(plan.variant))
            .build();
    }
    match (held, shared) {
        (Some(_), _) => Ok(()),
        (None, Some(tile)) => {
            site.copy_tile(sums, tile);
            Ok(())
        }
        (None, None) => site.store(memref, sums, &order),
    }
}

/// A factor in shared memory, rows first.
fn factor<'c: 'a, 'a>(
    site: &Site<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    operand: usize,
    loops: [usize; 2],
    is_transposed: bool,
) -> Result<Value<'c, 'a>, LinalgRefusal> {
    let memref = reading.operands[operand];
    let order = stored(reading, operand, loops);
    let element = memref_type(memref).map(site::element_of).ok_or(LinalgRefusal::Tensors)?;
    let allocate = || site.shared(&order.present, element).map(|buffer| site.alloc(buffer));
    let stored = match site::tile(memref) {
        Some(tile) if buffer(tile).is_some_and(|buffer| buffer.space() == Space::Shared) => {
            site.reshaped(tile, &order.present)?
        }
        Some(tile) => {
            let shared = allocate()?;
            site.copy_tile(tile, shared);
            shared
        }
        None => {
            let shared = allocate()?;
            site.load(memref, shared, &order, Padding::Zero)?;
            shared
        }
    };
    if is_transposed { site.permuted(stored, &[1, 0]) } else { Ok(stored) }
}

/// What is multiplied of a factor, where the plan has it.
fn taken<'c: 'a, 'a>(
    site: &Site<'c, 'a>,
    factor: Value<'c, 'a>,
    tile: &FactorTile,
    (begin, sizes): ([i64; 2], [i64; 2]),
) -> Result<Value<'c, 'a>, LinalgRefusal> {
    let part = site.part(factor, begin, sizes)?;
    let FactorTile::Registers(registers) = tile else { return Ok(part) };
    let element = buffer(part).ok_or(LinalgRefusal::Tensors)?.element();
    let held = site.alloc(site.registers(registers, &sizes, element)?);
    site.copy_tile(part, held);
    Ok(held)
}
