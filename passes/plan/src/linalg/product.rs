//! The tiles of a product: for each way that a chip has to multiply, layouts of the factors and the sums over the threads of a block are
//! proposed, and the planner of products says whether it takes them.

use std::collections::BTreeSet;
use std::fmt;

use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::{Fragment, Scope, WARPGROUP};
use tile_layout::Layout;

use super::schedule::{LinalgSchedule, ProductInstruction};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::target::Target;

/// The most registers of a thread for sums that single multiplications take.
pub(super) const MAX_FMA_SUMS: i64 = 128;

/// The extents of tiles that are tried.
const ROWS: [i64; 5] = [128, 64, 32, 16, 8];
const COLUMNS: [i64; 6] = [256, 128, 64, 32, 16, 8];

/// The bits of the depths that are multiplied at once: a row of a swizzle.
pub(super) const DEPTH_BITS: i64 = 1024;

/// The most tiles that a refusal lists.
const MAX_LISTED: usize = 6;

/// The most single multiplications of a thread without a loop.
const MAX_FMA_TERMS: i64 = 4096;

/// The most registers of a thread for their factors.
pub(super) const MAX_FMA_FACTORS: i64 = 64;

/// Where a factor is before it is multiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactorSource {
    /// In shared memory, in a layout that is still to be chosen.
    Open {
        /// Whether that has its dimensions exchanged: depths before rows, or columns before depths.
        is_transposed: bool,
    },
    /// In shared memory, in that layout.
    Shared(Layout),
    /// In registers, where it has been computed.
    Registers,
}

/// A product of two tiles, added to one in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductProblem {
    /// Rows, columns and depths.
    pub size: [i64; 3],
    /// The elements of the factors and of the sums.
    pub numbers: [NumberFormat; 3],
    /// How integers of the factors are read.
    pub clauses: [Option<Clause>; 2],
    /// Where the factors are.
    pub sources: [FactorSource; 2],
    /// The threads that multiply.
    pub threads: Threads,
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
    /// Shared memory.
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
    /// The sums while they are added to, where that is in tensor memory.
    pub tensor: Option<Fragment>,
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

impl ProductPlan {
    /// Whether so many threads do the product without a loop around it: their registers hold the sums, and single multiplications, each of
    /// which is an instruction, are not too many.
    pub fn is_done_at_once(&self, threads: i64) -> bool {
        let [m, n, k] = self.size;
        let sums = m.saturating_mul(n);
        let is_short = self.instruction != ProductInstruction::Fma || sums.saturating_mul(k) <= MAX_FMA_TERMS * threads;
        sums <= MAX_FMA_SUMS * threads && is_short
    }
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction = {}", self.instruction.name())?;
        self.over.map_or(Ok(()), |over| write!(f, ", over = {over:?}"))
    }
}

impl ProductInstruction {
    /// The most registers of a thread for sums: those of `mma.sync` share the registers with its factors.
    pub(super) fn most_sums(self) -> i64 {
        match self {
            ProductInstruction::MmaSync | ProductInstruction::Fma => MAX_FMA_FACTORS,
            ProductInstruction::Wgmma | ProductInstruction::Tcgen05 => MAX_FMA_SUMS,
        }
    }
}

impl ProductRegisters {
    /// The same with an extent of 1 in these dimensions, where that has a name.
    pub fn reduced(&self, dims: &[usize]) -> Option<Self> {
        let ProductRegisters::Named(fragment) = self else { return None };
        dims.iter().try_fold(*fragment, |fragment, &dim| fragment.reduced(dim)).map(ProductRegisters::Named)
    }

