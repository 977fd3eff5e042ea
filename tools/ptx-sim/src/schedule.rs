//! Which warp runs next.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A policy that decides which warps make progress; the same policy gives the same run.
///
/// It also decides which lane `elect.sync` elects: the first of the member mask, the last if reversed, a random one if random.
///
/// It parses from `fair`, `random:SEED`, `one-block-at-a-time`, `reversed` and `starve:BLOCK`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// All resident blocks take turns, first to last.
    #[default]
    Fair,
    /// Random warps for random times, from this seed; relaxed reads draw between the newest value and the one before it.
    Random(u64),
    /// A block starts when the previous one has ended, as on a machine with room for one block.
    OneBlockAtATime,
    /// All resident blocks take turns, last to first; the last blocks start first.
    Reversed,
    /// The block with this linear index runs only while no other can.
    Starve(u64),
}

/// The error for a text that is not a [`Schedule`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got schedule `{0}`, expected fair, random:SEED, one-block-at-a-time, reversed or starve:BLOCK")]
pub struct ScheduleError(String);

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ScheduleError(text.to_string());
        match text.split_once(':') {
            None => match text {
                "fair" => Ok(Self::Fair),
                "one-block-at-a-time" => Ok(Self::OneBlockAtATime),
                "reversed" => Ok(Self::Reversed),
                _ => Err(error()),
            },
            Some(("random", seed)) => seed.parse().map(Self::Random).map_err(|_| error()),
            Some(("starve", block)) => block.parse().map(Self::Starve).map_err(|_| error()),
            Some(_) => Err(error()),
        }
    }
}

impl Schedule {
    /// The lane that `elect.sync` elects among `lanes`, always the same one among the same lanes.
    pub(crate) fn leader(self, lanes: u32) -> u32 {
        let skipped = match self {
            Self::Reversed => u64::from(lanes.count_ones()).saturating_sub(1),
            Self::Random(seed) => Random::new(seed).below(lanes.count_ones().into()),
            Self::Fair | Self::OneBlockAtATime | Self::Starve(_) => 0,
        };
        (0..skipped).fold(lanes, |left, _| left & left.wrapping_sub(1)).trailing_zeros()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fair => f.write_str("fair"),
            Self::Random(seed) => write!(f, "random:{seed}"),
            Self::OneBlockAtATime => f.write_str("one-block-at-a-time"),
            Self::Reversed => f.write_str("reversed"),
            Self::Starve(block) => write!(f, "starve:{block}"),
        }
    }
}

/// A small deterministic generator (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_depend_on_the_schedule_alone() {
        let lanes = 0b1011_0100;
        assert_eq!((Schedule::Fair.leader(lanes), Schedule::Reversed.leader(lanes)), (2, 7));
        let random: std::collections::BTreeSet<u32> =
            (0..64).map(|seed| Schedule::Random(seed).leader(lanes)).collect();
        assert_eq!(random.into_iter().collect::<Vec<_>>(), [2, 4, 5, 7]);
        assert_eq!(Schedule::Random(5).leader(lanes), Schedule::Random(5).leader(lanes));
    }

    #[test]
    fn texts_round_trip() {
        for text in ["fair", "random:17", "one-block-at-a-time", "reversed", "starve:3"] {
            assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
        }
        for text in ["", "random", "random:x", "starve:-1", "fair:1", "unfair"] {
            assert!(text.parse::<Schedule>().is_err(), "{text}");
        }
    }
}
