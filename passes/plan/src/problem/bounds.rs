//! Does a region that begins at a run-time value stay inside its buffer?

use std::fmt;

/// What is known of a region's begin in one dimension, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownBegin {
    /// The value in each thread that executes the copy, with the thread's index in the block, where all are known.
    pub threads: Option<Vec<(i64, i64)>>,
    /// Least and largest value.
    pub range: (i64, i64),
    /// The value is `residue` modulo `divisor`; a divisor below 2 says nothing.
    pub divisor: i64,
    /// In `0..divisor`.
    pub residue: i64,
}

impl KnownBegin {
    /// Nothing is known.
    pub const ANY: KnownBegin = KnownBegin { threads: None, range: (i64::MIN, i64::MAX), divisor: 1, residue: 0 };

    /// Least and largest value, the remainder considered; `None` when there is no such value.
    fn values(&self) -> Option<(i64, i64)> {
        let (least, most) = self.range;
        if self.divisor < 2 {
            return (least <= most).then_some((least, most));
        }
        let up = i128::from(self.residue - least.rem_euclid(self.divisor)).rem_euclid(self.divisor.into());
        let down = i128::from(most.rem_euclid(self.divisor) - self.residue).rem_euclid(self.divisor.into());
        let (least, most) = (i128::from(least) + up, i128::from(most) - down);
        if least > most { None } else { Some((i64::try_from(least).ok()?, i64::try_from(most).ok()?)) }
    }
}

/// Whether a region stays inside its buffer in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// It always does.
    Inside,
    /// It does where the begin is at least 0 and at most this.
    UpTo(i64),
    /// It does not, whatever the value is.
    Outside {
        /// Least and largest value.
        begin: (i64, i64),
        /// The thread of the block whose value it is, where the threads' values are known.
        thread: Option<i64>,
        /// The largest begin that is inside.
        most: i64,
    },
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bounds::Inside => write!(f, "is in bounds"),
            Bounds::UpTo(most) => write!(f, "is in bounds from 0 to {most}"),
            Bounds::Outside { begin: (least, last), thread, most } => {
                if least == last {
                    write!(f, "begins at {least}")?;
                } else {
                    write!(f, "begins at {least} to {last}")?;
                }
                thread.map_or(Ok(()), |thread| write!(f, " in thread {thread} of the block"))?;
                write!(f, ", expected 0 to {most}")
            }
        }
    }
}

/// Do `size` elements from `begin` on lie in `[0, limit)`? `size` is at most `limit`.
///
/// ```
/// use tile_plan::bounds::{Bounds, KnownBegin, bounds};
/// let begin = |range, divisor| KnownBegin { range, divisor, ..KnownBegin::ANY };
/// // A loop from 0 below 100 in steps of 16 ends at 96.
/// assert_eq!(bounds(&begin((0, 99), 16), 4, 100), Bounds::Inside);
/// assert_eq!(bounds(&begin((0, 99), 1), 4, 100), Bounds::UpTo(96));
/// assert_eq!(bounds(&begin((97, 99), 1), 4, 100).to_string(), "begins at 97 to 99, expected 0 to 96");
/// ```
pub fn bounds(begin: &KnownBegin, size: i64, limit: i64) -> Bounds {
    let most = limit.saturating_sub(size);
    if let Some(threads) = &begin.threads {
        let outside = threads.iter().find(|(_, value)| !(0..=most).contains(value));
        return outside.map_or(Bounds::Inside, |&(thread, value)| Bounds::Outside {
            begin: (value, value),
            thread: Some(thread),
            most,
        });
    }
    match begin.values() {
        Some((least, last)) if least >= 0 && last <= most => Bounds::Inside,
        Some(begin @ (least, last)) if last < 0 || least > most => Bounds::Outside { begin, thread: None, most },
        _ => Bounds::UpTo(most),
    }
}
