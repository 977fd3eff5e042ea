//! The operations that complete the copies of a ring: a column for each [`RingCompletion`].
//!
//! | | groups of `cp.async` | mbarriers, one of each stage |
//! | --- | --- | --- |
//! | before the loop | | initialized by one thread, with a fence; all others wait for it at a barrier |
//! | after the copies of an iteration | a group is committed, even an empty one | each copy arrives, and expects its bytes |
//! | before the reads | a wait for all groups but the latest | a wait for the phase of the stage: parity of `turn / stages` |
//! | after the loop | a wait for the remaining groups, which are empty | inside another loop: phases are [made even](Again) |
//!
//! All threads wait for an mbarrier, so that all see what was copied. Before a stage is copied to again, all threads must have
//! waited for it and read it. The barrier that orders the accesses ensures that: mbarriers for that direction would need an
//! arrival of each reader, and would save no barrier where one iteration ends at a barrier anyway.
//!
//! A ring of mbarriers may be entered again, in an enclosing loop:
//!
//! ```text
//!   7 iterations, 3 stages      stage 0    phases 0 1 2 │ 3      used three times: one phase more
//!                               stage 1    phases 0 1   │        used twice
//!                               stage 2    phases 0 1   │        used twice
//! ```
//!
//! The mbarriers are initialized once, before all enclosing loops. Their phases continue: after the loop one thread completes one
//! more phase of each stage that has had an odd number of them, by as many arrivals as copies make. So each stage starts with an
//! even phase, and the loop with stage 0, whatever came before: nothing is carried through the enclosing loops, and each entry is
//! like the first. The thread may complete a phase only after all have waited for the one before; the barrier that is inserted
//! where accesses are ordered ensures that. After the added phase all wait for the thread, since a wait for an even phase ends
//! while the odd one before it is not complete.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ops::CopyOp;
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::{WARP, mbarrier};
use tile_layout::{Iter, Layout};
use tile_ops::{Builder, arith, constant, llvm, llvm_type, scf, tile};
use tile_plan::pipeline::{Plan, RingCompletion, uses};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::Queue;

use super::{Loop, Reached, when};
use crate::copies;
use crate::effects::{barriers, groups, mbarriers};
use crate::emit::{Function, Kit};
use crate::read::divisibility::block;
use crate::read::{kernel, name};

/// Bytes of shared memory that completion takes.
pub fn bytes(by: RingCompletion, plan: Plan) -> i64 {
    match by {
        RingCompletion::Groups => 0,
        RingCompletion::Phases { .. } => mbarrier::BYTES * plan.stages,
    }
}

impl<'c> Loop<'c, '_> {
    /// Whether the threads that set up its mbarriers can wait for each other; else the error.
    pub fn meets(&self) -> Result<(), Diagnostic<'c>> {
        let Reached { block, setting_up, .. } = &self.reached;
        let phases = self.by.iter().any(|by| matches!(by, RingCompletion::Phases { .. }));
        if !phases || setting_up == block || is_one_warp(setting_up) {
            return Ok(());
        }
        Err(Diagnostic::error(format!(
            "requests stages and copies that mbarriers complete, but {} of {} threads come to it; expected all of the block, or \
             one warp, which wait for the mbarriers that one of them initializes",
            setting_up.len(),
            block.len()
        )))
    }
}

/// The mechanism that completes the copies of a ring.
pub enum Complete<'c, 'a> {
    /// Groups, and how many of them may be pending where an iteration reads.
    Groups(i64),
    /// The mbarrier of the iteration's stage, the parity of its phase, and what is added where the loop is entered again.
    Phases(Value<'c, 'a>, Value<'c, 'a>, Option<Again<'c, 'a>>),
}

