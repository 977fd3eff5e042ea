//! Exchanges of words between the lanes of a warp: the steps of a plan, as selects and `shfl.sync`.
//!
//! A swap gives, between lanes `t` and `t ^ lane`, one word for two:
//!
//! ```text
//!   given = bit ? first : second      taken = shfl.bfly given, lane
//!   first = bit ? taken : first       second = bit ? second : taken
//! ```

use std::collections::HashMap;

use melior::ir::Value;
use tile_layout::IndexArith;
use tile_ops::arith;
use tile_ops::nvvm::ShflKind;
use tile_plan::families::registers::steps::{Lanes, RegisterMachine};

use crate::emit::{Emit, Sum};

/// The member mask and the segment operand: all lanes of a warp, as one segment.
const ALL: (i64, i64) = (-1, 31);

/// The bits of the executing thread's number, as far as they have been needed.
pub struct Bits<'c, 'a> {
    thread: Sum<'c, 'a>,
    /// For each bit, a value that says whether it is set.
    known: HashMap<u32, Value<'c, 'a>>,
}

impl<'c, 'a> Bits<'c, 'a> {
    /// The bits of a thread.
    pub fn new(thread: Sum<'c, 'a>) -> Self {
        Bits { thread, known: HashMap::new() }
    }

    /// Whether a bit is set.
    pub fn is_set(&mut self, emit: &mut Emit<'c, 'a, '_>, bit: u32) -> Value<'c, 'a> {
        let thread = self.thread;
        *self.known.entry(bit).or_insert_with(|| {
            let (down, two) = (emit.constant(1 << bit), emit.constant(2));
            let high = if bit == 0 { thread } else { emit.div(thread, down) };
            let digit = emit.rem(high, two);
            emit.equal(digit, 1)
        })
    }

    /// A warp whose words are values of the executing thread.
    pub fn warp<'e, 'f>(&'e mut self, emit: &'e mut Emit<'c, 'a, 'f>) -> Warp<'e, 'c, 'a, 'f> {
        Warp { emit, bits: self }
    }
}

/// Executes the steps of a plan on words of the executing thread.
pub struct Warp<'e, 'c, 'a, 'f> {
    /// Emits the operations.
    pub emit: &'e mut Emit<'c, 'a, 'f>,
    bits: &'e mut Bits<'c, 'a>,
}

impl<'c, 'a> RegisterMachine for Warp<'_, 'c, 'a, '_> {
    type Word = Value<'c, 'a>;

    fn select(&mut self, bit: u32, set: Value<'c, 'a>, clear: Value<'c, 'a>) -> Value<'c, 'a> {
        let is_set = self.bits.is_set(self.emit, bit);
        self.emit.kit.select(is_set, set, clear)
    }

    fn across(&mut self, bit: u32, given: Value<'c, 'a>) -> Value<'c, 'a> {
        let kit = self.emit.kit;
        kit.shuffle_among(kit.i32(ALL.0), ShflKind::Bfly, given, kit.i32(1 << bit), kit.i32(ALL.1))
    }

    fn from(&mut self, from: &Lanes, more: i64, word: Value<'c, 'a>) -> Value<'c, 'a> {
        let lane = from.lane(self.emit, self.bits.thread, more);
        let lane = self.emit.materialize(lane);
        let kit = self.emit.kit;
        let lane = arith::index_cast(kit.builder, lane, kit.int_type(32)).value();
        kit.shuffle_from(word, lane)
    }
}
