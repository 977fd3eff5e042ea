//! Fits the common iters of both sides to 8x8 matrices.

use tile_isa::matrix::ROW_ELEMENTS;
use tile_isa::{MatrixShape, WARP};
use tile_layout::{counted, gcd};

use crate::families::matrix::plan::MatrixCopy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::DynamicTerm;
use crate::sides::order::{Pair, with_shard};
use crate::sides::registers::{RegisterOrder, memory_iters, register_iters};
use crate::sides::require::memory_base;
use crate::sides::side::Side;

/// Bytes of the two elements of a row that a lane holds.
const PAIR_BYTES: i64 = 4;

/// The common iters of both sides, grouped as `[warps, 8, 4, steps, num, 2]`.
pub(super) struct Fit {
    warps: Vec<Pair>,
    rows: Pair,
    columns: Pair,
    steps: Vec<Pair>,
    num: Vec<Pair>,
    register_pair: Pair,
    trans: bool,
}

impl Fit {
    pub fn of(order: &RegisterOrder, local: Role) -> Result<Fit, Refusal> {
        let mut warps = order.threads.clone();
        let columns = take_single(&mut warps, 4).ok_or_else(|| no_lanes(local))?;
        let rows = take_single(&mut warps, 8).ok_or_else(|| no_lanes(local))?;
        let mut steps = order.held.clone();
        let register_pair = take_register_pair(&mut steps, &order.registers, local)?;
        let trans = shape_of_matrix(rows.follow, columns.follow, register_pair.follow, local.other())?;
        let per_thread: i64 = steps.iter().map(|pair| pair.extent).product();
        let count = [4, 2, 1].into_iter().find(|num| per_thread % num == 0).unwrap_or(1);
        let num = take_factor(&mut steps, count);
        Ok(Fit { warps, rows, columns, steps, num, register_pair, trans })
    }

    /// Elements between adjacent rows of a matrix.
    fn row_stride(&self) -> i64 {
        if self.trans { self.register_pair.follow } else { self.rows.follow }
    }

    /// Requires every row of every matrix to start at a multiple of 8 elements.
    pub fn check_rows(&self, shared: &Side, role: Role) -> Result<(), Refusal> {
        let outer = self.warps.iter().chain(&self.steps).chain(&self.num);
        if let Some(pair) = outer.filter(|pair| pair.extent != 1).find(|pair| pair.follow % ROW_ELEMENTS != 0) {
            let apart = counted(pair.follow, "element");
            let reason = format!("matrices of the {role} lie {apart} apart; needed a multiple of {ROW_ELEMENTS}");
            return Err(Refusal::of(role, "matrix-misaligned", reason));
        }
        let moves = |term: &&DynamicTerm| i128::from(term.divisor) * i128::from(term.stride) % 8 != 0;
        if let Some(term) = shared.dynamic.iter().find(moves) {
            let reason = format!(
                "the {role} moves by run-time value {} in steps of {}; needed steps divisible by {ROW_ELEMENTS}",
                term.value,
                counted(term.divisor.saturating_mul(term.stride), "element")
            );
            return Err(Refusal::of(role, "dynamic-begin-not-divisible", reason));
        }
        let base = memory_base(shared);
        if base % i128::from(ROW_ELEMENTS) != 0 {
            let reason = format!("the {role} begins at element {base}; needed a multiple of {ROW_ELEMENTS}");
            return Err(Refusal::of(role, "offset-not-divisible", reason));
        }
        if shared.align_bytes % (2 * ROW_ELEMENTS) != 0 {
            let proven = counted(shared.align_bytes, "byte");
            let reason = format!("the {role} is proven aligned to {proven}; needed {}", 2 * ROW_ELEMENTS);
            return Err(Refusal::of(role, "storage-alignment", reason));
        }
        Ok(())
    }

