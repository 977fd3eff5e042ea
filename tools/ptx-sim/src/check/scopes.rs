//! What a release and an acquire have in common: the word that carries it, and scopes that include both threads (PTX ISA 8.7.1).

use crate::code::Scope;

/// A word, by the number of its memory (see the caller) and its offset there.
pub(crate) type WordAddress = (u64, u64);

/// Whether the scopes of two operations, each with its block, include each other's thread.
pub(crate) fn inclusive(a: (u32, Scope), b: (u32, Scope), cluster: u32) -> bool {
    let scope = a.1.min(b.1);
    a.0 == b.0 || scope >= Scope::Gpu || (scope == Scope::Cluster && a.0 / cluster.max(1) == b.0 / cluster.max(1))
}
