//! Random numbers that are the same everywhere (SplitMix64).

/// A stream of numbers.
pub struct Rng(u64);

impl Rng {
    /// The stream of one drawn thing: number `index` of those that `seed` gives.
    pub fn of(seed: u64, index: u64) -> Self {
        let mut rng = Rng(seed);
        let seed = rng.next();
        Rng(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of `all`.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// True once in `times` draws.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
