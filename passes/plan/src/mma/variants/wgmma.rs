//! Products of whole warpgroups, `wgmma`: the right factor in shared memory, the left one there or in registers, the sums in registers.
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
//!
//! A in registers lies likewise, with 1, 2 or 4 adjacent depths of 32 bits in the place of the two columns: sums of 16 bits are the
//! left factor of a next product where they are.

use std::cell::RefCell;
use std::rc::Rc;

use tile_isa::convert::NumberFormat;
use tile_isa::fragment::MatrixInstruction;
use tile_isa::matrix_descriptor::UNIT_BYTES;
use tile_isa::mma;
use tile_isa::registers::REGISTER_BITS;
use tile_isa::wgmma::{self, DEPTH_BYTES, ROWS};
use tile_isa::{Scope, Space, WARP, WARPGROUP};
use tile_layout::Layout;

use crate::choose::Rule;
use crate::distribution::{Cell, RegisterDistribution};
use crate::mma::nearest::with_fragments;
use crate::mma::plan::MmaPlan;
use crate::mma::problem::{MmaOperand, MmaProblem};
use crate::mma::shared_operand::ByteOffsets;
use crate::mma::wgmma::{DescribedFactor, LeftStep, WarpgroupOffset, WgmmaChain, WgmmaPlan, WgmmaStep};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::require::all_active;
use crate::target::Target;
use crate::target::engine::WARPGROUP_PRODUCTS;

/// The most columns of an instruction.
const MAX_COLUMNS: i64 = 256;
/// Columns of an instruction on integers that are no multiple of 16 (PTX ISA, wgmma, shapes).
const ODD_COLUMNS: [i64; 2] = [8, 24];
/// Elements of C that a thread holds side by side.
const SUMS_PER_RUN: i64 = 2;
/// The least number of columns of an instruction.
const MIN_COLUMNS: i64 = LANES_OF_ROW * SUMS_PER_RUN;
/// Lanes that share a row.
const LANES_OF_ROW: i64 = 4;

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
        problem.require_spaces([&[Space::Shared, Space::Local], &[Space::Shared], &[Space::Local]])?;
        WARPGROUP_PRODUCTS.check(target, "wgmma needs")?;
        let factors = factors(problem)?;
        let count = whole_warpgroups(problem)?;
        let nearest = |refusal| with_fragments(refusal, problem, [MatrixInstruction::Wgmma]);
        let sums = sums(problem, count, nearest)?;
        let bits = i64::from(problem.a.number.bits());
        let depth = 8 * DEPTH_BYTES / bits;
        let (terms, b) = (problem.a.shape[1], problem.b.factor("b", true));
        let is_integer = problem.c.number.is_integer();
        let columns = columns(sums.columns, is_integer).filter(|_| terms % depth == 0).ok_or_else(|| {
            let reason = format!(
                "{} columns of each warpgroup, and depth {terms}; needed multiples of 8 and of {depth}",
                sums.columns
            );
            Refusal::new("fragment-too-small", reason)
        })?;
        let offsets = b.offsets();
        let rows: Vec<i64> = sums.origins.iter().map(|origin| origin.1).collect();
        let b = DescribedFactor { operand: b.describe(&offsets, columns)?, spread: spread("b", &offsets, &rows)? };
        let left = match problem.a.space {
            Space::Local => {
                let a = RegisterDistribution::new(&problem.a.layout, &problem.a.shape, "a", &problem.threads)?;
                let per_run = REGISTER_BITS / bits;
                let a = WarpgroupFragment::new(&a, ("a", per_run), count / WARPGROUP).map_err(nearest)?;
                LeftFactor::Registers(a.with_rows_of(&sums, terms).map_err(nearest)?)
            }
            _ => {
                let a = problem.a.factor("a", false);
                let rows: Vec<i64> = sums.origins.iter().map(|origin| origin.0).collect();
                let offsets = a.offsets();
                let described =
                    DescribedFactor { operand: a.describe(&offsets, ROWS)?, spread: spread("a", &offsets, &rows)? };
                LeftFactor::Shared(described, offsets)
            }
        };
        let parts = parts(&sums, &left, &offsets, [columns, depth, terms]);
        let a = if let LeftFactor::Shared(described, _) = left { Some(described) } else { None };
        Ok(MmaPlan::Warpgroups(WgmmaPlan { factors, size: [columns, depth], a, b, parts }))
    }
}

/// A tile of sums, and the threads that hold it.
type SumsKey = (Layout, [i64; 2], Threads);

thread_local! {
    /// The last sums, which many products have in common while layouts of their factors are tried.
    static SUMS: RefCell<Option<(SumsKey, Rc<WarpgroupFragment>)>> = const { RefCell::new(None) };
}

