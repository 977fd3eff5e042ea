//! Bytes that change places between the words of a thread, as `prmt`, which takes any four of the eight bytes of two words.
//!
//! A word of bytes from three or four words takes intermediate words. Each holds bytes of one pair of words, and has room for those of two
//! results:
//!
//! ```text
//!   a  a0 a1 a2 a3         a, b ─▶ a0 b0 a1 b1 ┐                 a0 b0 c0 d0
//!   b  b0 b1 b2 b3                             ├─▶ two results    a1 b1 c1 d1
//!   c  c0 c1 c2 c3         c, d ─▶ c0 d0 c1 d1 ┘
//!   d  d0 d1 d2 d3         likewise a2 b2 a3 b3, and the other two: 8 instructions for 4 words
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::plan::RegisterCopy;
use crate::problem::role::Role;

/// Bytes of a word.
pub const WORD_BYTES: usize = 4;

/// One `prmt`: two words, and for each byte of the result the number of a byte among their eight, in four bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BytePermute {
    /// The words, by their numbers.
    pub words: [usize; 2],
    /// The selector, that of byte 0 in the lowest bits.
    pub selector: u16,
}

/// The instructions that make words of bytes of other words.
///
/// ```
/// use tile_plan::families::registers::permutes::BytePermutes;
///
/// // A transpose of 4x4 bytes: byte 4 i + j of the result is byte 4 j + i.
/// let transposed: Vec<usize> = (0..16).map(|at| at % 4 * 4 + at / 4).collect();
/// let plan = BytePermutes::new(4, &transposed);
/// assert_eq!((plan.permutes.len(), plan.results.len()), (8, 4));
/// assert_eq!(plan.permutes[0].selector, 0x5140);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytePermutes {
    /// The instructions, in order. The result of the first has the number that follows those of the given words, and so on.
    pub permutes: Vec<BytePermute>,
    /// The number of each word that is asked for.
    pub results: Vec<usize>,
}

impl BytePermutes {
    /// The instructions for words whose byte `n` is byte `bytes[n]` of the `given` words.
    pub fn new(given: usize, bytes: &[usize]) -> Self {
        let mut builder = PermuteBuilder { given, drafts: Vec::new(), of_pairs: BTreeMap::new() };
        let results = bytes.chunks(WORD_BYTES).map(|bytes| builder.word(bytes)).collect();
        BytePermutes { permutes: builder.drafts.iter().map(Draft::permute).collect(), results }
    }
}

impl RegisterCopy {
    /// The instructions of a copy that moves bytes within each thread, from and to whole words, in the order of the registers. `None`
    /// where lanes exchange words, elements have several bytes, or no word changes.
    pub fn byte_permutes(&self) -> Option<BytePermutes> {
        let is_of_bytes = self.conversion.is_none() && self.element_bits == u8::BITS;
        let sources = self.steps().ok().filter(|_| is_of_bytes)?.sources()?;
        let (from, _) = (self.word_bytes(Role::Src)?, self.word_bytes(Role::Dst)?);
        let bytes: Vec<usize> = self.by_register(Role::Dst).iter().map(|&at| from[sources[at]]).collect();
        let permutes = BytePermutes::new(from.len() / WORD_BYTES, &bytes);
        (!permutes.permutes.is_empty()).then_some(permutes)
    }

    /// The byte that each of the registers of a side is, counted from the first, if together they are whole words.
    fn word_bytes(&self, role: Role) -> Option<Vec<usize>> {
        let (registers, order) = (self.registers(role), self.by_register(role));
        let first = registers[*order.first()?];
        let is_dense = order.iter().zip(first..).all(|(&at, register)| registers[at] == register);
        let is_whole = [first, registers.len() as i64].iter().all(|number| number % WORD_BYTES as i64 == 0);
        (is_dense && is_whole).then(|| registers.iter().map(|register| (register - first) as usize).collect())
    }
}

/// An instruction to which bytes may still be added: four at most.
struct Draft {
    words: [usize; 2],
    /// The word, first or second, and the byte in it.
    taken: Vec<(usize, usize)>,
}

impl Draft {
    fn permute(&self) -> BytePermute {
        let nibble = |(at, &(word, byte)): (usize, &(usize, usize))| ((word * WORD_BYTES + byte) << (4 * at)) as u16;
        BytePermute {
            words: self.words,
            selector: self.taken.iter().enumerate().map(nibble).fold(0, |all, one| all | one),
        }
    }
}

struct PermuteBuilder {
    given: usize,
    drafts: Vec<Draft>,
    /// The intermediate words of each pair of given words.
    of_pairs: BTreeMap<[usize; 2], Vec<usize>>,
}

