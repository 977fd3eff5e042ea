//! The one thread that issues instructions on tensor memory for all threads of a scope, and waits for them.
//!
//! ```text
//!   one elected thread     instructions
//!                          commit         arrives on an mbarrier once these are complete
//!                          wait           for that phase, then an arrival of its own, which ends the next one
//!   all threads            a barrier between two fences: what they do to the tensor memory comes later
//! ```
//!
//! So each op finds the mbarrier in an even phase, whatever control flow is around it. The elected thread has initialized it at the
//! start of the kernel, and is the only one that uses it.

use melior::ir::{OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, Rewriter};
use tile_dialect::ops::Scope;
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::{WARPGROUP, mbarrier};
use tile_layout::{Iter, Layout};
use tile_ops::llvm_type;
use tile_ops::nvvm::{self, Tcgen05FenceKind};
use tile_ops::{Builder, constant, tile};

use crate::effects::inherent;
use crate::emit::error::EmitError;
use crate::emit::{Cmp, Kit, scope_barrier, scope_number};
use crate::read::error::ReadError;
use crate::read::kernel;

/// The thread that issues, and waits.
pub struct Issuer<'c, 'a> {
    /// Whether a thread is it.
    leads: Value<'c, 'a>,
    /// A pointer to the mbarrier that completes what it has issued.
    mbarrier: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Issuer<'c, 'a> {
    /// The elected thread of a warp: makes its mbarrier at the start of the kernel.
    ///
    /// # Errors
    /// An op that is not in a kernel, or in a block of unknown size.
    pub fn of(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>, warp: i64) -> Result<Self, EmitError> {
        let function = kernel::function(op).ok_or(ReadError::NoFunction)?;
        if !kernel::is_entry(function) && !kernel::is_launch(function) {
            return Err(EmitError::Called);
        }
        let body = function.region_at(0).and_then(|region| region.first_block()).ok_or(EmitError::NoBody)?;
        let start = |rewriter: Rewriter<'c, 'a>| rewriter.set_insertion_point_to_start(body);
        builder.elsewhere(start, |builder| Self::make(builder, op, warp))
    }

    fn make(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>, warp: i64) -> Result<Self, EmitError> {
        let (kit, location) = (Kit::new(builder), builder.location);
        let number = scope_number(builder, op, Scope::Warp).ok_or(EmitError::BlockSize)?;
        let is_of_warp = kit.cmp(Cmp::Eq, number, constant::index(builder, warp));
        let elected = nvvm::elect_sync(builder).build();
        let leads = kit.and(elected.pred(), is_of_warp);
        let layout = LayoutAttr::new(location, &Layout::new([Iter::memory(1, 1)]));
        let storage = layout
            .and_then(|layout| BufferType::new(location, &[1], kit.int_type(64), Space::Shared, layout))
            .ok_or(EmitError::NoTileType)?;
        let storage = tile::alloc(builder, storage.as_type()).alignment(mbarrier::BYTES).value();
        let mbarrier = tile::parts(builder, storage, kit.pointer(llvm_type::Space::Shared), &[]).build().pointer();
        let made = kit.when(leads, |kit| {
            kit.mbarrier_init(mbarrier, 1);
            kit.mbarrier_init_fence();
        });
        [elected.operation(), made].into_iter().for_each(|made| inherent::mark(builder.rewriter, made));
        Ok(Issuer { leads, mbarrier })
    }

    /// Has the thread issue instructions, in the place of an op of a scope, in a block of so many threads: all of the scope come later.
    pub fn issue(
        &self,
        builder: Builder<'c, 'a>,
        (op, scope, block): (OperationRef<'c, 'a>, Scope, Option<i64>),
        issue: impl FnOnce(Kit<'c, 'a>),
    ) {
        let issued = Kit::new(builder).when(self.leads, |kit| {
            issue(kit);
            nvvm::tcgen05_commit(kit.builder, self.mbarrier).build();
            kit.wait(self.mbarrier, kit.i32(0));
            kit.arrive(self.mbarrier);
        });
        let warpgroups = block.map_or(1, |threads| threads / WARPGROUP);
        let is_one_of_several = scope == Scope::Warpgroup && warpgroups > 1;
        let number = is_one_of_several.then(|| scope_number(builder, op, Scope::Warpgroup)).flatten();
        let before = nvvm::tcgen05_fence(builder, Tcgen05FenceKind::BeforeThreadSync).build().operation();
        scope_barrier(builder, scope, number.map(|number| (number, warpgroups)));
        let after = nvvm::tcgen05_fence(builder, Tcgen05FenceKind::AfterThreadSync).build().operation();
        [issued, before, after].into_iter().for_each(|made| inherent::mark(builder.rewriter, made));
    }
}
