//! The tiles of a product: for each way that a chip has to multiply, layouts of the factors and the sums over the threads of a block are
//! proposed, and the planner of products says whether it takes them.

use std::collections::BTreeSet;
use std::fmt;

use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::fragment::{MatrixInstruction, MatrixOperand};
use tile_isa::mma::{Factor, shapes};
use tile_isa::{Fragment, Scope, Space, WARP, WARPGROUP};
use tile_layout::{Axis, Iter, Layout};

use super::schedule::{LinalgSchedule, ProductInstruction};
use crate::choose_layout::engine_layouts;
use crate::mma::{self, MmaOperand, MmaProblem};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::target::Target;

/// The alignment of a tile whose layout an instruction has chosen, in bytes.
const ENGINE_ALIGN_BYTES: i64 = 1024;

/// The most registers of a thread for sums that single multiplications take.
const MAX_FMA_SUMS: i64 = 128;

/// The extents of tiles that are tried.
const ROWS: [i64; 5] = [128, 64, 32, 16, 8];
const COLUMNS: [i64; 6] = [256, 128, 64, 32, 16, 8];

/// The bits of the depths that are multiplied at once: a row of a swizzle.
const DEPTH_BITS: i64 = 1024;

/// The most tiles that a refusal lists.
const MAX_LISTED: usize = 6;

/// The most registers of a thread for their factors.
const MAX_FMA_FACTORS: i64 = 64;

/// A product of two tiles in shared memory, added to one in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductProblem {
    /// Rows, columns and depths.
    pub size: [i64; 3],
    /// The elements of the factors and of the sums.
    pub numbers: [NumberFormat; 3],
    /// How integers of the factors are read.
    pub clauses: [Option<Clause>; 2],
    /// Whether each factor is stored with its dimensions exchanged: depths before rows, or columns before depths.
    pub is_transposed: [bool; 2],
    /// The threads of the block.
    pub threads: i64,
    /// Whether the tiles may have more rows, columns and depths than what is multiplied, with zeros beyond it.
    pub may_pad: [bool; 3],
}

/// The layout of a tile in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductRegisters {
    /// One that has a name.
    Named(Fragment),
    /// Another one.
    Layout(Layout),
}

/// Where a factor is multiplied from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactorTile {
    /// Shared memory, in a layout that is still to be chosen.
    Shared,
    /// Registers.
    Registers(ProductRegisters),
}

/// The tiles of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductPlan {
    /// What multiplies them.
    pub instruction: ProductInstruction,
    /// The rows and columns of warps, or of warpgroups, among which the sums are divided; `None` of single threads.
    pub over: Option<[i64; 2]>,
    /// Rows, columns and depths of the tiles.
    pub size: [i64; 3],
    /// The sums.
    pub sums: ProductRegisters,
    /// The factors.
    pub factors: [FactorTile; 2],
    /// How many depths are multiplied at once; a divisor of all.
    pub depth: i64,
}

/// Whether a product of tiles has such factors and sums.
pub fn multiplies([a, b, sums]: [NumberFormat; 3]) -> bool {
    use NumberFormat::{Bf16, E4m3, E5m2, F16, F32, F64, Integer};
    match (a, b) {
        (F16, F16) => [F16, F32].contains(&sums),
        (Bf16, Bf16) => [Bf16, F32].contains(&sums),
        (F32, F32) | (E4m3 | E5m2, E4m3 | E5m2) => sums == F32,
        (F64, F64) => sums == F64,
        (Integer(8), Integer(8)) | (Integer(16), Integer(16)) | (Integer(32), Integer(32)) => sums == Integer(32),
        _ => false,
    }
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction = {}", self.instruction.name())?;
        self.over.map_or(Ok(()), |over| write!(f, ", over = {over:?}"))
    }
}

impl ProductRegisters {
    /// The layout of a tile of that shape.
    fn layout(&self, shape: [i64; 2], bits: u32) -> Option<Layout> {
        match self {
            ProductRegisters::Named(fragment) => fragment.layout(&shape, bits).ok(),
            ProductRegisters::Layout(layout) => Some(layout.clone()),
        }
    }
}

