//! Scales of factors in tensor memory: bytes, each for a row of A or a column of B, and 32 depths.
//!
//! ```text
//!   scales of 128 rows and 4 x 32 depths            column 0          1         2         3
//!     lane 0, and again 32, 64, 96                   row 0 bytes 0–3   row 32    row 64    row 96
//!     lane 1, and again 33, 65, 97                   row 1             row 33    row 65    row 97
//! ```
//!
//! An instruction has 32 depths, and takes one byte of each column: the first instruction byte 0, the next one byte 1.

use tile_isa::tcgen05_mma::{SCALE_COPIES, SCALE_LANES, SCALES_OF_COLUMN};
use tile_layout::{Axis, Fusion, Iter};

use crate::mma::problem::ScaleOperand;
use crate::mma::tensor::{ColumnTerm, ScalePlace};
use crate::mma::tensor_places::{TensorPlaces, mismatch, named};
use crate::problem::refusal::Refusal;
use crate::problem::run_time::DynamicTerm;

/// The scales of A or of B.
pub(super) struct TensorScales<'p> {
    scales: &'p ScaleOperand,
    places: TensorPlaces<'p>,
    name: &'static str,
    /// Whether depths are its rows: those of B.
    depth_first: bool,
}

impl<'p> TensorScales<'p> {
    /// The scales of both factors, where instructions of so many rows and columns find them.
    pub(super) fn both([a, b]: &'p [ScaleOperand; 2], [rows, columns]: [i64; 2]) -> Result<[Self; 2], Refusal> {
        let tile = |name, scales: &'p ScaleOperand, depth_first| {
            let places = TensorPlaces::new(name, &scales.tile);
            TensorScales { scales, places, name, depth_first }
        };
        let [a, b] = [tile("the scales of a", a, false), tile("the scales of b", b, true)];
        a.check(rows)?;
        b.check(columns)?;
        Ok([a, b])
    }

    /// Requires the scales to be where instructions of `lines` rows of A, or columns of B, have them.
    fn check(&self, lines: i64) -> Result<(), Refusal> {
        self.check_copies()?;
        let [mut all, mut steps] = self.scales.tile.shape;
        if self.depth_first {
            (all, steps) = (steps, all);
        }
        let firsts = (0..all).step_by(lines as usize);
        firsts.flat_map(|first| (0..steps).map(move |step| (first, step))).try_for_each(|(first, step)| {
            let begin = self.element(first, step);
            self.places.check_lane(begin, &[0])?;
            let (_, byte) = self.places.place(begin);
            (0..lines).try_for_each(|line| {
                let wanted = (line % SCALE_LANES, byte + line / SCALE_LANES * SCALES_OF_COLUMN);
                let element = self.element(first + line, step);
                if self.places.place(element) == wanted {
                    return Ok(());
                }
                let got = self.places.got(element);
                Err(mismatch(format!("{got}; an instruction of {lines} has it {}", named(wanted))))
            })
        })
    }

    /// Requires each scale to be in the lanes of each of four warps.
    fn check_copies(&self) -> Result<(), Refusal> {
        let needed = Iter::new(SCALE_COPIES, SCALE_LANES, Axis::TLane);
        if self.scales.tile.layout.canonicalize(Fusion::None).replica == [needed] {
            return Ok(());
        }
        let needed = format!("R({SCALE_COPIES} : {SCALE_LANES}@TLane)");
        let reason = format!("{} are not in the lanes of each of four warps; needed {needed}", self.name);
        Err(mismatch(reason))
    }

    /// What the run-time offset adds to addresses: whole columns, since the byte of a column is in the instruction.
    pub(super) fn origin(&self) -> Result<Vec<ColumnTerm>, Refusal> {
        let term = |term: &DynamicTerm| {
            let is_whole = term.axis == Axis::TCol && term.stride % SCALES_OF_COLUMN == 0;
            is_whole.then_some(ColumnTerm { value: term.value, div: term.div, columns: term.stride / SCALES_OF_COLUMN })
        };
        self.scales.origin.iter().map(term).collect::<Option<_>>().ok_or_else(|| {
            let reason = format!(
                "{} begin at a run-time byte of a column of tensor memory; needed an offset of steps that is a multiple of \
                 {SCALES_OF_COLUMN}, or a constant one",
                self.name
            );
            mismatch(reason)
        })
    }

    /// Where the scales are of an instruction with that first row of A, or column of B.
    pub(super) fn place(&self, line: i64, step: i64) -> ScalePlace {
        let (_, byte) = self.places.place(self.element(line, step));
        ScalePlace { column: byte / SCALES_OF_COLUMN, byte: byte % SCALES_OF_COLUMN }
    }

    fn element(&self, line: i64, step: i64) -> [i64; 2] {
        if self.depth_first { [step, line] } else { [line, step] }
    }
}
