//! Products.

use melior::ir::{OperationRef, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::arguments_of;
use tile_dialect::ops::Scope;
use tile_dialect::{SCHEDULE, Space, schedule_of};
use tile_isa::convert::{Clause, NumberFormat};
use tile_ops::tile;
use tile_plan::linalg::form::UNBOUNDED;
use tile_plan::linalg::{
    FactorSource, LinalgRefusal, LinalgSchedule, ProductInstruction, ProductLoops, ProductPlan, ProductProblem,
    StructuredOp,
};
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::threads::Threads;

use super::padding::Padding;
use super::read::StructuredReading;
use super::site::{self, LoopOrder, Site};
use super::team::{self, Team};
use super::tiles::{self, buffer, element_of, memref_type};
use super::{body, schedule};
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
    (reader, default): (&Reader<'_>, &LinalgSchedule),
    op: OperationRef<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    loops: ProductLoops,
) -> Result<ProductReading, LinalgRefusal> {
    let extents = &reading.structured.extents;
    let [left, right] = loops.factors;
    let Team { threads, scope, .. } = Team::new(reader, op, team::scope(op))?;
    if scope == Scope::Thread {
        let reason = "a thread alone, expected threads that multiply together".to_owned();
        return Err(LinalgRefusal::Product(Refusal::new("product-not-multiplied", reason)));
    }
    // Tiles that are there have the size that they have.
    let is_read = |tile: Value<'c, 'a>| !tiles::begins_anywhere(tile);
    let is_loaded = |operand: usize| {
        let memref = reading.operands[operand];
        tiles::room(memref).is_none() || tiles::tile(memref).is_some_and(|tile| !is_read(tile))
    };
    let [of_left, of_right, of_sums] = [left, right, reading.structured.inputs].map(is_loaded);
    let problem = ProductProblem {
        size: [extents[loops.m], extents[loops.n], extents[loops.k]],
        sources: sources(reading, loops),
        may_pad: [of_left && of_sums, of_right && of_sums, of_left && of_right],
        ..problem(reading, loops.factors, threads)?
    };
    let target = reader.target(op).map_err(|_| LinalgRefusal::NotAKernel)?;
    let schedule = schedule::of(op, default)?;
    if let Some(stated) = schedule.threads.filter(|stated| scope == Scope::Cta && *stated != threads) {
        let reason = format!("the schedule asks for blocks of {stated} threads, got {threads}");
        return Err(LinalgRefusal::Product(Refusal::new("schedule-not-taken", reason)));
    }
    let plan = problem.plan(&target, &schedule).map_err(LinalgRefusal::Product)?;
    // Tiles of several warps count these in the block.
    if scope == Scope::Warpgroup && plan.instruction != ProductInstruction::Wgmma {
        let reason = format!("a warpgroup by {}, expected wgmma, or a forall of warps", plan.instruction.name());
        return Err(LinalgRefusal::Product(Refusal::new("product-not-multiplied", reason)));
    }
    Ok(ProductReading { problem, plan })
}

/// A product of elements like those of an op, of any size.
///
/// # Errors
/// There are no tiles of such elements.
pub fn problem(
    reading: &StructuredReading<'_, '_>,
    factors: [usize; 2],
    threads: i64,
) -> Result<ProductProblem, LinalgRefusal> {
    let number = |operand: usize| {
        let (_, element) = tiles::shape(reading.operands[operand]).ok_or(LinalgRefusal::Tensors)?;
        let name = element.to_string();
        NumberFormat::named(&name).ok_or(LinalgRefusal::Elements { got: name })
    };
    Ok(ProductProblem {
        size: [UNBOUNDED; 3],
        numbers: [number(factors[0])?, number(factors[1])?, number(reading.structured.inputs)?],
        clauses: clauses(reading, factors)?,
        sources: [false; 2].map(|is_transposed| FactorSource::Open { is_transposed }),
        threads: Threads::all(Scope::Cta, Some(threads)),
        may_pad: [true; 3],
    })
}

/// Where the factors are: in shared memory, as they are stored.
pub fn sources(reading: &StructuredReading<'_, '_>, loops: ProductLoops) -> [FactorSource; 2] {
    exchanged(reading, loops).map(|is_transposed| FactorSource::Open { is_transposed })
}

/// Whether each factor is stored with its dimensions exchanged: depths before rows, or columns before depths.
fn exchanged(
    reading: &StructuredReading<'_, '_>,
    ProductLoops { m, n, k, factors: [left, right] }: ProductLoops,
) -> [bool; 2] {
    [comes_first(reading, left, k, m), comes_first(reading, right, n, k)]
}

/// Whether a loop comes before another one in an operand.
fn comes_first(reading: &StructuredReading<'_, '_>, operand: usize, one: usize, other: usize) -> bool {
    let map = reading.structured.maps[operand].iter().flatten();
    map.copied().find(|number| [one, other].contains(number)) == Some(one)
}

/// How integers of the factors are read: as the body extends them.
fn clauses(reading: &StructuredReading<'_, '_>, inputs: [usize; 2]) -> Result<[Option<Clause>; 2], LinalgRefusal> {
    let block = reading.body.ok_or(LinalgRefusal::NotCombined)?;
    let combination = body::combination(block, reading.structured.inputs).ok_or(LinalgRefusal::NotCombined)?;
    let factors = body::factors(combination.term).ok_or(LinalgRefusal::NotCombined)?;
    let arguments = arguments_of(block);
    Ok(inputs.map(|input| {
        let is_of = |factor: &&body::FactorElement<'_, '_>| key(factor.value) == key(arguments[input]);
        factors.iter().find(is_of).and_then(|factor| factor.clause)
    }))
}

/// Two loops in the order in which an operand has them.
fn stored(structured: &StructuredOp, operand: usize, loops: [usize; 2]) -> LoopOrder {
    let map = structured.maps[operand].iter().flatten();
    let stored: Vec<usize> = map.copied().filter(|number| loops.contains(number)).collect();
    LoopOrder::new(structured, operand, &stored)
}

/// An op whose loops are as long as its tiles.
fn padded(reading: &StructuredReading<'_, '_>, loops: ProductLoops, size: [i64; 3]) -> StructuredOp {
    let mut structured = reading.structured.clone();
    for (number, extent) in [loops.m, loops.n, loops.k].into_iter().zip(size) {
        structured.is_open[number] |= structured.extents[number] != extent;
        structured.extents[number] = extent;
    }
    structured
}

/// Writes a product.
///
/// # Errors
/// There are no such tiles, or an operand cannot be loaded.
pub fn write<'c: 'a, 'a>(
    (reader, default): (&Reader<'_>, &LinalgSchedule),
    site: &Site<'_, 'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    loops: ProductLoops,
) -> Result<(), LinalgRefusal> {
    let ProductReading { problem, plan } = self::plan((reader, default), site.op, reading, loops)?;
    let structured = padded(reading, loops, plan.size);
    let is_single = plan.instruction == ProductInstruction::Fma;
    if is_single {
        let text =
            "multiplied by single multiplications: no matrix instruction of the chip takes these elements and sizes";
        let cause = "product-without-instruction";
        report::emit(site.op, RemarkKind::Missed, cause, text, &[]);
    }
    let [left, right] = loops.factors;
    let factor = |operand: usize, loops, is_transposed| {
        factor(site, reading.operands[operand], &stored(&structured, operand, loops), is_transposed)
    };
    let [of_left, of_right] = exchanged(reading, loops);
    let a = factor(left, [loops.m, loops.k], of_left)?;
    let b = factor(right, [loops.k, loops.n], of_right)?;
    let result = reading.structured.inputs;
    let memref = reading.operands[result];
    let order = stored(&structured, result, [loops.m, loops.n]);
    let [m, n, _] = plan.size;
    let element = memref_type(memref).map(element_of).ok_or(LinalgRefusal::Tensors)?;
    let sums_type = site::open_registers(site.builder.location, &[m, n], element)?;
    let held = tiles::tile(memref).filter(|tile| buffer(*tile) == Some(sums_type));
    let sums = held.map_or_else(|| site.alloc(sums_type), Ok)?;
    let shared = match tiles::tile(memref) {
        Some(tile) => Some(site.reshaped(tile, &[m, n])?),
        None => None,
    };
    match (held, shared) {
        (Some(_), _) => {}
        (None, Some(tile)) => site.copy_tile(tile, sums, None)?,
        (None, None) => site.load(memref, sums, &order, Padding::Zero)?,
    }
    let [word, of_b] = problem.clauses.map(|clause| clause.map(Clause::word));
    let mma = tile::mma(site.builder, a, b, sums, &[], site.team.scope).group(true).convert(word);
    let is_forced = is_single || default.instruction.is_some();
    let mma = mma
        .convert_b(of_b.filter(|of_b| word != Some(of_b)))
        .variant(is_forced.then(|| plan.instruction.name()))
        .build();
    if let Ok(Some((_, attribute))) = schedule_of(site.op) {
        site.builder.rewriter.set_attribute(mma.operation(), SCHEDULE, attribute);
    }
    match (held, shared) {
        (Some(_), _) => Ok(()),
        (None, Some(tile)) => site.copy_tile(sums, tile, None),
        (None, None) => site.store(memref, sums, &order),
    }
}

/// A factor in shared memory, rows first.
fn factor<'c: 'a, 'a>(
    site: &Site<'_, 'c, 'a>,
    memref: Value<'c, 'a>,
    order: &LoopOrder,
    is_transposed: bool,
) -> Result<Value<'c, 'a>, LinalgRefusal> {
    let element = memref_type(memref).map(element_of).ok_or(LinalgRefusal::Tensors)?;
    let allocate = || site.working(&order.present, element).and_then(|buffer| site.alloc(buffer));
    let stored = match tiles::tile(memref) {
        Some(tile) => {
            let from = site.buffer(tile)?;
            let extents = from.shape();
            let stored: Vec<i64> = order.dimensions.iter().map(|&dimension| extents[dimension]).collect();
            let is_read = from.space() == Space::Shared && stored == order.present && !tiles::begins_anywhere(tile);
            let matrix = if from.space() == Space::Shared { site.reshaped(tile, &stored)? } else { tile };
            if is_read {
                matrix
            } else {
                let shared = allocate()?;
                site.copy_tile(matrix, shared, Some(Padding::Zero))?;
                shared
            }
        }
        None => {
            let shared = allocate()?;
            site.load(memref, shared, order, Padding::Zero)?;
            shared
        }
    };
    if is_transposed { site.permuted(stored, &[1, 0]) } else { Ok(stored) }
}
