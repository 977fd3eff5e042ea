//! Ops that tiles do not hold become loops over parts, as [`tile_plan::linalg::split`] decides; C++ writes the loops.

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::Scope;
use tile_ops::memref;
use tile_plan::linalg::{LinalgForm, LinalgSchedule, SplitRoom, SplitStep};

use super::convert::{Converter, LinalgCandidate};
use super::read::{self, StructuredReading};
use super::team::{self, Team};
use super::whole::KernelRows;
use super::{factors, product, tiles};
use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::problem::Reader;
use crate::{report, shim, walk};

/// The most steps: loops over parts, loops of one iteration, loops of reductions, and again those of one.
const MAX_STEPS: usize = 4;

/// Splits the ops at or below the root that tiles do not hold.
pub fn run<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    schedule: LinalgSchedule,
    rewriter: Rewriter<'c, 'a>,
) {
    let mut is_split = false;
    let rows = {
        let reader = Reader::new(options);
        KernelRows::new(&Converter::new(&reader, options, schedule, rewriter), root)
    };
    let is_one = |op: &OperationRef<'c, 'a>| shim::structured(*op).is_some() || name(*op) == memref::CopyOp::NAME;
    let ops = walk::matching(root, |_| true).into_iter().filter(is_one);
    for mut op in ops.collect::<Vec<_>>() {
        while let Some(next) = factors::separate(&Reader::new(options), op) {
            (op, is_split) = (next, true);
        }
        for step in 0..MAX_STEPS {
            // What is known of the kernel is that of the loops that are there now.
            let reader = Reader::new(options);
            let converter = Converter::new(&reader, options, schedule, rewriter).with_registers(&rows.held);
            match split(&converter, op, step > 0) {
                Some(next) => (op, is_split) = (next, true),
                None => break,
            }
        }
    }
    // Parts of the same memory are known by having the same view.
    if is_split {
        shim::share_computations(root);
    }
}

/// Does the next step; the op of a part, `None` where nothing is left to do.
fn split<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
    is_part: bool,
) -> Option<OperationRef<'c, 'a>> {
    let reading = read::read(op)?.ok()?;
    let structured = &reading.structured;
    let kernel = converter.shared(op, &reading).ok()?;
    if converter.rows(kernel).is_some_and(|rows| structured.held(rows).is_some()) {
        return None;
    }
    let room = room(converter, op, &reading, is_part)?;
    let step = structured.split(&room)?;
    if !is_part {
        let text = format!("{} is done in loops over parts that tiles hold", name(op));
        let detail = [("Step", format!("{step:?}"))];
        let cause = "split-in-parts";
        report::emit(op, RemarkKind::Missed, cause, &text, &detail);
    }
    let op = if name(op) == memref::CopyOp::NAME { shim::copy_as_linalg(op)? } else { op };
    match step {
        SplitStep::Parts(sizes) => shim::split_loops(op, &sizes),
        SplitStep::Units => shim::drop_unit_loops(op).filter(|next| *next != op),
        SplitStep::Reduction { shape, sizes } => {
            let result = reading.operands[structured.inputs];
            if tiles::room(result).is_none() {
                let shape = padded(converter, op, &reading, &sizes).unwrap_or(shape);
                shim::keep_result(op, &shape);
            }
            shim::split_loops(op, &sizes)
        }
    }
}

/// A product with as many depths as a step of its loop has.
pub(super) fn part<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<LinalgCandidate<'c, 'a>> {
    let reading = read::read(op)?.ok()?;
    let kernel = converter.shared(op, &reading).ok()?;
    let room = room(converter, op, &reading, false)?;
    let Some(SplitStep::Reduction { sizes, .. }) = reading.structured.split(&room) else { return None };
    let structured = reading.structured.part(&sizes);
    let form = structured.form().ok().filter(|form| matches!(form, LinalgForm::Product(_)))?;
    Some(LinalgCandidate { reading: StructuredReading { structured, ..reading }, form, kernel, scope: team::scope(op) })
}

/// What bounds the tiles of an op.
fn room<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    is_part: bool,
) -> Option<SplitRoom> {
    let target = converter.reader.target(op).ok()?;
    let Team { threads, shared_bytes, scope, .. } = Team::new(converter.reader, op, team::scope(op)).ok()?;
    if scope == Scope::Thread {
        return None;
    }
    let schedule = converter.schedule(op).ok()?;
    let problem = reading.factors().and_then(|factors| product::problem(reading, factors, threads).ok());
    let tiles = problem.and_then(|problem| problem.tiles(&target, &schedule));
    let is_multiplied = match reading.structured.form() {
        Ok(LinalgForm::Product(loops)) => product::plan((converter.reader, &converter.schedule), op, reading, loops)
            .is_ok_and(|product| product.plan.is_done_at_once(threads)),
        _ => false,
    };
    Some(SplitRoom { shared_bytes, product: tiles, is_multiplied, is_part })
}

/// The shape of the sums of a product that is one tile of the result, with what its instruction has beyond them.
pub(super) fn sums_shape<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
) -> Option<Vec<i64>> {
    let room = room(converter, op, reading, false)?;
    match reading.structured.split(&room) {
        None => padded(converter, op, reading, &reading.structured.extents),
        Some(SplitStep::Reduction { shape, sizes }) => Some(padded(converter, op, reading, &sizes).unwrap_or(shape)),
        Some(SplitStep::Parts(_) | SplitStep::Units) => None,
    }
}

/// The shape of the sums of a product once its depths are split, with what its instruction has beyond them.
fn padded<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
    reading: &StructuredReading<'c, 'a>,
    sizes: &[i64],
) -> Option<Vec<i64>> {
    let (structured, operands) = (reading.structured.part(sizes), reading.operands.clone());
    let part = StructuredReading { structured, operands, body: reading.body };
    let LinalgForm::Product(loops) = part.structured.form().ok()? else { return None };
    let size = product::plan((converter.reader, &converter.schedule), op, &part, loops).ok()?.plan.size;
    let extent = |number: &usize| match *number {
        number if number == loops.m => size[0],
        number if number == loops.n => size[1],
        number => part.structured.extents[number],
    };
    Some(part.structured.maps[part.structured.inputs].as_ref()?.iter().map(extent).collect())
}
