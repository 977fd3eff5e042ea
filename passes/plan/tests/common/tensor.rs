//! Tensor memory byte by byte: what the layouts say, and what the instructions of a plan do to it.
//!
//! The instructions are modelled by the figures of the PTX ISA (tcgen05.cp, tcgen05.ld, matrix descriptors), in absolute
//! addresses; nothing is taken from the planner but the plan.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use tile_isa::{Space, TmemForm, TmemShape};
use tile_layout::{Axis, Eval};
use tile_plan::address::{access_address, access_register, tensor_address, tensor_descriptor_units};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::families::tmem::copy::TmemCopy;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::sync::TENSOR_LANE_BYTES;
use tile_plan::target::Target;

use super::machine::{block, cells, coordinates, is_active, location, replicas};
use super::oracle::Values;

/// A byte of tensor memory: lane, and byte within the lane's 512 columns.
type Place = (i64, i64);
/// A byte of an element.
type Byte = (usize, i64);

fn bytes(problem: &Problem) -> i64 {
    i64::from(problem.element.bits / 8)
}

/// Every byte of the region in tensor memory, in all copies.
fn tensor_bytes(problem: &Problem, role: Role, values: &[i64]) -> Vec<(Place, Byte)> {
    let (operand, size) = (problem.operand(role).unwrap(), bytes(problem));
    let mut placed = Vec::new();
    for (element, coords) in coordinates(operand, values).iter().enumerate() {
        let x = coords.iter().zip(&operand.shape).fold(0, |x, (coord, extent)| x * extent + coord);
        for adds in replicas(&operand.layout.replica) {
            let place = location(&operand.layout, x, &adds);
            let on = |axis| place.get(&axis).copied().unwrap_or(0);
            for byte in 0..size {
                placed.push(((on(Axis::TLane), on(Axis::TCol) * size + byte), (element, byte)));
            }
        }
    }
    placed
}

/// Every byte of the region in the registers of active threads: thread, and byte of the thread's storage.
fn register_bytes(problem: &Problem, role: Role) -> Vec<(Place, Byte)> {
    let size = bytes(problem);
    let mut placed = Vec::new();
    for ((thread, address), element) in cells(problem, problem.operand(role).unwrap(), &[], true) {
        let thread = thread.unwrap();
        if !is_active(problem, thread) {
            continue;
        }
        for byte in 0..size {
            placed.push(((thread, address * size + byte), (element, byte)));
        }
    }
    placed
}

/// The address in shared memory of a 16-byte chunk of a row of one tile.
fn chunk_address(copy: &TmemCopy, start: i64, row: i64, chunk: i64) -> i64 {
    let (row_bytes, mask) = [(16, 0), (32, 1), (64, 3), (128, 7)][copy.descriptor.swizzle as usize];
    let across = if mask == 0 { chunk * copy.descriptor.leading * 16 } else { chunk * 16 };
    let linear = start + row / 8 * copy.descriptor.stride * 16 + row % 8 * row_bytes + across;
    linear ^ ((linear >> 7 & mask) << 4)
}

/// Rows, 16-byte chunks of a row, and the lanes that receive a row.
fn rows_of(form: TmemForm) -> (i64, i64, fn(i64) -> Vec<i64>) {
    match form {
        TmemForm::Rows128Bits256 => (128, 2, |row| vec![row]),
        TmemForm::Rows128Bits128 => (128, 1, |row| vec![row]),
        TmemForm::Rows4Bits256 => (4, 2, |row| vec![32 * row]),
        TmemForm::Rows64Warpx2Split02 => (64, 1, |row| vec![row, row + 64]),
        TmemForm::Rows64Warpx2Split01 => (64, 1, |row| {
            let first = if row < 32 { row } else { row + 32 };
            vec![first, first + 32]
        }),
        TmemForm::Rows32Warpx4 => (32, 1, |row| vec![row, row + 32, row + 64, row + 96]),
    }
}

