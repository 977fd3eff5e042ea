//! Products of whole warpgroups, `wgmma`: both factors in shared memory, the sums in registers.
//!
//! An instruction computes 64 rows and up to 256 columns. Warp `w` of the warpgroup has the rows 16 w to 16 w + 15, and in it lane
//! `4 g + t` those of `g` and `g + 8`, of every 8 columns `2 t` and `2 t + 1`:
//!
//! ```text
//!   64 x 16      columns 0-1   2-3   4-5   6-7   8-9  …
//!     row 0      thread 0 r0  1 r0  2 r0  3 r0  0 r4           rN: the first of two registers
//!     row 8             0 r2  1 r2  2 r2  3 r2  0 r6
//!     row 16           32 r0   …
//! ```

use tile_isa::convert::NumberFormat;
use tile_isa::fragment::MatrixInstruction;
use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::mma;
use tile_isa::wgmma::{self, DEPTH_BYTES, ROWS};
use tile_isa::{Scope, Space, WARP, WARPGROUP};

use crate::choose::Rule;
use crate::distribution::{Cell, RegisterDistribution};
use crate::mma::nearest::with_fragments;
use crate::mma::plan::MmaPlan;
use crate::mma::problem::{MmaOperand, MmaProblem};
use crate::mma::shared_operand::ByteOffsets;
use crate::mma::wgmma::{WarpgroupOffset, WgmmaChain, WgmmaPlan};
use crate::problem::refusal::Refusal;
use crate::sides::require::all_active;
use crate::target::Target;
use crate::target::engine::WARPGROUP_PRODUCTS;

/// The most columns of an instruction.
const MAX_COLUMNS: i64 = 256;
/// Columns of an instruction on integers that are no multiple of 16 (PTX ISA, wgmma, shapes).
const ODD_COLUMNS: [i64; 2] = [8, 24];
/// Columns of C, of which a thread holds two.
const COLUMNS_PER_PAIR: i64 = 8;

/// The variant.
pub(super) struct WarpgroupMma;

impl Rule<MmaProblem> for WarpgroupMma {
    fn name(&self) -> &'static str {
        "wgmma"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &MmaProblem, target: &Target) -> Result<MmaPlan, Refusal> {
        problem.require_spaces([&[Space::Shared], &[Space::Shared], &[Space::Local]])?;
        let factors = factors(problem)?;
        WARPGROUP_PRODUCTS.check(target, "wgmma needs")?;
        let count = whole_warpgroups(problem)?;
        let c = RegisterDistribution::new(&problem.c.layout, &problem.c.shape, "c", &problem.threads)?;
        let sums = WarpgroupSums::of(&c, count / WARPGROUP)
            .map_err(|refusal| with_fragments(refusal, problem, [MatrixInstruction::Wgmma]))?;
        let bytes = i64::from(problem.a.number.bits()) / 8;
        let (a, b) = (problem.a.factor("a", false), problem.b.factor("b", true));
        let depth = DEPTH_BYTES / bytes;
        let is_integer = problem.c.number.is_integer();
        let columns = columns(sums.columns, is_integer).filter(|_| a.depth() % depth == 0).ok_or_else(|| {
            let reason = format!(
                "{} columns of each warpgroup, and depth {}; needed multiples of 8 and of {depth}",
                sums.columns,
                a.depth()
            );
            Refusal::new("fragment-too-small", reason)
        })?;
        let offsets = [a.offsets(), b.offsets()];
        let operands = [a.describe(&offsets[0], ROWS)?, b.describe(&offsets[1], columns)?];
        let spread = |of: usize| {
            let begin = |origin: &Cell| offsets[of].at(if of == 0 { origin.0 } else { origin.1 }, 0);
            let begins: Option<Vec<i64>> = sums.origins.iter().map(begin).collect();
            begins.and_then(|begins| WarpgroupOffset::of(&begins)).ok_or_else(|| {
                let name = if of == 0 { "a" } else { "b" };
                let reason = format!("the parts of {name} that warpgroups read do not lie at equal distances");
                Refusal::new("warpgroups-not-regular", reason)
            })
        };
        let spread = [spread(0)?, spread(1)?];
        let parts = parts(&sums, &offsets, [columns, depth, a.depth()]);
        Ok(MmaPlan::Warpgroups(WgmmaPlan { factors, size: [columns, depth], operands, spread, parts }))
    }
}

/// The columns of an instruction: the most of which a warpgroup's are a multiple.
fn columns(all: i64, is_integer: bool) -> Option<i64> {
    let is_legal = |n: &i64| all % n == 0 && (!is_integer || n % 16 == 0 || ODD_COLUMNS.contains(n));
    (1..=MAX_COLUMNS / COLUMNS_PER_PAIR).rev().map(|pairs| pairs * COLUMNS_PER_PAIR).find(is_legal)
}

fn factors(problem: &MmaProblem) -> Result<[mma::Factor; 2], Refusal> {
    let of = |operand: &MmaOperand| {
        mma::Factor::of(operand.number, operand.clause).filter(|&factor| wgmma::multiplies(factor))
    };
    let factors = of(&problem.a).zip(of(&problem.b)).filter(|_| problem.c.number != NumberFormat::F16);
    let (a, b) = factors
        .filter(|&(a, b)| !mma::shapes(a, b, problem.c.number).is_empty())
        .ok_or_else(|| problem.unsupported())?;
    Ok([a, b])
}

