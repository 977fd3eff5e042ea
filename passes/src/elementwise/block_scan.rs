//! Writes scans along a dimension: the planner's algorithm, on values of the IR.

use melior::ir::Value;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::{BlockScanOp, ScanElement};
use tile_layout::counted;
use tile_ops::arith;
use tile_plan::elementwise::block_scan::{
    BlockScanMachine, BlockScanPlan, BlockScanProblem, BlockScanStart, DigitAtLeast, ThreadDigit, WarpLevel,
};

use super::SCANS;
use super::combine::{Elements, Operator, lane, register_tiles, shuffled};
use super::warps::WarpExchange;
use crate::emit::error::EmitError;
use crate::emit::{Cmp, Emit, identity, neutral};

/// Writes the scan of tiles in registers at the insertion point: all loads, the scan, then all stores. So a result may be a source.
///
/// # Errors
/// Operands that are no tiles in registers.
pub fn write<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: BlockScanOp<'c, 'a>,
    [sources, dests]: [Vec<Value<'c, 'a>>; 2],
    (problem, plan): (&BlockScanProblem, &BlockScanPlan),
) -> Result<(), EmitError> {
    let builder = emit.kit.builder;
    let sources = register_tiles(builder, sources).ok_or(EmitError::NotInRegisters)?;
    let dests = register_tiles(builder, dests).ok_or(EmitError::NotInRegisters)?;
    let load = |registers: &[usize]| -> Elements<'c, 'a> {
        sources.iter().zip(registers).map(|(source, &register)| source.load(register)).collect()
    };
    let rows = plan.rows.iter().map(|row| row.iter().map(|element| load(&element.terms)).collect()).collect();
    let operator = Operator { kind: op.kind(), body: op.combine() };
    let inits = op.inits();
    let element = ScanElement::new(sources[0].element).filter(|_| op.combine().is_none());
    let start = BlockScanStart {
        is_exclusive: op.is_exclusive(),
        init: (!inits.is_empty()).then_some(inits),
        neutral: element.and_then(|element| neutral(emit.kit, op.kind(), element)).map(|value| vec![value]),
        empty: element.and_then(|element| identity(emit.kit, op.kind(), element)).map(|value| vec![value]),
    };
    let mut writer = BlockScanWriter { emit, op, problem, operator, failure: None };
    let results = plan.run(&mut writer, rows, &start).ok_or(EmitError::NoInit)?;
    if let Some(failure) = writer.failure {
        return Err(failure);
    }
    for (element, values) in plan.rows.iter().flatten().zip(results.into_iter().flatten()) {
        for ((dest, &register), value) in dests.iter().zip(&element.results).zip(values) {
            dest.store(value, register);
        }
    }
    Ok(())
}

struct BlockScanWriter<'e, 'c, 'a, 'p> {
    emit: &'e mut Emit<'c, 'a, 'p>,
    op: BlockScanOp<'c, 'a>,
    problem: &'e BlockScanProblem,
    operator: Operator<'c, 'a>,
    /// Why warps cannot exchange their totals.
    failure: Option<EmitError>,
}

impl<'c: 'a, 'a> BlockScanWriter<'_, 'c, 'a, '_> {
    /// A digit of the lane's number.
    fn digit(&self, digit: ThreadDigit, number: Value<'c, 'a>) -> Value<'c, 'a> {
        let kit = self.emit.kit;
        arith::remui(kit.builder, kit.over(number, digit.stride), kit.i32(digit.extent)).value()
    }

    /// The thread's number in its scope, of 32 bits.
    fn thread(&self) -> Value<'c, 'a> {
        let kit = self.emit.kit;
        let thread = self.emit.function.thread_in(kit.builder, self.op.scope());
        thread.map_or_else(|| kit.i32(0), |thread| arith::index_cast(kit.builder, thread, kit.int_type(32)).value())
    }

    /// Writes the totals to their tiles, and reads those of all warps.
    fn exchanged(
        &mut self,
        level: &WarpLevel,
        totals: &[Vec<Elements<'c, 'a>>],
    ) -> Result<Vec<Vec<Vec<Elements<'c, 'a>>>>, EmitError> {
        let builder = self.emit.kit.builder;
        let exchange = WarpExchange::new(self.op.0, self.op.scope(), &self.problem.threads, &level.tiles);
        let partial = exchange.partial(self.emit, &self.op.sources())?;
        let to = register_tiles(builder, partial.clone()).ok_or(EmitError::NotInRegisters)?;
        for (registers, runs) in level.totals.iter().zip(totals) {
            for (&register, total) in registers.iter().zip(runs) {
                to.iter().zip(total).for_each(|(tile, &value)| tile.store(value, register));
            }
        }
        let from = register_tiles(builder, exchange.gathered(self.emit, &partial)?).ok_or(EmitError::NotInRegisters)?;
        let warp = |&register: &usize| from.iter().map(|tile| tile.load(register)).collect();
        let run = |registers: &Vec<usize>| registers.iter().map(warp).collect();
        Ok(level.gathered.iter().map(|row| row.iter().map(run).collect()).collect())
    }
}