impl<'c: 'a, 'a> Complete<'c, 'a> {
    /// Emits the set-up before the loop and, before the operation `first` in it, the iteration's mbarrier and parity.
    pub fn make(
        looped: &Loop<'c, 'a>,
        by: RingCompletion,
        builder: Builder<'c, 'a>,
        first: OperationRef<'c, 'a>,
        (turn, stage): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Option<Self> {
        let RingCompletion::Phases { arrivals } = by else { return Some(Complete::Groups(looped.plan.pending)) };
        let around = outermost(looped.op);
        builder.rewriter.set_insertion_point_before(around.unwrap_or(looped.op));
        let all = mbarriers(looped, arrivals, builder)?;
        let again = around.map(|_| Again { all, arrivals });
        builder.rewriter.set_insertion_point_before(first);
        let kit = Kit::new(builder);
        let (integer, pointer) = (kit.int_type(32), kit.pointer(llvm_type::Space::Shared));
        let number = arith::index_cast(builder, stage, integer).value();
        let of_stage = llvm::getelementptr(builder, all, &[number], &[i32::MIN], kit.int_type(64), pointer).value();
        let lap = arith::divui(builder, turn, constant::index(builder, looped.plan.stages)).value();
        let odd = arith::andi(builder, lap, constant::index(builder, 1)).value();
        Some(Complete::Phases(of_stage, arith::index_cast(builder, odd, integer).value(), again))
    }

    /// Attaches the completion to a copy; the copy that results.
    pub fn complete(&self, copy: OperationRef<'c, 'a>, builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
        match self {
            Complete::Groups(_) => copy,
            Complete::Phases(own, ..) => copies::again(copy, builder, Some(*own), &CopyOp(copy).maps()).unwrap_or(copy),
        }
    }

    /// Whether it completes a copy.
    pub fn is_of(&self, copy: OperationRef<'c, 'a>) -> bool {
        matches!(self, Complete::Phases(..)) == mbarriers::is_completed_by_mbarrier(CopyOp(copy))
    }

    /// Emits what follows the copies of an iteration, even where there are none.
    pub fn issued(&self, builder: Builder<'c, 'a>) {
        if let Complete::Groups(_) = self {
            groups::commit(builder, Queue::CpAsync);
        }
    }

    /// Emits the wait before the reads of an iteration.
    pub fn wait(&self, builder: Builder<'c, 'a>) {
        match self {
            Complete::Groups(pending) => _ = groups::wait(builder, Queue::CpAsync, *pending, false),
            Complete::Phases(own, parity, _) => Kit::new(builder).wait(*own, *parity),
        }
    }

    /// Emits what follows the loop, which has the given trip count.
    pub fn end(&self, looped: &Loop<'c, 'a>, trips: Value<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
        match self {
            Complete::Groups(_) => _ = groups::wait(builder, Queue::CpAsync, 0, false),
            Complete::Phases(.., Some(again)) => again.write(looped, trips, builder)?,
            Complete::Phases(.., None) => {}
        }
        Some(())
    }
}

/// Storage of an mbarrier for each stage; a pointer to the first.
pub(super) fn made<'c: 'a, 'a>(looped: &Loop<'c, 'a>, builder: Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (location, stages) = (looped.op.location(), looped.plan.stages);
    let layout = LayoutAttr::new(location, &Layout::new([Iter::memory(stages, 1)]))?;
    let kit = Kit::new(builder);
    let storage = BufferType::new(location, &[stages], kit.int_type(64), Space::Shared, layout)?;
    let storage = tile::alloc(builder, storage.as_type()).alignment(mbarrier::BYTES).value();
    Some(tile::parts(builder, storage, kit.pointer(llvm_type::Space::Shared), &[]).build().pointer())
}

/// An mbarrier for each stage, initialized by one thread and visible to all; a pointer to the first mbarrier.
fn mbarriers<'c: 'a, 'a>(looped: &Loop<'c, 'a>, arrivals: i64, builder: Builder<'c, 'a>) -> Option<Value<'c, 'a>> {
    let all = made(looped, builder)?;
    let (kit, stages) = (Kit::new(builder), looped.plan.stages);
    by_one(looped, &looped.reached.setting_up, builder, || {
        (0..stages).for_each(|stage| kit.mbarrier_init(kit.beyond(all, mbarrier::BYTES * stage), arrivals));
        kit.mbarrier_init_fence();
    })?;
    if looped.is_divided() {
        barriers::of_cluster_relaxed(builder);
    }
    Some(all)
}

