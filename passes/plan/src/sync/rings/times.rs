//! How often the loops go round of which only the run knows it.

use std::collections::BTreeMap;

/// How often the loops go round of which only the run knows it, by their [`count`](crate::sync::Loop::count).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Times(BTreeMap<usize, i64>);

impl Times {
    /// How often loops of a count go round.
    pub fn of(&self, count: Option<usize>) -> Option<i64> {
        self.0.get(&count?).copied()
    }

    /// The same, but for loops of one count.
    pub fn with(&self, count: usize, times: i64) -> Times {
        let mut all = self.0.clone();
        all.insert(count, times);
        Times(all)
    }

    /// All in which loops of each count go round at most so often.
    pub fn up_to(most: &[(usize, i64)]) -> Vec<Times> {
        most.iter().fold(vec![Times::default()], |all, &(count, most)| {
            all.iter().flat_map(|it| (0..=most).map(|times| it.with(count, times))).collect()
        })
    }

    /// Does no loop go round more often than that?
    pub fn is_within(&self, most: &[(usize, i64)]) -> bool {
        most.iter().all(|&(count, most)| self.of(Some(count)).is_none_or(|times| times <= most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_whole() {
        assert_eq!(Times::up_to(&[]), [Times::default()]);
        let all = Times::up_to(&[(4, 2), (7, 1)]);
        assert_eq!((all.len(), all[5].of(Some(4)), all[5].of(Some(7))), (6, Some(2), Some(1)));
        assert_eq!(all.iter().filter(|it| it.is_within(&[(4, 1), (7, 1)])).count(), 4);
        assert_eq!(all[0].of(Some(1)), None);
    }
}
