//! Asynchronous copies: issued, grouped, waited for.

use std::collections::VecDeque;

use super::Machine;
use super::cells::{Access, Location, Use};

/// A copy in flight.
#[derive(Clone, Debug)]
pub struct Flight {
    /// The block that issued it.
    pub block: u32,
    /// The number of the set of threads that issued it.
    pub party: usize,
    /// The number of these threads that have not waited for it.
    pub waiting: usize,
    /// The locations that it uses, and whether it writes each.
    pub uses: Vec<(Location, bool)>,
}

/// The copies that a thread has issued, by numbers of flights.
#[derive(Clone, Debug, Default)]
pub struct Issued {
    open: Vec<usize>,
    groups: VecDeque<Vec<usize>>,
}

impl Machine {
    /// Threads issue a copy; with `group`, it forms a group that is closed immediately.
    pub(super) fn issue(&mut self, flight: Flight, threads: &[i64], group: bool) {
        for &(location, write) in &flight.uses {
            self.stores[location.store].take_off(location.address, write);
        }
        let (number, block) = (self.flights.len(), flight.block as usize);
        self.flights.push(flight);
        for &thread in threads {
            self.issued[block][thread as usize].open.push(number);
        }
        if group {
            self.commit(block, threads);
        }
    }

    /// Threads close a group.
    pub(super) fn commit(&mut self, block: usize, threads: &[i64]) {
        for &thread in threads {
            let issued = &mut self.issued[block][thread as usize];
            let group = std::mem::take(&mut issued.open);
            issued.groups.push_back(group);
        }
    }

    /// Threads wait until at most `left` of their groups are in flight.
    pub(super) fn wait(&mut self, block: usize, threads: &[i64], left: usize) {
        for &thread in threads {
            while self.issued[block][thread as usize].groups.len() > left {
                let group = self.issued[block][thread as usize].groups.pop_front().unwrap_or_default();
                for number in group {
                    self.flights[number].waiting -= 1;
                    if self.flights[number].waiting == 0 {
                        self.arrive(number);
                    }
                }
            }
        }
    }

    /// Completes a copy: from now on it is treated as if it was done at this point.
    fn arrive(&mut self, number: usize) {
        let Flight { block, party, uses, .. } = self.flights[number].clone();
        let epoch = self.epochs[block as usize];
        for (location, write) in uses {
            let store = &mut self.stores[location.store];
            store.land(location.address, write);
            let kind = if write { Use::Write } else { Use::Read };
            store.touch(location.address, Access { block, epoch, party, kind }, &self.parties);
        }
    }

    /// Whether any copy is still in flight.
    pub(super) fn is_in_flight(&self) -> bool {
        self.flights.iter().any(|flight| flight.waiting > 0)
    }
}
