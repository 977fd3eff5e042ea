//! What completes the copies of a ring, as operations: a row for each [`By`].
//!
//! | | groups of `cp.async` | mbarriers, one of each stage |
//! | --- | --- | --- |
//! | before the loop | | made by one thread, with a fence; all others wait for it at a barrier |
//! | behind the copies of an iteration | a group is closed, also an empty one | each copy arrives, and expects its bytes |
//! | before what reads | a wait for all groups but the latest | a wait for the phase of the stage: parity of `turn / stages` |
//! | behind the loop | a wait for the groups that are left, which are empty | in another loop: phases are [made even](Again) |
//!
//! An mbarrier is waited for by all threads, so that all see what was copied. That all have waited before a stage is copied to
//! again, and have read it, is the barrier's business that orders the accesses: mbarriers for the way back would need an arrival of
//! each reader, and leave out no barrier where one iteration ends at a barrier anyway.
//!
//! A ring of mbarriers may be entered again, in a loop around:
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

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::WARP;
use tile_layout::{Iter, Layout};
use tile_ops::{Builder, affine, arith, constant, gpu, llvm, llvm_type, nvvm, scf, tile};
use tile_plan::pipeline::{By, Plan, uses};

use super::{Loop, when};
use crate::emit::{Function, Kit};
use crate::read::divisibility::block;
use crate::read::{kernel, name};

/// Bytes of an mbarrier.
const MBARRIER: i64 = 8;

/// Bytes of shared memory that completion takes.
pub fn bytes(by: By, plan: Plan) -> i64 {
    match by {
        By::Groups => 0,
        By::Phases { .. } => MBARRIER * plan.stages,
    }
}

/// What completes the copies of a ring.
pub enum Complete<'c, 'a> {
    /// Groups, of which so many may be pending where an iteration reads.
    Groups(i64),
    /// The mbarrier of the iteration's stage, and the parity of its phase; what is done where the loop is entered again.
    Phases(Value<'c, 'a>, Value<'c, 'a>, Option<Again<'c, 'a>>),
}

impl<'c: 'a, 'a> Complete<'c, 'a> {
    /// Makes what there has to be before the loop, and, before an operation in it, what an iteration names by its turn and stage.
    pub fn make(
        of: &Loop<'c, 'a>,
        by: By,
        builder: Builder<'c, 'a>,
        first: OperationRef<'c, 'a>,
        (turn, stage): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Option<Self> {
        let By::Phases { arrivals } = by else { return Some(Complete::Groups(of.plan.pending)) };
        let around = outermost(of.op);
        builder.rewriter.set_insertion_point_before(around.unwrap_or(of.op));
        let all = mbarriers(of, arrivals, builder)?;
        let again = around.map(|_| Again { all, arrivals });
        builder.rewriter.set_insertion_point_before(first);
        let kit = Kit::new(builder);
        let (integer, pointer) = (kit.int_type(32), kit.pointer(llvm_type::Space::Shared));
        let number = arith::index_cast(builder, stage, integer).value();
        let own = llvm::getelementptr(builder, all, &[number], &[i32::MIN], kit.int_type(64), pointer).value();
        let lap = arith::divui(builder, turn, constant::index(builder, of.plan.stages)).value();
        let odd = arith::andi(builder, lap, constant::index(builder, 1)).value();
        Some(Complete::Phases(own, arith::index_cast(builder, odd, integer).value(), again))
    }

    /// Gives a copy what completes it; the copy that there is then.
    pub fn complete(&self, copy: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
        match self {
            Complete::Groups(_) => copy,
            Complete::Phases(own, ..) => on_mbarrier(copy, *own, builder).unwrap_or(copy),
        }
    }

    /// Does it complete a copy that is written so?
    pub fn is_of(&self, bulk: bool) -> bool {
        matches!(self, Complete::Phases(..)) == bulk
    }

    /// Behind the copies of an iteration, also where there are none.
    pub fn issued(&self, builder: Builder<'c, 'a>) {
        if let Complete::Groups(_) = self {
            nvvm::cp_async_commit_group(builder).build();
        }
    }

    /// Before what an iteration reads.
    pub fn wait(&self, builder: Builder<'c, 'a>) {
        match self {
            Complete::Groups(pending) => drop(nvvm::cp_async_wait_group(builder, *pending).build()),
            Complete::Phases(own, parity, _) => Kit::new(builder).wait(*own, *parity),
        }
    }

    /// Behind the loop, which goes round so often.
    pub fn end(&self, of: &Loop<'c, 'a>, trips: Value<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
        match self {
            Complete::Groups(_) => drop(nvvm::cp_async_wait_group(builder, 0).build()),
            Complete::Phases(.., Some(again)) => again.write(of, trips, builder)?,
            Complete::Phases(.., None) => {}
        }
        Some(())
    }
}

/// An mbarrier of each stage, made by the first thread and seen by all; a pointer to the first.
fn mbarriers<'c: 'a, 'a>(of: &Loop<'c, 'a>, arrivals: i64, builder: Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (location, stages) = (of.op.location(), of.plan.stages);
    let layout = LayoutAttr::new(location, &Layout::new([Iter::memory(stages, 1)]))?;
    let kit = Kit::new(builder);
    let room = BufferType::new(location, &[stages], kit.int_type(64), Space::Shared, layout)?;
    let room = tile::alloc(builder, room.as_type()).alignment(MBARRIER).value();
    let all = tile::parts(builder, room, kit.pointer(llvm_type::Space::Shared), &[]).build().pointer();
    by_one(of, builder, || {
        (0..stages).for_each(|stage| kit.mbarrier_init(kit.beyond(all, MBARRIER * stage), arrivals));
        kit.mbarrier_init_fence();
    })?;
    Some(all)
}

/// The same bulk copy, completed by an mbarrier.
fn on_mbarrier<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    mbarrier: Value<'c, 'a>,
    builder: Builder<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let of = tile::CopyAsyncOp::cast(op)?;
    let [src_offsets, dst_offsets] = [of.src_offsets().collect::<Vec<_>>(), of.dst_offsets().collect::<Vec<_>>()];
    let (src, dst) = ((of.src_static(), of.src_sizes()), (of.dst_static(), of.dst_sizes()));
    builder.rewriter.set_insertion_point_before(op);
    let here = Builder { location: op.location(), ..builder };
    let made = tile::copy_async(
        here,
        of.src(),
        &src_offsets,
        of.dst(),
        &dst_offsets,
        &src.0,
        &src.1,
        &dst.0,
        &dst.1,
        of.scope()?,
    );
    let made = made.barrier(mbarrier).filler(of.filler()).predicate(of.predicate()).build().operation();
    for (name, attribute) in op.attributes().collect::<Vec<_>>() {
        let name = name.as_string_ref();
        if let Some(name) = name.as_str().ok().filter(|name| !made.has_attribute(name)) {
            builder.rewriter.set_attribute(made, name, attribute);
        }
    }
    builder.rewriter.erase(op);
    Some(made)
}

/// What is done where a ring is entered again.
pub struct Again<'c, 'a> {
    /// A pointer to the first mbarrier.
    all: Value<'c, 'a>,
    /// Arrivals that complete a phase.
    arrivals: i64,
}

impl<'c: 'a, 'a> Again<'c, 'a> {
    /// Lets each stage have had an even number of phases.
    fn write(&self, of: &Loop<'c, 'a>, trips: Value<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
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
fn by_one<'c: 'a, 'a>(of: &Loop<'c, 'a>, builder: Builder<'c, 'a>, make: impl FnOnce()) -> Option<()> {
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
