//! Matrices in the registers of a block, in layouts at random.

use proptest::prelude::*;
use proptest::sample::subsequence;
use tile_layout::{Axis, Iter, Layout};
use tile_plan::distribution::RegisterDistribution;
use tile_plan::elementwise::RegisterOperand;
use tile_plan::problem::threads::Threads;

/// A tile in registers.
pub fn tile(name: &str, layout: &Layout, shape: &[i64]) -> RegisterOperand {
    RegisterOperand { name: name.to_owned(), layout: layout.clone(), shape: shape.to_vec() }
}

/// A layout from its text.
pub fn parsed(layout: &str) -> Layout {
    layout.parse().unwrap()
}

/// Which thread holds which element.
pub fn distribution(operand: &RegisterOperand, threads: &Threads) -> RegisterDistribution {
    RegisterDistribution::new(&operand.layout, &operand.shape, &operand.name, threads).unwrap()
}

/// A layout of a matrix in the registers of a block: factors of its sides on registers, lanes and warps in any order.
#[derive(Debug)]
pub struct Matrix {
    pub layout: Layout,
    pub shape: [i64; 2],
    pub warps: i64,
}

/// Such layouts at random.
pub fn matrices() -> impl Strategy<Value = Matrix> {
    // Five factors of lanes, one or two of warps, up to four of registers, dealt to rows and columns in any order.
    let factors = (0..=4usize, prop_oneof![Just(1i64), Just(2), Just(3)]).prop_flat_map(|(registers, warps)| {
        let mut iters: Vec<Iter> = (0..5).map(|bit| Iter::new(2, 1 << bit, Axis::LaneId)).collect();
        iters.extend((warps > 1).then(|| Iter::new(warps, 1, Axis::WarpId)));
        let mut stride = 1;
        for number in 0..registers {
            let extent = if number == 1 { 3 } else { 2 };
            iters.push(Iter::new(extent, stride, Axis::Memory));
            stride *= extent;
        }
        let all = iters.len();
        let held = subsequence((0..5).collect::<Vec<usize>>(), 0..=5);
        (Just(iters).prop_shuffle(), 0..=all, held, Just(warps))
    });
    factors.prop_map(|(iters, rows, held, warps)| {
        // Some lanes hold copies instead.
        let copies: Vec<Iter> = held.iter().map(|&bit| Iter::new(2, 1 << bit, Axis::LaneId)).collect();
        let kept: Vec<(usize, Iter)> =
            iters.into_iter().enumerate().filter(|(_, iter)| !copies.contains(iter)).collect();
        let size = |is_in: &dyn Fn(usize) -> bool| {
            kept.iter().filter(|(at, _)| is_in(*at)).map(|(_, iter)| iter.extent).product()
        };
        let shape = [size(&|at| at < rows), size(&|at| at >= rows)];
        let mut shard: Vec<Iter> = kept.iter().map(|&(_, iter)| iter).collect();
        if shard.is_empty() {
            shard.push(Iter::new(1, 1, Axis::Memory));
        }
        Matrix { layout: Layout::new(shard).with_replica(copies), shape, warps }
    })
}
