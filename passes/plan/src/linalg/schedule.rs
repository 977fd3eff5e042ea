//! How an op of `linalg` is done on a chip, as far as a program states it.

use thiserror::Error;

use crate::pipeline::MAX_STAGES;

/// What multiplies the tiles of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductInstruction {
    /// `tcgen05.mma`.
    Tcgen05,
    /// `wgmma.mma_async`.
    Wgmma,
    /// `mma.sync`.
    MmaSync,
    /// Single multiplications of threads.
    Fma,
}

/// How sums get to global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductEpilogue {
    /// From registers.
    Direct,
    /// Through shared memory.
    Shared,
}

/// What a program states of how an op is done; the rest is chosen for the chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinalgSchedule {
    /// What multiplies.
    pub instruction: Option<ProductInstruction>,
    /// The rows and columns of warps, or of warpgroups of `wgmma`, among which the sums are divided.
    pub over: Option<[i64; 2]>,
    /// The stages of the loop around a product.
    pub stages: Option<i64>,
    /// How sums are stored.
    pub epilogue: Option<ProductEpilogue>,
}

/// Why fields are none of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleMistake {
    /// Not a number of rows and one of columns.
    #[error("got over = {got:?}, expected the numbers of rows and of columns of warps, each at least 1")]
    Over {
        /// The numbers.
        got: Vec<i64>,
    },
    /// Too many stages, or fewer than none.
    #[error("got stages = {got}, expected an integer from 1 to {MAX_STAGES}")]
    Stages {
        /// The number.
        got: i64,
    },
}

impl ProductInstruction {
    /// All of them, those of more work at once first.
    pub const ALL: [ProductInstruction; 4] =
        [ProductInstruction::Tcgen05, ProductInstruction::Wgmma, ProductInstruction::MmaSync, ProductInstruction::Fma];

    /// The name of the variant of `tile.mma`, and of the instruction in a schedule.
    pub fn name(self) -> &'static str {
        match self {
            ProductInstruction::Tcgen05 => "tcgen05",
            ProductInstruction::Wgmma => "wgmma",
            ProductInstruction::MmaSync => "mma_sync",
            ProductInstruction::Fma => "fma",
        }
    }
}

impl ProductEpilogue {
    /// That of sums of so many bits: the lanes of a row of a fragment store 8 elements side by side, which are whole sectors of 32 bytes
    /// or not.
    pub fn of_bits(bits: u32) -> Self {
        if bits < 32 { ProductEpilogue::Shared } else { ProductEpilogue::Direct }
    }

    /// The name in a schedule.
    pub fn name(self) -> &'static str {
        match self {
            ProductEpilogue::Direct => "direct",
            ProductEpilogue::Shared => "shared",
        }
    }
}

impl LinalgSchedule {
    /// The schedule of these fields; words that name no variant, an empty list and 0 stages leave a field open.
    ///
    /// # Errors
    /// A field is none of a schedule.
    pub fn of_fields(instruction: &str, over: &[i64], stages: i64, epilogue: &str) -> Result<Self, ScheduleMistake> {
        let over = match *over {
            [] => None,
            [rows, columns] if rows > 0 && columns > 0 => Some([rows, columns]),
            _ => return Err(ScheduleMistake::Over { got: over.to_vec() }),
        };
        if !(0..=MAX_STAGES).contains(&stages) {
            return Err(ScheduleMistake::Stages { got: stages });
        }
        Ok(LinalgSchedule {
            instruction: ProductInstruction::ALL.into_iter().find(|variant| variant.name() == instruction),
            over,
            stages: (stages > 0).then_some(stages),
            epilogue: [ProductEpilogue::Direct, ProductEpilogue::Shared].into_iter().find(|way| way.name() == epilogue),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LinalgSchedule, ProductEpilogue, ProductInstruction, ScheduleMistake};

    #[test]
    fn fields_are_checked() {
        let fields = |over: &[i64], stages| LinalgSchedule::of_fields("wgmma", over, stages, "shared");
        let all = LinalgSchedule {
            instruction: Some(ProductInstruction::Wgmma),
            over: Some([2, 1]),
            stages: Some(4),
            epilogue: Some(ProductEpilogue::Shared),
        };
        assert_eq!(fields(&[2, 1], 4), Ok(all));
        assert_eq!(fields(&[2], 4), Err(ScheduleMistake::Over { got: vec![2] }));
        assert_eq!(fields(&[2, 0], 4), Err(ScheduleMistake::Over { got: vec![2, 0] }));
        assert_eq!(fields(&[], 9), Err(ScheduleMistake::Stages { got: 9 }));
        assert_eq!(LinalgSchedule::of_fields("auto", &[], 0, "auto"), Ok(LinalgSchedule::default()));
    }
}
