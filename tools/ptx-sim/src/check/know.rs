//! The knowledge of threads, that is, which accesses are ordered before them: of one thread, and of the lanes of a warp.
//! Lanes with the same knowledge share one [`Know`].

use super::{Agent, Agents, Clock, MapOrder};

/// The accesses that happened before, and those of them that are visible to asynchronous copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Know {
    /// The accesses that happened before.
    pub(crate) data: Clock,
    /// The writes that a proxy fence has made visible to the asynchronous proxy (PTX ISA 8.4).
    pub(crate) proxy: Clock,
    /// The times up to which initialized mbarrier objects may be used by other blocks: a fence follows their
    /// `mbarrier.init` (PTX ISA 9.7.13.4).
    pub(crate) made: Clock,
    /// The changes of tensor maps that copies through them see.
    pub(crate) maps: MapOrder,
}

impl Know {
    pub(crate) fn join(&mut self, other: &Self) {
        self.data.join(&other.data);
        self.proxy.join(&other.proxy);
        self.made.join(&other.made);
        self.maps.join(&other.maps);
    }

    /// Notes that the lanes `mask` of `who` reached `time`.
    pub(crate) fn raise(&mut self, who: Agents, mask: u32, time: u32) {
        self.data.raise(who, mask, time);
    }

    /// What is known of products, and of copies that mbarriers count: that they are complete, which nothing changes that comes later
    /// in time. Blocks have `warps` warps.
    pub(crate) fn complete(&self, warps: u32) -> Self {
        let is_complete = |number| matches!(Agent::of(number, warps).0, Agent::Product | Agent::Barrier);
        Know { data: self.data.of_agents(is_complete), ..Know::default() }
    }

    fn same(&self, other: &Self) -> bool {
        let clocks = self.data.same(&other.data) && self.proxy.same(&other.proxy) && self.made.same(&other.made);
        clocks && self.maps.same(&other.maps)
    }
}

/// The [`Know`] of each lane of a warp, stored once for each group of lanes with the same knowledge.
///
/// Each entry is a mask of lanes and their knowledge; lanes in no group know nothing.
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

    /// Changes the knowledge of the lanes of `mask`; `change` is called once for each group, with its lanes.
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
