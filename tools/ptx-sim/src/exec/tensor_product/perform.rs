//! What a product does when it completes.
//!
//! D has one element to a cell. One of f16 is the low half of its cell; the high half has no value afterwards.

use super::super::cluster::Cluster;
use super::super::env::Env;
use super::super::multiplication::{Left, Region, TensorProduct};
use super::super::operand::{Rows, bytes, sum, value};
use super::super::problem::{Exec, problem};
use super::super::tensor_memory::{COLUMNS, cell};
use crate::fault::FaultKind;
use crate::float::{F16, F32, Format, Mode, resize};
use crate::memory::Segment;

/// Computes D.
pub(crate) fn perform(env: &Env<'_>, cluster: &mut Cluster, product: &TensorProduct) -> Exec<()> {
    let (cta, of) = (&mut cluster.ctas[product.rank], &product.instruction);
    let d = &product.sum.region;
    let b = product.b.rows(&cta.shared.data, of.inputs[1], 0..of.columns as usize);
    let init = env.checks.init && env.suspect.is_none();
    let a = match &product.a {
        Left::Shared(a) => a.rows(&cta.shared.data, of.inputs[0], 0..of.rows as usize),
        Left::Tensor(a) => rows(cta.tensor.cells(), a, of.inputs[0], init)?,
    };
    let cells = cta.tensor.cells();
    for (row, a) in a.iter().enumerate() {
        for (column, b) in b.iter().enumerate() {
            let at = cell(d.lane_of(row as u64), d.column + column as u64);
            let sum = |start: u64| sum(f32::from_bits(start as u32), a, b, of.negative).to_bits();
            let old = if product.adds { word(cells, at, if of.wide { 4 } else { 2 }, init)? } else { 0 };
            if of.wide {
                cells.write(at, &sum(old).to_le_bytes());
            } else {
                let sum = sum(resize(F16, F32, old, Mode::Nearest));
                let half = resize(F32, F16, u64::from(sum), Mode::Nearest) as u16;
                cells.write(at, &half.to_le_bytes());
                cells.init.remove(at + 2..at + 4);
            }
        }
    }
    Ok(())
}

/// Rows of A in tensor memory, its elements one behind the other.
fn rows(cells: &Segment, region: &Region, inputs: Format, init: bool) -> Exec<Rows> {
    let size = bytes(inputs) as usize;
    let row = |row: u64| {
        let first = cell(region.lane_of(row), region.column);
        let element = |k: usize| Ok(value(inputs, word(cells, first + k * size, size, init)?));
        (0..4 * region.columns as usize / size).map(element).collect()
    };
    (0..region.rows).map(row).collect()
}

/// The first bytes of a cell; `init`: they must have a value.
fn word(cells: &Segment, at: usize, bytes: usize, init: bool) -> Exec<u64> {
    if init && cells.init.first_missing(at..at + bytes).is_some() {
        let (cell, columns) = (at / 4, COLUMNS as usize);
        let (lane, column) = (cell / columns, cell % columns);
        let detail = format!("lane {lane}, column {column} of tensor memory, which the product reads, has no value");
        return Err(problem(FaultKind::Uninitialized, detail));
    }
    Ok(cells.data[at..at + bytes].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
}