impl ProductProblem {
    /// The tiles of the best instruction that the schedule allows.
    ///
    /// # Errors
    /// No instruction multiplies them, or not as the schedule says.
    pub fn plan(&self, target: &Target, schedule: &LinalgSchedule) -> Result<ProductPlan, Refusal> {
        let is_allowed = |plan: &ProductPlan| {
            schedule.instruction.is_none_or(|instruction| instruction == plan.instruction)
                && (schedule.over.is_none() || schedule.over == plan.over)
        };
        let mut plans = self.candidates().filter(is_allowed).filter(|plan| self.is_taken(plan, target));
        plans.next().ok_or_else(|| self.not_multiplied(target, schedule))
    }

    /// The tiles that may be multiplied, the best first.
    fn candidates(&self) -> impl Iterator<Item = ProductPlan> {
        let sizes: Vec<[i64; 3]> = std::iter::once(self.size).chain(self.padded()).collect();
        let of_size = |size: [i64; 3]| ProductProblem { size, ..*self };
        let by_instructions = sizes.clone().into_iter().map(of_size).flat_map(|problem| {
            let plans = problem.by_warpgroups().into_iter().chain(problem.by_warps());
            plans.collect::<Vec<_>>()
        });
        by_instructions.chain(sizes.into_iter().map(of_size).filter_map(|problem| problem.by_threads()))
    }

    /// Larger sizes, of whole instructions of several warps, the smallest first.
    fn padded(&self) -> Vec<[i64; 3]> {
        let [m, n, k] = self.size;
        let [pads_rows, pads_columns, pads_depths] = self.may_pad;
        // An instruction has 32 bytes of depths.
        let depths = 256 / i64::from(self.numbers[0].bits().max(1));
        let up = |number: i64, step: i64, pads: bool| if pads { (number + step - 1) / step * step } else { number };
        let mut sizes: Vec<[i64; 3]> = [16, 32, 64, 128]
            .into_iter()
            .flat_map(|rows| {
                [8, 16, 32, 64]
                    .map(|columns| [up(m, rows, pads_rows), up(n, columns, pads_columns), up(k, depths, pads_depths)])
            })
            .filter(|size| *size != self.size)
            .collect();
        sizes.sort_by_key(|[m, n, _]| (m * n, *m));
        sizes.dedup();
        sizes
    }

    fn not_multiplied(&self, target: &Target, schedule: &LinalgSchedule) -> Refusal {
        let [m, n, k] = self.size;
        let [a, b, c] = self.numbers.map(NumberFormat::name);
        let product = format!("{m}x{k} {a} by {k}x{n} {b} to {c} with {} threads", self.threads);
        let taken: BTreeSet<String> =
            self.candidates().filter(|plan| self.is_taken(plan, target)).map(|plan| plan.to_string()).collect();
        if taken.is_empty() {
            let reason = format!(
                "no instruction of {target} multiplies {product}, and single multiplications take more than {MAX_FMA_SUMS} \
                 registers of a thread for the sums; needed smaller tiles, or rows and columns that the threads divide"
            );
            return Refusal::new("product-not-multiplied", reason);
        }
        let fits = taken.into_iter().take(MAX_LISTED).collect::<Vec<_>>().join("; ");
        let over = schedule.over.map(|over| format!("over = {over:?}"));
        let asked = schedule.instruction.map(|instruction| format!("instruction = {}", instruction.name()));
        let asked = asked.into_iter().chain(over).collect::<Vec<_>>().join(", ");
        Refusal::new(
            "schedule-not-taken",
            format!("the schedule asks for {asked}, by which {target} does not multiply {product}; what fits: {fits}"),
        )
    }

