//! The selects and shuffles that move each digit from its place in the source to its place in the destination, and
//! their cost per warp.
//!
//! ```text
//!   exchange digit d with bit b of the lane
//!     threads that differ in b hold the same    select: a thread keeps one of two words                half the words are left
//!     b is a digit that will be in registers    swap: given = b ? first : second, taken from lane ^ b  as many words
//!     only one of two lanes holds anything      the other takes the word that is not kept              half the words are left
//!   and last, where a word is in another lane    shuffle: each word from the lane that has it
//! ```

use tile_isa::WARP;
use tile_layout::IndexArith;

use crate::families::family::Cost;

/// Number of bits of a lane id.
pub(super) const LANE_BITS: usize = WARP.trailing_zeros() as usize;

/// Two lanes swap words: the one whose bit is set gives the first word of each pair, the other one the second.
///
/// ```text
///                       lane t      lane t + 2^bit
///   word w              a0          a1  ┐                a, b: the words w and w + inside of lane t, of the other lane
///   word w + inside     b0  ────────────┘ b1             a1 and b0 change places
/// ```
///
/// The step is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swap {
    /// Distance of the two words of a pair.
    pub inside: usize,
    /// The bit of the lane id.
    pub bit: u32,
}

impl Swap {
    /// Distance of the two lanes.
    pub fn lane(self) -> i64 {
        1 << self.bit
    }
}

/// One step, applied to all words of a thread. Words are paired along one digit of their index: the two words of a pair
/// are `inside` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterStep {
    /// A thread keeps the second word of each pair where the bit of its id is set, else the first.
    Select {
        /// Distance of the two words of a pair.
        inside: usize,
        /// The bit.
        bit: u32,
    },
    /// Two lanes swap.
    Swap(Swap),
    /// Lanes whose bit is `valid` keep that word of each pair and give the other one to their partner.
    Give {
        /// Distance of the two words of a pair.
        inside: usize,
        /// The bit.
        bit: u32,
        /// The value of the bit in lanes that hold the words.
        valid: bool,
    },
    /// Word `n` is word `words[n].0` of the lane that `from` gives for `words[n].1`.
    Shuffle {
        /// The lane to take from.
        from: Lanes,
        /// Word of that lane, and the bits that the word adds to the lane id.
        words: Vec<(usize, i64)>,
    },
    /// Word `n` is word `words[n]` of the same thread.
    Rename {
        /// The words.
        words: Vec<usize>,
    },
}

/// The id of the lane that a lane takes a word from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Mask of the bits that both ids have in common.
    pub kept: i64,
    /// Bits of the taking lane's id, each with the bit of the giving lane's id that it becomes.
    pub moved: Vec<(u32, u32)>,
    /// Bits that are set in the id of each giving lane.
    pub set: i64,
}

impl Lanes {
    /// The lane that gives thread `t` a word that adds `more` bits.
    pub fn lane<A: IndexArith>(&self, a: &mut A, t: A::Value, more: i64) -> A::Value {
        let mut terms = Vec::new();
        if self.kept != 0 {
            let kept = a.constant(self.kept);
            terms.push(a.and(t.clone(), kept));
        }
        for &(from, to) in &self.moved {
            let (down, one) = (a.constant(1 << from), a.constant(2));
            let high = if from == 0 { t.clone() } else { a.div(t.clone(), down) };
            let bit = a.rem(high, one);
            terms.push(a.scale(bit, 1 << to));
        }
        a.sum(terms, self.set + more)
    }
}

/// The steps of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Words of a thread before the first step.
    pub before: usize,
    /// The steps, in order.
    pub steps: Vec<RegisterStep>,
}

impl Steps {
    /// Whether every word comes from the thread's own registers, at a static index.
    pub fn are_moves(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, RegisterStep::Rename { .. }))
    }

    /// Whether any word leaves its lane.
    pub fn shuffle(&self) -> bool {
        self.steps.iter().any(|step| {
            matches!(step, RegisterStep::Swap(_) | RegisterStep::Give { .. } | RegisterStep::Shuffle { .. })
        })
    }
}

