//! Products into tensor memory, `tcgen05`: one thread issues them, both factors are in shared memory.
//!
//! An instruction computes 128 rows, one in each lane, or 64, and up to 256 columns:
//!
//! ```text
//!   256 x 512 sums, 128 x 256 an instruction       4 chains, each of an instruction for every 32 bytes of depth
//!      lane 0 … 127    columns 0 … 255  256 … 511 of rows 0 … 127, then of rows 128 … 255, wherever in tensor memory they are
//! ```

use tile_isa::fragment::MatrixInstruction;
use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::mma::Factor;
use tile_isa::tcgen05_mma::{DEPTH_BYTES, InstructionDescriptor, MAX_COLUMNS, MmaKind, ROWS, first_lanes, lane};
use tile_isa::{Scope, Space, WARP};
use tile_layout::Axis;

use crate::choose::Rule;
use crate::mma::nearest::with_fragments;
use crate::mma::plan::MmaPlan;
use crate::mma::problem::{MmaOperand, MmaProblem};
use crate::mma::shared_operand::ByteOffsets;
use crate::mma::tensor::{TensorChain, TensorPlan};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::require::all_active;
use crate::target::Target;
use crate::target::engine::TENSOR_MEMORY;

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
        problem.require_spaces([&[Space::Shared], &[Space::Shared], &[Space::Tmem]])?;
        let (kind, factors) = types(problem)?;
        TENSOR_MEMORY.check(target, "tcgen05.mma needs")?;
        if kind == MmaKind::I8 && !target.has_tensor_integers() {
            let reason = format!("tcgen05.mma of integers needs sm_100a or sm_110a; got {target}");
            return Err(Refusal::new(TENSOR_MEMORY.cause, reason));
        }
        let warp = issuing_warp(&problem.threads)?;
        let bytes = i64::from(problem.a.number.bits()) / 8;
        let (a, b) = (problem.a.factor("a", false), problem.b.factor("b", true));
        let depth = DEPTH_BYTES / bytes;
        if a.depth() % depth != 0 {
            let reason = format!("depth {}; needed a multiple of {depth}, {DEPTH_BYTES} bytes", a.depth());
            return Err(Refusal::new("fragment-too-small", reason));
        }
        let sums = TensorSums::new(&problem.c, kind);
        let (rows, columns) =
            sums.shape().map_err(|refusal| with_fragments(refusal, problem, [MatrixInstruction::Tcgen05]))?;
        let offsets = [a.offsets(), b.offsets()];
        let operands = [a.describe(&offsets[0], rows)?, b.describe(&offsets[1], columns)?];
        let transposed = operands.map(|operand| operand.is_transposed);
        let instruction = InstructionDescriptor { rows, columns, factors, transposed };
        let parts = sums.parts([rows, columns], &offsets, (depth, a.depth()));
        Ok(MmaPlan::Tensor(TensorPlan { kind, instruction, depth, operands, parts, warp }))
    }
}

fn types(problem: &MmaProblem) -> Result<(MmaKind, [Factor; 2]), Refusal> {
    let of = |operand: &MmaOperand| Factor::of(operand.number, operand.clause);
    let factors = of(&problem.a).zip(of(&problem.b));
    let found = factors.and_then(|(a, b)| Some((MmaKind::of(a, b, problem.c.number)?, [a, b])));
    found.ok_or_else(|| problem.unsupported())
}

/// The first warp of the threads that reach the product: exactly those of one scope, of whole warps.
fn issuing_warp(threads: &Threads) -> Result<i64, Refusal> {
    if threads.scope == Scope::Thread {
        let reason = "scope thread; needed a warp or more, of which one thread is elected";
        return Err(Refusal::new("scope-not-whole-warps", reason));
    }
    all_active(threads)?;
    let unknown = || Refusal::new("block-size-unknown", "the size of the block is not known");
    let (count, reaching) = threads.count().zip(threads.known()).ok_or_else(unknown)?;
    if count % WARP != 0 {
        let reason = format!("a block of {count} threads; needed a multiple of {WARP}, whole warps");
        return Err(Refusal::new("scope-not-whole-warps", reason));
    }
    if reaching.len() != count {
        let reason = format!(
            "{} threads reach it, {} {}s, each of which would add the product to the same sums; needed one, or scope cta",
            reaching.len(),
            reaching.len() / count,
            threads.scope
        );
        return Err(Refusal::new("scope-not-single", reason));
    }
    Ok(reaching.iter().next().unwrap_or(0) / WARP)
}

/// The sums in tensor memory.
struct TensorSums<'p> {
    of: &'p MmaOperand,
    kind: MmaKind,
    /// The lane of each element, and its column.
    places: [Vec<i64>; 2],
}

impl<'p> TensorSums<'p> {
    fn new(of: &'p MmaOperand, kind: MmaKind) -> Self {
        TensorSums { of, kind, places: [Axis::TLane, Axis::TCol].map(|axis| of.layout.places_on(axis)) }
    }

