//! What is known of values while a kernel is read.

/// A value's number.
pub(super) type Id = usize;

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// An index of 64 bits, which becomes a number where it is computed with.
    Index(i64),
    /// Its lanes.
    Lanes(Vec<Id>),
    /// A memref.
    Memory(View),
}

/// An index: known, or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Known(i64),
    Value(Id),
}

/// A memref, in elements.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The number of its memory.
    pub memory: usize,
    /// Bits of an element.
    pub bits: u32,
    /// Where its memory begins, of which the offset is counted.
    pub base: Term,
    pub offset: Term,
    pub extents: Vec<Term>,
    pub strides: Vec<Term>,
}
