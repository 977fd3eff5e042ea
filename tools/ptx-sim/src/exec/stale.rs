//! Older values of relaxed accesses (PTX ISA 8.9, 8.10).
//!
//! A strong read may return a value that another block has overwritten already, unless the overwriting write happens
//! before it: the SM may still have the old line in its L1. So a flag that a block reads says nothing of a payload that
//! was written before the flag, without a release and an acquire between:
//!
//! ```text
//!   block 0                        block 1
//!   st.relaxed [payload], 7        ld.relaxed [flag]     -> 1
//!   st.relaxed [flag], 1           ld.relaxed [payload]  -> 7, or what was there before
//! ```
//!
//! Schedules that are random draw which value a read returns. For each word, the last value that was overwritten is
//! kept. A block that has read the new value never reads the old one again (coherence), and reads it a limited number of
//! times, so that every loop that polls sees the new one. Values that carry a release are always read as they are.

use std::collections::HashMap;

use super::access::Access;
use super::core::Core;
use super::place::MemoryLocation;
use crate::check::{Agent, MAX_STALE_READS, Overwritten};
use crate::code::Scope;
use crate::schedule::Schedule;

impl Core<'_, '_> {
    /// The words of a strong access to global memory, by their first bytes in it, if values may be stale.
    fn stale_words(&self, access: &Access, bytes: usize) -> impl Iterator<Item = (usize, (u64, u64))> + use<> {
        let is_random = matches!(self.env.config.schedule, Schedule::Random(_)) && self.env.checks.races;
        let is_global = matches!(access.place, MemoryLocation::Global { .. });
        let unit = access.strength.unit().filter(|_| is_random && is_global);
        let (memory, first) = self.key(access.place);
        let starts = unit.into_iter().flat_map(move |unit| (0..bytes).step_by(unit));
        starts.map(move |at| (at, (memory, first + at as u64)))
    }

    /// Keeps what a strong write of `bytes` overwrites.
    pub(crate) fn keep_stale(&mut self, access: &Access, bytes: &[u8]) {
        let (MemoryLocation::Global { index, offset }, Some(unit)) = (access.place, access.strength.unit()) else {
            return;
        };
        for (at, key) in self.stale_words(access, bytes.len()) {
            let segment = &self.env.memory.allocations[index].segment;
            let range = offset + at..offset + at + unit;
            let (old, new) = (&segment.data[range.clone()], &bytes[at..at + unit]);
            let has_value = segment.init.first_missing(range).is_none();
            let is_kept = old != new && has_value && !self.env.races.locations.releases(key);
            let old = is_kept.then(|| old.to_vec());
            self.env.stale.words.remove(&key);
            let Some(old) = old else { continue };
            let (by, fences, time) = (self.agents(Agent::Thread), self.env.stale.fences, self.warp.time);
            let word = Overwritten { old, by, lane: access.lane, time, fences, reads: HashMap::new() };
            self.env.stale.words.insert(key, word);
        }
    }

    /// The words of a strong read in which the draw finds an old value, by their first bytes.
    pub(crate) fn draw_stale(&mut self, access: &Access, bytes: usize) -> Vec<(usize, Vec<u8>)> {
        if self.env.stale.words.is_empty() {
            return Vec::new();
        }
        self.stale_words(access, bytes).filter_map(|(at, key)| Some((at, self.draw_word(access, key)?))).collect()
    }

    fn draw_word(&mut self, access: &Access, key: (u64, u64)) -> Option<Vec<u8>> {
        let block = self.block();
        let word = self.env.stale.words.get(&key)?;
        let is_known = |word: &Overwritten| {
            let know = self.warp.know.get(access.lane);
            know.is_some_and(|know| know.data.unknown(word.by, 1 << word.lane, word.time) == 0)
        };
        let is_far = word.by.block != block && access.strength.scope() >= Some(Scope::Gpu);
        let may_be_old = is_far && !is_known(word) && !self.env.stale.is_fenced(word, block);
        let draw = may_be_old && self.env.random.below(2) == 0;
        let word = self.env.stale.words.get_mut(&key)?;
        let reads = word.reads.entry(block).or_default();
        if !draw || *reads >= MAX_STALE_READS {
            *reads = MAX_STALE_READS;
            return None;
        }
        *reads += 1;
        let old = word.old.clone();
        // Loops that poll sleep until something changes: the next read may return the new value.
        self.env.changed();
        Some(old)
    }

    /// A read that always returns the newest value.
    pub(crate) fn see_newest(&mut self, access: &Access, bytes: usize) {
        let block = self.block();
        for (_, key) in self.stale_words(access, bytes) {
            if let Some(word) = self.env.stale.words.get_mut(&key) {
                word.reads.insert(block, MAX_STALE_READS);
            }
        }
    }
}