/// What a ring needs that may be entered again.
pub struct Again<'c, 'a> {
    /// A pointer to the first mbarrier.
    all: Value<'c, 'a>,
    /// Arrivals that complete a phase.
    arrivals: i64,
}

impl<'c: 'a, 'a> Again<'c, 'a> {
    /// Makes the number of phases of each stage even.
    fn write(&self, looped: &Loop<'c, 'a>, trips: Value<'c, 'a>, builder: Builder<'c, 'a>) -> Option<()> {
        let stages = looped.plan.stages;
        let odd = |stage: &i64| looped.trips.is_none_or(|trips| uses(trips, stages, *stage) % 2 == 1);
        let odd: Vec<i64> = (0..stages).filter(odd).collect();
        if odd.is_empty() {
            return Some(());
        }
        let kit = Kit::new(builder);
        if looped.reached.looping != looped.reached.block && is_one_warp(&looped.reached.looping) {
            // What is inserted before an arrival is a barrier of the whole block.
            barriers::of_warp(builder);
        }
        by_one(looped, &looped.reached.looping, builder, || {
            for stage in odd {
                let arrive = || kit.arrive_often(kit.beyond(self.all, mbarrier::BYTES * stage), self.arrivals);
                match looped.trips {
                    Some(_) => arrive(),
                    None => when(builder, is_odd(builder, trips, (stages, stage)), arrive),
                }
            }
        })
    }
}

/// Whether a stage is used in an odd number of iterations: [`uses`] on values.
fn is_odd<'c: 'a, 'a>(builder: Builder<'c, 'a>, trips: Value<'c, 'a>, (stages, stage): (i64, i64)) -> Value<'c, 'a> {
    let index = |number| constant::index(builder, number);
    let more = arith::addi(builder, trips, index(stages - 1 - stage)).value();
    let odd = arith::andi(builder, arith::divui(builder, more, index(stages)).value(), index(1)).value();
    arith::cmpi(builder, odd, index(0), arith::CmpIPredicate::Ne).value()
}

/// The outermost loop around an operation.
pub fn outermost<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let function = kernel::function(op);
    let loops = [scf::ForOp::NAME, scf::WhileOp::NAME];
    let inside = kernel::ancestors(op).take_while(|around| Some(*around) != function);
    inside.filter(|around| loops.contains(&name(*around))).last()
}

/// Emits what one of the threads that come here does, and a barrier at which the others wait for it.
pub(super) fn by_one<'c: 'a, 'a>(
    looped: &Loop<'c, 'a>,
    threads: &ThreadSet,
    builder: Builder<'c, 'a>,
    make: impl FnOnce(),
) -> Option<()> {
    let is_it = is_first(looped, threads, builder)?;
    when(builder, is_it, make);
    if is_one_warp(threads) {
        barriers::of_warp(builder);
    } else {
        barriers::of_block(builder);
    }
    Some(())
}

/// Whether a thread is the first one of these.
pub(super) fn is_first<'c: 'a, 'a>(
    looped: &Loop<'c, 'a>,
    threads: &ThreadSet,
    builder: Builder<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let function = kernel::function(looped.op)?;
    let block = block::size(function).ok().flatten();
    let thread = Function::new(function, function, block)?.linear_thread(builder);
    let one = constant::index(builder, threads.iter().next()?);
    Some(arith::cmpi(builder, thread, one, arith::CmpIPredicate::Eq).value())
}

/// Whether all threads that come to a place are one whole warp.
fn is_one_warp(threads: &ThreadSet) -> bool {
    threads.len() == WARP && threads.warps().count_ones() == 1
}
