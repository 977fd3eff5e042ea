//! The selects and shuffles that bring the digits of the source to where the destination has them.

use tile_isa::WARP;
use tile_layout::{Axis, Iter, Layout};

use crate::families::registers::places::{ThreadBit, thread_bits};
use crate::families::registers::steps::{LANE_BITS, Lanes, RegisterStep, Steps, Swap};
use crate::problem::refusal::Refusal;

/// Where digits are, where they must go, and the exchanges to use.
pub(super) struct DigitMoves<'p> {
    /// The digits of the source.
    pub src: &'p Layout,
    /// The digits of the destination.
    pub dst: &'p Layout,
    /// Threads of the scope.
    pub threads: i64,
    /// Trailing digits that share a word.
    pub packed: usize,
    /// Digits, each with the bit that it is exchanged with.
    pub exchanges: &'p [(usize, u32)],
}

/// Where the digits are after the steps so far.
struct ScheduleState<'p> {
    question: &'p DigitMoves<'p>,
    bits: Vec<ThreadBit>,
    /// Digits of the word index, the last one fastest, without those that share a word.
    held: Vec<usize>,
}

pub(super) fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-register-copy", reason.to_string())
}

/// The steps of a plan.
///
/// # Errors
/// `malformed-register-copy`: exchanges that do not bring the digits to where the destination has them.
pub(super) fn steps(question: &DigitMoves<'_>) -> Result<Steps, Refusal> {
    let target =
        thread_bits(question.dst, question.threads).map_err(|error| malformed(format!("the destination: {error}")))?;
    let bits =
        thread_bits(question.src, question.threads).map_err(|error| malformed(format!("the source: {error}")))?;
    let mut state = ScheduleState { question, bits, held: held(question, &question.src.shard) };
    let before = state.words(&state.held);
    let mut steps = Vec::new();
    for &(digit, bit) in question.exchanges {
        steps.push(state.exchange(digit, bit)?);
    }
    steps.extend(state.finish(&target)?);
    Ok(Steps { before, steps })
}

/// Digits in registers, without those that share a word.
fn held(question: &DigitMoves<'_>, shard: &[Iter]) -> Vec<usize> {
    let whole = shard.len().saturating_sub(question.packed);
    (0..whole).filter(|&digit| shard[digit].axis == Axis::Memory).collect()
}

impl ScheduleState<'_> {
    fn extent(&self, digit: usize) -> usize {
        usize::try_from(self.question.src.shard[digit].extent).unwrap_or(usize::MAX)
    }

    fn words(&self, digits: &[usize]) -> usize {
        digits.iter().fold(1, |words: usize, &digit| words.saturating_mul(self.extent(digit)))
    }

    fn exchange(&mut self, digit: usize, bit: u32) -> Result<RegisterStep, Refusal> {
        let none = || malformed(format!("digit {digit} cannot be exchanged with bit {bit}"));
        let at =
            self.held.iter().position(|held| *held == digit).filter(|_| self.extent(digit) == 2).ok_or_else(none)?;
        let inside = self.words(&self.held[at + 1..]);
        let place = *self.bits.get(bit as usize).ok_or_else(none)?;
        let in_warp = (bit as usize) < LANE_BITS;
        self.bits[bit as usize] = ThreadBit::Digit(digit);
        match place {
            ThreadBit::Same => {
                self.held.remove(at);
                Ok(RegisterStep::Select { inside, bit })
            }
            ThreadBit::Digit(other) if in_warp => {
                self.held[at] = other;
                Ok(RegisterStep::Swap(Swap { inside, bit }))
            }
            ThreadBit::Fixed(valid) if in_warp => {
                self.held.remove(at);
                Ok(RegisterStep::Give { inside, bit, valid })
            }
            _ => Err(malformed(format!("{}: it is {place:?}", none()))),
        }
    }

    /// The last step, which brings every word to its lane and index; `None` where all are there.
    fn finish(&self, target: &[ThreadBit]) -> Result<Option<RegisterStep>, Refusal> {
        let (mut from, mut gathered) = (Lanes::default(), Vec::new());
        let mut stays = true;
        for (bit, &place) in self.bits.iter().enumerate() {
            let wanted = target[bit];
            let is_kept = match place {
                ThreadBit::Digit(_) | ThreadBit::Part(_) => wanted == place,
                ThreadBit::Same => !matches!(wanted, ThreadBit::Part(_)),
                ThreadBit::Fixed(_) => wanted == place,
            };
            if is_kept {
                from.kept |= 1 << bit;
                continue;
            }
            stays = false;
            if bit >= LANE_BITS || matches!(place, ThreadBit::Part(_) | ThreadBit::Same) {
                return Err(malformed(format!("bit {bit} of the thread's number is {place:?}, then {wanted:?}")));
            }
            match place {
                ThreadBit::Digit(digit) => match target.iter().position(|other| *other == place) {
                    Some(to) if to < LANE_BITS => from.moved.push((to as u32, bit as u32)),
                    Some(to) => return Err(malformed(format!("digit {digit} goes from lane bit {bit} to bit {to}"))),
                    None => gathered.push((digit, bit)),
                },
                ThreadBit::Fixed(valid) => from.set |= i64::from(valid) << bit,
                ThreadBit::Part(_) | ThreadBit::Same => {}
            }
        }
        from.kept &= WARP - 1;
        for (bit, place) in target.iter().enumerate() {
            if let ThreadBit::Digit(digit) | ThreadBit::Part(digit) = *place
                && !self.bits.contains(place)
            {
                return Err(malformed(format!(
                    "digit {digit} is not in bit {bit} of the thread's number, nor in another"
                )));
            }
        }
        self.renamed(stays, from, &gathered)
    }

    fn renamed(&self, stays: bool, from: Lanes, gathered: &[(usize, usize)]) -> Result<Option<RegisterStep>, Refusal> {
        let wanted = held(self.question, &self.question.dst.shard);
        let mut after: Vec<usize> = self.held.iter().copied().chain(gathered.iter().map(|(digit, _)| *digit)).collect();
        after.sort_unstable();
        if after != wanted {
            return Err(malformed(format!("the digits in registers are {after:?}; needed {wanted:?}")));
        }
        let words = self.sources(&wanted, gathered);
        if !stays {
            return Ok(Some(RegisterStep::Shuffle { from, words }));
        }
        let words: Vec<usize> = words.into_iter().map(|(word, _)| word).collect();
        let same = words.iter().enumerate().all(|(to, from)| to == *from);
        Ok((!same).then_some(RegisterStep::Rename { words }))
    }

    /// For each word of the destination, its current index and the bits that select the lane that has it. `wanted` are the digits of the
    /// destination's words.
    fn sources(&self, wanted: &[usize], gathered: &[(usize, usize)]) -> Vec<(usize, i64)> {
        let mut words = Vec::with_capacity(self.words(wanted));
        words.push((0, 0));
        // From the fastest digit on, each repeats what faster ones have.
        for &digit in wanted.iter().rev() {
            let at = self.held.iter().position(|held| *held == digit);
            let step = at.map_or(0, |at| self.words(&self.held[at + 1..]));
            let bit = gathered.iter().find(|(other, _)| *other == digit).map(|(_, bit)| *bit);
            let faster = words.len();
            for value in 1..self.extent(digit) {
                let lane = bit.map_or(0, |bit| (value as i64) << bit);
                let first = words.len();
                words.extend_from_within(..faster);
                words[first..].iter_mut().for_each(|(word, bits)| {
                    *word += value * step;
                    *bits += lane;
                });
            }
        }
        words
    }
}
