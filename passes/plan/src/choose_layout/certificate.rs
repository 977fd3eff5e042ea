//! The result of a choice, and what is proved of it.

use std::fmt;

use tile_layout::Layout;

pub use super::bound::WavefrontBound;

/// What one access costs under the chosen layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessCost {
    /// Wavefronts of all its executions.
    pub wavefronts: i64,
    /// Wavefronts if it had no conflicts.
    pub ideal: i64,
    /// Bytes that a lane moves at once: fewer than asked for where the vectors of accesses run along different elements.
    pub bytes: i64,
}

impl AccessCost {
    /// Wavefronts that conflicts add.
    pub fn conflicts(&self) -> i64 {
        self.wavefronts - self.ideal
    }
}

/// A layout, what it costs, and what is proved of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutChoice {
    /// The layout.
    pub layout: Layout,
    /// The elements that it spans, padding included.
    pub elements: i64,
    /// The cost of each access of the problem.
    pub costs: Vec<AccessCost>,
    /// What is proved.
    pub certificate: Certificate,
}

/// What is proved of a choice; [`check`](super::check()) verifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// No access has a conflict.
    NoConflicts,
    /// Some access has conflicts in any layout that keeps vectors of one of the accesses contiguous: a bound for each kind of vectors.
    Unavoidable {
        /// The bounds, none of which is below the choice.
        bounds: Vec<WavefrontBound>,
    },
    /// No other layout of the engine is better.
    LeastOfModes {
        /// The engine.
        engine: &'static str,
        /// The number of its layouts.
        modes: usize,
        /// Wavefronts that conflicts would add if any layout could be had.
        free: i64,
    },
    /// None of the layouts that were tried is better; that others are not is not proved.
    LeastOfTried {
        /// Their number.
        layouts: usize,
    },
}

impl fmt::Display for Certificate {
    /// `0 conflicts`, `2 ways are unavoidable for one of accesses 0, 1 and 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certificate::NoConflicts => f.write_str("0 conflicts"),
            Certificate::Unavoidable { bounds } => {
                let Some(bound) = bounds.iter().min_by_key(|bound| bound.least) else { return Ok(()) };
                let mut before = "";
                for (access, ways) in &bound.alone {
                    write!(
                        f,
                        "{before}{ways} ways are unavoidable for access {access} beside the vectors of access {}",
                        bound.vectors_of
                    )?;
                    before = ", ";
                }
                for [a, b, c] in &bound.triples {
                    write!(f, "{before}2 ways are unavoidable for one of accesses {a}, {b} and {c}")?;
                    before = ", ";
                }
                Ok(())
            }
            Certificate::LeastOfModes { engine, modes, free } => {
                write!(f, "least of the {modes} layouts that {engine} has; a free choice would have {free} conflicts")
            }
            Certificate::LeastOfTried { layouts } => write!(f, "least of {layouts} orders, swizzles and paddings"),
        }
    }
}