/// Runs a plan of `tcgen05.cp` and compares every byte of tensor memory.
///
/// # Errors
/// The first defect.
pub fn check_copy(problem: &Problem, copy: &TmemCopy, values: &Values) -> Result<(), String> {
    let size = bytes(problem);
    // The base has the proven alignment, and no more.
    let base = 3 * problem.operand(Role::Src).unwrap().align_bytes;
    let held = cells(problem, problem.operand(Role::Src).unwrap(), &values.src, false).into_iter();
    let shared: Vec<(i64, Byte)> = held
        .flat_map(|((_, address), element)| (0..size).map(move |byte| (base + address * size + byte, (element, byte))))
        .collect();
    let (shared, same) = contents(shared);
    let fields = [copy.descriptor.leading, copy.descriptor.stride];
    if fields.iter().any(|field| !(0..1 << 14).contains(field)) {
        return Err(format!("fields {fields:?} do not fit 14 bits"));
    }
    let (mut written, mut read) = (HashMap::new(), HashSet::new());
    let (rows, chunks, lanes) = rows_of(copy.form);
    for tile in 0..copy.tiles() {
        let units = tensor_descriptor_units(&mut Eval, copy, tile, &values.src).unwrap();
        let start = base + 16 * units;
        let to = tensor_address(&mut Eval, copy, tile, &values.dst).unwrap();
        let (lane, column) = (to >> 16, to & 0xffff);
        if start % 16 != 0 || column % 4 != 0 {
            return Err(format!("tile {tile} begins at byte {start} and column {column}"));
        }
        for (row, chunk, byte) in
            (0..rows).flat_map(|row| (0..chunks).flat_map(move |chunk| (0..16).map(move |byte| (row, chunk, byte))))
        {
            let from = chunk_address(copy, start, row, chunk) + byte;
            let content = *shared.get(&from).ok_or_else(|| format!("tile {tile} reads byte {from} outside"))?;
            read.insert(from - base);
            for target in lanes(row) {
                let place = (lane + target, 4 * column + 16 * chunk + byte);
                if let Some(other) = written.insert(place, content) {
                    return Err(format!("{place:?} gets {other:?} and {content:?}"));
                }
            }
        }
    }
    in_tensor_memory(&written)?;
    let plan = CopyPlan::TmemCopy(copy.clone());
    touches(problem, &plan, (Role::Dst, &values.dst), &written.keys().copied().collect())?;
    let read = read.into_iter().map(|at| (0, at)).collect();
    touches(problem, &plan, (Role::Src, &values.src), &read)?;
    compare(&written, &expected(tensor_bytes(problem, Role::Dst, &values.dst), &same))
}

/// What each place holds, and for each element, the one that its place holds: a source may have several in one place.
fn contents<P: Copy + Eq + Hash>(places: Vec<(P, Byte)>) -> (HashMap<P, Byte>, HashMap<usize, usize>) {
    let held: HashMap<P, Byte> = places.iter().copied().collect();
    let same = places.iter().map(|(place, (element, _))| (*element, held[place].0)).collect();
    (held, same)
}

/// The most bytes for which the footprint of a plan is checked.
const MAX_BYTES: usize = 1 << 13;

/// Checks that a plan's footprint is these bytes, and no others.
fn touches(
    problem: &Problem,
    plan: &CopyPlan,
    (role, values): (Role, &[i64]),
    expected: &HashSet<Place>,
) -> Result<(), String> {
    if expected.len() > MAX_BYTES {
        return Ok(());
    }
    let target = Target::parse("sm_100a").map_err(|error| error.to_string())?;
    let Ok(touched) = plan.touched(problem, &target) else { return Ok(()) };
    let Some(side) = touched.of(role) else { return Err(format!("no {role}")) };
    let Some((footprint, moves)) = side.footprint.as_ref().zip(side.moves.as_ref()) else { return Ok(()) };
    let moved: i64 = moves.iter().map(|term| values[term.value].div_euclid(term.div) * term.bytes).sum();
    let bytes = footprint.segments().iter().flat_map(|segment| segment.begin + moved..segment.end + moved);
    let claimed: HashSet<Place> = match problem.operand(role).unwrap().space {
        Space::Tmem => bytes.map(|byte| (byte / TENSOR_LANE_BYTES, byte % TENSOR_LANE_BYTES)).collect(),
        _ => bytes.map(|byte| (0, byte)).collect(),
    };
    match claimed.symmetric_difference(expected).next() {
        Some(place) => Err(format!("{place:?} of the {role} is touched or said to be, not both")),
        None => Ok(()),
    }
}

