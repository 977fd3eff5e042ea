//! What must hold of a number for a thread to take part.

/// Something that must hold for a thread to take part, or for an element to be in the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<V> {
    /// What is tested.
    pub value: V,
    /// How.
    pub test: Test,
}

/// A test of a [`Condition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `value == 0`.
    Zero,
    /// `0 <= value < limit`.
    Within(i64),
}

impl Condition<i64> {
    /// Does it hold?
    pub fn holds(&self) -> bool {
        match self.test {
            Test::Zero => self.value == 0,
            Test::Within(limit) => (0..limit).contains(&self.value),
        }
    }
}
