//! Fits the common iters of both sides to matrices of 8 rows of 16 bytes.

use tile_isa::matrix::{ROW_BYTES, ROW_LANES};
use tile_isa::{MatrixShape, WARP};
use tile_layout::{Axis, counted, gcd};

use crate::families::matrix::plan::MatrixCopy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::DynamicTerm;
use crate::sides::order::{Pair, with_shard};
use crate::sides::registers::{RegisterOrder, memory_iters, register_iters};
use crate::sides::require::memory_base;
use crate::sides::side::Side;

/// Bytes of the elements of a row that a lane holds.
const REGISTER_BYTES: i64 = 4;

/// Elements of a lane where a matrix can be transposed.
const TRANSPOSED_HELD: i64 = 2;

/// The common iters of both sides, grouped as `[warps, 8, 4, steps, num, held]`.
pub(super) struct Fit {
    warps: Vec<Pair>,
    rows: Pair,
    columns: Pair,
    steps: Vec<Pair>,
    num: Vec<Pair>,
    /// The elements of a row that a lane holds.
    held: Pair,
    trans: bool,
}

impl Fit {
    /// The matrices of a copy in which a register has `held` elements.
    pub fn of(order: &RegisterOrder, local: Role, held: i64) -> Result<Fit, Refusal> {
        let mut warps = order.threads.clone();
        let columns = take_single(&mut warps, 4).ok_or_else(|| no_lanes(local))?;
        let rows = take_single(&mut warps, 8).ok_or_else(|| no_lanes(local))?;
        let mut steps = order.held.clone();
        let held = take_register(&mut steps, &order.registers, (local, held))?;
        let trans = shape_of_matrix(rows.follow, columns.follow, held, local.other())?;
        let per_thread: i64 = steps.iter().map(|pair| pair.extent).product();
        let count = [4, 2, 1].into_iter().find(|num| per_thread % num == 0).unwrap_or(1);
        let num = take_factor(&mut steps, count);
        Ok(Fit { warps, rows, columns, steps, num, held, trans })
    }

    /// Elements of a row of a matrix.
    fn row_elements(&self) -> i64 {
        ROW_LANES * self.held.extent
    }

    /// Elements between adjacent rows of a matrix.
    fn row_stride(&self) -> i64 {
        if self.trans { self.held.follow } else { self.rows.follow }
    }

    /// Requires every row of every matrix to start at a multiple of 16 bytes.
    pub fn check_rows(&self, shared: &Side, role: Role) -> Result<(), Refusal> {
        let row = self.row_elements();
        let outer = self.warps.iter().chain(&self.steps).chain(&self.num);
        if let Some(pair) = outer.filter(|pair| pair.extent != 1).find(|pair| pair.follow % row != 0) {
            let apart = counted(pair.follow, "element");
            let reason = format!("matrices of the {role} lie {apart} apart; needed a multiple of {row}");
            return Err(Refusal::of(role, "matrix-misaligned", reason));
        }
        let moves = |term: &&DynamicTerm| i128::from(term.divisor) * i128::from(term.stride) % i128::from(row) != 0;
        if let Some(term) = shared.dynamic.iter().find(moves) {
            let reason = format!(
                "the {role} moves by run-time value {} in steps of {}; needed steps divisible by {row}",
                term.value,
                counted(term.divisor.saturating_mul(term.stride), "element")
            );
            return Err(Refusal::of(role, "dynamic-begin-not-divisible", reason));
        }
        let base = memory_base(shared);
        if base % i128::from(row) != 0 {
            let reason = format!("the {role} begins at element {base}; needed a multiple of {row}");
            return Err(Refusal::of(role, "offset-not-divisible", reason));
        }
        if shared.align_bytes % ROW_BYTES != 0 {
            let proven = counted(shared.align_bytes, "byte");
            let reason = format!("the {role} is proven aligned to {proven}; needed {ROW_BYTES}");
            return Err(Refusal::of(role, "storage-alignment", reason));
        }
        Ok(())
    }

