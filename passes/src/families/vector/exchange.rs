//! Exchange of vectors between lanes, between the loads and the stores of a batch: each word of the vectors is
//! [swapped](super::super::lanes) by itself.

use std::cell::RefCell;

use melior::ir::{Type, Value};
use tile_ops::vector;
use tile_plan::families::registers::steps::{RegisterStep, Steps, carry_out};
use tile_plan::families::vector::plan::VectorCopy;

use super::super::lanes::Bits;
use crate::emit::{Emit, Sum, Width};

/// The steps, and the bits of the lane that they depend on.
pub struct Exchange<'c, 'a> {
    steps: Steps,
    bits: RefCell<Bits<'c, 'a>>,
}

impl<'c, 'a> Exchange<'c, 'a> {
    /// The exchange of `plan` by a thread of the scope.
    pub fn new(emit: &mut Emit<'c, 'a, '_>, plan: &VectorCopy, thread: Sum<'c, 'a>) -> Self {
        let mut bits = Bits::new(thread);
        // Known before the rounds, which may be in loops and branches.
        plan.exchange_steps().for_each(|step| _ = bits.is_set(emit, step.bit));
        let steps = plan.exchange_steps().map(RegisterStep::Swap).collect();
        Exchange { steps: Steps { before: plan.exchange as usize, steps }, bits: RefCell::new(bits) }
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
        let rounds: Vec<_> = vectors.iter().map(|&vector| emit.words(vector, width)).collect();
        let count = rounds.first().map_or(0, Vec::len);
        let exchange = |emit: &mut Emit<'c, 'a, '_>, word: usize| {
            let words = rounds.iter().map(|words| words[word]).collect();
            carry_out(&mut self.bits.borrow_mut().warp(emit), &self.steps, words)
        };
        let words: Vec<_> = (0..count).map(|word| exchange(emit, word)).collect();
        let word = emit.kit.int_type(32);
        let of_round = |round: usize| words.iter().map(|words| words[round]).collect::<Vec<_>>();
        (0..rounds.len()).map(|round| emit.reassemble(&of_round(round), word, element, width)).collect()
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
