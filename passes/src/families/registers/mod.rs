//! Copies between registers: `tile.register_copy`, and copies through shared memory.

mod expand;
mod scratch;

use melior::ir::OperationRef;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp, conversion};
use tile_layout::counted;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Cost, CostComparison, Kind, RegisterCopy, ScratchCopy, Which};

use super::sides::{Sides, read_side, stage};
use super::{Family, MALFORMED, StagePlan, Staged, chosen};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::passed;

/// The family.
pub struct Registers;

impl Family for Registers {
    fn staged(&self) -> &'static str {
        tile::RegisterCopyOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::Registers, Kind::Scratch]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        match plan {
            Aligned::Registers(plan) => build_registers(builder, copy, plan),
            Aligned::Scratch(plan) => scratch::build(builder, copy, plan),
            _ => None,
        }
    }

    fn makes_copies(&self, plan: &Aligned) -> bool {
        matches!(plan, Aligned::Scratch(_))
    }

    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        match plan {
            Aligned::Registers(plan) => took_registers(op, plan),
            Aligned::Scratch(plan) => took_scratch(op, plan),
            _ => {}
        }
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        chosen(read_registers(StageOp(op), reader), Aligned::Registers)
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_registers(op, staged.reader).ok_or(MALFORMED)?;
        tile_plan::Family::verify(&plan).map_err(|refusal| refusal.reason)?;
        staged.counts_threads(plan.threads, None)?;
        expand::expand(emit, staged, &plan)
    }
}

fn build_registers<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &RegisterCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let op = stage!(tile::register_copy, builder, sides; "shuffle", plan.threads);
    let exchanges = plan.exchange_numbers();
    let op = op
        .exchanges((!exchanges.is_empty()).then_some(&exchanges[..]))
        .packed((plan.packed > 0).then_some(plan.packed as i64))
        .convert(copy.convert().as_deref());
    Some(op.build().operation())
}

/// A `tile.register_copy` as the planner's plan.
fn read_registers(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<RegisterCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let exchange = |pair: &[i64]| {
        let (digit, lane) = (usize::try_from(pair[0]).ok()?, u64::try_from(pair[1]).ok()?);
        lane.is_power_of_two().then(|| (digit, lane.trailing_zeros()))
    };
    let own = tile::RegisterCopyOp::cast(op.0)?;
    let exchanges = own.exchanges();
    if !exchanges.len().is_multiple_of(2) {
        return None;
    }
    Some(RegisterCopy {
        threads: own.threads()?,
        element_bits: bit_width(src.buffer.element())?,
        conversion: conversion(op.0, src.buffer, dst.buffer).ok()?,
        packed: usize::try_from(own.packed().unwrap_or(0)).ok()?,
        exchanges: exchanges.chunks_exact(2).map(exchange).collect::<Option<_>>()?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        weighed: CostComparison::default(),
    })
}

/// `shuffle 24 instructions, 8 wavefronts; scratch 12 instructions, 24 wavefronts`.
fn costs(weighed: &CostComparison) -> String {
    let way = |name: &str, cost: Option<Cost>| cost.map(|cost| format!("{name} {cost}"));
    let ways = [way("shuffle", weighed.shuffle), way("scratch", weighed.scratch)];
    ways.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The *passed* remark of a copy that stays in registers.
fn took_registers(op: OperationRef<'_, '_>, plan: &RegisterCopy) {
    let Cost { instructions, wavefronts } = plan.weighed.shuffle.unwrap_or_default();
    let issued = match (instructions - wavefronts, wavefronts) {
        (0, 0) => "moves".to_owned(),
        (selects, 0) => counted(selects, "select").to_string(),
        (0, shuffles) => counted(shuffles, "shuffle").to_string(),
        (selects, shuffles) => format!("{} and {}", counted(shuffles, "shuffle"), counted(selects, "select")),
    };
    let held = plan.registers(Which::Dst).len() as i64;
    let bytes = held * i64::from(plan.bits_of(Which::Dst) / 8);
    let mut args = vec![
        ("Variant", "shuffle".to_owned()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", issued.clone()),
        ("Cost", costs(&plan.weighed)),
    ];
    args.extend(plan.conversion.map(|conversion| ("Converts", conversion.to_string())));
    passed(op, "shuffle", &format!("copied by shuffle: {issued} per thread"), &args);
}

/// The *passed* remark of a copy through shared memory; its two halves have their own.
fn took_scratch(op: OperationRef<'_, '_>, plan: &ScratchCopy) {
    let bytes = counted(plan.bytes(), "byte").to_string();
    let args = vec![
        ("Variant", "scratch".to_owned()),
        ("Scratch", bytes.clone()),
        ("Layout", plan.layout.to_string()),
        ("Cost", costs(&plan.weighed)),
    ];
    passed(op, "scratch", &format!("copied by scratch: through {bytes} of shared memory"), &args);
}
