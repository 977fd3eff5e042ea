//! Writes reductions.

use melior::ir::Value;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::ReduceOp;
use tile_layout::counted;
use tile_ops::arith;
use tile_plan::elementwise::{LaneExchange, ReducePlan, ReduceProblem, RegisterReduction};

use super::REDUCTIONS;
use super::combine::{Elements, Operator, lane, register_tiles, shuffled};
use super::warps::WarpExchange;
use crate::emit::Emit;

/// Writes the reduction at the insertion point.
///
/// # Errors
/// Operands that are no tiles in registers.
pub fn write<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: ReduceOp<'c, 'a>,
    problem: &ReduceProblem,
    plan: &ReducePlan,
) -> Result<(), String> {
    let writer = Writer { operator: Operator { kind: op.kind(), body: op.combine() } };
    let Some(across) = &plan.across else {
        return writer.reduction(emit, &plan.within, op.sources(), op.dests());
    };
    let exchange = WarpExchange::new(op.0, op.scope(), &problem.threads, &across.tiles);
    let partial = exchange.partial(emit, &op.sources())?;
    writer.reduction(emit, &plan.within, op.sources(), partial.clone())?;
    let gathered = exchange.gathered(emit, &partial)?;
    writer.reduction(emit, &across.combine, gathered, op.dests())
}

struct Writer<'c, 'a> {
    operator: Operator<'c, 'a>,
}

impl<'c: 'a, 'a> Writer<'c, 'a> {
    /// A reduction of registers, and among lanes.
    fn reduction(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        plan: &RegisterReduction,
        sources: Vec<Value<'c, 'a>>,
        dests: Vec<Value<'c, 'a>>,
    ) -> Result<(), String> {
        let builder = emit.kit.builder;
        let tiles = register_tiles(builder, sources).zip(register_tiles(builder, dests));
        let (sources, dests) = tiles.ok_or("expected tiles in registers")?;
        let load = |registers: &Vec<usize>| -> Elements<'c, 'a> {
            sources.iter().zip(registers).map(|(source, &register)| source.load(register)).collect()
        };
        let own = plan.steps.iter().map(|step| self.tree(emit, step.terms.iter().map(load).collect()));
        let mut sums: Vec<Elements<'c, 'a>> = own.collect();
        for &exchange in &plan.exchanges {
            sums = sums.into_iter().map(|sum| self.exchanged(emit, exchange, sum)).collect();
        }
        for (step, sum) in plan.steps.iter().zip(sums) {
            for ((dest, &register), value) in dests.iter().zip(&step.results).zip(sum) {
                dest.store(value, register);
            }
        }
        Ok(())
    }

    /// All terms combined, neighbours first: as few as possible wait for each other.
    fn tree(&self, emit: &Emit<'c, 'a, '_>, mut terms: Vec<Elements<'c, 'a>>) -> Elements<'c, 'a> {
        while terms.len() > 1 {
            let pairs = terms.chunks(2).map(|pair| match pair {
                [a, b] => self.operator.combine(emit.kit, a, b),
                rest => rest.concat(),
            });
            terms = pairs.collect();
        }
        terms.pop().unwrap_or_default()
    }

    /// The elements combined with those of other lanes.
    fn exchanged(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        exchange: LaneExchange,
        own: Elements<'c, 'a>,
    ) -> Elements<'c, 'a> {
        let kit = emit.kit;
        match exchange {
            LaneExchange::Butterfly { mask } => {
                let other = shuffled(kit, &own, &|word| kit.shuffle_xor(word, mask));
                self.operator.combine(kit, &own, &other)
            }
            LaneExchange::All { extent, stride } => {
                let lane = lane(emit);
                let digit = arith::remui(kit.builder, kit.over(lane, stride), kit.i32(extent)).value();
                let first = kit.sub(lane, kit.times(digit, stride));
                let all = (0..extent).map(|digit| {
                    let from = kit.plus(first, digit * stride);
                    shuffled(kit, &own, &|word| kit.shuffle_idx(word, from))
                });
                let all = all.collect();
                self.tree(emit, all)
            }
        }
    }
}

/// The *passed* remark.
pub fn remark_chosen(op: ReduceOp<'_, '_>, problem: &ReduceProblem, plan: &ReducePlan) {
    let terms = plan.within.steps.iter().map(|step| step.terms.len()).max().unwrap_or(0);
    let shuffles: i64 = plan
        .within
        .exchanges
        .iter()
        .map(|exchange| match exchange {
            LaneExchange::Butterfly { .. } => 1,
            LaneExchange::All { extent, .. } => *extent,
        })
        .sum();
    let warps = plan.across.as_ref().map_or(1, |across| across.tiles.shape[problem.dim]);
    let args = [
        ("Registers", terms.to_string()),
        ("Exchanges", shuffles.to_string()),
        ("Warps", warps.to_string()),
        ("Results", plan.within.steps.len().to_string()),
    ];
    let mut text = format!(
        "{} of each thread: {}, {}",
        counted(plan.within.steps.len() as i64, "result"),
        counted(terms as i64, "register"),
        counted(shuffles, "shuffle")
    );
    if warps > 1 {
        text += &format!(", {warps} warps through shared memory");
    }
    REDUCTIONS.emit(op.0, RemarkKind::Passed, "reduce", &text, &args);
}
