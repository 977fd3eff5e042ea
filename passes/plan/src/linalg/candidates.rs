//! The ways in which threads may multiply two tiles, and whether the planner of products takes them.

use tile_isa::fragment::{MatrixInstruction, MatrixOperand};
use tile_isa::mma::{Factor, shapes};
use tile_isa::{Fragment, Space, WARP, WARPGROUP, tcgen05_mma};
use tile_layout::{Axis, Iter, Layout};

use super::product::{
    FactorSource, FactorTile, MAX_FMA_FACTORS, MAX_FMA_SUMS, ProductPlan, ProductProblem, ProductRegisters,
};
use super::schedule::ProductInstruction;
use crate::choose_layout::engine_layouts;
use crate::mma::{self, MmaOperand, MmaProblem};
use crate::target::Target;

/// The alignment of a tile whose layout an instruction has chosen, in bytes.
const ENGINE_ALIGN_BYTES: i64 = 1024;

impl ProductProblem {
    /// Sums in tensor memory: a warpgroup, which alone reaches all its lanes, has each row in the registers of one thread, or 64 rows as
    /// those of `wgmma`.
    pub(super) fn by_tensor_memory(&self) -> Option<ProductPlan> {
        let ([m, n, depth], [lanes, half]) = (self.size, tcgen05_mma::ROWS);
        let tensor = Fragment::new(MatrixInstruction::Tcgen05, MatrixOperand::C).ok()?;
        let rows = Iter::new(lanes, 1, Axis::TidInWg);
        let sums = match m {
            _ if m == half => ProductRegisters::Named(fragment(MatrixInstruction::Wgmma, MatrixOperand::C, [1, 1])?),
            _ if m == lanes => ProductRegisters::Layout(Layout::new([rows, Iter::memory(n, 1)])),
            _ => ProductRegisters::Layout(Layout::new([Iter::memory(m / lanes, n), rows, Iter::memory(n, 1)])),
        };
        let is_free = self.sources.iter().all(|source| *source != FactorSource::Registers);
        let fits = self.thread_count() == WARPGROUP && m * n <= MAX_FMA_SUMS * WARPGROUP;
        (is_free && fits).then_some(ProductPlan {
            instruction: ProductInstruction::Tcgen05,
            over: None,
            size: self.size,
            sums,
            tensor: Some(tensor),
            factors: [FactorTile::Shared, FactorTile::Shared],
            depth,
        })
    }

    /// Sums of `wgmma`: rows over warpgroups, else columns. A left factor may be in registers.
    pub(super) fn by_warpgroups(&self) -> Vec<ProductPlan> {
        let groups = self.thread_count() / WARPGROUP;
        let plan = |over| {
            let tile = |operand| fragment(MatrixInstruction::Wgmma, operand, over).map(ProductRegisters::Named);
            let left = match self.sources {
                [_, FactorSource::Registers] => return None,
                [FactorSource::Registers, _] => FactorTile::Registers(tile(MatrixOperand::A)?),
                _ => FactorTile::Shared,
            };
            Some(ProductPlan {
                instruction: ProductInstruction::Wgmma,
                over: Some(over),
                size: self.size,
                sums: tile(MatrixOperand::C)?,
                tensor: None,
                factors: [left, FactorTile::Shared],
                depth: self.size[2],
            })
        };
        [[groups, 1], [1, groups]].into_iter().filter_map(plan).collect()
    }

    /// Tiles of `mma.sync`, with the warps in rows and columns such that they load the fewest bytes.
    pub(super) fn by_warps(&self) -> Vec<ProductPlan> {
        let factor = |number: usize| Factor::of(self.numbers[number], self.clauses[number]);
        let Some((a, b)) = factor(0).zip(factor(1)) else { return Vec::new() };
        let warps = self.thread_count() / WARP;
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
                tensor: None,
                factors,
                depth: self.size[2],
            })
        };
        let all = shapes(a, b, self.numbers[2]).iter().copied().map(MatrixInstruction::Mma);
        all.flat_map(|instruction| over.iter().filter_map(move |&over| plan(instruction, over))).collect()
    }

    /// Tiles of which each thread has rows and columns, as square as they can be.
    pub(super) fn by_threads(&self) -> Option<ProductPlan> {
        let ([m, n, k], threads) = (self.size, self.thread_count());
        let divisors = |extent: i64| (1..=extent).filter(move |number| extent % number == 0);
        let grids = divisors(threads).flat_map(|both| divisors(both).map(move |rows| [rows, both / rows]));
        let fits = |[rows, columns]: &[i64; 2]| {
            m % rows == 0 && n % columns == 0 && (m / rows) * (n / columns) <= MAX_FMA_SUMS
        };
        let cost = |[rows, columns]: &[i64; 2]| ((m / rows) * (n / columns), m / rows + n / columns);
        let [rows, columns] = grids.filter(fits).min_by_key(cost)?;
        let (thread_rows, thread_columns) = (m / rows, n / columns);
        // Parts of a swizzled tile begin at powers of two.
        let is_whole = self.sources.contains(&FactorSource::Registers);
        let is_part = |depth: &i64| *depth == k || !is_whole && k % depth == 0 && depth.count_ones() == 1;
        let fits = |depth: &i64| is_part(depth) && (thread_rows + thread_columns) * depth <= MAX_FMA_FACTORS;
        let depth = (1..=k).rev().find(fits).or((!is_whole).then_some(1))?;
        let thread = |extent, stride| Iter::new(extent, stride, Axis::Tx);
        let copies = thread(threads / (rows * columns), rows * columns);
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
            tensor: None,
            factors: [a, b].map(FactorTile::Registers),
            depth,
        })
    }

    /// Whether the variant multiplies these tiles.
    pub(super) fn is_taken(&self, plan: &ProductPlan, target: &Target) -> bool {
        let [m, n, _] = plan.size;
        let bits = self.numbers[2].bits();
        let (sums, sums_space) = match plan.tensor {
            Some(tensor) => (tensor.layout(&[m, n], bits).ok(), Space::Tmem),
            None => (plan.sums.layout(&[m, n], bits), Space::Local),
        };
        let Some(sums) = sums else { return false };
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
                c: operand(2, sums_space, &sums),
                scales: None,
                threads: self.threads.clone(),
                forced: Some(plan.instruction.name().to_owned()),
            };
            mma::select(&problem, target).is_ok()
        })
    }

    /// The layouts that a factor may have.
    fn layouts(&self, number: usize, plan: &ProductPlan) -> Vec<Layout> {
        let ([m, n, _], depth) = (plan.size, plan.depth);
        let (shape, bits) = ([[m, depth], [depth, n]][number], self.numbers[number].bits());
        match (&plan.factors[number], &self.sources[number]) {
            (FactorTile::Registers(tile), _) => tile.layout(&shape, bits).into_iter().collect(),
            (FactorTile::Shared, FactorSource::Shared(layout)) => vec![layout.clone()],
            (FactorTile::Shared, FactorSource::Open { is_transposed: true }) => {
                let stored = [shape[1], shape[0]];
                let all = engine_layouts(&stored, i64::from(bits) / 8).into_iter();
                all.filter_map(|layout| layout.transposed(&stored, &[1, 0]).ok()).collect()
            }
            (FactorTile::Shared, _) => engine_layouts(&shape, i64::from(bits) / 8),
        }
    }
}

fn fragment(instruction: MatrixInstruction, operand: MatrixOperand, over: [i64; 2]) -> Option<Fragment> {
    Fragment::new(instruction, operand).and_then(|fragment| fragment.over(over)).ok()
}
