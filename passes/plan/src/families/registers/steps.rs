//! Selects and shuffles: from where the source has each digit to where the destination has it.
//!
//! ```text
//!   exchange digit d with bit b of the lane
//!     threads that differ in b hold the same    select: a thread keeps one of two words                half the words are left
//!     b is a digit that will be in registers    swap: given = b ? first : second, taken from lane ^ b  as many words
//!     only one of two lanes holds anything      the other takes the word that is not kept              half the words are left
//!   and last, where a word is in another lane    shuffle: each word from the lane that has it
//! ```

use tile_isa::WARP;
use tile_layout::{Axis, IndexArith};

use crate::families::registers::places::{Place, places};
use crate::families::registers::plan::RegisterCopy;

/// Bits of a lane's number.
pub(super) const LANE_BITS: usize = WARP.trailing_zeros() as usize;

/// One step of all words of a thread. Words are pairs along one digit of their number: `inside` words are between the two
/// of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A thread keeps the second word of each pair where the bit of its number is set, else the first.
    Select {
        /// Words between the two of a pair.
        inside: usize,
        /// The bit.
        bit: u32,
    },
    /// Two lanes swap: the one whose bit is set gives the first word of each pair, the other one the second.
    Swap {
        /// Words between the two of a pair.
        inside: usize,
        /// The bit.
        bit: u32,
    },
    /// Lanes whose bit is `valid` keep that word of each pair and give the other one to their partner.
    Give {
        /// Words between the two of a pair.
        inside: usize,
        /// The bit.
        bit: u32,
        /// Who holds the words.
        valid: bool,
    },
    /// Word `n` is word `words[n].0` of the lane that `from` says for `words[n].1`.
    Shuffle {
        /// Which lane.
        from: Lanes,
        /// Word of that lane, and the bits that the word adds to the lane's number.
        words: Vec<(usize, i64)>,
    },
    /// Word `n` is word `words[n]` of the same thread.
    Rename {
        /// The words.
        words: Vec<usize>,
    },
}

/// Which lane a lane takes a word from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Bits that both have in common.
    pub kept: i64,
    /// Bits of the taking lane and what bit of the giving lane each is.
    pub moved: Vec<(u32, u32)>,
    /// Bits that are set in each giving lane.
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
    /// Words that a thread begins with.
    pub before: usize,
    /// In order.
    pub steps: Vec<Step>,
}

impl Steps {
    /// Is every word taken from the thread's own registers, by a number that is known?
    pub fn are_moves(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Rename { .. }))
    }

    /// Does a word leave its lane?
    pub fn shuffle(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Swap { .. } | Step::Give { .. } | Step::Shuffle { .. }))
    }
}

/// What the steps of a plan are carried out on: words of a thread, or of all threads.
pub trait Machine {
    /// A word.
    type Word: Clone;

    /// `set` where the bit of the thread's number is set, else `clear`.
    fn select(&mut self, bit: u32, set: Self::Word, clear: Self::Word) -> Self::Word;
    /// The word that the lane gives whose number differs in this bit.
    fn across(&mut self, bit: u32, given: Self::Word) -> Self::Word;
    /// The word of the lane that `from` says for a word that adds `more`.
    fn from(&mut self, from: &Lanes, more: i64, word: Self::Word) -> Self::Word;
}

/// Carries steps out.
pub fn carry_out<M: Machine>(machine: &mut M, steps: &Steps, words: Vec<M::Word>) -> Vec<M::Word> {
    steps.steps.iter().fold(words, |words, step| one(machine, step, words))
}

fn one<M: Machine>(machine: &mut M, step: &Step, mut words: Vec<M::Word>) -> Vec<M::Word> {
    let firsts = |inside: usize| (0..words.len()).filter(move |word| word / inside % 2 == 0).collect::<Vec<_>>();
    match *step {
        Step::Select { inside, bit } => {
            let select = |first: usize| machine.select(bit, words[first + inside].clone(), words[first].clone());
            firsts(inside).into_iter().map(select).collect()
        }
        Step::Swap { inside, bit } => {
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
        Step::Give { inside, bit, valid } => {
            let give = |first: usize| {
                let (own, other) = if valid { (first + inside, first) } else { (first, first + inside) };
                let (own, taken) = (words[own].clone(), machine.across(bit, words[other].clone()));
                let (set, clear) = if valid { (own, taken) } else { (taken, own) };
                machine.select(bit, set, clear)
            };
            firsts(inside).into_iter().map(give).collect()
        }
        Step::Shuffle { ref from, words: ref taken } => {
            taken.iter().map(|&(word, more)| machine.from(from, more, words[word].clone())).collect()
        }
        Step::Rename { words: ref taken } => taken.iter().map(|&word| words[word].clone()).collect(),
    }
}

/// Where the digits are while the steps are carried out.
struct State<'p> {
    plan: &'p RegisterCopy,
    bits: Vec<Place>,
    /// Digits of the words' numbers, the last one fastest; those that share a word left out.
    held: Vec<usize>,
}