    /// Rows and columns of the largest instruction that has the sums where they are.
    fn shape(&self) -> Result<(i64, i64), Refusal> {
        let [m, n] = self.of.shape;
        let mut refused = None;
        for rows in ROWS.into_iter().filter(|rows| m % rows == 0) {
            let legal = |columns: &i64| n % columns == 0 && self.kind.has_columns(rows, *columns);
            let widest = (1..=MAX_COLUMNS / COLUMNS_STEP).rev().map(|steps| steps * COLUMNS_STEP).find(legal);
            let checked = match widest {
                Some(columns) => self.check(rows, columns).map(|()| (rows, columns)),
                None => Err(self.too_small()),
            };
            match checked {
                Ok(shape) => return Ok(shape),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        Err(refused.unwrap_or_else(|| self.too_small()))
    }

    fn too_small(&self) -> Refusal {
        let [m, n] = self.of.shape;
        let reason = format!(
            "{m} rows and {n} columns; needed rows in multiples of {} and columns of 16, or rows of {} and columns of {}",
            ROWS[0],
            ROWS[1],
            if self.kind == MmaKind::I8 { "8, 24 or multiples of 16" } else { "8" }
        );
        Refusal::new("fragment-too-small", reason)
    }

    /// Checks every element of every instruction of that shape.
    fn check(&self, rows: i64, columns: i64) -> Result<(), Refusal> {
        if self.of.layout.replica.iter().any(|iter| iter.extent != 1 && iter.stride != 0) {
            return Err(mismatch("c holds every element several times; needed once"));
        }
        for [row, column] in self.origins([rows, columns]) {
            let first @ (first_lane, first_column) = self.place(row, column);
            if !first_lanes(rows).contains(&first_lane) {
                let lanes = if rows == ROWS[0] { "lane 0" } else { "lane 0 or 16" };
                return Err(mismatch(&format!("element {:?} of c is {}; needed {lanes}", (row, column), named(first))));
            }
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (got, wanted) = (self.place(row + r, column + c), (first_lane + lane(rows, r), first_column + c));
                if got != wanted {
                    let element = (row + r, column + c);
                    let (got, wanted) = (named(got), named(wanted));
                    return Err(mismatch(&format!(
                        "element {element:?} of c is {got}; an instruction of {rows} rows has it {wanted}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The first rows and columns of the instructions.
    fn origins(&self, [rows, columns]: [i64; 2]) -> impl Iterator<Item = [i64; 2]> + use<> {
        let [m, n] = self.of.shape;
        (0..m)
            .step_by(rows as usize)
            .flat_map(move |row| (0..n).step_by(columns as usize).map(move |column| [row, column]))
    }

    /// The lane and the column of an element.
    fn place(&self, row: i64, column: i64) -> (i64, i64) {
        let element = (row * self.of.shape[1] + column) as usize;
        let [lane, column] = self.places.each_ref().map(|all| all.get(element).copied().unwrap_or(0));
        (lane, column)
    }

    /// The chains of instructions, along a depth of `all`.
    fn parts(&self, shape: [i64; 2], [a, b]: &[ByteOffsets; 2], (depth, all): (i64, i64)) -> Vec<TensorChain> {
        let part = |[row, column]: [i64; 2]| {
            let start = |begin: i64| Some([a.at(row, begin)? / UNIT_BYTES, b.at(column, begin)? / UNIT_BYTES]);
            let (first_lane, first_column) = self.place(row, column);
            TensorChain {
                starts: (0..all).step_by(depth as usize).filter_map(start).collect(),
                sums: [first_lane, first_column],
            }
        };
        self.origins(shape).map(part).collect()
    }
}

fn mismatch(reason: &str) -> Refusal {
    Refusal::new("fragment-mismatch", reason)
}

/// `in lane 3, column 4`.
fn named((lane, column): (i64, i64)) -> String {
    format!("in lane {lane}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::threads::{Active, ThreadSet};

    #[test]
    fn one_scope_issues() {
        let of = |scope, block, active| issuing_warp(&Threads { scope, block: Some(block), active });
        let cause = |found: Result<i64, Refusal>| found.unwrap_err().cause;
        assert_eq!(of(Scope::Cta, 160, Active::All), Ok(0));
        assert_eq!(of(Scope::Warp, 160, Active::Known(ThreadSet::range(128, 160))), Ok(4));
        assert_eq!(cause(of(Scope::Warp, 64, Active::All)), "scope-not-single");
        assert_eq!(cause(of(Scope::Thread, 64, Active::All)), "scope-not-whole-warps");
        assert_eq!(cause(of(Scope::Cta, 48, Active::All)), "scope-not-whole-warps");
        assert_eq!(cause(of(Scope::Cta, 64, Active::Known(ThreadSet::range(0, 1)))), "not-all-threads-active");
    }
}
