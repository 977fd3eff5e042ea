//! The memories of a launch, their contents before it, and their contents as bytes.

use super::Machine;
use super::cells::{Cell, Store};
use crate::ast::{Argument, Buffer, Program, Source, Space, Storage};
use crate::convert::NumberKind;

/// The content of bytes that no thread has written.
pub const POISON: u8 = 0xa5;

/// The locations of a buffer's elements, computed once.
#[derive(Clone, Debug)]
pub struct Placed {
    /// For memory: the address of each element.
    pub addresses: Vec<i64>,
    /// For registers: the thread and register of each copy of each element.
    pub holders: Vec<Vec<(i64, usize)>>,
    /// Registers of a thread.
    pub registers: usize,
}

impl Placed {
    /// The locations, for blocks of `threads` threads.
    pub fn new(buffer: &Buffer, threads: i64) -> Self {
        let elements = 0..buffer.layout.size();
        if buffer.space != Space::Local {
            let addresses = elements.map(|element| buffer.layout.places(element)[0].address).collect();
            return Placed { addresses, holders: Vec::new(), registers: 0 };
        }
        let holders = |element: i64| {
            let places = buffer.layout.places(element);
            let place = |thread: i64| places.iter().find(|place| place.is_of(thread));
            (0..threads).filter_map(|thread| Some((thread, place(thread)?.address as usize))).collect()
        };
        let registers = buffer.layout.registers() as usize;
        Placed { addresses: Vec::new(), holders: elements.map(holders).collect(), registers }
    }
}

/// The numbers of the memories of arguments and buffers.
#[derive(Clone, Debug)]
pub struct Table {
    /// For arguments that are memory.
    pub arguments: Vec<Option<usize>>,
    /// For shared buffers, by block, then by buffer.
    pub shared: Vec<Vec<Option<usize>>>,
}

/// All memories before the launch.
pub fn stores(program: &Program, placed: &[std::rc::Rc<Placed>]) -> (Vec<Store>, Table) {
    let mut stores = Vec::new();
    let mut add = |cells: Vec<Cell>| {
        stores.push(Store::new(cells));
        stores.len() - 1
    };
    let arguments = (0..).zip(&program.arguments).map(|(number, argument)| match argument {
        Argument::Memory(storage) => Some(add(before(number, storage))),
        _ => None,
    });
    let arguments = arguments.collect();
    let shared = |buffer: &Buffer, placed: &Placed| {
        let end = placed.addresses.iter().max().map_or(0, |last| last + 1);
        let elements = match buffer.source {
            Source::Attribution(elements) => elements,
            _ => end,
        };
        (buffer.space == Space::Shared).then(|| vec![Cell::default(); elements as usize])
    };
    let per_block =
        |_| program.buffers.iter().zip(placed).map(|(buffer, placed)| shared(buffer, placed).map(&mut add)).collect();
    let shared = (0..program.blocks()).map(per_block).collect();
    (stores, Table { arguments, shared })
}

/// The contents of an argument before the launch.
fn before(number: u64, storage: &Storage) -> Vec<Cell> {
    let drawn = |at: i64| truncated(mix(number << 40 ^ at as u64), storage.element.bits);
    let kind = NumberKind::of(storage.element.name).filter(|_| storage.numbers);
    let value = |at: i64| kind.map_or_else(|| drawn(at), |kind| kind.number(drawn(at) as u64).into());
    let cell = |at| if storage.filled { Cell::of(value(at)) } else { Cell::default() };
    (0..storage.elements()).map(cell).collect()
}

/// 128 pseudo-random bits (the finalizer of SplitMix64, twice).
fn mix(value: u64) -> u128 {
    let once = |value: u64| {
        let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    };
    let low = once(value.wrapping_add(0x9e37_79b9_7f4a_7c15));
    u128::from(once(low)) << 64 | u128::from(low)
}

/// The low `bits` bits.
pub fn truncated(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The bytes of cells; [`POISON`] for cells without a value.
pub fn bytes(cells: &[Cell], element_bytes: usize) -> Vec<u8> {
    let cell_bytes = |cell: &Cell| match cell.defined {
        true => cell.value.to_le_bytes()[..element_bytes].to_vec(),
        false => vec![POISON; element_bytes],
    };
    cells.iter().flat_map(cell_bytes).collect()
}

/// For each byte of cells, whether it has a value.
pub fn defined(cells: &[Cell], element_bytes: usize) -> Vec<bool> {
    cells.iter().flat_map(|cell| std::iter::repeat_n(cell.defined, element_bytes)).collect()
}

impl Machine {
    /// The current contents of an argument that is memory.
    pub fn argument(&self, number: usize) -> Option<&[Cell]> {
        let store = self.table.arguments.get(number).copied().flatten()?;
        Some(&self.stores[store].cells)
    }

    /// The hazards of all accesses from which values in device memory come.
    pub fn taint(&self) -> u8 {
        let taint = |store: usize| self.stores[store].cells.iter().fold(0, |all, cell| all | cell.taint);
        self.table.arguments.iter().flatten().fold(0, |all, &store| all | taint(store))
    }
}
