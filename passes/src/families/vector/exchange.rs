//! Exchange of vectors between lanes: `shfl.sync` between the loads and the stores of a batch.
//!
//! Each step swaps, between lanes `t` and `t ^ lane`, one word for each word of the vectors of two rounds. The lane
//! whose bit is set gives its word of the first round, the other lane that of the second:
//!
//! ```text
//!   given = bit ? first : second      taken = shfl.bfly given, lane
//!   first = bit ? taken : first       second = bit ? second : taken
//! ```

use melior::ir::{Type, Value};
use tile_layout::IndexArith;
use tile_ops::nvvm::ShflKind;
use tile_ops::vector;
use tile_plan::{ExchangeStep, VectorCopy};

use crate::emit::{Emit, Sum, Width};

/// The member mask and the segment operand: all lanes of a warp, as one segment.
const ALL: (i64, i64) = (-1, 31);

/// The steps, and the values that all shuffles share.
pub struct Exchange<'c, 'a> {
    steps: Vec<Step<'c, 'a>>,
    members: Value<'c, 'a>,
    segment: Value<'c, 'a>,
}

struct Step<'c, 'a> {
    step: ExchangeStep,
    /// Whether the lane's bit is set.
    bit: Value<'c, 'a>,
    /// The distance to the other lane.
    lane: Value<'c, 'a>,
}

impl<'c, 'a> Exchange<'c, 'a> {
    /// The exchange of `plan` by a thread of the scope.
    pub fn new(emit: &mut Emit<'c, 'a, '_>, plan: &VectorCopy, thread: Sum<'c, 'a>) -> Self {
        let steps = plan.exchange_steps().map(|step| {
            let (lane, two) = (emit.constant(step.lane), emit.constant(2));
            let lanes = emit.div(thread, lane);
            let digit = emit.rem(lanes, two);
            Step { step, bit: emit.equal(digit, 1), lane: emit.kit.i32(step.lane) }
        });
        let steps = steps.collect();
        Exchange { steps, members: emit.kit.i32(ALL.0), segment: emit.kit.i32(ALL.1) }
    }

    /// Exchanges the vectors of consecutive rounds; the number of the first round is a multiple of the number of lanes
    /// that transpose.
    pub fn apply(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        vectors: &[Value<'c, 'a>],
        element: Type<'c>,
        width: Width,
    ) -> Vec<Value<'c, 'a>> {
        let mut rounds: Vec<_> = vectors.iter().map(|&vector| emit.words(vector, width)).collect();
        for step in &self.steps {
            let round = step.step.round as usize;
            for first in (0..rounds.len()).filter(|first| first & round == 0) {
                for word in 0..rounds[first].len() {
                    let pair = (rounds[first][word], rounds[first + round][word]);
                    (rounds[first][word], rounds[first + round][word]) = self.swap(emit, step, pair);
                }
            }
        }
        let word = emit.kit.int_type(32);
        rounds.iter().map(|words| emit.reassemble(words, word, element, width)).collect()
    }

    fn swap(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        step: &Step<'c, 'a>,
        (first, second): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let select = |set, clear| emit.kit.select(step.bit, set, clear);
        let given = select(first, second);
        let taken = emit.kit.shuffle_among(self.members, ShflKind::Bfly, given, step.lane, self.segment);
        (select(taken, first), select(second, taken))
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// The result of [`Emit::load`] as words of 32 bits.
    pub(in crate::families) fn words(&mut self, loaded: Value<'c, 'a>, width: Width) -> Vec<Value<'c, 'a>> {
        use melior::ir::ValueLike;
        let count = width.bytes / 4;
        let (builder, word) = (self.kit.builder, self.kit.int_type(32));
        let mut elements = loaded;
        if width.elements == 1 {
            let one = Type::vector(&[1], loaded.r#type());
            elements = vector::from_elements(builder, &[loaded], one).value();
        }
        let packed = vector::bitcast(builder, elements, Type::vector(&[count as u64], word)).value();
        let extract = |index| vector::extract(builder, packed, &[], &[index]).value();
        (0..count).map(extract).collect()
    }
}
