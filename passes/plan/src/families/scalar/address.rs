//! Addresses of single elements, and the elements of a register buffer that a thread owns.

use tile_layout::{AddressStep, Fusion, IndexArith};

use crate::families::scalar::plan::{Distributed, ScalarSide};
use crate::problem::refusal::Refusal;
use crate::problem::run_time::{Begin, begin_value, missing};
use crate::sides::address::{address_in, digits, dynamic};
use crate::sides::side::{Condition, Test};

/// The address of one element of a scalar copy.
///
/// `walk` has one value per loop of the copy, `copy` one coordinate per iter of [`ScalarSide::copies`] (all 0, or
/// empty, for the first copy).
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
    let copies =
        side.copies().zip(copy.iter().cloned()).map(|(iter, digit)| AddressStep::new(iter.stride, iter.axis, digit));
    terms.extend(copies);
    dynamic(a, &side.origin, values, &mut terms)?;
    address_in(a, &side.layout, terms, &side.strides, values)
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

/// The part that thread `t` owns: the weighted sum of its digits, and the conditions under which it owns anything.
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
    (a.sum(parts, owned.first_element), conditions)
}

/// The element and the register at the coordinates `serial` of the serial loops; `part` comes from [`owned_part`].
///
/// # Errors
/// `missing-value` when `values`, those of the register operand, is too short.
pub fn owned_element<A: IndexArith>(
    a: &mut A,
    owned: &Distributed,
    part: A::Value,
    serial: &[A::Value],
    values: &[A::Value],
) -> Result<(A::Value, A::Value), Refusal> {
    let (mut elements, mut registers) = (vec![part], Vec::new());
    for (digit, value) in owned.serial.iter().zip(serial) {
        if digit.weight != 0 {
            elements.push(a.scale(value.clone(), digit.weight));
        }
        if digit.stride != 0 {
            registers.push(a.scale(value.clone(), digit.stride));
        }
    }
    let mut moved = Vec::new();
    dynamic(a, &owned.origin, values, &mut moved)?;
    registers.extend(moved.into_iter().map(|step| a.scale(step.digit, step.stride)));
    Ok((a.sum(elements, 0), a.sum(registers, owned.register_offset)))
}

/// A position in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<V> {
    /// One coordinate per dimension, relative to the region's start.
    pub positions: Vec<V>,
    /// What must hold for the position to be inside.
    pub conditions: Vec<Condition<V>>,
}

/// The position of element `x` in the region, per dimension of the register operand, and what must hold for it to be
/// inside.
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
