//! The state that `wgmma` keeps between instructions: for a warp, the products in flight and the registers that they
//! use; for a warpgroup, the instructions that its four warps must execute alike.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// Registers that other instructions have accessed since the last fence. Register moves do not count, because
    /// compilers place them freely.
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

    /// Waits until at most `pending` groups are pending; returns the last one that is complete.
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

/// The `wgmma` instructions that at least one warp of a warpgroup has executed, but not yet all four.
#[derive(Debug, Default)]
pub(crate) struct Warpgroup {
    /// Index of the instruction, and its operands.
    steps: VecDeque<(u32, [u64; 3])>,
    /// The number of earlier instructions, and the number that each warp has executed.
    first: usize,
    done: [usize; 4],
    ended: [bool; 4],
}

/// The difference between a warp and another one of its warpgroup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// The other warp has executed this instruction instead.
    Instruction(u32),
    Operands {
        got: u64,
        other: u64,
    },
    /// This other warp has ended.
    Ended(usize),
}

impl Warpgroup {
    /// Notes that a warp executes an instruction.
    pub(super) fn step(&mut self, warp: usize, at: u32, operands: [u64; 3]) -> Result<(), Apart> {
        match self.steps.get(self.done[warp] - self.first) {
            None => {
                if let Some(other) = self.ended.iter().position(|&ended| ended) {
                    return Err(Apart::Ended(other));
                }
                self.steps.push_back((at, operands));
            }
            Some(&(other, _)) if other != at => return Err(Apart::Instruction(other)),
            Some((_, others)) => {
                if let Some((&got, &other)) = operands.iter().zip(others).find(|(got, other)| got != other) {
                    return Err(Apart::Operands { got, other });
                }
            }
        }
        self.done[warp] += 1;
        while self.done.iter().all(|&done| done > self.first) {
            self.steps.pop_front();
            self.first += 1;
        }
        Ok(())
    }

    /// Ends a warp; returns the instruction that it should still have executed, if any.
    pub(super) fn end(&mut self, warp: usize) -> Option<u32> {
        self.ended[warp] = true;
        self.steps.get(self.done[warp] - self.first).map(|step| step.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_may_be_ahead_of_each_other_but_not_apart() {
        let mut group = Warpgroup::default();
        assert_eq!(group.step(0, 7, [0; 3]), Ok(()));
        assert_eq!(group.step(0, 8, [1; 3]), Ok(()));
        assert_eq!(group.step(1, 7, [0; 3]), Ok(()));
        assert_eq!(group.step(1, 9, [1; 3]), Err(Apart::Instruction(8)));
        assert_eq!(group.step(1, 8, [1, 2, 1]), Err(Apart::Operands { got: 2, other: 1 }));
        assert_eq!((group.step(2, 7, [0; 3]), group.step(3, 7, [0; 3])), (Ok(()), Ok(())));
        assert_eq!(group.end(3), Some(8));
        assert_eq!(group.end(0), None);
        assert_eq!(group.step(0, 9, [0; 3]), Err(Apart::Ended(0)));
    }
}
