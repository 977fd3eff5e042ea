//! Refusals in words.

use std::fmt;

use crate::counted;

use super::{Blocker, Cause, DynamicTerm, Example};

impl fmt::Display for Blocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blocker { width, needed, proven, .. } = self;
        write!(f, "{width} elements at a time: ")?;
        match &self.cause {
            Cause::Innermost(iter) => write!(f, "innermost iter {iter} needs stride 1 in memory, not {proven}")?,
            Cause::Extent(iter) => {
                write!(f, "innermost iter {iter} needs an extent that is a multiple of {needed}, not {proven}")?;
            }
            Cause::Offset => write!(f, "the offset needs to be a multiple of {needed}, not {proven}")?,
            Cause::Stride(iter) => {
                write!(f, "iter {iter} needs a stride that is a multiple of {needed}, not {proven}")?
            }
            Cause::Dynamic(position, term) => write!(
                f,
                "dynamic term {position}, {term}, needs to move in multiples of {}, not {proven}",
                counted(*needed, "element")
            )?,
            Cause::Swizzle(swizzle) => {
                write!(f, "{swizzle} keeps {} together, not {needed}", counted(*proven, "element"))?
            }
            Cause::Base => {
                write!(f, "the base needs an alignment of {}; proven is {proven}", counted(*needed, "byte"))?
            }
        }
        match &self.example {
            Some(example) => write!(f, "; {example}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for DynamicTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} * n with n = {} mod {}", self.stride, self.residue, self.divisor)
    }
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "element {} at ({})", self.linear, list(&self.digits))?;
        if !self.dynamic.is_empty() {
            write!(f, " with n = {}", list(&self.dynamic))?;
        }
        write!(f, " is at address {}", self.address)?;
        if self.base != 0 { write!(f, " from byte {} on", self.base) } else { Ok(()) }
    }
}
