//! Run-time integers as a graph of terms, and what is known of them.
//!
//! ```text
//!   %o = arith.muli %i, %c8              residue: a multiple of 8    range: 8 times that of %i    linear: 8 · i
//!   %w = arith.divui %thread, %c32       spread: 0, …, 0, 1, …, 1: the same within each warp
//! ```
//!
//! The same [`Terms`] are evaluated for one thread of one block, and reasoned about for all threads and blocks. Each domain
//! is one function that gives what is known of a term from what is known of its operands, in the arithmetic of the IR with
//! its widths:
//!
//! | module | what it says about a term |
//! | --- | --- |
//! | [`residue`] | what divides it, with which remainder |
//! | [`range`](mod@range) | its least and its largest value |
//! | [`linear`] | the sum of multiples of other terms that it is |
//! | [`spread`] | its value for each thread, or which threads have the same |

mod graph;
pub mod linear;
pub mod range;
pub mod residue;
pub mod spread;

pub use graph::{Node, Promise, Symbol, SymbolFacts, SymbolSource, Term, Terms};
pub use linear::Linear;