impl PermuteBuilder {
    /// The number of a word of some bytes of the given words.
    fn word(&mut self, bytes: &[usize]) -> usize {
        let first = bytes.first().copied().unwrap_or(0);
        if first % WORD_BYTES == 0 && bytes.iter().enumerate().all(|(at, &byte)| byte == first + at) {
            return first / WORD_BYTES;
        }
        let mut from: Vec<usize> = bytes.iter().map(|byte| byte / WORD_BYTES).collect();
        from.sort_unstable();
        from.dedup();
        let halves: Vec<&[usize]> = if from.len() <= 2 { from.chunks(1).collect() } else { from.chunks(2).collect() };
        // The word that has the bytes of each half, and these bytes.
        let words: Vec<(usize, Vec<usize>)> = halves.into_iter().map(|half| self.half(half, bytes)).collect();
        let last = words.last().map_or(0, |(word, _)| *word);
        let place = |byte: &usize| {
            let in_word = |(_, held): &(usize, Vec<usize>)| held.iter().position(|held| held == byte);
            words.iter().enumerate().find_map(|(number, word)| Some((number, in_word(word)?))).unwrap_or_default()
        };
        let words_of = [words.first().map_or(0, |(word, _)| *word), last];
        self.drafts.push(Draft { words: words_of, taken: bytes.iter().map(place).collect() });
        self.given + self.drafts.len() - 1
    }

    /// A word that has those of the bytes that are of one or two given words, and the bytes that it has.
    fn half(&mut self, from: &[usize], bytes: &[usize]) -> (usize, Vec<usize>) {
        let pair = match *from {
            [one] => return (one, (one * WORD_BYTES..(one + 1) * WORD_BYTES).collect()),
            [one, two] => [one, two],
            _ => return (0, Vec::new()),
        };
        let place = |byte: usize| (usize::from(byte / WORD_BYTES != pair[0]), byte % WORD_BYTES);
        let needed: BTreeSet<(usize, usize)> =
            bytes.iter().filter(|byte| from.contains(&(*byte / WORD_BYTES))).map(|&byte| place(byte)).collect();
        let missing = |draft: &Draft| needed.iter().filter(|place| !draft.taken.contains(place)).count();
        let fits = |number: &&usize| self.drafts[**number].taken.len() + missing(&self.drafts[**number]) <= WORD_BYTES;
        let found = self.of_pairs.get(&pair).and_then(|all| all.iter().find(fits).copied());
        let number = found.unwrap_or_else(|| {
            self.drafts.push(Draft { words: pair, taken: Vec::new() });
            self.of_pairs.entry(pair).or_default().push(self.drafts.len() - 1);
            self.drafts.len() - 1
        });
        let taken = &mut self.drafts[number].taken;
        for place in needed {
            if !taken.contains(&place) {
                taken.push(place);
            }
        }
        let held = taken.iter().map(|&(word, byte)| pair[word] * WORD_BYTES + byte).collect();
        (self.given + number, held)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the instructions make of words whose bytes have different values.
    fn executed(plan: &BytePermutes, given: usize) -> Vec<usize> {
        let mut words: Vec<Vec<usize>> = (0..given).map(|word| (4 * word..4 * word + 4).collect()).collect();
        for permute in &plan.permutes {
            let both = permute.words.map(|word| words[word].clone()).concat();
            words.push((0..4).map(|at| both[usize::from(permute.selector >> (4 * at) & 7)]).collect());
        }
        plan.results.iter().flat_map(|&word| words[word].clone()).collect()
    }

    #[test]
    fn whole_words_take_no_instruction() {
        let plan = BytePermutes::new(3, &[8, 9, 10, 11, 0, 1, 2, 3]);
        assert_eq!(plan, BytePermutes { permutes: Vec::new(), results: vec![2, 0] });
    }

    #[test]
    fn transposes_take_two_instructions_a_word() {
        for (rows, columns) in [(4, 4), (4, 16), (16, 4), (16, 16), (8, 8)] {
            let from: Vec<usize> = (0..rows * columns).map(|at| at % rows * columns + at / rows).collect();
            let plan = BytePermutes::new(rows * columns / 4, &from);
            assert_eq!(executed(&plan, rows * columns / 4), from);
            assert_eq!(plan.permutes.len(), rows * columns / 2, "{rows}x{columns}");
        }
        // Two rows: each word is of two.
        let from: Vec<usize> = (0..16).map(|at| at % 2 * 8 + at / 2).collect();
        assert_eq!(BytePermutes::new(4, &from).permutes.len(), 4);
    }

    proptest! {
        #[test]
        fn any_bytes_in_at_most_three_instructions_a_word(bytes in prop::collection::vec(0usize..24, 1..16)) {
            let bytes: Vec<usize> = bytes.iter().cycle().take(bytes.len() * 4).copied().collect();
            let plan = BytePermutes::new(6, &bytes);
            prop_assert_eq!(executed(&plan, 6), bytes.clone());
            prop_assert!(plan.permutes.len() * 4 <= 3 * bytes.len());
        }
    }
}