/// The sums of a product by that many threads.
fn sums(
    problem: &MmaProblem,
    count: i64,
    nearest: impl Fn(Refusal) -> Refusal,
) -> Result<Rc<WarpgroupFragment>, Refusal> {
    let MmaProblem { c, threads, .. } = problem;
    let is_it = |((layout, shape, by), _): &&(SumsKey, Rc<WarpgroupFragment>)| {
        (layout, shape, by) == (&c.layout, &c.shape, threads)
    };
    let known = SUMS.with_borrow(|last| last.as_ref().filter(is_it).map(|(_, sums)| Rc::clone(sums)));
    if let Some(known) = known {
        return Ok(known);
    }
    let held = RegisterDistribution::new(&c.layout, &c.shape, "c", threads)?;
    let sums = WarpgroupFragment::new(&held, ("c", SUMS_PER_RUN), count / WARPGROUP).map_err(nearest)?;
    let sums = Rc::new(sums);
    SUMS.set(Some(((c.layout.clone(), c.shape, threads.clone()), Rc::clone(&sums))));
    Ok(sums)
}

/// The left factor.
enum LeftFactor {
    Shared(DescribedFactor, ByteOffsets),
    Registers(WarpgroupFragment),
}

/// Where the warpgroups' parts of a factor begin, from the first rows of A, or columns of B, that they read.
fn spread(name: &str, offsets: &ByteOffsets, first: &[i64]) -> Result<WarpgroupOffset, Refusal> {
    let begins: Option<Vec<i64>> = first.iter().map(|&row| offsets.at(row, 0)).collect();
    begins.and_then(|begins| WarpgroupOffset::of(&begins)).ok_or_else(|| {
        let reason = format!("the parts of {name} that warpgroups read do not lie at equal distances");
        Refusal::new("warpgroups-not-regular", reason)
    })
}

/// The columns of an instruction: the most of which a warpgroup's are a multiple.
fn columns(all: i64, is_integer: bool) -> Option<i64> {
    let is_legal = |n: &i64| all % n == 0 && (!is_integer || n % 16 == 0 || ODD_COLUMNS.contains(n));
    (1..=MAX_COLUMNS / MIN_COLUMNS).rev().map(|count| count * MIN_COLUMNS).find(is_legal)
}

fn factors(problem: &MmaProblem) -> Result<[mma::Factor; 2], Refusal> {
    let factor = |operand: &MmaOperand| mma::Factor::of(operand.number, operand.clause);
    let factors = factor(&problem.a).zip(factor(&problem.b));
    let (a, b) = factors
        .filter(|&(a, b)| multiplies(a, b, problem.c.number))
        .ok_or_else(|| problem.unsupported(|factor, sum| multiplies(factor, factor, sum)))?;
    Ok([a, b])
}