/// The steps of a plan.
///
/// # Errors
/// Exchanges after which the digits are not where the destination has them.
pub(super) fn steps(plan: &RegisterCopy) -> Result<Steps, String> {
    let target = places(&plan.dst.layout, plan.threads).map_err(|reason| format!("the destination: {reason}"))?;
    let bits = places(&plan.src.layout, plan.threads).map_err(|reason| format!("the source: {reason}"))?;
    let mut state = State { plan, bits, held: held(plan, &plan.src.layout.shard) };
    let before = state.words(&state.held);
    let mut steps = Vec::new();
    for &(digit, bit) in &plan.exchanges {
        steps.push(state.exchange(digit, bit)?);
    }
    steps.extend(state.finish(&target)?);
    Ok(Steps { before, steps })
}

/// Digits in registers, those that share a word left out.
fn held(plan: &RegisterCopy, shard: &[tile_layout::Iter]) -> Vec<usize> {
    let whole = shard.len().saturating_sub(plan.packed);
    (0..whole).filter(|&digit| shard[digit].axis == Axis::Memory).collect()
}

impl State<'_> {
    fn extent(&self, digit: usize) -> usize {
        usize::try_from(self.plan.src.layout.shard[digit].extent).unwrap_or(usize::MAX)
    }

    fn words(&self, digits: &[usize]) -> usize {
        digits.iter().fold(1, |words: usize, &digit| words.saturating_mul(self.extent(digit)))
    }

    fn exchange(&mut self, digit: usize, bit: u32) -> Result<Step, String> {
        let none = || format!("digit {digit} does not change places with bit {bit}");
        let at =
            self.held.iter().position(|held| *held == digit).filter(|_| self.extent(digit) == 2).ok_or_else(none)?;
        let inside = self.words(&self.held[at + 1..]);
        let place = *self.bits.get(bit as usize).ok_or_else(none)?;
        let in_warp = (bit as usize) < LANE_BITS;
        self.bits[bit as usize] = Place::Digit(digit);
        match place {
            Place::Same => {
                self.held.remove(at);
                Ok(Step::Select { inside, bit })
            }
            Place::Digit(other) if in_warp => {
                self.held[at] = other;
                Ok(Step::Swap { inside, bit })
            }
            Place::Fixed(valid) if in_warp => {
                self.held.remove(at);
                Ok(Step::Give { inside, bit, valid })
            }
            _ => Err(format!("{}: it is {place:?}", none())),
        }
    }

    /// The last step: every word to its lane and its number. None where all are there.
    fn finish(&self, target: &[Place]) -> Result<Option<Step>, String> {
        let (mut from, mut gathered) = (Lanes::default(), Vec::new());
        let mut stays = true;
        for (bit, &place) in self.bits.iter().enumerate() {
            let wanted = target[bit];
            let own = match place {
                Place::Digit(_) | Place::Part(_) => wanted == place,
                Place::Same => !matches!(wanted, Place::Part(_)),
                Place::Fixed(_) => wanted == place,
            };
            if own {
                from.kept |= 1 << bit;
                continue;
            }
            stays = false;
            if bit >= LANE_BITS || matches!(place, Place::Part(_) | Place::Same) {
                return Err(format!("bit {bit} of the thread's number is {place:?}, then {wanted:?}"));
            }
            match place {
                Place::Digit(digit) => match target.iter().position(|other| *other == place) {
                    Some(to) if to < LANE_BITS => from.moved.push((to as u32, bit as u32)),
                    Some(to) => return Err(format!("digit {digit} goes from lane bit {bit} to bit {to}")),
                    None => gathered.push((digit, bit)),
                },
                Place::Fixed(valid) => from.set |= i64::from(valid) << bit,
                Place::Part(_) | Place::Same => {}
            }
        }
        from.kept &= WARP - 1;
        for (bit, place) in target.iter().enumerate() {
            if let Place::Digit(digit) | Place::Part(digit) = *place
                && !self.bits.contains(place)
            {
                return Err(format!("digit {digit} is not in bit {bit} of the thread's number, nor in another"));
            }
        }
        self.renamed(stays, from, &gathered)
    }

    fn renamed(&self, stays: bool, from: Lanes, gathered: &[(usize, usize)]) -> Result<Option<Step>, String> {
        let wanted = held(self.plan, &self.plan.dst.layout.shard);
        let mut found: Vec<usize> = self.held.iter().copied().chain(gathered.iter().map(|(digit, _)| *digit)).collect();
        found.sort_unstable();
        if found != wanted {
            return Err(format!("the digits in registers are {found:?}; needed {wanted:?}"));
        }
        let words: Vec<(usize, i64)> =
            (0..self.words(&wanted)).map(|word| self.word(word, &wanted, gathered)).collect();
        if !stays {
            return Ok(Some(Step::Shuffle { from, words }));
        }
        let words: Vec<usize> = words.into_iter().map(|(word, _)| word).collect();
        let same = words.iter().enumerate().all(|(to, from)| to == *from);
        Ok((!same).then_some(Step::Rename { words }))
    }

    /// Which word the `number`-th word of the destination is now, and the bits of the lane that has it.
    fn word(&self, number: usize, wanted: &[usize], gathered: &[(usize, usize)]) -> (usize, i64) {
        let mut rest = number;
        let mut values = vec![0; self.plan.src.layout.shard.len()];
        for &digit in wanted.iter().rev() {
            values[digit] = rest % self.extent(digit);
            rest /= self.extent(digit);
        }
        let word = self.held.iter().fold(0, |word, &digit| word * self.extent(digit) + values[digit]);
        (word, gathered.iter().map(|&(digit, bit)| (values[digit] as i64) << bit).sum())
    }
}