    /// The largest tiles of a product of this size, parts of it, that the threads multiply by the best instruction of the chip: rows,
    /// columns and depths. `None` where nothing multiplies such elements.
    pub fn tiles(&self, target: &Target, schedule: &LinalgSchedule) -> Option<[i64; 3]> {
        let depths = DEPTH_BITS / i64::from(self.numbers[0].bits().max(1));
        let all = ROWS.into_iter().flat_map(|rows| COLUMNS.map(|columns| [rows, columns]));
        let mut sizes: Vec<[i64; 2]> =
            all.filter(|[rows, columns]| rows * columns <= MAX_FMA_SUMS * self.threads).collect();
        sizes.sort_by_key(|[rows, columns]| (-(rows * columns), rows + columns));
        let part = |[rows, columns]: [i64; 2]| {
            let [m, n, k] = self.size;
            let size = [m.min(rows), n.min(columns), k.min(depths)];
            let plan = ProductProblem { size, may_pad: [true; 3], ..*self }.plan(target, schedule).ok()?;
            // Sums of mma.sync share the registers with its factors.
            let sums = plan.size[0] * plan.size[1] / self.threads.max(1);
            let most = if plan.instruction == ProductInstruction::Wgmma { MAX_FMA_SUMS } else { MAX_FMA_FACTORS };
            (sums <= most).then_some((plan.instruction, size))
        };
        let parts: Vec<_> = sizes.into_iter().filter_map(part).collect();
        // The first of the largest ones.
        parts.iter().min_by_key(|(instruction, size)| (*instruction, -(size[0] * size[1]))).map(|(_, size)| *size)
    }

    /// As [`tiles`](Self::tiles), with the threads that multiply them.
    pub fn tiles_of_blocks(&self, target: &Target) -> Option<([i64; 3], i64)> {
        let of_threads = |threads: i64| {
            let tiles = ProductProblem { threads, ..*self }.tiles(target, &LinalgSchedule::default())?;
            Some((tiles, threads))
        };
        let all = [2 * WARPGROUP, WARPGROUP].into_iter().filter_map(of_threads);
        all.max_by_key(|([m, n, _], _)| m * n)
    }

    /// Sums of `wgmma`: rows over warpgroups, else columns.
    fn by_warpgroups(&self) -> Vec<ProductPlan> {
        let groups = self.threads / WARPGROUP;
        let over = [[groups, 1], [1, groups]].into_iter();
        let sums = over.filter_map(|over| Some((over, fragment(MatrixInstruction::Wgmma, MatrixOperand::C, over)?)));
        let plan = |(over, sums)| ProductPlan {
            instruction: ProductInstruction::Wgmma,
            over: Some(over),
            size: self.size,
            sums: ProductRegisters::Named(sums),
            factors: [FactorTile::Shared, FactorTile::Shared],
            depth: self.size[2],
        };
        sums.map(plan).collect()
    }

    /// Tiles of `mma.sync`, with the warps in rows and columns such that they load the fewest bytes.
    fn by_warps(&self) -> Vec<ProductPlan> {
        let factor = |number: usize| Factor::of(self.numbers[number], self.clauses[number]);
        let Some((a, b)) = factor(0).zip(factor(1)) else { return Vec::new() };
        let warps = self.threads / WARP;
        let mut over: Vec<[i64; 2]> =
            (1..=warps).filter(|rows| warps % rows == 0).map(|rows| [rows, warps / rows]).collect();
        let [m, n, _] = self.size;
        let bytes = |[rows, columns]: [i64; 2]| columns * m * i64::from(a.bits()) + rows * n * i64::from(b.bits());
        over.sort_by_key(|&over| bytes(over));
        let plan = |instruction: MatrixInstruction, over: [i64; 2]| {
            let tile = |operand| fragment(instruction, operand, over).map(ProductRegisters::Named);
            let factors = [tile(MatrixOperand::A)?, tile(MatrixOperand::B)?].map(FactorTile::Registers);
            Some(ProductPlan {
                instruction: ProductInstruction::MmaSync,
                over: Some(over),
                size: self.size,
                sums: tile(MatrixOperand::C)?,
                factors,
                depth: self.size[2],
            })
        };
        let all = shapes(a, b, self.numbers[2]).iter().copied().map(MatrixInstruction::Mma);
        all.flat_map(|instruction| over.iter().filter_map(move |&over| plan(instruction, over))).collect()
    }