/// Whether the variant has such factors and sums.
fn multiplies(a: mma::Factor, b: mma::Factor, sum: NumberFormat) -> bool {
    let is_known = [a, b].into_iter().all(wgmma::multiplies) && sum != NumberFormat::F16;
    is_known && !mma::shapes(a, b, sum).is_empty()
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

/// The sums of the warpgroups, or a left factor in their registers.
struct WarpgroupFragment {
    /// What messages call it.
    name: &'static str,
    /// Elements that a thread holds side by side.
    run: i64,
    /// The first row and column of each warpgroup.
    origins: Vec<Cell>,
    /// Parts of 64 rows of a warpgroup.
    blocks: i64,
    /// Columns of a warpgroup.
    columns: i64,
    /// The registers of a thread: by block, then every 4 runs of columns, then the runs of both rows.
    registers: Vec<usize>,
}

impl WarpgroupFragment {
    fn new(held: &RegisterDistribution, (name, run): (&'static str, i64), warpgroups: i64) -> Result<Self, Refusal> {
        let mut cells: Vec<(Cell, usize)> = held.held(0).map(|(register, cell)| (cell, register)).collect();
        cells.sort_unstable();
        let none = |reason: String| Refusal::new("fragment-mismatch", reason);
        let Some(&(first, _)) = cells.first() else { return Err(none(format!("thread 0 holds no element of {name}"))) };
        let rows = cells.iter().filter(|(cell, _)| cell.1 == first.1).count() as i64;
        let (blocks, columns) = (rows / 2, cells.len() as i64 / rows.max(1) * LANES_OF_ROW);
        let mut fragment = WarpgroupFragment { name, run, origins: Vec::new(), blocks, columns, registers: Vec::new() };
        for at in fragment.positions() {
            let wanted = at.cell(first, 0);
            let index = cells.binary_search_by_key(&wanted, |(cell, _)| *cell);
            let place = index.map_err(|_| none(format!("thread 0 does not hold element {wanted:?} of {name}")))?;
            fragment.registers.push(cells[place].1);
        }
        let origin = |warpgroup: i64| held.cell((warpgroup * WARPGROUP) as usize, *fragment.registers.first()?);
        let origins: Option<Vec<Cell>> = (0..warpgroups).map(origin).collect();
        fragment.origins = origins.ok_or_else(|| none(format!("a warpgroup holds no element of {name}")))?;
        fragment.check(held)?;
        Ok(fragment)
    }

    /// Checks every element of every thread.
    fn check(&self, held: &RegisterDistribution) -> Result<(), Refusal> {
        let name = self.name;
        let mismatch = |reason: String| Err(Refusal::new("fragment-mismatch", reason));
        // The element of each register, counted from the thread's first.
        let steps: Vec<Cell> = self.positions().map(|at| at.cell((0, 0), 0)).collect();
        let first = FragmentPosition { run: self.run, block: 0, part: 0, half: 0, which: 0 };
        for thread in 0..held.threads() {
            let begin = first.cell(self.origins[thread / WARPGROUP as usize], thread as i64 % WARPGROUP);
            for (step, &register) in steps.iter().zip(&self.registers) {
                let wanted = (begin.0 + step.0, begin.1 + step.1);
                let got = held.element(thread, register);
                if got.is_none() || got != held.number(wanted) {
                    let got = held.cell(thread, register).map_or("none".to_owned(), |cell| format!("{cell:?}"));
                    return mismatch(format!(
                        "register {register} of thread {thread} holds element {got} of {name}; the instruction needs {wanted:?} there"
                    ));
                }
            }
            let count = held.held(thread).count();
            if count != self.registers.len() {
                let needed = self.registers.len();
                return mismatch(format!("thread {thread} holds {count} elements of {name}, expected {needed}"));
            }
        }
        Ok(())
    }

    /// The fragment as the left factor of sums: each warpgroup has the rows of its sums, and all depths.
    fn with_rows_of(self, sums: &WarpgroupFragment, depth: i64) -> Result<Self, Refusal> {
        let wrong = (0..).zip(self.origins.iter().zip(&sums.origins)).find(|(_, (a, c))| (c.0, 0) != **a);
        if let Some((warpgroup, (a, c))) = wrong {
            let reason = format!(
                "warpgroup {warpgroup} holds a from element {a:?} on; needed {:?}, the first of its sums",
                (c.0, 0)
            );
            return Err(Refusal::new("fragment-mismatch", reason));
        }
        if (self.blocks, self.columns) != (sums.blocks, depth) {
            let (rows, columns) = (ROWS * self.blocks, self.columns);
            let needed = ROWS * sums.blocks;
            let reason = format!("a warpgroup holds {rows}x{columns} elements of a; needed {needed}x{depth}");
            return Err(Refusal::new("fragment-mismatch", reason));
        }
        Ok(self)
    }

    /// The elements of a thread, in the order of an instruction's registers.
    fn positions(&self) -> impl Iterator<Item = FragmentPosition> + use<> {
        let run = self.run;
        let (block, both) = (2 * run * (self.columns / (LANES_OF_ROW * run)), 2 * run);
        (0..block * self.blocks).map(move |at| FragmentPosition {
            run,
            block: at / block,
            part: at % block / both,
            half: at % both / run,
            which: at % run,
        })
    }
}

/// The place of an element among those of a thread.
struct FragmentPosition {
    /// Elements side by side.
    run: i64,
    /// The part of 64 rows.
    block: i64,
    /// The part of 4 runs of columns.
    part: i64,
    /// Whether it is of the second row.
    half: i64,
    /// The element of its run.
    which: i64,
}

impl FragmentPosition {
    /// The element in a thread of the warpgroup whose first is `origin`.
    fn cell(&self, origin: Cell, thread: i64) -> Cell {
        let (warp, lane) = (thread / WARP, thread % WARP);
        let row = ROWS * self.block + 16 * warp + 8 * self.half + lane / LANES_OF_ROW;
        let column = self.run * (LANES_OF_ROW * self.part + lane % LANES_OF_ROW) + self.which;
        (origin.0 + row, origin.1 + column)
    }
}

/// The chains of instructions of the first warpgroup.
fn parts(
    sums: &WarpgroupFragment,
    left: &LeftFactor,
    right: &ByteOffsets,
    [columns, depth, all]: [i64; 3],
) -> Vec<WgmmaChain> {
    let origin = sums.origins[0];
    let each = (columns / 2) as usize;
    let mut parts = Vec::new();
    for block in 0..sums.blocks {
        for part in 0..sums.columns / columns {
            let step = |begin: i64| -> Option<WgmmaStep> {
                let a = left.step(origin.0, [block, begin, depth])?;
                Some(WgmmaStep { a, b: right.at(origin.1 + columns * part, begin)? / UNIT_BYTES })
            };
            let first = (block * sums.columns / 2 + part * columns / 2) as usize;
            let registers = sums.registers[first..first + each].to_vec();
            parts.push(WgmmaChain { steps: (0..all).step_by(depth as usize).filter_map(step).collect(), registers });
        }
    }
    parts
}

impl LeftFactor {
    /// What an instruction takes of it: 64 rows of a block from `first` on, of the depths from `begin` on.
    fn step(&self, first: i64, [block, begin, depth]: [i64; 3]) -> Option<LeftStep> {
        match self {
            LeftFactor::Shared(_, offsets) => {
                Some(LeftStep::Start(offsets.at(first + ROWS * block, begin)? / UNIT_BYTES))
            }
            LeftFactor::Registers(a) => {
                let begin = ((block * a.columns + begin) / 2) as usize;
                Some(LeftStep::Registers(a.registers.get(begin..begin + depth as usize / 2)?.to_vec()))
            }
        }
    }
}
