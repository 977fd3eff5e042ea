//! Where things are: one formula, run on numbers to check a plan, and on IR values to emit it.
//!
//! All addresses are in elements from the storage's first one; every formula is over an
//! [`IndexArith`]. `values` are the run-time values of the operand.

use tile_layout::{Axis, Fusion, IndexArith, Iter, Layout};

use crate::plan::{Distributed, DynamicTerm, Guard, MatrixCopy, Refusal, ScalarSide, Side, VectorCopy};
use crate::problem::{Begin, Which};

/// The first element of the vector that thread `t` moves in round `f`.
///
/// `t` is the scope-relative thread id; it is not looked at where one thread does all.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn vector_address<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    which: Which,
    f: A::Value,
    t: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = if which == Which::Src { &copy.src } else { &copy.dst };
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let (rounds, threads) = outer.split_at_checked(outer.len().saturating_sub(copy.thread_iters)).unwrap_or_default();
    let mut terms = Vec::new();
    if copy.thread_iters == 0 && copy.threads != 1 {
        let first = a.scale(f, copy.threads);
        let linear = a.add(first, t);
        digits(a, rounds, linear, &mut terms);
    } else {
        digits(a, rounds, f, &mut terms);
        digits(a, threads, t, &mut terms);
    }
    finish(a, side, terms, values)
}

/// The row address that thread `t` passes to the matrix instruction of `step`.
///
/// # Errors
/// `missing-value` when `values` is too short; `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_address<A: IndexArith>(
    a: &mut A,
    copy: &MatrixCopy,
    t: A::Value,
    step: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.shared.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let mut terms = Vec::new();
    let (lanes, rows, num) = (a.constant(32), a.constant(8), a.constant(copy.num));
    let warp = a.div(t.clone(), lanes.clone());
    digits(a, group(0), warp, &mut terms);
    digits(a, group(3), step, &mut terms);
    let lane = a.rem(t, lanes);
    if copy.num != 1 {
        let matrix = a.div(lane.clone(), rows.clone());
        let matrix = a.rem(matrix, num);
        digits(a, group(4), matrix, &mut terms);
    }
    let row = a.rem(lane, rows);
    terms.push((copy.row_stride, row));
    finish(a, &copy.shared, terms, values)
}

/// The 32-bit register of matrix `matrix` in `step`: element `2 * register` of the thread's storage is its low half.
///
/// # Errors
/// `malformed-matrix-copy` when the layout does not have the copy's shape.
pub fn matrix_register(copy: &MatrixCopy, step: i64, matrix: i64) -> Result<i64, Refusal> {
    let (grouped, seps) = matrix_groups(&copy.registers.layout, copy)?;
    let group = |part: usize| grouped.shard.get(seps[part]..seps[part + 1]).unwrap_or_default();
    let (mut terms, eval) = (Vec::new(), &mut tile_layout::Eval);
    digits(eval, group(3), step, &mut terms);
    digits(eval, group(4), matrix, &mut terms);
    Ok(finish(eval, &copy.registers, terms, &[])? / 2)
}

fn matrix_groups(layout: &Layout, copy: &MatrixCopy) -> Result<(Layout, Vec<usize>), Refusal> {
    layout.group(&copy.shape).map_err(|error| Refusal::new("malformed-matrix-copy", error.to_string()))
}

/// The address of one element of a scalar copy.
///
/// `walk` has one value per loop of the copy, `copy` one digit per [`ScalarSide::copies`] (all 0, or empty, for the
/// first).
///
/// # Errors
/// `missing-value` when `walk` or `values` is too short.
pub fn scalar_address<A: IndexArith>(
    a: &mut A,
    side: &ScalarSide,
    walk: &[A::Value],
    copy: &[A::Value],
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let mut coords = Vec::with_capacity(side.shape.len());
    for (begin, walked) in side.begin.iter().zip(&side.walked) {
        let begin = begin_value(a, *begin, values)?;
        coords.push(match walked {
            None => begin,
            Some(walked) => {
                let step = walk.get(*walked).cloned().ok_or_else(|| missing("loop", *walked))?;
                a.add(begin, step)
            }
        });
    }
    let mut terms = Vec::new();
    match side.layout.canonicalize(Fusion::None).group(&side.shape) {
        Ok((grouped, seps)) => {
            for (coord, ends) in coords.into_iter().zip(seps.windows(2)) {
                digits(a, grouped.shard.get(ends[0]..ends[1]).unwrap_or_default(), coord, &mut terms);
            }
        }
        Err(_) => {
            let linear = join(a, &coords, &side.shape);
            digits(a, &side.layout.shard, linear, &mut terms);
        }
    }
    terms.extend(side.copies().map(|iter| iter.stride).zip(copy.iter().cloned()));
    Ok(locate(a, &side.layout, terms))
}

