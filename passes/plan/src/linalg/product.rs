//! The tiles of a product: for each way that a chip has to multiply, layouts of the factors and the sums over the threads of a block are
//! proposed, and the planner of products says whether it takes them.

use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::fragment::{MatrixInstruction, MatrixOperand};
use tile_isa::mma::{Factor, shapes};
use tile_isa::{Fragment, Scope, Space, WARP, WARPGROUP};
use tile_layout::{Axis, Iter, Layout};

use crate::choose_layout::engine_layouts;
use crate::mma::{self, MmaOperand, MmaProblem};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::target::Target;

/// The alignment of a tile whose layout an instruction has chosen, in bytes.
const ENGINE_ALIGN_BYTES: i64 = 1024;

/// The most registers of a thread for sums that single multiplications take.
const MAX_FMA_SUMS: i64 = 128;

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
    /// The variant that multiplies them.
    pub variant: &'static str,
    /// The sums.
    pub sums: ProductRegisters,
    /// The factors.
    pub factors: [FactorTile; 2],
    /// How many depths are multiplied at once; a divisor of all.
    pub depth: i64,
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
    /// The tiles of the variant with the highest priority.
    ///
    /// # Errors
    /// No variant multiplies them.
    pub fn plan(&self, target: &Target) -> Result<ProductPlan, Refusal> {
        let candidates = self.by_warpgroups().into_iter().chain(self.by_warps()).chain(self.by_threads());
        candidates.into_iter().find(|plan| self.is_taken(plan, target)).ok_or_else(|| {
            let [m, n, k] = self.size;
            let [a, b, c] = self.numbers.map(NumberFormat::name);
            let reason = format!(
                "no instruction of {target} multiplies {m}x{k} {a} by {k}x{n} {b} to {c} with {} threads, and single \
                 multiplications take more than {MAX_FMA_SUMS} registers of a thread for the sums; needed smaller tiles, or \
                 rows and columns that the threads divide",
                self.threads
            );
            Refusal::new("product-not-multiplied", reason)
        })
    }

    /// Sums of `wgmma`: rows over warpgroups, else columns.
    fn by_warpgroups(&self) -> Vec<ProductPlan> {
        let groups = self.threads / WARPGROUP;
        let over = [[groups, 1], [1, groups]].into_iter();
        let sums = over.filter_map(|over| fragment(MatrixInstruction::Wgmma, MatrixOperand::C, over));
        let plan = |sums| ProductPlan {
            variant: "wgmma",
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
            Some(ProductPlan { variant: "mma_sync", sums: tile(MatrixOperand::C)?, factors, depth: self.size[2] })
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
        Some(ProductPlan { variant: "fma", sums, factors: [a, b].map(FactorTile::Registers), depth })
    }

    /// Whether the variant multiplies these tiles.
    fn is_taken(&self, plan: &ProductPlan, target: &Target) -> bool {
        let [m, n, _] = self.size;
        let Some(sums) = plan.sums.layout([m, n], self.numbers[2].bits()) else { return false };
        let factor = |number: usize| self.layouts(number, &plan.factors[number], plan.depth);
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
                forced: Some(plan.variant.to_owned()),
            };
            mma::select(&problem, target).is_ok()
        })
    }

    /// The layouts that a factor may have.
    fn layouts(&self, number: usize, tile: &FactorTile, depth: i64) -> Vec<Layout> {
        let [m, n, _] = self.size;
        let (shape, bits) = ([[m, depth], [depth, n]][number], self.numbers[number].bits());
        match tile {
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
