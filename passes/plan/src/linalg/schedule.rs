//! How an op of `linalg` is done on a chip, as far as a program states it.

use std::fmt;

use thiserror::Error;
use tile_isa::WARP;

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
    /// Rows, columns and depths of the tiles that a block multiplies at once.
    pub tile: Option<[i64; 3]>,
    /// The threads of a block.
    pub threads: Option<i64>,
    /// The rows of tiles that blocks take in groups, for the L2 cache.
    pub group: Option<i64>,
}

/// The fields of a schedule as an attribute has them: words that name nothing, empty lists and 0 leave one open.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScheduleFields<'a> {
    /// The name of the instruction.
    pub instruction: &'a str,
    /// Rows and columns of warps.
    pub over: &'a [i64],
    /// The stages of the loop.
    pub stages: i64,
    /// The name of the epilogue.
    pub epilogue: &'a str,
    /// Rows, columns and depths.
    pub tile: &'a [i64],
    /// The threads of a block.
    pub threads: i64,
    /// Rows of tiles.
    pub group: i64,
}

/// The most threads of a block.
const MAX_THREADS: i64 = 1024;

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
    /// Not a number each of rows, columns and depths.
    #[error("got tile = {got:?}, expected the numbers of rows, columns and depths of a tile, each at least 1")]
    Tile {
        /// The numbers.
        got: Vec<i64>,
    },
    /// No threads of a block.
    #[error("got threads = {got}, expected a multiple of 32 from 32 to {MAX_THREADS}")]
    Threads {
        /// The number.
        got: i64,
    },
    /// No rows of tiles.
    #[error("got group = {got}, expected a number of rows of tiles, at least 1")]
    Group {
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
    /// The schedule of these fields.
    ///
    /// # Errors
    /// A field is none of a schedule.
    pub fn of_fields(fields: &ScheduleFields<'_>) -> Result<Self, ScheduleMistake> {
        let ScheduleFields { instruction, over, stages, epilogue, tile, threads, group } = *fields;
        let over = match *over {
            [] => None,
            [rows, columns] if rows > 0 && columns > 0 => Some([rows, columns]),
            _ => return Err(ScheduleMistake::Over { got: over.to_vec() }),
        };
        let tile = match *tile {
            [] => None,
            [m, n, k] if m > 0 && n > 0 && k > 0 => Some([m, n, k]),
            _ => return Err(ScheduleMistake::Tile { got: tile.to_vec() }),
        };
        if !(0..=MAX_STAGES).contains(&stages) {
            return Err(ScheduleMistake::Stages { got: stages });
        }
        if !(0..=MAX_THREADS).contains(&threads) || threads % WARP != 0 {
            return Err(ScheduleMistake::Threads { got: threads });
        }
        if group < 0 {
            return Err(ScheduleMistake::Group { got: group });
        }
        let stated = |number: i64| (number > 0).then_some(number);
        Ok(LinalgSchedule {
            instruction: ProductInstruction::ALL.into_iter().find(|variant| variant.name() == instruction),
            over,
            stages: stated(stages),
            epilogue: [ProductEpilogue::Direct, ProductEpilogue::Shared].into_iter().find(|way| way.name() == epilogue),
            tile,
            threads: stated(threads),
            group: stated(group),
        })
    }

    /// What this schedule states, and of the rest what another one does.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        LinalgSchedule {
            instruction: self.instruction.or(other.instruction),
            over: self.over.or(other.over),
            stages: self.stages.or(other.stages),
            epilogue: self.epilogue.or(other.epilogue),
            tile: self.tile.or(other.tile),
            threads: self.threads.or(other.threads),
            group: self.group.or(other.group),
        }
    }
}

/// The attribute, as programs write it.
impl fmt::Display for LinalgSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            self.instruction.map(|instruction| format!("instruction = {}", instruction.name())),
            self.over.map(|over| format!("over = {over:?}")),
            self.stages.map(|stages| format!("stages = {stages}")),
            self.epilogue.map(|epilogue| format!("epilogue = {}", epilogue.name())),
            self.tile.map(|tile| format!("tile = {tile:?}")),
            self.threads.map(|threads| format!("threads = {threads}")),
            self.group.map(|group| format!("group = {group}")),
        ];
        write!(f, "#tile.schedule<{}>", fields.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{LinalgSchedule, ProductEpilogue, ProductInstruction, ScheduleFields, ScheduleMistake};

    #[test]
    fn fields_are_checked() {
        let fields = ScheduleFields {
            instruction: "wgmma",
            over: &[2, 1],
            stages: 4,
            epilogue: "shared",
            tile: &[128, 256, 64],
            threads: 256,
            group: 16,
        };
        let all = LinalgSchedule {
            instruction: Some(ProductInstruction::Wgmma),
            over: Some([2, 1]),
            stages: Some(4),
            epilogue: Some(ProductEpilogue::Shared),
            tile: Some([128, 256, 64]),
            threads: Some(256),
            group: Some(16),
        };
        assert_eq!(LinalgSchedule::of_fields(&fields), Ok(all));
        let text = "#tile.schedule<instruction = wgmma, over = [2, 1], stages = 4, epilogue = shared, \
                    tile = [128, 256, 64], threads = 256, group = 16>";
        assert_eq!(all.to_string(), text);
        assert_eq!(all.or(&LinalgSchedule::default()), LinalgSchedule::default().or(&all));
        let wrong = |fields| LinalgSchedule::of_fields(&fields).unwrap_err();
        assert_eq!(wrong(ScheduleFields { over: &[2], ..fields }), ScheduleMistake::Over { got: vec![2] });
        assert_eq!(wrong(ScheduleFields { over: &[2, 0], ..fields }), ScheduleMistake::Over { got: vec![2, 0] });
        assert_eq!(wrong(ScheduleFields { stages: 9, ..fields }), ScheduleMistake::Stages { got: 9 });
        assert_eq!(wrong(ScheduleFields { tile: &[64, 64], ..fields }), ScheduleMistake::Tile { got: vec![64, 64] });
        assert_eq!(wrong(ScheduleFields { threads: 100, ..fields }), ScheduleMistake::Threads { got: 100 });
        assert_eq!(wrong(ScheduleFields { group: -1, ..fields }), ScheduleMistake::Group { got: -1 });
        let open = ScheduleFields { instruction: "auto", epilogue: "auto", ..ScheduleFields::default() };
        assert_eq!(LinalgSchedule::of_fields(&open), Ok(LinalgSchedule::default()));
    }
}
