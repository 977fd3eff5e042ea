//! Random numbers of a seed, for programs that a test draws.

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
