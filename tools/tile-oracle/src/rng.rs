//! Pseudo-random numbers that are the same on every machine (SplitMix64).

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Stream `number` of a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut rng = Rng(seed);
        let first = rng.next();
        Rng(first ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`; 0 for a limit of 0 or less.
    pub fn below(&mut self, limit: i64) -> i64 {
        u64::try_from(limit).ok().and_then(|limit| self.next().checked_rem(limit)).unwrap_or(0) as i64
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: i64) -> bool {
        self.below(times) == 0
    }

    /// One of `things`, which is not empty.
    pub fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len() as i64) as usize]
    }

    /// Shuffles `things`.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as i64 + 1) as usize);
        }
    }
}
