//! A ring of mbarriers that is entered again, in a loop around.
//!
//! ```text
//!   7 iterations, 3 stages      stage 0    phases 0 1 2 │ 3      used three times: one phase more
//!                               stage 1    phases 0 1   │        used twice
//!                               stage 2    phases 0 1   │        used twice
//! ```
//!
//! The mbarriers are made once, before all loops around. Phases go on: behind the loop one thread completes a phase of each stage
//! that has had an odd number of them, by as many arrivals as copies make. So each stage begins with an even phase, and the loop
//! with stage 0, whatever went before: nothing is carried through the loops around, and each entry is like the first. That a
//! thread completes a phase only where all have waited for the one before is a barrier's business, which is put where accesses are
//! ordered; behind it all wait for the thread, since a wait for an even phase ends while the odd one before is not over.

use melior::ir::{OperationRef, Value};
use tile_isa::WARP;
use tile_ops::{Builder, affine, arith, constant, gpu, nvvm, scf};
use tile_plan::pipeline::uses;

use super::asking::Loop;
use super::when::when;
use crate::emit::{Function, Kit};
use crate::read::divisibility::block;
use crate::read::{kernel, name};

/// Bytes of an mbarrier.
pub const MBARRIER: i64 = 8;

/// What is done where a ring is entered again.
pub struct Again<'c, 'a> {
    /// A pointer to the first mbarrier.
    pub all: Value<'c, 'a>,
    /// Arrivals that complete a phase.
    pub arrivals: i64,
}

impl<'c: 'a, 'a> Again<'c, 'a> {
    /// Lets each stage have had an even number of phases.
    pub fn write(&self, of: &Loop<'c, 'a>, trips: Value<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
        let stages = of.plan.stages;
        let odd = |stage: &i64| of.trips.is_none_or(|trips| uses(trips, stages, *stage) % 2 == 1);
        let odd: Vec<i64> = (0..stages).filter(odd).collect();
        if odd.is_empty() {
            return Some(());
        }
        let kit = Kit::new(builder);
        by_one(of, builder, || {
            for stage in odd {
                let arrive = || kit.arrive_often(kit.beyond(self.all, MBARRIER * stage), self.arrivals);
                match of.trips {
                    Some(_) => arrive(),
                    None => when(builder, is_odd(builder, trips, (stages, stage)), arrive),
                }
            }
        })
    }
}

/// Is a stage used in an odd number of iterations? [`uses`] of values.
fn is_odd<'c: 'a, 'a>(builder: Builder<'c, 'a>, trips: Value<'c, 'a>, (stages, stage): (i64, i64)) -> Value<'c, 'a> {
    let index = |number| constant::index(builder, number);
    let more = arith::addi(builder, trips, index(stages - 1 - stage)).value();
    let odd = arith::andi(builder, arith::divui(builder, more, index(stages)).value(), index(1)).value();
    arith::cmpi(builder, odd, index(0), arith::CmpIPredicate::Ne).value()
}

/// The outermost loop around an operation.
pub fn outermost<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let function = kernel::function(op);
    let loops = [scf::ForOp::NAME, scf::WhileOp::NAME, affine::AffineForOp::NAME];
    let inside = kernel::ancestors(op).take_while(|around| Some(*around) != function);
    inside.filter(|around| loops.contains(&name(*around))).last()
}

/// What one thread does, and all wait for.
pub fn by_one<'c: 'a, 'a>(of: &Loop<'c, 'a>, builder: Builder<'c, 'a>, make: impl FnOnce()) -> Option<()> {
    let function = kernel::function(of.op)?;
    let block = block::size(function).ok().flatten();
    let thread = Function::new(function, function, block)?.linear_thread(builder);
    let first = arith::cmpi(builder, thread, constant::index(builder, 0), arith::CmpIPredicate::Eq).value();
    when(builder, first, make);
    if block.is_some_and(|block| block.iter().product::<i64>() == WARP) {
        nvvm::bar_warp_sync(builder, constant::integer(builder, 32, -1)).build();
    } else {
        gpu::barrier(builder).build();
    }
    Some(())
}
