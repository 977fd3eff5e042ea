//! Vector clocks that share their common parts.
//!
//! ```text
//! Clock ──> [(block 0, ──> [warp 0: All(7), warp 1: All(7), …]),
//!            (block 5, ──> [warp 0: Each([3, 3, 9, …])])]
//! ```
//! A barrier gives all its threads the same clock, which is one pointer; joining a clock with itself costs nothing.

use std::rc::Rc;

use super::Agents;

/// Times of 32 lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Lanes {
    All(u32),
    Each(Box<[u32; 32]>),
}

impl Lanes {
    fn get(&self, lane: usize) -> u32 {
        match self {
            Self::All(t) => *t,
            Self::Each(times) => times[lane],
        }
    }

    /// The lanes of `mask` whose time is less than `time`.
    fn behind(&self, mask: u32, time: u32) -> u32 {
        match self {
            Self::All(t) if *t >= time => 0,
            Self::All(_) => mask,
            Self::Each(times) => times.iter().enumerate().fold(0, |m, (i, &t)| m | u32::from(t < time) << i) & mask,
        }
    }

    fn raise(&mut self, mask: u32, time: u32) {
        if self.behind(mask, time) == 0 {
            return;
        }
        if mask == u32::MAX && (0..32).all(|i| self.get(i) <= time) {
            *self = Self::All(time);
            return;
        }
        let mut times: [u32; 32] = std::array::from_fn(|i| self.get(i));
        for (i, t) in times.iter_mut().enumerate() {
            if mask >> i & 1 == 1 {
                *t = (*t).max(time);
            }
        }
        *self = if times.iter().all(|&t| t == times[0]) { Self::All(times[0]) } else { Self::Each(Box::new(times)) };
    }

    /// Whether this is at least `other` everywhere.
    fn covers(&self, other: &Self) -> bool {
        match other {
            Self::All(t) => self.behind(u32::MAX, *t) == 0,
            Self::Each(times) => times.iter().enumerate().all(|(i, &t)| self.get(i) >= t),
        }
    }

