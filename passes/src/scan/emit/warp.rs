//! What the threads of a warp and a block do together.

use super::{Kit, Val};

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A special register of the thread, 32 bits.
    pub fn special(self, name: &str) -> Val<'c, 'a> {
        self.builder.value(&format!("nvvm.read.ptx.sreg.{name}"), &[], self.int_type(32), &[])
    }

    /// All lanes.
    fn everyone(self) -> Val<'c, 'a> {
        self.i32(-1)
    }

    /// The 32-bit value of the lane `distance` below; of the lane itself where there is none.
    pub fn shuffle_up(self, value: Val<'c, 'a>, distance: Val<'c, 'a>) -> Val<'c, 'a> {
        self.shuffle("up", value, distance, 0)
    }

    /// The 32-bit value of the lane `distance` above; of the lane itself where there is none.
    pub fn shuffle_down(self, value: Val<'c, 'a>, distance: i64) -> Val<'c, 'a> {
        self.shuffle("down", value, self.i32(distance), 31)
    }

    /// The 32-bit value of one lane.
    pub fn shuffle_from(self, value: Val<'c, 'a>, lane: Val<'c, 'a>) -> Val<'c, 'a> {
        self.shuffle("idx", value, lane, 31)
    }

    fn shuffle(self, kind: &str, value: Val<'c, 'a>, offset: Val<'c, 'a>, clamp: i64) -> Val<'c, 'a> {
        let kind = ("kind", self.builder.parse(&format!("#nvvm<shfl_kind {kind}>")));
        let operands = [self.everyone(), value, offset, self.i32(clamp)];
        self.builder.value("nvvm.shfl.sync", &operands, self.int_type(32), &[kind])
    }

    /// One bit per lane.
    pub fn ballot(self, bit: Val<'c, 'a>) -> Val<'c, 'a> {
        let kind = ("kind", self.builder.parse("#nvvm<vote_sync_kind ballot>"));
        self.builder.value("nvvm.vote.sync", &[self.everyone(), bit], self.int_type(32), &[kind])
    }

    /// All threads of the block meet, and see each other's memory.
    pub fn block_barrier(self) {
        self.builder.op("gpu.barrier", &[], &[], &[]);
    }
}
