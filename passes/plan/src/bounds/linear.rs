//! Sums of multiples of terms.

use std::collections::BTreeMap;

use super::term::Term;

/// `constant + Σ factor · term`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The factors, none of them 0.
    pub factors: BTreeMap<Term, i128>,
    /// The number.
    pub constant: i128,
}

/// More than any sum of what is here: beyond that nothing is proved.
const MOST: i128 = 1 << 100;

impl Linear {
    /// A number.
    pub fn constant(constant: i128) -> Self {
        Linear { factors: BTreeMap::new(), constant }
    }

    /// A term.
    pub fn term(term: Term) -> Self {
        Linear { factors: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    /// `self + factor · other`; `None` beyond numbers that are added without doubt.
    pub fn plus(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let small = |value: i128| (-MOST..=MOST).contains(&value).then_some(value);
        let sum = |a: i128, b: i128| small(a.checked_add(b.checked_mul(factor)?)?);
        let mut result = self.clone();
        result.constant = sum(result.constant, other.constant)?;
        for (&term, &by) in &other.factors {
            let entry = result.factors.entry(term).or_insert(0);
            *entry = sum(*entry, by)?;
            if *entry == 0 {
                result.factors.remove(&term);
            }
        }
        Some(result)
    }

    /// `factor · self`.
    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::constant(0).plus(self, factor)
    }

    /// The number, where there is no term.
    pub fn as_constant(&self) -> Option<i128> {
        self.factors.is_empty().then_some(self.constant)
    }
}
