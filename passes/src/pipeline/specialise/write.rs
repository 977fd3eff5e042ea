//! Writes the roles of a loop.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, Rewriter, defining_op, is_used, results_of};
use tile_dialect::ops::{CopyOp, Scope};
use tile_dialect::{Ctx, ROLE};
use tile_isa::{WARP, WARPGROUP, mbarrier};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::nvvm::{self, SetMaxRegisterAction};
use tile_ops::{Builder, constant, llvm, llvm_type, scf, tile};
use tile_plan::pipeline::{Publication, RoleRegisters, StageRelease};
use tile_plan::sync::{Effect, Queue};

use super::super::ring::{drop_unused, replace};
use super::super::{Loop, complete, forget_request, slice, when, write as ring_loop};
use super::{Division, RoleStage, split};
use crate::copies;
use crate::effects::{barriers, fences, groups, synchronizes};
use crate::emit::{Function, Kit};
use crate::read::divisibility::block;
use crate::read::kernel;
use crate::read::name;
use crate::read::values::key;
use crate::walk;

/// The mbarriers of the stages of some tiles: pointers to the first ones.
#[derive(Clone, Copy)]
struct RoleMbarriers<'c, 'a> {
    full: Value<'c, 'a>,
    empty: Value<'c, 'a>,
}

/// What both roles are written from.
struct RoleWriter<'r, 'c, 'a> {
    pipelined: &'r Loop<'c, 'a>,
    division: &'r Division<'c, 'a>,
    function: OperationRef<'c, 'a>,
    /// The trip count.
    trips: Value<'c, 'a>,
    /// The variable of the consumers' loop.
    turn: Value<'c, 'a>,
    /// The stage of its iteration.
    stage: Value<'c, 'a>,
    mbarriers: Vec<RoleMbarriers<'c, 'a>>,
    /// The number of a thread in its block.
    thread: Value<'c, 'a>,
}

/// Divides a loop into a producer and consumers, and the kernel around it. The barriers of the consumers are not inserted here.
pub fn write<'c: 'a, 'a>(
    pipelined: &Loop<'c, 'a>,
    division: &Division<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Option<()> {
    forget_request(pipelined.op, rewriter);
    let function = kernel::function(pipelined.op)?;
    let (trips, turn) = ring_loop::count(pipelined, rewriter)?;
    let before = Builder::before(rewriter, pipelined.op);
    let stages = constant::index(before, pipelined.plan.stages);
    let rings: Vec<_> = pipelined.tiles.iter().map(|(_, ring)| ring.make(before)).collect();
    let mbarriers =
        |_| Some(RoleMbarriers { full: complete::made(pipelined, before)?, empty: complete::made(pipelined, before)? });
    let mbarriers = division.uses.iter().map(mbarriers).collect::<Option<Vec<_>>>()?;
    let thread = Function::new(function, function, block::size(function).ok()?)?.linear_thread(before);
    let inside =
        Builder { location: pipelined.op.location(), ..Builder::before(rewriter, pipelined.body.first_operation()?) };
    let stage = arith::remui(inside, turn, stages).value();
    for ((alloc, ring), &made) in pipelined.tiles.iter().zip(&rings) {
        let view = ring.stage(inside, made, stage);
        replace(inside, pipelined.op, results_of(*alloc).into_iter().next()?, view);
    }
    let roles = RoleWriter { pipelined, division, function, trips, turn, stage, mbarriers, thread };
    let slices = roles.consume(inside)?;
    roles.publish(rewriter)?;
    rewriter.set_insertion_point_after(pipelined.op);
    if pipelined.plan.leaves_products {
        groups::wait(inside, Queue::Product, 0, false)?;
    }
    roles.divide(&slices, rewriter)?;
    for &op in slices.iter().flatten().rev() {
        if op.block().is_some() && !results_of(op).into_iter().any(is_used) {
            rewriter.erase(op);
        }
    }
    pipelined.tiles.iter().for_each(|(alloc, _)| drop_unused(rewriter, *alloc));
    Some(())
}