    /// The layout of a tile of that shape.
    pub fn layout(&self, shape: &[i64], bits: u32) -> Option<Layout> {
        match self {
            ProductRegisters::Named(fragment) => fragment.layout(shape, bits).ok(),
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
        self.plans(target, schedule).next().ok_or_else(|| self.not_multiplied(target, schedule))
    }

    /// The tiles of all instructions that the schedule allows, the best first.
    pub fn plans(&self, target: &Target, schedule: &LinalgSchedule) -> impl Iterator<Item = ProductPlan> {
        let is_allowed = |plan: &ProductPlan| {
            schedule.instruction.is_none_or(|instruction| instruction == plan.instruction)
                && (schedule.over.is_none() || schedule.over == plan.over)
        };
        self.candidates().filter(is_allowed).filter(|plan| self.is_taken(plan, target))
    }

    /// How many threads multiply; 0 where that is not known.
    pub(super) fn thread_count(&self) -> i64 {
        self.threads.count().unwrap_or(0)
    }

    /// The tiles that may be multiplied, the best first.
    fn candidates(&self) -> impl Iterator<Item = ProductPlan> {
        let sizes: Vec<[i64; 3]> = std::iter::once(self.size).chain(self.padded()).collect();
        let of_size = |size: [i64; 3]| ProductProblem { size, ..self.clone() };
        let by_instructions = sizes.clone().into_iter().map(of_size).flat_map(|problem| {
            let plans = problem.by_tensor_memory().into_iter().chain(problem.by_warpgroups());
            plans.chain(problem.by_warps()).collect::<Vec<_>>()
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

    pub(super) fn not_multiplied(&self, target: &Target, schedule: &LinalgSchedule) -> Refusal {
        let [m, n, k] = self.size;
        let [a, b, c] = self.numbers.map(NumberFormat::name);
        let product = format!("{m}x{k} {a} by {k}x{n} {b} to {c} with {} threads", self.thread_count());
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

    /// The tiles that the schedule states, else the largest ones of a product of this size, parts of it, that the threads multiply by the
    /// best instruction of the chip: rows, columns and depths. `None` where nothing multiplies such elements.
    pub fn tiles(&self, target: &Target, schedule: &LinalgSchedule) -> Option<[i64; 3]> {
        let of_swizzle = DEPTH_BITS / i64::from(self.numbers[0].bits().max(1));
        let depths = schedule.tile.map_or(of_swizzle, |[_, _, depths]| depths);
        let all = ROWS.into_iter().flat_map(|rows| COLUMNS.map(|columns| [rows, columns]));
        let mut sizes: Vec<[i64; 2]> =
            all.filter(|[rows, columns]| rows * columns <= MAX_FMA_SUMS * self.thread_count()).collect();
        sizes.sort_by_key(|[rows, columns]| (-(rows * columns), rows + columns));
        if let Some([rows, columns, _]) = schedule.tile {
            sizes = vec![[rows, columns]];
        }
        let part = |[rows, columns]: [i64; 2]| {
            let [m, n, k] = self.size;
            let size = [m.min(rows), n.min(columns), k.min(depths)];
            let plan = ProductProblem { size, may_pad: [true; 3], ..self.clone() }.plan(target, schedule).ok()?;
            let sums = plan.size[0] * plan.size[1] / self.thread_count().max(1);
            (sums <= plan.instruction.most_sums()).then_some((plan.instruction, size))
        };
        let parts: Vec<_> = sizes.into_iter().filter_map(part).collect();
        // The first of the largest ones.
        parts.iter().min_by_key(|(instruction, size)| (*instruction, -(size[0] * size[1]))).map(|(_, size)| *size)
    }

    /// As [`tiles`](Self::tiles), with the threads that multiply them.
    pub fn tiles_of_blocks(&self, target: &Target) -> Option<([i64; 3], i64)> {
        let of_threads = |threads: i64| {
            let tiles = ProductProblem { threads: Threads::all(Scope::Cta, Some(threads)), ..self.clone() }
                .tiles(target, &LinalgSchedule::default())?;
            Some((tiles, threads))
        };
        let all = [2 * WARPGROUP, WARPGROUP].into_iter().filter_map(of_threads);
        all.max_by_key(|([m, n, _], _)| m * n)
    }
}
