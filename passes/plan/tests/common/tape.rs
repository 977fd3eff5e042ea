//! Random choices: a tape of numbers, read in sequence, that proptest can shrink; and random numbers from a seed, for
//! programs that a test draws.

use proptest::prelude::*;

/// The choices; 0 once they are used up, so that shorter tapes make simpler problems.
#[derive(Clone, Debug)]
pub struct Tape {
    numbers: Vec<u32>,
    next: usize,
}

/// Any tape.
pub fn tapes() -> impl Strategy<Value = Tape> {
    prop::collection::vec(any::<u32>(), 80).prop_map(|numbers| Tape { numbers, next: 0 })
}

impl Tape {
    fn draw(&mut self) -> u32 {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number
    }

    /// One of `0..count`.
    pub fn below(&mut self, count: i64) -> i64 {
        i64::from(self.draw()) % count.max(1)
    }

    /// True in `part` of `whole` draws; false on an empty tape.
    pub fn chance(&mut self, part: i64, whole: i64) -> bool {
        self.below(whole) >= whole - part
    }

    /// One of the choices; the first on an empty tape.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as i64) as usize].clone()
    }

    /// A random order; the given one on an empty tape.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in 0..items.len() {
            let other = index + self.below((items.len() - index) as i64) as usize;
            items.swap(index, other);
        }
    }
}

/// A xorshift generator; its state must not be 0.
pub struct Draw(pub u64);

impl Draw {
    /// The next number, from 0 to `limit` - 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
