//! What completes the copies of a ring, as operations: a row for each [`By`].
//!
//! | | groups of `cp.async` | mbarriers, one of each stage |
//! | --- | --- | --- |
//! | before the loop | | made by one thread, with a fence; all others wait for it at a barrier |
//! | behind the copies of an iteration | a group is closed, also an empty one | each copy arrives, and expects its bytes |
//! | before what reads | a wait for all groups but the latest | a wait for the phase of the stage: parity of `turn / stages` |
//! | behind the loop | a wait for the groups that are left, which are empty | in another loop: phases are [made even](super::again) |
//!
//! An mbarrier is waited for by all threads, so that all see what was copied. That all have waited before a stage is copied to
//! again, and have read it, is the barrier's business that orders the accesses: mbarriers for the way back would need an arrival of
//! each reader, and leave out no barrier where one iteration ends at a barrier anyway.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_layout::{Iter, Layout};
use tile_ops::{Builder, arith, constant, llvm, llvm_type, nvvm, tile};
use tile_plan::pipeline::{By, Plan};

use super::again::{self, Again, MBARRIER};
use super::asking::Loop;
use crate::emit::Kit;

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
        let around = again::outermost(of.op);
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
    again::by_one(of, builder, || {
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