    pub fn into_copy(self, order: RegisterOrder, load: bool, threads: i64) -> MatrixCopy {
        let product = |pairs: &[Pair]| pairs.iter().map(|pair| pair.extent).product::<i64>();
        let (steps, num) = (product(&self.steps), product(&self.num));
        let (trans, row_stride) = (self.trans, self.row_stride());
        let pairs =
            [self.warps, vec![self.rows, self.columns], self.steps, self.num, vec![self.register_pair]].concat();
        let with = |side: Side, iters| Side { layout: with_shard(side.layout, iters), ..side };
        MatrixCopy {
            load,
            trans,
            num,
            threads,
            shape: MatrixShape { warps: threads / WARP, instructions: steps, matrices: num }.extents(),
            row_stride,
            shared: with(order.memory, memory_iters(&pairs)),
            registers: with(order.registers, register_iters(&pairs)),
            guards: order.guards,
        }
    }
}

/// Whether each matrix is transposed, from the memory strides of rows, column pairs and the elements of a register
/// pair.
fn shape_of_matrix(rows: i64, columns: i64, register_pair: i64, role: Role) -> Result<bool, Refusal> {
    if (columns, register_pair) == (2, 1) && rows > 0 && rows % ROW_ELEMENTS == 0 {
        return Ok(false);
    }
    if rows == 1 && register_pair > 0 && register_pair % ROW_ELEMENTS == 0 && columns == register_pair.saturating_mul(2)
    {
        return Ok(true);
    }
    let reason = format!(
        "in the {role} a matrix has strides ({rows}, {columns}, {register_pair}) over (8, 4, 2); needed (8k, 2, 1), or \
         (1, 16k, 8k) to be transposed"
    );
    Err(Refusal::of(role, "not-a-matrix", reason))
}

fn no_lanes(local: Role) -> Refusal {
    let reason = format!("the {local}'s lanes do not step evenly through memory as 8 rows of 4");
    Refusal::of(local, "lanes-not-8-by-4", reason)
}

/// Takes the fastest `count` positions off as one iter, with a single stride in memory.
fn take_single(pairs: &mut Vec<Pair>, count: i64) -> Option<Pair> {
    let mut single: Option<Pair> = None;
    let mut left = count;
    while left > 1 {
        let pair = pairs.pop()?;
        let extent = gcd(pair.extent, left);
        let (outer, inner) = pair.split(extent);
        if extent == 1 || single.is_some_and(|single| single.follow.checked_mul(single.extent) != Some(inner.follow)) {
            return None;
        }
        if outer.extent != 1 {
            pairs.push(outer);
        }
        single = Some(single.map_or(inner, |single| Pair { extent: single.extent * extent, ..single }));
        left /= extent;
    }
    single
}

/// Takes two adjacent 16-bit elements off, which share a 32-bit register of a lane.
fn take_register_pair(held: &mut Vec<Pair>, registers: &Side, local: Role) -> Result<Pair, Refusal> {
    let refuse = |reason: String| Err(Refusal::of(local, "registers-not-coupled", reason));
    let Some(last) = held.pop().filter(|pair| pair.lead == 1 && pair.extent % 2 == 0) else {
        return refuse(format!("a thread's elements of the {local} are not in pairs of adjacent registers"));
    };
    let (outer, register_pair) = last.split(2);
    if outer.extent != 1 {
        held.push(outer);
    }
    let base = memory_base(registers);
    if !registers.dynamic.is_empty() || base % 2 != 0 || held.iter().any(|pair| pair.lead % 2 != 0) {
        return refuse(format!("register pairs of the {local} begin at odd or run-time registers; needed even ones"));
    }
    if registers.align_bytes % PAIR_BYTES != 0 {
        let proven = counted(registers.align_bytes, "byte");
        let reason = format!("the {local} is proven aligned to {proven}; needed {PAIR_BYTES}, a pair of elements");
        return Err(Refusal::of(local, "storage-alignment", reason));
    }
    Ok(register_pair)
}

/// Takes a factor out of the extents, from the fastest iters first; it must divide their product and be a power of two.
fn take_factor(pairs: &mut Vec<Pair>, factor: i64) -> Vec<Pair> {
    let (mut left, mut rest, mut taken) = (factor, Vec::new(), Vec::new());
    for pair in pairs.iter().rev() {
        let (outer, inner) = pair.split(gcd(pair.extent, left));
        left /= inner.extent;
        rest.extend((outer.extent != 1).then_some(outer));
        taken.extend((inner.extent != 1).then_some(inner));
    }
    rest.reverse();
    taken.reverse();
    *pairs = rest;
    taken
}
