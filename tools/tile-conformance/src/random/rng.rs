//! Numbers without a visible order, the same on every machine (SplitMix64).

/// A stream of numbers.
pub(super) struct Rng(u64);

impl Rng {
    /// Stream `number` of a seed.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut rng = Rng(seed);
        let first = rng.next();
        Rng(first ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next().checked_rem(limit).unwrap_or(0)
    }

    /// One of some things, of which there is at least one.
    pub(super) fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len() as u64) as usize]
    }

    /// Another order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}