/// Must be 0 for a thread that takes part.
pub fn guard_digit<A: IndexArith>(a: &mut A, guard: Guard, t: A::Value) -> A::Value {
    let (div, extent) = (a.constant(guard.div), a.constant(guard.extent));
    let t = a.div(t, div);
    a.rem(t, extent)
}

/// Something that must hold for a thread to take part, or for an element to be in the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<V> {
    /// What is tested.
    pub value: V,
    /// How.
    pub test: Test,
}

/// A test of a [`Condition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `value == 0`.
    Zero,
    /// `0 <= value < limit`.
    Within(i64),
}

impl Condition<i64> {
    /// Does it hold?
    pub fn holds(&self) -> bool {
        match self.test {
            Test::Zero => self.value == 0,
            Test::Within(limit) => (0..limit).contains(&self.value),
        }
    }
}

/// What thread `t` owns: the sum of its digits' weights, and the conditions under which it owns anything.
pub fn owned_part<A: IndexArith>(a: &mut A, owned: &Distributed, t: A::Value) -> (A::Value, Vec<Condition<A::Value>>) {
    let mut conditions = Vec::new();
    let mut rest = t;
    if owned.thread_offset != 0 {
        let offset = a.constant(owned.thread_offset);
        rest = a.sub(rest, offset);
    }
    let mut parts = Vec::new();
    for digit in &owned.digits {
        let stride = a.constant(digit.stride);
        let value = if digit.stride == 1 { rest.clone() } else { a.div(rest.clone(), stride.clone()) };
        let limit = if digit.only_zero { 1 } else { digit.extent };
        conditions.push(Condition { value: value.clone(), test: Test::Within(limit) });
        rest = if digit.stride == 1 { a.constant(0) } else { a.rem(rest, stride) };
        if digit.weight != 0 {
            parts.push(a.scale(value, digit.weight));
        }
    }
    if owned.digits.last().is_none_or(|digit| digit.stride != 1) {
        conditions.push(Condition { value: rest, test: Test::Zero });
    }
    (a.sum(parts, 0), conditions)
}

/// The element and the register at one digit per serial loop; `part` is that of [`owned_part`].
pub fn owned_element<A: IndexArith>(
    a: &mut A,
    owned: &Distributed,
    part: A::Value,
    serial: &[A::Value],
) -> (A::Value, A::Value) {
    let (mut elements, mut registers) = (vec![part], Vec::new());
    for (digit, value) in owned.serial.iter().zip(serial) {
        if digit.weight != 0 {
            elements.push(a.scale(value.clone(), digit.weight));
        }
        if digit.stride != 0 {
            registers.push(a.scale(value.clone(), digit.stride));
        }
    }
    (a.sum(elements, 0), a.sum(registers, owned.register_offset))
}

/// A place in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<V> {
    /// One per dimension, from the region's begin on.
    pub positions: Vec<V>,
    /// What must hold for the place to be inside.
    pub conditions: Vec<Condition<V>>,
}

