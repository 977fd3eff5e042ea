//! The memory that copies to and from tensor memory touch, and what completes the accesses.
//!
//! The byte address of a column is four times its tensor-memory address: `lane << 18 | column << 2`, so that what
//! run-time values add is a number of bytes, for lanes and columns alike.

use std::rc::Rc;

use tile_isa::WARP;
use tile_layout::Eval;

use crate::families::family::Touches;
use crate::families::tmem::access::TmemAccess;
use crate::families::tmem::address::{access_address, tensor_address, tensor_descriptor_units};
use crate::families::tmem::copy::TmemCopy;
use crate::families::tmem::region::LANE;
use crate::problem::role::Role;
use crate::queue::Queue;
use crate::sides::side::Side;
use crate::touch::enumeration::{Enumeration, MAX_ACCESSES};
use crate::touch::footprint::Footprint;
use crate::touch::{Bytes, Collective, Engine, Move, NotFollowed, TENSOR_COLUMN_BYTES, Touched};

/// The unit of a descriptor, in bytes.
const UNIT: i64 = 16;

impl Touches for TmemAccess {
    /// Columns of lanes, accessed by the threads that hold them in registers.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let role = if self.load { Role::Src } else { Role::Dst };
        let (active, values) = (by.active(), by.values(role));
        let count = active.len().saturating_mul(self.instructions()).saturating_mul(self.words());
        let mut columns = Vec::new();
        for thread in active.iter().filter(|_| count <= MAX_ACCESSES) {
            for instruction in 0..self.instructions() {
                let first = access_address(&mut Eval, self, instruction, by.relative(thread), &values)?;
                for register in 0..self.words() {
                    let (lane, column) = self.shape.place(thread % WARP, register);
                    columns.push((thread, first + lane * LANE + column, 1));
                }
            }
        }
        let side = tensor_bytes(&self.tmem, (count <= MAX_ACCESSES).then_some(columns));
        let queue = if self.load { Queue::TmemLoad } else { Queue::TmemStore };
        let engine = Engine { queue: Some(queue), ..Engine::THREADS };
        Ok(Touched::new(engine, [(role, side)]))
    }
}

impl Touches for TmemCopy {
    /// Rows, accessed by the threads that issue the copy.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        if self.cta_group != 1 {
            return Err(NotFollowed::OtherCta);
        }
        let chunks = self.form.row_bits() / (8 * UNIT);
        let copies = self.form.replica().map_or(1, |replica| replica.extent);
        let pieces = self.tiles().saturating_mul(self.form.rows() * chunks * copies);
        let count = pieces.saturating_mul(by.active().len());
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for thread in by.active().iter().filter(|_| count <= MAX_ACCESSES) {
            for tile in 0..self.tiles() {
                let units = tensor_descriptor_units(&mut Eval, self, tile, &by.values(Role::Src))?;
                let to = tensor_address(&mut Eval, self, tile, &by.values(Role::Dst))?;
                for (row, lane) in (0..).zip(self.row_lanes()) {
                    for chunk in 0..chunks {
                        read.push((thread, UNIT * self.unit_read(units, row, chunk)));
                    }
                    written.push((thread, to + lane * LANE, 4 * chunks));
                }
            }
        }
        let known = count <= MAX_ACCESSES;
        let read = known.then(|| Footprint::of(read.into_iter().map(|(thread, at)| (thread, at, at + UNIT))));
        let moves = by.moves(Role::Src, &self.src);
        let shared = Bytes {
            footprint: read.map(Rc::new),
            collective: Collective::Thread,
            moves,
            unswizzled: None,
            strides: Vec::new(),
        };
        let written = self.with_copies(written);
        let tensor = tensor_bytes(&self.dst, known.then_some(written));
        Ok(Touched::new(Engine::TCGEN05, [(Role::Src, shared), (Role::Dst, tensor)]))
    }
}

impl TmemCopy {
    /// The lanes of an instruction's rows.
    fn row_lanes(&self) -> Vec<i64> {
        self.form.lanes().iter().fold(vec![0], |lanes, &(extent, stride)| {
            lanes.into_iter().flat_map(|lane| (0..extent).map(move |digit| lane + digit * stride)).collect()
        })
    }

    /// The unit of 16 bytes that holds chunk `chunk` of a row, in a tile that starts at unit `first`.
    fn unit_read(&self, first: i64, row: i64, chunk: i64) -> i64 {
        let mode = self.descriptor.swizzle;
        let across = if mode == 0 { self.descriptor.leading } else { 1 };
        let unit = first + row / 8 * self.descriptor.stride + ((row % 8) << mode) + chunk * across;
        unit ^ (unit >> 3 & ((1 << mode) - 1))
    }

    /// The columns that rows are written to, with their copies in other lanes.
    fn with_copies(&self, columns: Vec<(i64, i64, i64)>) -> Vec<(i64, i64, i64)> {
        let (extent, stride) = self.form.replica().map_or((1, 0), |replica| (replica.extent, replica.stride));
        let copies =
            |(thread, first, count)| (0..extent).map(move |copy| (thread, first + copy * stride * LANE, count));
        columns.into_iter().flat_map(copies).collect()
    }
}

/// A side in tensor memory. `columns` has the thread, the first column and the number of columns of each access; `None`
/// where there are too many.
fn tensor_bytes(side: &Side, columns: Option<Vec<(i64, i64, i64)>>) -> Bytes {
    let bytes = |(thread, first, count): (i64, i64, i64)| {
        (thread, first * TENSOR_COLUMN_BYTES, (first + count) * TENSOR_COLUMN_BYTES)
    };
    let moved = |term: &crate::problem::run_time::DynamicTerm| {
        let bytes = term.stride.checked_mul(TENSOR_COLUMN_BYTES)?;
        Some(Move { value: term.value, div: term.div, bytes })
    };
    Bytes {
        footprint: columns.map(|columns| Rc::new(Footprint::of(columns.into_iter().map(bytes)))),
        collective: Collective::Thread,
        moves: side.dynamic.iter().map(moved).collect(),
        unswizzled: None,
        strides: Vec::new(),
    }
}
