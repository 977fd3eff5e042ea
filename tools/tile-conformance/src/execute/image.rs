//! The contents of every location of a side, as bytes; and the predicates that determine which elements arrive.

use std::collections::HashMap;

use tile_isa::Space;
use tile_layout::Axis;
use tile_oracle::convert::{NumberKind, convert};
use tile_plan::problem::role::Role;

use super::{RunError, Value};
use crate::case::{Case, Side};
use crate::evaluate::{Cell, instances, places, writers};
use crate::kernel::tensor::{COLUMNS, LANES};
use crate::lower::LoweredPlan;

/// The content of a location that holds no element of the region.
const POISON: u8 = 0xa5;

/// Both sides before the copy, and the destination after it.
pub(super) struct Images {
    pub(super) src: Vec<u8>,
    pub(super) dst: Vec<u8>,
    pub(super) expected: Vec<u8>,
}

impl Images {
    /// Elements that `mask` lets through arrive; the others leave their location unchanged, or set it to zero.
    pub(super) fn new(case: &Case, seed: u64, mask: &Mask) -> Self {
        let mut src = noise(&case.src, bytes(case, Role::Src), seed);
        let dst = vec![POISON; bytes(case, Role::Dst)];
        let mut expected = dst.clone();
        for instance in instances(case) {
            // Elements that share a location of the source are one element: the one that is written last.
            for (cell, element) in places(case, Role::Src, &instance, false) {
                put(case, Role::Src, &mut src, cell, &value(case, element, seed));
            }
        }
        for instance in instances(case).into_iter().filter(|_| case.runs()) {
            let held: Vec<(Cell, usize)> = places(case, Role::Src, &instance, false);
            let mut by_element = vec![None; usize::try_from(case.src.elements()).unwrap_or(0)];
            held.into_iter().for_each(|(cell, element)| by_element[element] = Some(cell));
            for (cell, element) in places(case, Role::Dst, &instance, false) {
                if !mask.passes(cell) {
                    if case.issue.is_some_and(|issue| issue.zero_fill) {
                        put(case, Role::Dst, &mut expected, cell, &vec![0; size(&case.dst)]);
                    }
                } else if let Some(from) = by_element.get(element).copied().flatten() {
                    let moved = arrived(case, get(case, Role::Src, &src, from));
                    put(case, Role::Dst, &mut expected, cell, &moved);
                }
            }
        }
        Images { src, dst, expected }
    }
}

/// Elements of a side's image: its storage in memory, or all registers of all threads.
pub(super) fn elements(case: &Case, role: Role) -> i64 {
    let side = case.side(role);
    match side.space {
        Space::Local => case.block * registers(side),
        // A whole number of vectors: LLVM loads an aligned vector whose last elements are not used.
        Space::Shared => whole_vectors(side.layout.memory_span(), size(side) as i64),
        Space::Tmem => LANES * COLUMNS * 4 / size(side) as i64,
        _ => side.layout.memory_span(),
    }
}

/// Elements rounded up to 16 bytes.
fn whole_vectors(elements: i64, bytes: i64) -> i64 {
    let vector = (16 / bytes).max(1);
    (elements + vector - 1) / vector * vector
}

/// Registers of a thread.
pub(super) fn registers(side: &Side) -> i64 {
    side.layout.span(Axis::Memory)
}

/// Elements of a lane of tensor memory.
fn row(side: &Side) -> i64 {
    COLUMNS * 4 / size(side) as i64
}

fn size(side: &Side) -> usize {
    side.element.bits.div_ceil(8) as usize
}

fn bytes(case: &Case, role: Role) -> usize {
    usize::try_from(elements(case, role)).unwrap_or(0) * size(case.side(role))
}

/// The bytes of a location in the image.
fn place(case: &Case, role: Role, cell: Cell) -> std::ops::Range<usize> {
    let side = case.side(role);
    let index = match cell {
        Cell::Memory(address) => address,
        Cell::Register { thread, register } => thread * registers(side) + register,
        Cell::Tensor { lane, column } => lane * row(side) + column,
    };
    let first = usize::try_from(index).unwrap_or(usize::MAX / 16) * size(side);
    first..first + size(side)
}

