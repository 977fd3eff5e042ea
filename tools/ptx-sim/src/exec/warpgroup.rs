//! What the four warps of a warpgroup have to do alike.

use std::collections::VecDeque;

/// The `wgmma` instructions that one warp or more of a group have executed, and not yet all four.
#[derive(Debug, Default)]
pub(crate) struct Warpgroup {
    /// Index of the instruction, and its operands.
    steps: VecDeque<(u32, [u64; 3])>,
    /// How many came before them, and how many each warp has executed.
    first: usize,
    done: [usize; 4],
    ended: [bool; 4],
}

/// How a warp differs from another one of its group.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// The other one has executed this instruction.
    Instruction(u32),
    Operands {
        got: u64,
        other: u64,
    },
    /// This one has ended.
    Ended(usize),
}

impl Warpgroup {
    /// A warp executes an instruction.
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

    /// A warp ends; the instruction that it should have executed before, if there is one.
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
