//! Products into tensor memory, `tcgen05`: one thread issues them. The right factor is in shared memory, the left one there or in
//! tensor memory.
//!
//! An instruction computes 128 rows, one in each lane, or 64, and up to 256 columns:
//!
//! ```text
//!   256 x 512 sums, 128 x 256 an instruction       4 chains, each of an instruction for every 32 bytes of depth
//!      lane 0 … 127    columns 0 … 255  256 … 511 of rows 0 … 127, then of rows 128 … 255, wherever in tensor memory they are
//! ```
//!
//! A left factor in tensor memory has each row in the lane of its sums, and depths side by side: 8 columns are 32 bytes. Scales of
//! 8-bit floats are in tensor memory, too.

use crate::choose::Rule;
use crate::mma::nearest::with_fragments;
use crate::mma::plan::MmaPlan;
use crate::mma::problem::{MmaOperand, MmaProblem};
use crate::mma::shared_operand::{ByteOffsets, SharedFactor, SharedOperand};
use crate::mma::tensor::{TensorChain, TensorPlan, TensorStep};
use crate::mma::tensor_places::TensorPlaces;
use crate::mma::tensor_scales::TensorScales;
use crate::problem::refusal::Refusal;
use crate::sides::issuer::issuing_warp;
use crate::target::Target;
use crate::target::engine::TENSOR_MEMORY;
use tile_isa::Space;
use tile_isa::fragment::MatrixInstruction;
use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::mma::Factor;
use tile_isa::tcgen05_mma::{
    DEPTH_BYTES, InstructionDescriptor, MAX_COLUMNS, MmaKind, ROWS, SCALE_LANES, SCALED_DEPTH, first_lanes,
};

/// The step of the columns of instructions.
const COLUMNS_STEP: i64 = 8;

/// The variant.
pub(super) struct TensorMma;

impl Rule<MmaProblem> for TensorMma {
    fn name(&self) -> &'static str {
        "tcgen05"
    }

    fn priority(&self) -> u32 {
        40
    }

    fn plan(&self, problem: &MmaProblem, target: &Target) -> Result<MmaPlan, Refusal> {
        problem.require_spaces([&[Space::Shared, Space::Tmem], &[Space::Shared], &[Space::Tmem]])?;
        let (kind, factors) = types(problem)?;
        TENSOR_MEMORY.check(target, "tcgen05.mma needs")?;
        if kind == MmaKind::I8 && !target.has_tensor_integers() {
            let reason = format!("tcgen05.mma of integers needs sm_100a or sm_110a; got {target}");
            return Err(Refusal::new(TENSOR_MEMORY.cause, reason));
        }
        let warp = issuing_warp(&problem.threads, "add the product to the same sums")?;
        let bytes = i64::from(problem.a.number.bits()) / 8;
        let (depth, all) = (DEPTH_BYTES / bytes, problem.a.shape[1]);
        if all % depth != 0 {
            let reason = format!("depth {all}; needed a multiple of {depth}, {DEPTH_BYTES} bytes");
            return Err(Refusal::new("fragment-too-small", reason));
        }
        let nearest = |refusal| with_fragments(refusal, problem, [MatrixInstruction::Tcgen05]);
        let sums = TensorSums::new(&problem.c, kind);
        let shape @ [rows, columns] = sums.shape().map_err(nearest)?;
        let left = LeftTile::new(&problem.a);
        let a = left.describe(&sums.places, [rows, depth]).map_err(nearest)?;
        let right = problem.b.factor("b", true);
        let offsets = right.offsets();
        let b = right.describe(&offsets, columns)?;
        let transposed = [a.is_some_and(|a| a.is_transposed), b.is_transposed];
        let instruction = InstructionDescriptor { rows, columns, factors, transposed };
        let scales =
            problem.scales.as_ref().map(|tiles| TensorScales::both(tiles, shape)).transpose().map_err(nearest)?;
        let scale_origins = match &scales {
            Some([a, b]) => [a.origin()?, b.origin()?],
            None => Default::default(),
        };
        let parts = sums.parts(shape, (0..all).step_by(depth as usize), |[row, column], begin| {
            let starts = [left.start(row, begin)?, offsets.at(column, begin)? / UNIT_BYTES];
            let step = begin / SCALED_DEPTH;
            let scales = scales.as_ref().map(|[a, b]| [a.place(row, step), b.place(column, step)]);
            Some(TensorStep { starts, scales })
        });
        Ok(MmaPlan::Tensor(TensorPlan { kind, instruction, depth, a, b, scale_origins, parts, warp }))
    }
}

fn types(problem: &MmaProblem) -> Result<(MmaKind, [Factor; 2]), Refusal> {
    let factor = |operand: &MmaOperand| Factor::of(operand.number, operand.clause);
    let factors = factor(&problem.a).zip(factor(&problem.b));
    let typed = factors.and_then(|(a, b)| Some((MmaKind::of(a, b, problem.c.number)?, [a, b])));
    let multiplies = |factor, sum| MmaKind::of(factor, factor, sum).is_some();
    let (kind, factors) = typed.ok_or_else(|| problem.unsupported(multiplies))?;
    if problem.scales.is_none() {
        return Ok((kind, factors));
    }
    let scaled = kind.scaled().ok_or_else(|| {
        let reason = format!("no instruction multiplies {} with scales; needed 8-bit floats", problem.types());
        Refusal::new("types-not-multiplied", reason)
    })?;
    Ok((scaled, factors))
}