fn put(case: &Case, role: Role, image: &mut [u8], cell: Cell, value: &[u8]) {
    if let Some(there) = image.get_mut(place(case, role, cell)) {
        there.copy_from_slice(value);
    }
}

fn get<'i>(case: &Case, role: Role, image: &'i [u8], cell: Cell) -> &'i [u8] {
    image.get(place(case, role, cell)).unwrap_or_default()
}

/// The value of an element, which is a number if it is converted.
fn value(case: &Case, element: usize, seed: u64) -> Vec<u8> {
    let (size, drawn) = (size(&case.src), mix(element as u64 ^ seed << 32));
    let code = |(from, _): (NumberKind, NumberKind)| from.number(drawn & u64::MAX >> (64 - from.bits));
    case.kinds().map_or(drawn, code).to_le_bytes()[..size].to_vec()
}

/// The bytes of an element after the copy, which may convert it.
fn arrived(case: &Case, bytes: &[u8]) -> Vec<u8> {
    let Some((from, to)) = case.kinds() else { return bytes.to_vec() };
    let code = bytes.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte));
    convert(from, to, true, code).to_le_bytes()[..size(&case.dst)].to_vec()
}

/// The contents around the elements of a source, which differ from those of all elements.
fn noise(side: &Side, bytes: usize, seed: u64) -> Vec<u8> {
    let words = (0..bytes.div_ceil(size(side))).map(|place| mix(place as u64 ^ seed << 32 ^ 1 << 63));
    words.flat_map(|word| word.to_le_bytes().into_iter().take(size(side))).collect()
}

/// A permutation of 64 bits without a visible order (the finalizer of SplitMix64).
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// Compares an image with the expected one.
pub(super) fn compare(case: &Case, role: Role, got: &[u8], expected: &[u8]) -> Result<(), RunError> {
    let side = case.side(role);
    let differs = |(got, expected): &(&[u8], &[u8])| got != expected;
    let Some(index) = got.chunks(size(side)).zip(expected.chunks(size(side))).position(|pair| differs(&pair)) else {
        return Ok(());
    };
    let bytes = index * size(side)..(index + 1) * size(side);
    let index = index as i64;
    let cell = match side.space {
        Space::Local => Cell::Register { thread: index / registers(side), register: index % registers(side) },
        Space::Tmem => Cell::Tensor { lane: index / row(side), column: index % row(side) },
        _ => Cell::Memory(index),
    };
    let (got, expected) = (Value(got[bytes.clone()].to_vec()), Value(expected[bytes].to_vec()));
    Err(RunError::Element { side: role.name(), cell, got, expected })
}

/// Lanes whose predicate is true in a run: all, none, and some irregular ones.
const MASKS: [u32; 3] = [u32::MAX, 0, 0x5a3c_9699];

/// The threads that copy their share, and the thread whose share each location of the destination is.
pub(super) struct Mask {
    /// A bit per lane.
    pub(super) lanes: u32,
    writers: HashMap<Cell, i64>,
}

impl Mask {
    /// Every thread copies.
    pub(super) fn all() -> Mask {
        Mask { lanes: u32::MAX, writers: HashMap::new() }
    }

    /// The masks with which to run a case: several if it has a predicate.
    ///
    /// If several groups of threads copy to the same location and only some threads copy, the result is arbitrary: such
    /// cases run only with all threads or none.
    pub(super) fn of(case: &Case, plan: &LoweredPlan) -> Vec<Mask> {
        if !case.issue.is_some_and(|issue| issue.predicated) {
            return vec![Mask::all()];
        }
        let shares = if instances(case).len() == 1 { writers(case, plan) } else { HashMap::new() };
        let mixed = MASKS.into_iter().filter(|lanes| matches!(lanes, 0 | &u32::MAX) || !shares.is_empty());
        mixed.map(|lanes| Mask { lanes, writers: shares.clone() }).collect()
    }

    /// Whether the element of a location of the destination arrives.
    pub(super) fn passes(&self, cell: Cell) -> bool {
        match self.lanes {
            0 => false,
            u32::MAX => true,
            lanes => self.writers.get(&cell).is_some_and(|thread| lanes >> (thread % 32) & 1 == 1),
        }
    }
}