/// Executes the steps of a plan, on the words of a thread or of all threads.
pub trait RegisterMachine {
    /// A word.
    type Word: Clone;

    /// `set` where the bit of the thread id is set, else `clear`.
    fn select(&mut self, bit: u32, set: Self::Word, clear: Self::Word) -> Self::Word;
    /// The word given by the lane whose id differs in this bit.
    fn across(&mut self, bit: u32, given: Self::Word) -> Self::Word;
    /// The word of the lane that `from` gives for a word that adds `more`.
    fn from(&mut self, from: &Lanes, more: i64, word: Self::Word) -> Self::Word;
}

/// Executes the steps on the words of a machine.
pub fn carry_out<M: RegisterMachine>(machine: &mut M, steps: &Steps, words: Vec<M::Word>) -> Vec<M::Word> {
    steps.steps.iter().fold(words, |words, step| one(machine, step, words))
}

fn one<M: RegisterMachine>(machine: &mut M, step: &RegisterStep, mut words: Vec<M::Word>) -> Vec<M::Word> {
    let firsts =
        |inside: usize| (0..words.len()).filter(move |word| (word / inside).is_multiple_of(2)).collect::<Vec<_>>();
    match *step {
        RegisterStep::Select { inside, bit } => {
            let select = |first: usize| machine.select(bit, words[first + inside].clone(), words[first].clone());
            firsts(inside).into_iter().map(select).collect()
        }
        RegisterStep::Swap(Swap { inside, bit }) => {
            for first in firsts(inside) {
                let second = first + inside;
                let given = machine.select(bit, words[first].clone(), words[second].clone());
                let taken = machine.across(bit, given);
                (words[first], words[second]) = (
                    machine.select(bit, taken.clone(), words[first].clone()),
                    machine.select(bit, words[second].clone(), taken),
                );
            }
            words
        }
        RegisterStep::Give { inside, bit, valid } => {
            let give = |first: usize| {
                let (kept, other) = if valid { (first + inside, first) } else { (first, first + inside) };
                let (word, taken) = (words[kept].clone(), machine.across(bit, words[other].clone()));
                let (set, clear) = if valid { (word, taken) } else { (taken, word) };
                machine.select(bit, set, clear)
            };
            firsts(inside).into_iter().map(give).collect()
        }
        RegisterStep::Shuffle { ref from, words: ref taken } => {
            taken.iter().map(|&(word, more)| machine.from(from, more, words[word].clone())).collect()
        }
        RegisterStep::Rename { words: ref taken } => taken.iter().map(|&word| words[word].clone()).collect(),
    }
}

/// The cost of the steps per warp, where each word of a step is `layers` words of 32 bits.
pub(super) fn of_steps(layers: i64, steps: &Steps) -> Cost {
    let words = |count: usize| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(layers);
    let mut count = steps.before;
    let mut cost = Cost::default();
    for step in &steps.steps {
        let halved = words(count / 2);
        let (selects, shuffles) = match step {
            RegisterStep::Select { .. } => (halved, 0),
            RegisterStep::Swap(_) => (halved.saturating_mul(2).saturating_add(halved), halved),
            RegisterStep::Give { .. } => (halved, halved),
            RegisterStep::Shuffle { words: taken, .. } => (0, words(taken.len())),
            RegisterStep::Rename { .. } => (0, 0),
        };
        count = match step {
            RegisterStep::Select { .. } | RegisterStep::Give { .. } => count / 2,
            RegisterStep::Swap(_) => count,
            RegisterStep::Shuffle { words, .. } => words.len(),
            RegisterStep::Rename { words } => words.len(),
        };
        cost = cost.and(Cost { instructions: selects.saturating_add(shuffles), wavefronts: shuffles });
    }
    cost
}