/// The sums in tensor memory.
struct TensorSums<'p> {
    places: TensorPlaces<'p>,
    kind: MmaKind,
}

impl<'p> TensorSums<'p> {
    fn new(operand: &'p MmaOperand, kind: MmaKind) -> Self {
        TensorSums { places: TensorPlaces::new("c", operand), kind }
    }

    /// Rows and columns of the largest instruction that has the sums where they are.
    fn shape(&self) -> Result<[i64; 2], Refusal> {
        let [m, n] = self.places.shape();
        let mut refused = None;
        for rows in ROWS.into_iter().filter(|rows| m % rows == 0) {
            let legal = |&columns: &i64| {
                n % columns == 0 && self.kind.has_columns(rows, columns) && (columns == n || columns % self.step() == 0)
            };
            let widest = (1..=MAX_COLUMNS / COLUMNS_STEP).rev().map(|steps| steps * COLUMNS_STEP).find(legal);
            let checked = match widest {
                Some(columns) => self.check([rows, columns]).map(|()| [rows, columns]),
                None => Err(self.too_small()),
            };
            match checked {
                Ok(shape) => return Ok(shape),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        Err(refused.unwrap_or_else(|| self.too_small()))
    }

    /// Of what the columns of several instructions are multiples: scales of the second one begin in a column of their own.
    fn step(&self) -> i64 {
        if self.kind == MmaKind::Mxf8f6f4 { SCALE_LANES } else { COLUMNS_STEP }
    }

    fn too_small(&self) -> Refusal {
        let [m, n] = self.places.shape();
        if self.kind == MmaKind::Mxf8f6f4 {
            let reason = format!(
                "{m} rows and {n} columns; needed rows in multiples of {} and columns of 8, of more than {MAX_COLUMNS} of {SCALE_LANES}",
                ROWS[0]
            );
            return Refusal::new("fragment-too-small", reason);
        }
        let reason = format!(
            "{m} rows and {n} columns; needed rows in multiples of {} and columns of 16, or rows of {} and columns of {}",
            ROWS[0],
            ROWS[1],
            if self.kind == MmaKind::I8 { "8, 24 or multiples of 16" } else { "8" }
        );
        Refusal::new("fragment-too-small", reason)
    }

    /// Checks every element of every instruction of that shape.
    fn check(&self, shape: [i64; 2]) -> Result<(), Refusal> {
        self.places.check_single()?;
        origins(self.places.shape(), shape).try_for_each(|origin| {
            self.places.check_lane(origin, first_lanes(shape[0]))?;
            self.places.check_part(origin, shape)
        })
    }

    /// The chains of instructions, each of which begins at some depths.
    fn parts(
        &self,
        shape: [i64; 2],
        depths: impl Iterator<Item = i64> + Clone,
        step: impl Fn([i64; 2], i64) -> Option<TensorStep>,
    ) -> Vec<TensorChain> {
        let part = |origin| {
            let steps = depths.clone().filter_map(|depth| step(origin, depth)).collect();
            TensorChain { steps, sums: self.places.address(origin) }
        };
        origins(self.places.shape(), shape).map(part).collect()
    }
}

/// The left factor, in either memory.
enum LeftTile<'p> {
    Shared(SharedFactor<'p>, ByteOffsets),
    Tensor(TensorPlaces<'p>),
}

impl<'p> LeftTile<'p> {
    fn new(operand: &'p MmaOperand) -> Self {
        if operand.space == Space::Tmem {
            return LeftTile::Tensor(TensorPlaces::new("a", operand));
        }
        let factor = operand.factor("a", false);
        let offsets = factor.offsets();
        LeftTile::Shared(factor, offsets)
    }

    /// How instructions of that many rows and depths find it: the descriptor of a tile in shared memory. In tensor memory rows are
    /// in the lanes of their sums.
    fn describe(&self, sums: &TensorPlaces<'_>, part: [i64; 2]) -> Result<Option<SharedOperand>, Refusal> {
        match self {
            LeftTile::Shared(factor, offsets) => factor.describe(offsets, part[0]).map(Some),
            LeftTile::Tensor(places) => {
                places.check_single()?;
                origins(places.shape(), part).try_for_each(|origin| {
                    places.check_lane(origin, &[sums.place([origin[0], 0]).0])?;
                    places.check_column(origin)?;
                    places.check_part(origin, part)
                })?;
                Ok(None)
            }
        }
    }

    /// Where the part of an instruction begins: in units of a descriptor, or as an address.
    fn start(&self, row: i64, depth: i64) -> Option<i64> {
        match self {
            LeftTile::Shared(_, offsets) => Some(offsets.at(row, depth)? / UNIT_BYTES),
            LeftTile::Tensor(places) => Some(places.address([row, depth])),
        }
    }
}

/// The first rows and columns of the parts of a tile.
fn origins([m, n]: [i64; 2], [rows, columns]: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    (0..m).step_by(rows as usize).flat_map(move |row| (0..n).step_by(columns as usize).map(move |column| [row, column]))
}