/// What each place of a destination must hold.
fn expected(places: Vec<(Place, Byte)>, same: &HashMap<usize, usize>) -> HashMap<Place, Byte> {
    places.into_iter().map(|(place, (element, byte))| (place, (same[&element], byte))).collect()
}

fn in_tensor_memory(places: &HashMap<Place, Byte>) -> Result<(), String> {
    match places.keys().find(|(lane, byte)| !(0..128).contains(lane) || !(0..2048).contains(byte)) {
        Some(place) => Err(format!("{place:?} is no place of tensor memory")),
        None => Ok(()),
    }
}

fn compare(got: &HashMap<Place, Byte>, expected: &HashMap<Place, Byte>) -> Result<(), String> {
    for (place, byte) in expected {
        if got.get(place) != Some(byte) {
            return Err(format!("{place:?} gets {:?}; expected {byte:?}", got.get(place)));
        }
    }
    match got.keys().find(|place| !expected.contains_key(place)) {
        Some(place) => Err(format!("{place:?} is written, outside of the region")),
        None => Ok(()),
    }
}

/// Lane and column of a register of a thread of a warp, from the instruction's address on.
fn fragment(shape: TmemShape, lane: i64, register: i64) -> (i64, i64) {
    match shape {
        TmemShape::Lanes32Bits32 => (lane, register),
        TmemShape::Lanes16Bits64 => (lane % 2 * 8 + lane / 4, 2 * register + lane / 2 % 2),
        TmemShape::Lanes16Bits128 => (register % 2 * 8 + lane / 4, 4 * (register / 2) + lane % 4),
        TmemShape::Lanes16Bits256 => {
            (register / 2 % 2 * 8 + lane / 4, 8 * (register / 4) + 2 * (lane % 4) + register % 2)
        }
    }
}

/// Runs a plan of `tcgen05.ld` or `tcgen05.st` and compares every byte of the destination; for a load, every register
/// of every warpgroup.
///
/// # Errors
/// The first defect.
pub fn check_access(problem: &Problem, access: &TmemAccess, values: &Values) -> Result<(), String> {
    let (tmem, local) = if access.load { (Role::Src, Role::Dst) } else { (Role::Dst, Role::Src) };
    let values = if access.load { &values.src } else { &values.dst };
    let tensor = tensor_bytes(problem, tmem, values);
    let registers = register_bytes(problem, local);
    let (from, to) = if access.load { (tensor, registers) } else { (registers, tensor) };
    let (held, same) = contents(from);
    if !(access.num.count_ones() == 1 && (1..=128).contains(&access.words())) {
        return Err(format!("x{} of {:?}", access.num, access.shape));
    }
    let (mut written, mut touched) = (HashMap::new(), HashSet::new());
    for thread in (0..block(problem)).filter(|thread| is_active(problem, *thread)) {
        for instruction in 0..access.instructions() {
            let to = access_address(&mut Eval, access, instruction, thread, values).unwrap();
            let (row, column, warp) = (to >> 16, to & 0xffff, thread / 32 % 4);
            let begins = if access.shape == TmemShape::Lanes32Bits32 { vec![0] } else { vec![0, 16] };
            if !begins.contains(&(row - 32 * warp)) {
                return Err(format!("warp {warp} does not reach lane {row}"));
            }
            let first = access_register(access, instruction).unwrap();
            for (word, byte) in (0..access.words()).flat_map(|word| (0..4).map(move |byte| (word, byte))) {
                let (lane, at) = fragment(access.shape, thread % 32, word);
                let cell = (row + lane, 4 * (column + at) + byte);
                touched.insert(cell);
                let register = (thread, 4 * (first + word) + byte);
                let (from, to) = if access.load { (cell, register) } else { (register, cell) };
                let content = *held.get(&from).ok_or_else(|| format!("{from:?} is read, outside of the region"))?;
                // Each warpgroup of a block stores the same.
                if written.insert(to, content).is_some_and(|other| other != content || access.load) {
                    return Err(format!("{to:?} is written twice"));
                }
            }
        }
    }
    if !access.load {
        in_tensor_memory(&written)?;
    }
    touches(problem, &CopyPlan::TmemAccess(access.clone()), (tmem, values), &touched)?;
    compare(&written, &expected(to, &same))
}
