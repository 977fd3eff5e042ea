//! The distances that one loop adds to the starts of two accesses.

use std::collections::BTreeSet;

use tile_layout::gcd;

use super::{Apart, Distance, MAX_DISTANCES};
use crate::sync::periodic::{Periodic, common};

/// The multiples of a step that a value adds between two iterations.
pub(super) struct Multiples {
    /// The step.
    pub step: i64,
    /// The least multiple, where it is known.
    pub least: Option<i64>,
    /// Whether the value may be the same in both.
    pub zero: bool,
}

impl Multiples {
    /// Those within a span; `None` where there are too many.
    pub fn within(&self, span: i64) -> Option<Vec<Distance>> {
        let most = span.checked_div(self.step.checked_abs()?)?;
        let least = self.least.unwrap_or(-most);
        if most.saturating_sub(least) > MAX_DISTANCES as i64 {
            return None;
        }
        let all = (least..=most).filter(|&times| self.zero || times != 0);
        all.map(|times| Some((self.step.checked_mul(times)?, None))).collect()
    }
}

/// The parts of two starts that depend on the iteration of one loop.
pub(super) struct StartPair {
    pub first: Periodic,
    pub second: Periodic,
    pub trips: Option<i64>,
}

impl StartPair {
    /// The distances between two iterations that are related by `apart`. With a span, distances beyond it may be left
    /// out. `None` where there are too many.
    pub fn between(&self, apart: Apart, span: Option<i64>) -> Option<Vec<Distance>> {
        match apart {
            Apart::Any => self.any(span),
            Apart::At(k) if self.trips.is_some_and(|trips| k >= trips) => Some(Vec::new()),
            Apart::At(k) => Some(vec![(self.second.at(k)?.checked_sub(self.first.at(0)?)?, None)]),
            Apart::From(k) => self.from(k, span),
            Apart::Same => self.carried(0, span),
            Apart::Later(by) => self.carried(by, span),
            Apart::AtLeast(least) => {
                let seen = self.last(span).and_then(|more| least.checked_add(more));
                let end = seen.into_iter().chain(self.trips).min()?;
                if end - least > MAX_DISTANCES as i64 {
                    return None;
                }
                let mut distances = Vec::new();
                for by in least..end {
                    distances.extend(self.carried(by, span)?);
                    if distances.len() > 16 * MAX_DISTANCES {
                        return None;
                    }
                }
                Some(distances)
            }
        }
    }

    /// The distances where the first is outside the loop, and the second in iteration `k` or a later one.
    fn from(&self, k: i64, span: Option<i64>) -> Option<Vec<Distance>> {
        let (first, second) = (self.first.at(0)?, &self.second);
        let end = match (self.trips, second.gain().checked_abs()?) {
            (Some(trips), _) => trips,
            (None, 0) => k.checked_add(second.period())?,
            (None, gain) => {
                let reach = span?.checked_add(spread(second, second.period()))?.checked_add(first.checked_abs()?)?;
                k.checked_add(second.period().checked_mul(reach / gain + 2)?)?
            }
        };
        let values = (k..end).take(MAX_DISTANCES + 1).map(|k| Some((second.at(k)?.checked_sub(first)?, None)));
        values.collect::<Option<Vec<_>>>().filter(|distances| distances.len() <= MAX_DISTANCES)
    }

    /// The common period of both, and what it adds to each.
    fn gains(&self) -> Option<(i64, i64, i64)> {
        let period = common(self.first.period(), self.second.period())?;
        Some((period, self.first.over(period)?.gain(), self.second.over(period)?.gain()))
    }

    /// The span, plus the largest distance that the two may have within one period, before gains are added.
    fn reach(&self, period: i64, span: i64) -> Option<i64> {
        span.checked_add(spread(&self.first, period).checked_add(spread(&self.second, period))?)
    }

    /// The number of further iterations after which all distances have been seen or lie beyond the span.
    ///
    /// Let each period add `a` to the first and `b` to the second. The second, `y` periods after the first in period
    /// `x`, is then `(b - a) * x + b * y` away. For every `x` that grows with `y` only if `b - a` is 0 or has the sign
    /// of `b`.
    fn last(&self, span: Option<i64>) -> Option<i64> {
        let (period, a, b) = self.gains()?;
        let more = b.checked_sub(a)?;
        match b.checked_abs()? {
            0 => Some(period),
            gain if more == 0 || (more > 0) == (b > 0) => period.checked_mul(self.reach(period, span?)? / gain + 2),
            _ => None,
        }
    }

    /// The distances where the second comes `by` iterations later.
    fn carried(&self, by: i64, span: Option<i64>) -> Option<Vec<Distance>> {
        let pairs = self.trips.map(|trips| trips - by);
        if pairs.is_some_and(|pairs| pairs <= 0) {
            return Some(Vec::new());
        }
        // With equal gains, one period shows all distances; with different gains, the distances grow beyond the span.
        let seen = self.gains().and_then(|(period, a, b)| match b.checked_sub(a)?.checked_abs()? {
            0 => Some(period),
            gain => {
                let late = b.checked_mul(by / period + 1)?.checked_abs()?;
                period.checked_mul(self.reach(period, span?)?.checked_add(late)? / gain + 2)
            }
        });
        let count = match (seen, pairs) {
            (Some(seen), pairs) => pairs.map_or(seen, |pairs| pairs.min(seen)),
            (None, pairs) => pairs?,
        };
        if count > MAX_DISTANCES as i64 {
            return None;
        }
        let later = (by > 0).then_some(by);
        (0..count).map(|k| Some((self.second.at(k + by)?.checked_sub(self.first.at(k)?)?, later))).collect()
    }

    /// The distances of any two iterations.
    fn any(&self, span: Option<i64>) -> Option<Vec<Distance>> {
        let seen = |periodic: &Periodic| match (periodic.gain(), self.trips) {
            (0, trips) => Some(trips.map_or(periodic.period(), |trips| trips.min(periodic.period()))),
            (_, Some(trips)) if trips <= 64 => Some(trips),
            _ => None,
        };
        let Some((a, b)) = seen(&self.first).zip(seen(&self.second)) else { return self.reached(span?) };
        let mut distances = Vec::new();
        for k in 0..a {
            for later in 0..b {
                distances.push((self.second.at(later)?.checked_sub(self.first.at(k)?)?, None));
            }
        }
        Some(distances)
    }

    /// The distances of any two iterations, within the span: for each pair of positions in the two periods, all that
    /// differ by multiples of the greatest common divisor of the gains.
    fn reached(&self, span: i64) -> Option<Vec<Distance>> {
        let step = gcd(self.first.gain().checked_abs()?, self.second.gain().checked_abs()?);
        let mut distances = BTreeSet::new();
        for k in 0..self.first.period() {
            for later in 0..self.second.period() {
                let one = self.second.at(later)?.checked_sub(self.first.at(k)?)?;
                let mut next = one.checked_add(span)?.rem_euclid(step) - span;
                while next <= span {
                    distances.insert(next);
                    next = next.checked_add(step)?;
                    if distances.len() > MAX_DISTANCES {
                        return None;
                    }
                }
            }
        }
        Some(distances.into_iter().map(|distance| (distance, None)).collect())
    }
}

/// The largest absolute value within one period.
fn spread(periodic: &Periodic, period: i64) -> i64 {
    (0..period).map(|k| periodic.at(k).map_or(i64::MAX, i64::saturating_abs)).max().unwrap_or(0)
}