impl<'c: 'a, 'a> BlockScanMachine for BlockScanWriter<'_, 'c, 'a, '_> {
    type Value = Elements<'c, 'a>;
    type Predicate = Value<'c, 'a>;

    fn combine(&mut self, left: &Elements<'c, 'a>, right: &Elements<'c, 'a>) -> Elements<'c, 'a> {
        self.operator.combine(self.emit.kit, left, right)
    }

    fn at_least(&mut self, DigitAtLeast { digit, is_of_lane, least }: DigitAtLeast) -> Value<'c, 'a> {
        let number = if is_of_lane { lane(self.emit) } else { self.thread() };
        let kit = self.emit.kit;
        kit.cmp(Cmp::Uge, self.digit(digit, number), kit.i32(least))
    }

    fn either(&mut self, first: &Value<'c, 'a>, second: &Value<'c, 'a>) -> Value<'c, 'a> {
        self.emit.kit.or(*first, *second)
    }

    fn select(
        &mut self,
        predicate: &Value<'c, 'a>,
        then: &Elements<'c, 'a>,
        otherwise: &Elements<'c, 'a>,
    ) -> Elements<'c, 'a> {
        let kit = self.emit.kit;
        then.iter().zip(otherwise).map(|(&then, &otherwise)| kit.select(*predicate, then, otherwise)).collect()
    }

    fn shuffled_up(&mut self, value: &Elements<'c, 'a>, digit: ThreadDigit, distance: i64) -> Elements<'c, 'a> {
        let kit = self.emit.kit;
        let lane = lane(self.emit);
        // A lane without such a neighbour reads itself: on portable targets the number must be that of a lane.
        let lanes = kit.i32(distance * digit.stride);
        let has_neighbour = kit.cmp(Cmp::Uge, lane, lanes);
        let from = kit.select(has_neighbour, kit.sub(lane, lanes), lane);
        shuffled(kit, value, &|word| kit.shuffle_idx(word, from))
    }

    fn broadcast_last(&mut self, value: &Elements<'c, 'a>, digit: ThreadDigit) -> Elements<'c, 'a> {
        let kit = self.emit.kit;
        let lane = lane(self.emit);
        let left = kit.sub(kit.i32(digit.extent - 1), self.digit(digit, lane));
        let from = kit.add(lane, kit.times(left, digit.stride));
        shuffled(kit, value, &|word| kit.shuffle_idx(word, from))
    }

    fn gather(&mut self, level: &WarpLevel, totals: &[Vec<Elements<'c, 'a>>]) -> Vec<Vec<Vec<Elements<'c, 'a>>>> {
        match self.exchanged(level, totals) {
            Ok(gathered) => gathered,
            Err(reason) => {
                self.failure = Some(reason);
                Vec::new()
            }
        }
    }
}

/// The *passed* remark.
pub fn remark_chosen(op: BlockScanOp<'_, '_>, plan: &BlockScanPlan) {
    let elements = plan.rows.iter().map(Vec::len).sum::<usize>();
    let (shuffles, warps) = plan.cost();
    let args = [
        ("Elements", elements.to_string()),
        ("Rows", plan.rows.len().to_string()),
        ("Exchanges", shuffles.to_string()),
        ("Warps", warps.to_string()),
    ];
    let mut text = format!(
        "{} of each thread in {}: {}",
        counted(elements as i64, "element"),
        counted(plan.rows.len() as i64, "row"),
        counted(shuffles, "shuffle")
    );
    if warps > 1 {
        text += &format!(", {warps} warps through shared memory");
    }
    SCANS.emit(op.0, RemarkKind::Passed, "block_scan", &text, &args);
}
