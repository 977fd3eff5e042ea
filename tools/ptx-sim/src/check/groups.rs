//! One [`Know`] for each lane of a warp, stored once for lanes that know the same.

use super::Know;

/// Lanes and what they know; lanes in no group know nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Groups(Vec<(u32, Know)>);

impl Groups {
    pub(crate) fn get(&self, lane: usize) -> Option<&Know> {
        self.0.iter().find(|(mask, _)| mask >> lane & 1 == 1).map(|(_, know)| know)
    }

    /// The groups that have lanes in `mask`, with those lanes.
    pub(crate) fn over(&self, mask: u32) -> impl Iterator<Item = (u32, &Know)> {
        self.0.iter().filter_map(move |(m, know)| (m & mask != 0).then_some((m & mask, know)))
    }

    /// Changes what the lanes of `mask` know; `change` is called once for each group, with its lanes.
    pub(crate) fn update(&mut self, mask: u32, mut change: impl FnMut(u32, &mut Know)) {
        let mut left = mask;
        for i in 0..self.0.len() {
            let (lanes, know) = &mut self.0[i];
            let hit = *lanes & left;
            left &= !hit;
            if hit == 0 {
                continue;
            }
            if hit == *lanes {
                change(hit, know);
            } else {
                let mut split = know.clone();
                *lanes &= !hit;
                change(hit, &mut split);
                self.0.push((hit, split));
            }
        }
        if left != 0 {
            let mut fresh = Know::default();
            change(left, &mut fresh);
            self.0.push((left, fresh));
        }
        self.tidy();
    }

    /// Gives the lanes of `mask` the same knowledge.
    pub(crate) fn set(&mut self, mask: u32, know: &Know) {
        self.0.iter_mut().for_each(|(lanes, _)| *lanes &= !mask);
        self.0.push((mask, know.clone()));
        self.tidy();
    }

    fn tidy(&mut self) {
        self.0.retain(|(mask, _)| *mask != 0);
        let mut i = 0;
        while i < self.0.len() {
            match (0..i).find(|&j| self.0[j].1.same(&self.0[i].1)) {
                Some(j) => {
                    self.0[j].0 |= self.0[i].0;
                    self.0.swap_remove(i);
                }
                None => i += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Agents;
    use super::*;

    const WHO: Agents = Agents { block: 0, warp: 0 };

    #[test]
    fn lanes_split_and_meet_again() {
        let mut groups = Groups::default();
        groups.update(u32::MAX, |_, k| k.raise(WHO, 1, 5));
        groups.update(0xf, |_, k| k.raise(WHO, 2, 7));
        assert_eq!(groups.0.len(), 2);
        assert_eq!(groups.get(3).unwrap().data.unknown(WHO, 2, 7), 0);
        assert_eq!(groups.get(4).unwrap().data.unknown(WHO, 2, 7), 2);
        let joined = groups.get(0).unwrap().clone();
        groups.set(u32::MAX, &joined);
        assert_eq!(groups.0.len(), 1);
        assert_eq!(groups.get(31).unwrap().data.unknown(WHO, 2, 7), 0);
    }
}