    /// Tiles of which each thread has rows and columns, as square as they can be.
    fn by_threads(&self) -> Option<ProductPlan> {
        let [m, n, k] = self.size;
        let divisors = |of: i64| (1..=of).filter(move |number| of % number == 0);
        let grids = divisors(self.threads).flat_map(|both| divisors(both).map(move |rows| [rows, both / rows]));
        let fits = |[rows, columns]: &[i64; 2]| {
            m % rows == 0 && n % columns == 0 && (m / rows) * (n / columns) <= MAX_FMA_SUMS
        };
        let cost = |[rows, columns]: &[i64; 2]| ((m / rows) * (n / columns), m / rows + n / columns);
        let [rows, columns] = grids.filter(fits).min_by_key(cost)?;
        let (thread_rows, thread_columns) = (m / rows, n / columns);
        // Parts of a swizzled tile begin at powers of two.
        let is_part = |depth: &i64| *depth == k || k % depth == 0 && depth.count_ones() == 1;
        let fits = |depth: &i64| is_part(depth) && (thread_rows + thread_columns) * depth <= MAX_FMA_FACTORS;
        let depth = (1..=k).rev().find(fits).unwrap_or(1);
        let thread = |extent, stride| Iter::new(extent, stride, Axis::Tx);
        let copies = thread(self.threads / (rows * columns), rows * columns);
        let layout = |shard: Vec<Iter>, mut replica: Vec<Iter>| {
            replica.retain(|copies| copies.extent > 1);
            ProductRegisters::Layout(Layout::new(shard).with_replica(replica))
        };
        let sums = layout(
            vec![
                Iter::memory(thread_rows, thread_columns),
                thread(rows, columns),
                Iter::memory(thread_columns, 1),
                thread(columns, 1),
            ],
            vec![copies],
        );
        let a = layout(
            vec![Iter::memory(thread_rows, depth), thread(rows, columns), Iter::memory(depth, 1)],
            vec![copies, thread(columns, 1)],
        );
        let b = layout(
            vec![Iter::memory(depth, thread_columns), Iter::memory(thread_columns, 1), thread(columns, 1)],
            vec![copies, thread(rows, columns)],
        );
        Some(ProductPlan {
            instruction: ProductInstruction::Fma,
            over: None,
            size: self.size,
            sums,
            factors: [a, b].map(FactorTile::Registers),
            depth,
        })
    }

    /// Whether the variant multiplies these tiles.
    fn is_taken(&self, plan: &ProductPlan, target: &Target) -> bool {
        let [m, n, _] = plan.size;
        let Some(sums) = plan.sums.layout([m, n], self.numbers[2].bits()) else { return false };
        let factor = |number: usize| self.layouts(number, plan);
        let [left, right] = [factor(0), factor(1)];
        let shapes = [[m, plan.depth], [plan.depth, n], [m, n]];
        let operand = |number: usize, space, layout: &Layout| MmaOperand {
            space,
            align_bytes: ENGINE_ALIGN_BYTES,
            layout: layout.clone(),
            shape: shapes[number],
            number: self.numbers[number],
            clause: self.clauses.get(number).copied().flatten(),
        };
        let space = |number: usize| match plan.factors[number] {
            FactorTile::Shared => Space::Shared,
            FactorTile::Registers(_) => Space::Local,
        };
        let mut pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| {
            let problem = MmaProblem {
                a: operand(0, space(0), a),
                b: operand(1, space(1), b),
                c: operand(2, Space::Local, &sums),
                scales: None,
                threads: Threads::all(Scope::Cta, Some(self.threads)),
                forced: Some(plan.instruction.name().to_owned()),
            };
            mma::select(&problem, target).is_ok()
        })
    }

    /// The layouts that a factor may have.
    fn layouts(&self, number: usize, plan: &ProductPlan) -> Vec<Layout> {
        let ([m, n, _], depth) = (plan.size, plan.depth);
        let (shape, bits) = ([[m, depth], [depth, n]][number], self.numbers[number].bits());
        match &plan.factors[number] {
            FactorTile::Registers(tile) => tile.layout(shape, bits).into_iter().collect(),
            FactorTile::Shared if self.is_transposed[number] => {
                let stored = [shape[1], shape[0]];
                let all = engine_layouts(&stored, i64::from(bits) / 8).into_iter();
                all.filter_map(|layout| layout.transposed(&stored, &[1, 0]).ok()).collect()
            }
            FactorTile::Shared => engine_layouts(&shape, i64::from(bits) / 8),
        }
    }
}

fn fragment(instruction: MatrixInstruction, operand: MatrixOperand, over: [i64; 2]) -> Option<Fragment> {
    Fragment::new(instruction, operand).and_then(|fragment| fragment.over(over)).ok()
}