    fn join(&mut self, other: &Self) {
        match other {
            Self::All(t) => self.raise(u32::MAX, *t),
            Self::Each(times) => times.iter().enumerate().for_each(|(i, &t)| self.raise(1 << i, t)),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct BlockClock {
    /// By agent number; agents beyond the end are at time 0.
    warps: Vec<Lanes>,
}

impl BlockClock {
    fn lanes(&mut self, warp: u16) -> &mut Lanes {
        let index = usize::from(warp);
        if self.warps.len() <= index {
            self.warps.resize(index + 1, Lanes::All(0));
        }
        &mut self.warps[index]
    }

    fn covers(&self, other: &Self) -> bool {
        let zero = Lanes::All(0);
        other.warps.iter().enumerate().all(|(i, theirs)| self.warps.get(i).unwrap_or(&zero).covers(theirs))
    }

    fn join(&mut self, other: &Self) {
        for (i, theirs) in other.warps.iter().enumerate() {
            self.lanes(i as u16).join(theirs);
        }
    }
}

/// The clocks of blocks, in the order of their numbers.
type Blocks = Vec<(u32, Rc<BlockClock>)>;

/// A vector clock: for each agent, the time up to which its accesses are ordered before the clock's owner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock(Option<Rc<Blocks>>);

impl Clock {
    fn blocks(&self) -> &[(u32, Rc<BlockClock>)] {
        self.0.as_ref().map_or(&[], |blocks| blocks)
    }

    fn block(&self, block: u32) -> Option<&BlockClock> {
        match self.blocks() {
            [(b, clock)] => (*b == block).then_some(&**clock),
            all => all.binary_search_by_key(&block, |(b, _)| *b).ok().map(|i| &*all[i].1),
        }
    }

    /// The lanes of `mask` that this clock does not know to have reached `time`.
    pub(crate) fn unknown(&self, who: Agents, mask: u32, time: u32) -> u32 {
        let lanes = self.block(who.block).and_then(|b| b.warps.get(usize::from(who.warp)));
        match lanes {
            Some(lanes) => lanes.behind(mask, time),
            None if time == 0 => 0,
            None => mask,
        }
    }

    /// Whether the clock has any entry of a block.
    pub(crate) fn knows(&self, block: u32) -> bool {
        self.block(block).is_some()
    }

    /// Notes that the lanes of `mask` reached `time`.
    pub(crate) fn raise(&mut self, who: Agents, mask: u32, time: u32) {
        if self.unknown(who, mask, time) == 0 {
            return;
        }
        let blocks = Rc::make_mut(self.0.get_or_insert_default());
        let index = match blocks.binary_search_by_key(&who.block, |(b, _)| *b) {
            Ok(index) => index,
            Err(index) => {
                blocks.insert(index, (who.block, Rc::default()));
                index
            }
        };
        Rc::make_mut(&mut blocks[index].1).lanes(who.warp).raise(mask, time);
    }

    /// The part of the clock that is of these agents, by their numbers in a block.
    pub(crate) fn of_agents(&self, is_kept: impl Fn(u16) -> bool) -> Self {
        let mut kept = Clock::default();
        for (block, clock) in self.blocks() {
            for (number, lanes) in (0u16..).zip(&clock.warps).filter(|(number, _)| is_kept(*number)) {
                let blocks = Rc::make_mut(kept.0.get_or_insert_default());
                if blocks.last().is_none_or(|(last, _)| last != block) {
                    blocks.push((*block, Rc::default()));
                }
                if let Some((_, last)) = blocks.last_mut() {
                    *Rc::make_mut(last).lanes(number) = lanes.clone();
                }
            }
        }
        kept
    }

    /// Whether both are the very same clock.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (None, None) => true,
            _ => false,
        }
    }

    fn covers(&self, other: &Self) -> bool {
        let mine = self.blocks();
        other.blocks().iter().all(|(b, theirs)| match mine.binary_search_by_key(b, |(b, _)| *b) {
            Ok(i) => Rc::ptr_eq(&mine[i].1, theirs) || mine[i].1.covers(theirs),
            Err(_) => false,
        })
    }

    /// Takes the maximum with `other`, agent by agent.
    pub(crate) fn join(&mut self, other: &Self) {
        if self.same(other) || self.covers(other) {
            return;
        }
        if other.covers(self) {
            *self = other.clone();
            return;
        }
        let blocks = Rc::make_mut(self.0.get_or_insert_default());
        for (b, theirs) in other.blocks() {
            match blocks.binary_search_by_key(b, |(b, _)| *b) {
                Err(i) => blocks.insert(i, (*b, theirs.clone())),
                Ok(i) if Rc::ptr_eq(&blocks[i].1, theirs) || blocks[i].1.covers(theirs) => {}
                Ok(i) if theirs.covers(&blocks[i].1) => blocks[i].1 = theirs.clone(),
                Ok(i) => Rc::make_mut(&mut blocks[i].1).join(theirs),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    type Plain = HashMap<(u32, u16, u32), u32>;

    fn build(raises: &[(u32, u16, u32, u32)]) -> (Clock, Plain) {
        let (mut clock, mut plain) = (Clock::default(), Plain::new());
        for &(block, warp, mask, time) in raises {
            clock.raise(Agents { block, warp }, mask, time);
            for lane in (0..32).filter(|l| mask >> l & 1 == 1) {
                let slot = plain.entry((block, warp, lane)).or_default();
                *slot = (*slot).max(time);
            }
        }
        (clock, plain)
    }

    fn raises() -> impl Strategy<Value = Vec<(u32, u16, u32, u32)>> {
        let mask = prop_oneof![Just(u32::MAX), Just(1), any::<u32>()];
        prop::collection::vec((0u32..4, 0u16..3, mask, 1u32..9), 0..12)
    }

    proptest! {
        #[test]
        fn agrees_with_a_plain_map(a in raises(), b in raises()) {
            let (mut clock, mut plain) = build(&a);
            let (other, more) = build(&b);
            clock.join(&other);
            for (k, t) in more {
                let slot = plain.entry(k).or_default();
                *slot = (*slot).max(t);
            }
            for block in 0..4 {
                for warp in 0..3 {
                    for time in 1..9 {
                        let want = (0..32).fold(0, |m, lane| {
                            let known = plain.get(&(block, warp, lane)).copied().unwrap_or(0);
                            m | u32::from(known < time) << lane
                        });
                        prop_assert_eq!(clock.unknown(Agents { block, warp }, u32::MAX, time), want);
                    }
                }
            }
        }
    }
}