impl<'c: 'a, 'a> RoleWriter<'_, 'c, 'a> {
    /// Makes the loop that of the consumers: waits and releases. What the producer will repeat, for each group of tiles; it stays in the
    /// loop until then.
    fn consume(&self, builder: Builder<'c, 'a>) -> Option<Vec<Vec<OperationRef<'c, 'a>>>> {
        let RoleWriter { pipelined, stage, turn, .. } = *self;
        let index = |number| constant::index(builder, number);
        let parity = self.parity(builder, turn);
        let lane = arith::remui(builder, self.thread, index(WARP)).value();
        let leads = arith::cmpi(builder, lane, index(0), CmpIPredicate::Eq).value();
        let (mut slices, mut meetings) = (Vec::new(), Vec::new());
        for (stage_use, mbarriers) in self.division.uses.iter().zip(&self.mbarriers) {
            let full = at(builder, mbarriers.full, stage);
            let released = match stage_use.kept() {
                0 => stage,
                kept => {
                    let turn = arith::addi(builder, turn, index(pipelined.plan.stages - kept)).value();
                    arith::remui(builder, turn, index(pipelined.plan.stages)).value()
                }
            };
            let empty = at(builder, mbarriers.empty, released);
            let mut copies = Vec::new();
            for &copy in &stage_use.copies {
                let copy = pipelined.copies[copy];
                let made = copies::again(copy, builder, Some(full), &CopyOp(copy).maps())?;
                let made = tile::CopyAsyncOp::cast(made)?;
                made.set_scope(builder.rewriter, Scope::Warp);
                made.set_group(builder.rewriter, false);
                copies.push(made.operation());
            }
            builder.rewriter.set_insertion_point_before(start(stage_use.first)?);
            Kit::new(builder).wait(full, parity);
            self.release(builder, stage_use, (empty, leads), &mut meetings)?;
            slices.push(slice::backward(pipelined.body, &copies, pipelined.noalias).ok()?);
            builder.rewriter.set_insertion_point_after(defining_op(empty)?);
        }
        Some(slices)
    }

    /// The consumers meet before the loop, where it reads what they have written.
    fn publish(&self, rewriter: Rewriter<'c, 'a>) -> Option<()> {
        let Some(Publication { to_engines }) = self.division.published else { return Some(()) };
        let builder = Builder::before(rewriter, self.pipelined.op);
        if to_engines {
            fences::write(builder, &Effect::ProxyFence { shared: true })?;
        }
        barriers::of_block(builder);
        Some(())
    }

    /// Each warp releases a stage by itself. Its lanes meet once behind each operation, for all stages that are released there: `meetings`
    /// has the operations and the barriers behind them.
    fn release(
        &self,
        builder: Builder<'c, 'a>,
        stage_use: &RoleStage<'c, 'a>,
        (empty, leads): (Value<'c, 'a>, Value<'c, 'a>),
        meetings: &mut Vec<(OperationRef<'c, 'a>, OperationRef<'c, 'a>)>,
    ) -> Option<()> {
        let met = stage_use.behind.and_then(|behind| meetings.iter().find(|(operation, _)| *operation == behind));
        match (met, stage_use.behind, stage_use.release) {
            (Some(&(_, barrier)), ..) => builder.rewriter.set_insertion_point_after(barrier),
            (None, Some(behind), _) => {
                builder.rewriter.set_insertion_point_after(behind);
                meetings.push((behind, barriers::of_warp(builder)));
            }
            (None, None, StageRelease::NextEnd { pending }) => {
                builder.rewriter.set_insertion_point_before(self.pipelined.body.terminator()?);
                groups::wait(builder, Queue::Product, pending, false)?;
                barriers::of_warp(builder);
            }
            (None, None, _) => return None,
        }
        when(builder, leads, || Kit::new(builder).arrive(empty));
        Some(())
    }

    /// The parity of the phase in which a stage is filled for an iteration.
    fn parity(&self, builder: Builder<'c, 'a>, turn: Value<'c, 'a>) -> Value<'c, 'a> {
        let index = |number| constant::index(builder, number);
        let lap = arith::divui(builder, turn, index(self.pipelined.plan.stages)).value();
        let odd = arith::andi(builder, lap, index(1)).value();
        arith::index_cast(builder, odd, builder.context.integer(32)).value()
    }

