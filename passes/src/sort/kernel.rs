//! Values that the code of a kernel shares.

use tile_dialect::ops::SortOp;
use tile_isa::WARP;
use tile_plan::sort::{COUNT_BYTES, ROW_BYTES, SortPlan};

use super::key::KeyOrder;
use crate::emit::{Cmp, Kit, Special, Val};

/// An array, whose elements are moved as integers.
#[derive(Clone, Copy)]
pub struct MovedArray<'c, 'a> {
    /// The address of its first element.
    pub first: Val<'c, 'a>,
    /// Bytes of an element.
    pub bytes: i64,
}

impl<'c: 'a, 'a> MovedArray<'c, 'a> {
    /// The address of an element (i32).
    pub fn place(&self, kit: Kit<'c, 'a>, index: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.first, kit.times(kit.wide(index), self.bytes))
    }

    fn bits(&self) -> u32 {
        8 * self.bytes as u32
    }

    /// Reads an element as an integer of at least 32 bits, from memory that is not written while the kernel runs.
    pub fn read(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let loaded = kit.load_constant(place, kit.int_type(self.bits()), self.bytes);
        kit.zero_extended(loaded, self.bits().max(32))
    }

    /// Writes an element.
    pub fn write(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>, element: Val<'c, 'a>) {
        kit.store(kit.truncated(element, self.bits()), place, self.bytes);
    }
}

/// The keys and, where there are any, the values, as a kernel reads or writes them.
#[derive(Clone, Copy)]
pub struct SortElements<'c, 'a> {
    /// The keys.
    pub keys: MovedArray<'c, 'a>,
    /// The values.
    pub values: Option<MovedArray<'c, 'a>>,
    /// Whether the keys have the bits of the op's arrays, not ordered ones.
    pub are_given: bool,
}

impl<'c: 'a, 'a> SortElements<'c, 'a> {
    /// Reads a key, ordered, into a register.
    pub fn read_key(&self, kit: Kit<'c, 'a>, order: KeyOrder, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let loaded = kit.load_constant(place, kit.int_type(order.bits), self.keys.bytes);
        self.key(kit, order, loaded)
    }

    /// A key with these bits, ordered, in a register.
    pub fn key(&self, kit: Kit<'c, 'a>, order: KeyOrder, bits: Val<'c, 'a>) -> Val<'c, 'a> {
        let ordered = if self.are_given { order.ordered(kit, bits) } else { bits };
        kit.zero_extended(ordered, order.register_bits())
    }

    /// Writes an ordered key.
    pub fn write_key(&self, kit: Kit<'c, 'a>, order: KeyOrder, place: Val<'c, 'a>, key: Val<'c, 'a>) {
        let ordered = kit.truncated(key, order.bits);
        let bits = if self.are_given { order.restored(kit, ordered) } else { ordered };
        kit.store(bits, place, self.keys.bytes);
    }
}

/// A kernel of a sort that is being written.
#[derive(Clone, Copy)]
pub struct SortKernel<'p, 'c, 'a> {
    /// The plan.
    pub plan: &'p SortPlan,
    /// The order of keys.
    pub order: KeyOrder,
    /// The workspace.
    pub workspace: Val<'c, 'a>,
    /// The number of elements, i32.
    pub n: Val<'c, 'a>,
    /// The number of the launch, i32.
    pub epoch: Val<'c, 'a>,
    /// Shared memory.
    pub shared: Val<'c, 'a>,
    /// The thread's index in the block.
    pub thread: Val<'c, 'a>,
    /// The lane's index in the warp.
    pub lane: Val<'c, 'a>,
    /// The warp's index in the block.
    pub warp: Val<'c, 'a>,
}

impl<'p, 'c: 'a, 'a> SortKernel<'p, 'c, 'a> {
    /// A kernel; `arguments` are the workspace, the number of elements as i64, and the epoch. It traps where counts do not hold the number.
    pub fn new(
        kit: Kit<'c, 'a>,
        (plan, order): (&'p SortPlan, KeyOrder),
        arguments: [Val<'c, 'a>; 3],
        shared: Val<'c, 'a>,
    ) -> Self {
        let [workspace, n, epoch] = arguments;
        let is_too_long = kit.cmp(Cmp::Uge, n, kit.i64(SortOp::LENGTH_LIMIT));
        kit.when(is_too_long, |kit| kit.assembly("trap;", "", &[]));
        let thread = kit.special(Special::Thread);
        let (lane, warp) = (kit.special(Special::Lane), kit.over(thread, WARP));
        SortKernel { plan, order, workspace, n: kit.narrow(n), epoch, shared, thread, lane, warp }
    }

    /// The number of tiles, i32.
    pub fn tiles(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        let elements = self.plan.tile.elements();
        kit.over(kit.plus(self.n, elements - 1), elements)
    }

    /// The address of the totals of the epoch, or of the one after it.
    pub fn totals(&self, kit: Kit<'c, 'a>, is_next: bool) -> Val<'c, 'a> {
        let workspace = &self.plan.workspace;
        let parity = kit.mask(kit.plus(self.epoch, i64::from(is_next)), 1);
        let bytes = kit.times(parity, workspace.totals(1) - workspace.totals(0));
        kit.at(kit.beyond(self.workspace, workspace.totals(0)), kit.wide(bytes))
    }

    /// The address of a tile's counts (i32).
    pub fn row(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let rows = kit.beyond(self.workspace, self.plan.workspace.rows());
        kit.at(rows, kit.times(kit.wide(tile), ROW_BYTES))
    }

    /// The address of a tile's count of the thread's digit.
    pub fn count_of_thread(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.row(kit, tile), kit.wide(kit.times(self.thread, COUNT_BYTES)))
    }

    /// The elements between two passes.
    pub fn between(&self, kit: Kit<'c, 'a>) -> [MovedArray<'c, 'a>; 2] {
        let [key_bytes, value_bytes] = self.plan.workspace.element_bytes;
        let keys = self.row(kit, self.tiles(kit));
        let whole = kit.mask(kit.plus(kit.times(kit.wide(self.n), key_bytes), 15), !15);
        [(keys, key_bytes), (kit.at(keys, whole), value_bytes)].map(|(first, bytes)| MovedArray { first, bytes })
    }

    /// An address in shared memory.
    pub fn room(&self, kit: Kit<'c, 'a>, offset: i64) -> Val<'c, 'a> {
        kit.beyond(self.shared, offset)
    }

    /// The address of the thread's element of an array in shared memory.
    pub fn room_of_thread(&self, kit: Kit<'c, 'a>, offset: i64, bytes: i64) -> Val<'c, 'a> {
        kit.at(self.room(kit, offset), kit.times(self.thread, bytes))
    }
}
