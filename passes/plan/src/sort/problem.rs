//! The sort to be planned.

use crate::scan::{Hooks, Requests};

/// How the bits of a key order it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// As an integer that is not negative.
    Unsigned,
    /// As an integer in two's complement.
    Signed,
    /// As a float, by sign and magnitude.
    Float,
}

/// A sort of an array whose length is known at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortProblem {
    /// How keys are ordered.
    pub kind: KeyKind,
    /// Bytes of a key: 1, 2, 4 or 8.
    pub key_bytes: i64,
    /// Bytes of a value, if there are values.
    pub value_bytes: Option<i64>,
    /// Whether the largest key comes first.
    pub is_descending: bool,
    /// The alignment of the first key, in bytes.
    pub alignment: i64,
    /// What the op requests.
    pub requests: Requests,
    /// Fault injection.
    pub hooks: Hooks,
}

impl SortProblem {
    /// An ascending sort without requests, of keys of so many bytes.
    pub fn new((kind, key_bytes): (KeyKind, i64), value_bytes: Option<i64>) -> Self {
        let (requests, hooks) = (Requests::default(), Hooks::default());
        SortProblem { kind, key_bytes, value_bytes, is_descending: false, alignment: 256, requests, hooks }
    }
}