/// The number of threads, all of whole warpgroups.
fn whole_warpgroups(problem: &MmaProblem) -> Result<i64, Refusal> {
    all_active(&problem.threads)?;
    let scope = problem.threads.scope;
    match problem.threads.count() {
        Some(count) if matches!(scope, Scope::Warpgroup | Scope::Cta) && count % WARPGROUP == 0 => Ok(count),
        count => {
            let count = count.map_or("an unknown number of".to_owned(), |count| count.to_string());
            let reason = format!("scope {scope} with {count} threads; needed whole warpgroups of {WARPGROUP}");
            Err(Refusal::new("scope-not-whole-warpgroups", reason))
        }
    }
}

/// The sums of the warpgroups.
struct WarpgroupSums {
    /// The first row and column of each warpgroup.
    origins: Vec<Cell>,
    /// Parts of 64 rows of a warpgroup.
    blocks: i64,
    /// Columns of a warpgroup.
    columns: i64,
    /// The registers of a thread: by block, then every 8 columns, then 4.
    registers: Vec<usize>,
}

impl WarpgroupSums {
    fn of(c: &RegisterDistribution, warpgroups: i64) -> Result<Self, Refusal> {
        let mut held: Vec<(Cell, usize)> = c.held(0).map(|(register, cell)| (cell, register)).collect();
        held.sort_unstable();
        let Some(&(first, _)) = held.first() else { return Err(mismatch("thread 0 holds no element of c")) };
        let rows = held.iter().filter(|(cell, _)| cell.1 == first.1).count() as i64;
        let (blocks, columns) = (rows / 2, held.len() as i64 / rows.max(1) * 4);
        let mut registers = Vec::with_capacity(held.len());
        for at in SumPositions::new(blocks, columns) {
            let wanted = at.cell(first, 0);
            let found = held.binary_search_by_key(&wanted, |(cell, _)| *cell);
            let place = found.map_err(|_| mismatch(&format!("thread 0 does not hold element {wanted:?} of c")))?;
            registers.push(held[place].1);
        }
        let origin = |warpgroup: i64| c.cell((warpgroup * WARPGROUP) as usize, *registers.first()?);
        let origins: Option<Vec<Cell>> = (0..warpgroups).map(origin).collect();
        let origins = origins.ok_or_else(|| mismatch("a warpgroup holds no element of c"))?;
        let sums = WarpgroupSums { origins, blocks, columns, registers };
        sums.check(c)?;
        Ok(sums)
    }

    /// Checks every element of every thread.
    fn check(&self, c: &RegisterDistribution) -> Result<(), Refusal> {
        for thread in 0..c.threads() {
            let origin = self.origins[thread / WARPGROUP as usize];
            for (at, &register) in SumPositions::new(self.blocks, self.columns).zip(&self.registers) {
                let (got, wanted) = (c.cell(thread, register), at.cell(origin, thread as i64 % WARPGROUP));
                if got != Some(wanted) {
                    let got = got.map_or("none".to_owned(), |cell| format!("{cell:?}"));
                    return Err(mismatch(&format!(
                        "register {register} of thread {thread} holds element {got} of c; the instruction needs {wanted:?} there"
                    )));
                }
            }
            let held = c.held(thread).count();
            if held != self.registers.len() {
                return Err(mismatch(&format!(
                    "thread {thread} holds {held} elements of c, expected {}",
                    self.registers.len()
                )));
            }
        }
        Ok(())
    }
}

fn mismatch(reason: &str) -> Refusal {
    Refusal::new("fragment-mismatch", reason)
}

/// The elements of a thread, in the order of an instruction's registers.
struct SumPositions {
    next: i64,
    pairs: i64,
    blocks: i64,
}

/// The place of an element among those of a thread.
struct SumPosition {
    block: i64,
    pair: i64,
    half: i64,
    which: i64,
}

impl SumPositions {
    fn new(blocks: i64, columns: i64) -> Self {
        SumPositions { next: 0, pairs: columns / COLUMNS_PER_PAIR, blocks }
    }
}

impl Iterator for SumPositions {
    type Item = SumPosition;

    fn next(&mut self) -> Option<SumPosition> {
        let at = self.next;
        self.next += 1;
        let each = 4 * self.pairs;
        (each > 0 && at < each * self.blocks).then(|| SumPosition {
            block: at / each,
            pair: at % each / 4,
            half: at % 4 / 2,
            which: at % 2,
        })
    }
}

impl SumPosition {
    /// The element in a thread of the warpgroup whose first is `origin`.
    fn cell(&self, origin: Cell, thread: i64) -> Cell {
        let (warp, lane) = (thread / WARP, thread % WARP);
        let row = ROWS * self.block + 16 * warp + 8 * self.half + lane / 4;
        let column = COLUMNS_PER_PAIR * self.pair + 2 * (lane % 4) + self.which;
        (origin.0 + row, origin.1 + column)
    }
}

/// The chains of instructions of the first warpgroup.
fn parts(sums: &WarpgroupSums, offsets: &[ByteOffsets; 2], [columns, depth, all]: [i64; 3]) -> Vec<WgmmaChain> {
    let origin = sums.origins[0];
    let each = (columns / 2) as usize;
    let mut parts = Vec::new();
    for block in 0..sums.blocks {
        for part in 0..sums.columns / columns {
            let start = |begin: i64| -> Option<[i64; 2]> {
                let a = offsets[0].at(origin.0 + ROWS * block, begin)?;
                let b = offsets[1].at(origin.1 + columns * part, begin)?;
                Some([a / UNIT_BYTES, b / UNIT_BYTES])
            };
            let first = (block * sums.columns / 2 + part * columns / 2) as usize;
            let registers = sums.registers[first..first + each].to_vec();
            parts.push(WgmmaChain { starts: (0..all).step_by(depth as usize).filter_map(start).collect(), registers });
        }
    }
    parts
}
