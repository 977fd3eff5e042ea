//! The plan of a product of whole warpgroups: chains of `wgmma`, with B in shared memory, A there or in registers, and the sums in
//! registers.

use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::mma;

use super::shared_operand::SharedOperand;

/// A product of warpgroups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgmmaPlan {
    /// The elements of A and B.
    pub factors: [mma::Factor; 2],
    /// Columns, and depths, of an instruction.
    pub size: [i64; 2],
    /// A in shared memory; `None` in registers.
    pub a: Option<DescribedFactor>,
    /// B.
    pub b: DescribedFactor,
    /// The parts of the sums.
    pub parts: Vec<WgmmaChain>,
}

/// A factor in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescribedFactor {
    /// Its descriptor.
    pub operand: SharedOperand,
    /// Where the factors of further warpgroups begin.
    pub spread: WarpgroupOffset,
}

/// Sums that one chain of instructions computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgmmaChain {
    /// The factors of each instruction.
    pub steps: Vec<WgmmaStep>,
    /// The registers of the sums, in the order in which instructions take them.
    pub registers: Vec<usize>,
}

/// The factors of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgmmaStep {
    /// Those of A.
    pub a: LeftStep,
    /// Where B begins, in units of 16 bytes.
    pub b: i64,
}

/// The left factor of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftStep {
    /// Where it begins in shared memory, in units of 16 bytes.
    Start(i64),
    /// The elements of its registers, in the order in which the instruction takes them.
    Registers(Vec<usize>),
}

/// The begin of a factor for each warpgroup: warpgroup `w` adds `(w / div % count) * step` units of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpgroupOffset {
    /// Consecutive warpgroups that share a begin.
    pub div: i64,
    /// Different begins.
    pub count: i64,
    /// Units from one begin to the next.
    pub step: i64,
}

impl WarpgroupOffset {
    /// Those of the warpgroups' begins; `None` where they are not of this form.
    pub(super) fn of(begins: &[i64]) -> Option<WarpgroupOffset> {
        let units: Vec<i64> = begins.iter().map(|begin| (begin - begins[0]) / UNIT_BYTES).collect();
        let Some(div) = units.iter().position(|&unit| unit != 0) else {
            return Some(WarpgroupOffset { div: 1, count: 1, step: 0 });
        };
        let (div, step) = (div as i64, units[div]);
        let count = (0..)
            .zip(&units)
            .find(|&(at, &unit)| at > 0 && at % div == 0 && unit == 0)
            .map_or(units.len() as i64, |(at, _)| at);
        let spread = WarpgroupOffset { div, count: count / div, step };
        let fits = (0..).zip(&units).all(|(at, &unit)| spread.units(at) == unit);
        (fits && begins.iter().all(|begin| (begin - begins[0]) % UNIT_BYTES == 0)).then_some(spread)
    }

    /// What a warpgroup adds.
    pub fn units(self, warpgroup: i64) -> i64 {
        warpgroup / self.div % self.count * self.step
    }
}