    pub fn into_copy(self, order: RegisterOrder, load: bool, threads: i64) -> MatrixCopy {
        let product = |pairs: &[Pair]| pairs.iter().map(|pair| pair.extent).product::<i64>();
        let (steps, num) = (product(&self.steps), product(&self.num));
        let (trans, row_stride) = (self.trans, self.row_stride());
        let pairs = [self.warps, vec![self.rows, self.columns], self.steps, self.num, vec![self.held]].concat();
        let shape =
            MatrixShape { warps: threads / WARP, instructions: steps, matrices: num, lane_elements: self.held.extent };
        let with = |side: Side, iters| Side { layout: with_shard(side.layout, iters), ..side };
        MatrixCopy {
            load,
            trans,
            num,
            threads,
            shape: shape.extents(),
            row_stride,
            shared: with(order.memory, memory_iters(&pairs)),
            registers: with(order.registers, register_iters(&pairs)),
            guards: order.guards,
        }
    }
}

/// Whether each matrix is transposed, from the memory strides of rows and of what the lanes of a row hold, and the elements of one.
fn shape_of_matrix(rows: i64, columns: i64, held: Pair, role: Role) -> Result<bool, Refusal> {
    let (count, inner) = (held.extent, held.follow);
    let row = ROW_LANES * count;
    if columns == count && (count == 1 || inner == 1) && rows > 0 && rows % row == 0 {
        if count != TRANSPOSED_HELD && rows == row {
            let reason = format!(
                "in the {role} the rows of a matrix follow each other, so that lanes access {} in order without it",
                counted(8 * row, "element")
            );
            return Err(Refusal::of(role, "rows-adjacent", reason));
        }
        return Ok(false);
    }
    if count == TRANSPOSED_HELD && rows == 1 && inner > 0 && inner % row == 0 && columns == inner.saturating_mul(2) {
        return Ok(true);
    }
    let needed = match count {
        TRANSPOSED_HELD => "(8k, 2, 1), or (1, 16k, 8k) to be transposed".to_owned(),
        _ => format!("({row}k, {count}, 1)"),
    };
    let reason = format!(
        "in the {role} a matrix has strides ({rows}, {columns}, {inner}) over (8, 4, {count}); needed {needed}"
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

/// Takes the adjacent elements off which share a 32-bit register of a lane.
fn take_register(held: &mut Vec<Pair>, registers: &Side, (local, count): (Role, i64)) -> Result<Pair, Refusal> {
    let refuse = |reason: String| Err(Refusal::of(local, "registers-not-coupled", reason));
    let register = match held.last().copied() {
        _ if count == 1 => single(),
        Some(last) if last.lead == 1 && last.extent % count == 0 => {
            held.pop();
            let (outer, register) = last.split(count);
            held.extend((outer.extent != 1).then_some(outer));
            register
        }
        _ => {
            return refuse(format!(
                "a thread's elements of the {local} are not in groups of {count} adjacent registers"
            ));
        }
    };
    let base = memory_base(registers);
    let uneven = |pair: &Pair| pair.lead % count != 0;
    if !registers.dynamic.is_empty() || base % i128::from(count) != 0 || held.iter().any(uneven) {
        let reason = format!(
            "groups of {count} registers of the {local} begin at run-time registers, or others than multiples of {count}"
        );
        return refuse(reason);
    }
    if registers.align_bytes % REGISTER_BYTES != 0 {
        let proven = counted(registers.align_bytes, "byte");
        let elements = counted(count, "element");
        let reason = format!("the {local} is proven aligned to {proven}; needed {REGISTER_BYTES}, of {elements}");
        return Err(Refusal::of(local, "storage-alignment", reason));
    }
    Ok(register)
}

/// The position of the only element of a register.
fn single() -> Pair {
    let axis = Axis::Memory;
    Pair { extent: 1, lead: 1, axis, follow: 1, follow_axis: axis, moves: (0, 0) }
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
