//! `tcgen05.cp`, `tcgen05.ld` and `tcgen05.st`, according to the figures of the PTX ISA.

use tile_isa::{TmemForm, TmemShape};
use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::families::tmem::copy::TmemCopy;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink};
use super::places::{Cell, Instance};

const LANES: i64 = 32;

/// Moves every tile: rows of 16-byte chunks, located by the descriptor, to the lanes that receive the row.
pub(super) fn copy(copy: &TmemCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let (rows, chunks, receivers) = figure(copy.form);
    let elements = 128 / i64::from(copy.element_bits);
    for &thread in &instance.active {
        for tile in 0..copy.tiles() {
            let start = address::tensor_descriptor_units(&mut Eval, copy, tile, instance.values(Role::Src))?;
            let (lane, column) = split(address::tensor_address(&mut Eval, copy, tile, instance.values(Role::Dst))?);
            for (row, chunk) in (0..rows).flat_map(|row| (0..chunks).map(move |chunk| (row, chunk))) {
                let from = described(copy, start, row, chunk) * elements;
                let to = in_elements(column + 4 * chunk, copy.element_bits);
                for (receiver, step) in
                    receivers(row).into_iter().flat_map(|receiver| (0..elements).map(move |step| (receiver, step)))
                {
                    let to = Cell::Tensor { lane: lane + receiver, column: to + step };
                    sink(Move { thread, from: Cell::Memory(from + step), to })?;
                }
            }
        }
    }
    Ok(())
}

/// Runs every instruction of every warp; elements of 64 bits are represented by their first half.
pub(super) fn access(access: &TmemAccess, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let bits = i64::from(access.element_bits);
    let (whole, parts) = ((bits / 32).max(1), (32 / bits).max(1));
    for &thread in &instance.active {
        for instruction in 0..access.instructions() {
            let t = thread - instance.first;
            let values = instance.values(if access.load { Role::Src } else { Role::Dst });
            let (lane, column) = split(address::access_address(&mut Eval, access, instruction, t, values)?);
            let first = address::access_register(access, instruction)?;
            for word in (0..access.words()).filter(|word| (first + word) % whole == 0) {
                let (down, along) = fragment(access.shape, t % LANES, word);
                for part in 0..parts {
                    let register = (first + word) * 32 / bits + part;
                    let column = in_elements(column + along, access.element_bits) + part;
                    let held = Cell::Register { thread, register };
                    let there = Cell::Tensor { lane: lane + down, column };
                    let (from, to) = if access.load { (there, held) } else { (held, there) };
                    sink(Move { thread, from, to })?;
                }
            }
        }
    }
    Ok(())
}

/// Lane and column of a tensor-memory address.
fn split(address: i64) -> (i64, i64) {
    (address >> 16, address & 0xffff)
}

/// A column of 32 bits, counted in elements.
fn in_elements(column: i64, bits: u32) -> i64 {
    column * 32 / i64::from(bits)
}

/// The number of the 16-byte chunk that a descriptor describes, from the start of the buffer, which is also the start
/// of the swizzle pattern.
fn described(copy: &TmemCopy, start: i64, row: i64, chunk: i64) -> i64 {
    let swizzle = copy.descriptor.swizzle;
    let across = if swizzle == 0 { chunk * copy.descriptor.leading } else { chunk };
    let linear = start + row / 8 * copy.descriptor.stride + ((row % 8) << swizzle) + across;
    linear ^ (linear >> 3 & ((1 << swizzle) - 1))
}

/// The number of rows, the chunks of a row, and the lanes that receive a row.
fn figure(form: TmemForm) -> (i64, i64, fn(i64) -> Vec<i64>) {
    match form {
        TmemForm::Rows128Bits256 => (128, 2, |row| vec![row]),
        TmemForm::Rows128Bits128 => (128, 1, |row| vec![row]),
        TmemForm::Rows4Bits256 => (4, 2, |row| vec![32 * row]),
        TmemForm::Rows64Warpx2Split02 => (64, 1, |row| vec![row, row + 64]),
        TmemForm::Rows64Warpx2Split01 => (64, 1, |row| [0, 32].map(|copy| row / 32 * 64 + row % 32 + copy).to_vec()),
        TmemForm::Rows32Warpx4 => (32, 1, |row| [0, 32, 64, 96].map(|copy| row + copy).to_vec()),
    }
}

/// The lane and column of a thread's register, relative to the instruction's address.
fn fragment(shape: TmemShape, lane: i64, register: i64) -> (i64, i64) {
    match shape {
        TmemShape::Lanes32Bits32 => (lane, register),
        TmemShape::Lanes16Bits64 => (lane % 2 * 8 + lane / 4, 2 * register + lane / 2 % 2),
        TmemShape::Lanes16Bits128 => (register % 2 * 8 + lane / 4, register / 2 * 4 + lane % 4),
        TmemShape::Lanes16Bits256 => (register / 2 % 2 * 8 + lane / 4, register / 4 * 8 + lane % 4 * 2 + register % 2),
    }
}