    /// Makes the arms of the roles, behind what both need.
    fn divide(&self, slices: &[Vec<OperationRef<'c, 'a>>], rewriter: Rewriter<'c, 'a>) -> Option<()> {
        let block = self.function.region_at(0)?.first_block()?;
        let all = split::all_but_last(block);
        let builder =
            Builder { location: self.pipelined.op.location(), ..Builder::before(rewriter, block.terminator()?) };
        self.initialize(builder)?;
        let consumers = constant::index(builder, self.division.consumers);
        let consumes = arith::cmpi(builder, self.thread, consumers, CmpIPredicate::Ult).value();
        let roles = scf::r#if(builder, consumes, &[], builder.body(&[]), builder.body(&[])).build().operation();
        rewriter.set_attribute(roles, ROLE, Ctx::of(roles).integer_attribute(64, self.division.consumers));
        let registers = self.division.registers();
        let end = builder.fill(roles, 0, |_| {
            if let Some(RoleRegisters { consumer, .. }) = registers {
                nvvm::setmaxregister(builder, consumer, SetMaxRegisterAction::Increase).build();
            }
            scf::r#yield(builder, &[]).build().operation()
        });
        builder.fill(roles, 1, |_| {
            if let Some(RoleRegisters { producer, .. }) = registers {
                nvvm::setmaxregister(builder, producer, SetMaxRegisterAction::Decrease).build();
            }
            let warp = arith::divui(builder, self.thread, constant::index(builder, WARP)).value();
            let first = constant::index(builder, self.division.consumers / WARP);
            let produces = arith::cmpi(builder, warp, first, CmpIPredicate::Eq).value();
            when(builder, produces, || self.produce(builder, slices));
            scf::r#yield(builder, &[]).build();
        });
        let made = roles.region_at(1)?.first_block()?;
        let inside = split::all_but_last(made).into_iter().flat_map(|op| walk::matching(op, |_| true));
        let values: Vec<_> = inside.flat_map(|op| op.operands().collect::<Vec<_>>()).collect();
        let set_up = self.mbarriers.iter().flat_map(|mbarriers| [mbarriers.full, mbarriers.empty]).chain([self.thread]);
        let needed = split::needed(block, values.into_iter().chain(set_up), self.pipelined.noalias).ok()?;
        split::move_others(rewriter, all, &needed, end);
        let threads = [self.division.consumers + WARPGROUP, 1, 1].map(|extent| extent as i32);
        rewriter.set_attribute(self.function, block::stated_by(self.function)?, Ctx::of(roles).i32_array(&threads));
        Some(())
    }

    /// One thread initializes the mbarriers, and all of the block wait for it.
    fn initialize(&self, builder: Builder<'c, 'a>) -> Option<()> {
        let kit = Kit::new(builder);
        complete::by_one(self.pipelined, &self.pipelined.reached.setting_up, builder, || {
            for (stage_use, mbarriers) in self.division.uses.iter().zip(&self.mbarriers) {
                for stage in 0..self.pipelined.plan.stages {
                    let of_stage = |first| kit.beyond(first, mbarrier::BYTES * stage);
                    kit.mbarrier_init(of_stage(mbarriers.full), stage_use.copies.len() as i64);
                    kit.mbarrier_init(of_stage(mbarriers.empty), self.division.consumers / WARP);
                }
            }
            kit.mbarrier_init_fence();
        })
    }

    /// The loop of the producer: waits for stages, and the copies.
    fn produce(&self, builder: Builder<'c, 'a>, slices: &[Vec<OperationRef<'c, 'a>>]) {
        let index = |number| constant::index(builder, number);
        let inside = builder.body(&[builder.context.index()]);
        let made = scf::r#for(builder, index(0), self.trips, index(1), &[], &[], inside).build().operation();
        builder.fill(made, 0, |arguments| {
            let turn = arguments[0];
            let stage = arith::remui(builder, turn, index(self.pipelined.plan.stages)).value();
            for ((stage_use, mbarriers), slice) in self.division.uses.iter().zip(&self.mbarriers).zip(slices) {
                let released = match stage_use.kept() {
                    0 => turn,
                    kept => arith::addi(builder, turn, index(kept)).value(),
                };
                let before = arith::xori(builder, self.parity(builder, released), constant::integer(builder, 32, 1));
                Kit::new(builder).wait(at(builder, mbarriers.empty, stage), before.value());
                barriers::of_warp(builder);
                let becomes = HashMap::from([(key(self.turn), turn), (key(self.stage), stage)]);
                slice::again(builder, slice, becomes);
            }
            scf::r#yield(builder, &[]).build();
        });
    }
}

/// The mbarrier of a stage.
fn at<'c: 'a, 'a>(builder: Builder<'c, 'a>, first: Value<'c, 'a>, stage: Value<'c, 'a>) -> Value<'c, 'a> {
    let kit = Kit::new(builder);
    let number = arith::index_cast(builder, stage, kit.int_type(32)).value();
    llvm::getelementptr(builder, first, &[number], &[i32::MIN], kit.int_type(64), kit.pointer(llvm_type::Space::Shared))
        .value()
}

/// The operation with which the product begins that an operation is part of: what comes between the fence of its registers and it has
/// no branch.
fn start<'c: 'a, 'a>(first: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let before = walk::before(first)?.into_iter().rev();
    let mut near = before.take_while(|op| op.region_count() == 0 && (is_fence(*op) || !synchronizes(*op)));
    Some(near.find(|op| is_fence(*op)).unwrap_or(first))
}

fn is_fence(op: OperationRef<'_, '_>) -> bool {
    name(op) == nvvm::WgmmaFenceAlignedOp::NAME
}
