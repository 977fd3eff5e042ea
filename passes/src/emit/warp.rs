//! Collective operations of the threads of a warp or block.

use melior::ir::ValueLike;
use tile_isa::WARP;
use tile_ops::gpu::ShuffleMode;
use tile_ops::nvvm::{ShflKind, VoteSyncKind};
use tile_ops::{gpu, nvvm};

use super::{Kit, Val};

/// A 32-bit special register that identifies a thread or block of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// The thread's index in the block.
    Thread,
    /// The lane's index in the warp.
    Lane,
    /// The block's index in the grid.
    Block,
    /// The number of blocks of the grid.
    Blocks,
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A special register of the thread; x, where it has dimensions.
    pub fn special(self, register: Special) -> Val<'c, 'a> {
        let (builder, word) = (self.builder, self.int_type(32));
        match register {
            Special::Thread => nvvm::read_ptx_sreg_tid_x(builder, word).value(),
            Special::Lane => nvvm::read_ptx_sreg_laneid(builder, word).value(),
            Special::Block => nvvm::read_ptx_sreg_ctaid_x(builder, word).value(),
            Special::Blocks => nvvm::read_ptx_sreg_nctaid_x(builder, word).value(),
        }
    }

    /// The member mask of all lanes.
    fn everyone(self) -> Val<'c, 'a> {
        self.i32(-1)
    }

    /// The 32-bit value of the lane `distance` below; of the lane itself where there is none.
    pub fn shuffle_up(self, value: Val<'c, 'a>, distance: Val<'c, 'a>) -> Val<'c, 'a> {
        self.shuffle(ShflKind::Up, value, distance, 0)
    }

    /// The 32-bit value of the lane `distance` above; of the lane itself where there is none.
    pub fn shuffle_down(self, value: Val<'c, 'a>, distance: Val<'c, 'a>) -> Val<'c, 'a> {
        self.shuffle(ShflKind::Down, value, distance, WARP - 1)
    }

    /// The 32-bit value of one lane.
    pub fn shuffle_from(self, value: Val<'c, 'a>, lane: Val<'c, 'a>) -> Val<'c, 'a> {
        self.shuffle(ShflKind::Idx, value, lane, WARP - 1)
    }

    /// The 32-bit value of the lane whose number differs in the bits of `mask`; on all targets.
    pub fn shuffle_xor(self, value: Val<'c, 'a>, mask: i64) -> Val<'c, 'a> {
        self.portable_shuffle(ShuffleMode::Xor, value, self.i32(mask))
    }

    /// The 32-bit value of one lane; on all targets.
    pub fn shuffle_idx(self, value: Val<'c, 'a>, lane: Val<'c, 'a>) -> Val<'c, 'a> {
        self.portable_shuffle(ShuffleMode::Idx, value, lane)
    }

    fn portable_shuffle(self, mode: ShuffleMode, value: Val<'c, 'a>, offset: Val<'c, 'a>) -> Val<'c, 'a> {
        let (width, bit) = (self.i32(WARP), self.int_type(1));
        let shuffled = gpu::shuffle(self.builder, value, offset, width, mode, value.r#type(), bit).build();
        shuffled.shuffle_result()
    }

    fn shuffle(self, kind: ShflKind, value: Val<'c, 'a>, offset: Val<'c, 'a>, clamp: i64) -> Val<'c, 'a> {
        self.shuffle_among(self.everyone(), kind, value, offset, self.i32(clamp))
    }

    /// `shfl.sync` of a 32-bit value with the given member mask and segment operand.
    pub fn shuffle_among(
        self,
        members: Val<'c, 'a>,
        kind: ShflKind,
        value: Val<'c, 'a>,
        offset: Val<'c, 'a>,
        segment: Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        let shuffled = nvvm::shfl_sync(self.builder, members, value, offset, segment, kind, self.int_type(32)).build();
        shuffled.res()
    }

    /// The bits of all lanes, one per lane.
    pub fn ballot(self, bit: Val<'c, 'a>) -> Val<'c, 'a> {
        self.vote_to(bit, VoteSyncKind::Ballot, 32)
    }

    /// Whether a bit is set in any lane, or in all of them.
    pub fn vote(self, bit: Val<'c, 'a>, kind: VoteSyncKind) -> Val<'c, 'a> {
        self.vote_to(bit, kind, 1)
    }

    fn vote_to(self, bit: Val<'c, 'a>, kind: VoteSyncKind, bits: u32) -> Val<'c, 'a> {
        nvvm::vote_sync(self.builder, self.everyone(), bit, kind, self.int_type(bits)).value()
    }

    /// A barrier of all lanes of the warp, after which they see each other's writes to memory.
    pub fn warp_barrier(self) {
        nvvm::bar_warp_sync(self.builder, self.everyone()).build();
    }

    /// A barrier of all threads of the block, after which they see each other's writes to memory.
    pub fn block_barrier(self) {
        gpu::barrier(self.builder).build();
    }
}