/// Where in the region element `x` is, per dimension of the register operand, and what must hold for it to be inside.
///
/// # Errors
/// `missing-value` when `values`, those of the register operand, is too short.
pub fn region_position<A: IndexArith>(
    a: &mut A,
    owned: &Distributed,
    x: A::Value,
    values: &[A::Value],
) -> Result<Position<A::Value>, Refusal> {
    let mut conditions = Vec::new();
    let mut positions = Vec::new();
    let mut inside = 1i64;
    for (window, &extent) in owned.windows.iter().zip(&owned.domain).rev() {
        let mut coord = x.clone();
        if inside != 1 {
            let inside = a.constant(inside);
            coord = a.div(coord, inside);
        }
        inside = inside.saturating_mul(extent);
        let modulus = a.constant(extent);
        coord = a.rem(coord, modulus);
        if window.begin != Begin::Const(0) {
            let begin = begin_value(a, window.begin, values)?;
            coord = a.sub(coord, begin);
        }
        if window.check {
            conditions.push(Condition { value: coord.clone(), test: Test::Within(window.extent) });
        }
        positions.push(coord);
    }
    positions.reverse();
    Ok(Position { positions, conditions })
}

/// Adds the digits of `value` over the memory iters among `iters`, with their strides; equal neighbours are one digit.
fn digits<A: IndexArith>(a: &mut A, iters: &[Iter], value: A::Value, terms: &mut Vec<(i64, A::Value)>) {
    let fused = Layout::new(iters).canonicalize(Fusion::None).shard;
    let mut inside = 1i64;
    for (index, iter) in fused.iter().enumerate().rev() {
        if iter.axis == Axis::Memory && iter.extent != 1 && iter.stride != 0 {
            let mut digit = value.clone();
            if inside != 1 {
                let inside = a.constant(inside);
                digit = a.div(digit, inside);
            }
            if index != 0 {
                let extent = a.constant(iter.extent);
                digit = a.rem(digit, extent);
            }
            terms.push((iter.stride, digit));
        }
        inside = inside.saturating_mul(iter.extent);
    }
}

/// Adds the run-time terms, then the offset, then swizzles.
fn finish<A: IndexArith>(
    a: &mut A,
    side: &Side,
    mut terms: Vec<(i64, A::Value)>,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    for &DynamicTerm { value, div, stride, .. } in &side.dynamic {
        let mut moved = values.get(value).cloned().ok_or_else(|| missing("run-time value", value))?;
        if div != 1 {
            let div = a.constant(div);
            moved = a.div(moved, div);
        }
        terms.push((stride, moved));
    }
    Ok(locate(a, &side.layout, terms))
}

/// The memory address of `digit * stride` terms: with the layout's offset, through its swizzle.
fn locate<A: IndexArith>(a: &mut A, layout: &Layout, terms: Vec<(i64, A::Value)>) -> A::Value {
    // A term is a digit of an iter of its own; the extent is not looked at as long as it is not 1.
    let shard: Vec<Iter> = terms.iter().map(|&(stride, _)| Iter::memory(2, stride)).collect();
    let digits: Vec<A::Value> = terms.into_iter().map(|(_, digit)| digit).collect();
    let offset = layout.offset_on(Axis::Memory);
    let line = Layout { swizzle: layout.swizzle, ..Layout::new(shard).with_offset(Axis::Memory, offset) };
    let found = line.locate_digits(a, &digits).ok().and_then(|mut location| location.remove(&Axis::Memory));
    found.unwrap_or_else(|| a.constant(offset))
}

fn begin_value<A: IndexArith>(a: &mut A, begin: Begin, values: &[A::Value]) -> Result<A::Value, Refusal> {
    match begin {
        Begin::Const(value) => Ok(a.constant(value)),
        Begin::Dynamic { value, .. } => values.get(value).cloned().ok_or_else(|| missing("run-time value", value)),
    }
}

/// Row-major index of a coordinate.
fn join<A: IndexArith>(a: &mut A, coords: &[A::Value], shape: &[i64]) -> A::Value {
    let mut inside = 1i64;
    let mut terms = Vec::new();
    for (coord, &extent) in coords.iter().zip(shape).rev() {
        terms.push(a.scale(coord.clone(), inside));
        inside = inside.saturating_mul(extent);
    }
    a.sum(terms, 0)
}

fn missing(what: &str, index: usize) -> Refusal {
    Refusal::new("missing-value", format!("{what} {index} is not given"))
}
