//! What a thread knows.

use super::{Agents, Clock};

/// What happened before, and how much of it is visible to asynchronous copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Know {
    /// What happened before.
    pub(crate) data: Clock,
    /// What a proxy fence has made visible to the asynchronous proxy (PTX ISA 8.4).
    pub(crate) proxy: Clock,
    /// The mbarrier objects made by then that other blocks may use: a fence is behind what made them (PTX ISA 9.7.13.4).
    pub(crate) made: Clock,
}

impl Know {
    pub(crate) fn join(&mut self, other: &Self) {
        self.data.join(&other.data);
        self.proxy.join(&other.proxy);
        self.made.join(&other.made);
    }

    /// Notes that `mask` of `who` reached `time`.
    pub(crate) fn raise(&mut self, who: Agents, mask: u32, time: u32) {
        self.data.raise(who, mask, time);
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        self.data.same(&other.data) && self.proxy.same(&other.proxy) && self.made.same(&other.made)
    }
}
