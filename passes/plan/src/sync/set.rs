//! Sets of small numbers.

/// A set of numbers below a limit, as a bit set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    words: Vec<u64>,
}

impl Set {
    /// The empty set, for numbers below `limit`.
    pub fn new(limit: usize) -> Self {
        Set { words: vec![0; limit.div_ceil(64)] }
    }

    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Adds all numbers of another set; returns whether one of them was new.
    pub fn add(&mut self, other: &Set) -> bool {
        let mut new = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            new |= other & !*word != 0;
            *word |= other;
        }
        new
    }

    /// Removes all numbers that are not in another set.
    pub fn keep(&mut self, other: &Set) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.words.iter().enumerate().flat_map(move |(at, &word)| bits(word).map(move |bit| 64 * at + bit))
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let numbers: Vec<usize> = numbers.into_iter().collect();
        let mut set = Set::new(numbers.iter().max().map_or(0, |most| most + 1));
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}
