//! Products of `wgmma` that a warp has in flight, and the registers that they use.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Product, Reg};

/// A product that has not been waited for.
#[derive(Debug)]
pub(super) struct Flight {
    /// The number of its group.
    pub(super) group: u32,
    pub(super) d: Box<[Reg]>,
    pub(super) a: Vec<Reg>,
    /// Index of its instruction.
    pub(super) at: u32,
}

/// The products of a warp.
#[derive(Debug, Default)]
pub(crate) struct Products {
    pub(super) flights: Vec<Flight>,
    /// Groups closed so far.
    groups: u32,
    /// A fence has been executed.
    pub(super) fenced: bool,
    /// Registers that other instructions have touched since the last fence. What moves registers does not count: a compiler
    /// puts that where it likes.
    pub(super) touched: BTreeSet<Reg>,
    /// Registers that are D of products since the last fence.
    pub(super) sums: BTreeMap<Reg, Product>,
}

impl Products {
    pub(super) fn fence(&mut self) {
        self.fenced = true;
        self.touched.clear();
        self.sums.clear();
    }

    pub(super) fn commit(&mut self) {
        self.groups += 1;
    }

    /// The number of the group that is open.
    pub(super) fn open(&self) -> u32 {
        self.groups + 1
    }

    /// Waits until at most `pending` groups are left; gives the last one that is complete.
    pub(super) fn wait(&mut self, pending: u64) -> u32 {
        let done = u64::from(self.groups).saturating_sub(pending) as u32;
        self.flights.retain(|flight| flight.group > done);
        done
    }

    /// The instruction of a product that has not been waited for.
    pub(super) fn in_flight(&self) -> Option<u32> {
        self.flights.first().map(|flight| flight.at)
    }

    /// The product in flight that writes one of these registers, or reads one of `written`.
    pub(super) fn using(&self, any: &[Reg], written: &[Reg]) -> Option<u32> {
        let uses = |flight: &&Flight| {
            any.iter().chain(written).any(|reg| flight.d.contains(reg)) || written.iter().any(|r| flight.a.contains(r))
        };
        self.flights.iter().find(uses).map(|flight| flight.at)
    }
}
