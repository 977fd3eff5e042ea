//! Copies of boxes of tensors: `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`
//! (PTX ISA 9.7.9.27).
//!
//! A box becomes parts of a bulk copy, which is then issued, ordered and completed like any other.

use super::access::Access;
use super::boxes::{End, Rows, Run};
use super::bulk::{Moved, Origin, Transfer, Use, at_offset_of};
use super::core::Core;
use super::engine::Change;
use super::pixels;
use super::problem::{Exec, Locate, invalid, problem};
use crate::check::Strength;
use crate::code::{Addr, BoxCopy, BoxReduction, BoxRows, BoxSide, Corner, Reduction, Scope, Src};
use crate::config::MAX_SHARED;
use crate::fault::FaultKind;
use crate::memory::RANK_SHIFT;
use crate::parse::Space;
use crate::tensor_map::{OutOfBounds, TensorElement, TensorMap};

/// The alignment of a box in shared memory, in bytes.
const BOX_ALIGN: u64 = 128;
/// The first coordinate, in bytes, is a multiple of this.
const COLUMN_ALIGN: i64 = 16;

/// A box of a tensor.
struct Tile {
    map: TensorMap,
    /// Where the map is.
    encoded: Access,
    corner: Vec<i64>,
    rows: Rows,
}

/// Shared memory on one side of a copy.
#[derive(Clone, Copy)]
struct Shared<'a> {
    space: Space,
    addr: &'a Addr,
    address: u64,
}

/// The barrier that counts the bytes of a load.
#[derive(Clone, Copy)]
struct Barrier {
    address: u64,
    /// Whether it may be in the other block of a pair than the data.
    pair: bool,
}

impl Core<'_, '_> {
    pub(super) fn box_copy(&mut self, op: &BoxCopy, lane: usize) -> Exec<()> {
        let tile = self.tile(&op.corner, lane)?;
        match &op.side {
            BoxSide::Load { space, dst, barrier, pair, multicast } => {
                let shared = Shared { space: *space, addr: dst, address: self.addresses(dst)[lane] };
                let barrier = Barrier { address: self.addresses(barrier)[lane], pair: *pair };
                self.load_box(&tile, shared, barrier, *multicast, lane)
            }
            BoxSide::Store { src, reduction } => {
                let shared = Shared { space: Space::Shared, addr: src, address: self.addresses(src)[lane] };
                self.store_box(&tile, shared, reduction.as_ref(), lane)
            }
        }
    }

    /// Checks a box in global memory; its place in shared memory is not used.
    pub(super) fn prefetch_box(&mut self, corner: &Corner, lane: usize) -> Exec<()> {
        let tile = self.tile(corner, lane)?;
        for run in tile.rows.runs(&tile.map, 0, End::Element) {
            if self.global_side(&run, Strength::WEAK, lane)?.is_some() {
                self.env.counts[self.pc as usize].global_bytes += run.bytes;
            }
        }
        Ok(())
    }

    fn load_box(
        &mut self,
        tile: &Tile,
        shared: Shared<'_>,
        barrier: Barrier,
        multicast: Option<Src>,
        lane: usize,
    ) -> Exec<()> {
        let fields = tile.map.arguments();
        let base = fields.base;
        if !fields.is_empty() && self.env.memory.find(base, 1).is_none() {
            let detail = "the base of the tensor is not mapped, which a load needs whatever its box is";
            return Err(problem(FaultKind::OutOfBounds, detail)).address(Space::Global, base);
        }
        let bytes = tile.rows.bytes(&tile.map);
        self.env.counts[self.pc as usize].shared_bytes += bytes;
        let change = match tile.map.arguments().element {
            TensorElement::Tf32 | TensorElement::Tf32Ftz => Change::Rounded,
            _ => Change::None,
        };
        let Some(mask) = multicast else {
            let parts = self.load_parts(tile, shared, true, lane)?;
            self.check_same_block(shared, barrier)?;
            let (barrier, map) = (Some(barrier.address), Some(tile.encoded));
            return self.bulk_issue(lane, Transfer { parts: &parts, bytes, barrier, change, map, written: Use::Write });
        };
        let receivers = self.receivers(mask, lane)?;
        // The map is read once: it has been when a block has received its box.
        let here = receivers.iter().position(|block| block >> RANK_SHIFT == self.rank as u64 + 1).unwrap_or(0);
        for (number, block) in receivers.into_iter().enumerate() {
            let address = at_offset_of(shared.address, block);
            let shared = Shared { space: Space::SharedCluster, address, ..shared };
            let parts = self.load_parts(tile, shared, number == 0, lane)?;
            let barrier = Some(at_offset_of(barrier.address, block));
            let map = Some(tile.encoded).filter(|_| number == here);
            self.bulk_issue(lane, Transfer { parts: &parts, bytes, barrier, change, map, written: Use::Write })?;
        }
        Ok(())
    }

    /// The barrier of a load is in the block that receives the data, or in the other block of its pair.
    fn check_same_block(&self, shared: Shared<'_>, barrier: Barrier) -> Exec<()> {
        let (to, _) = self.locate_shared(shared.space, shared.address, 1, 1)?;
        let (at, _) = self.locate_shared(Space::SharedCluster, barrier.address, 8, 8)?;
        if at == to || barrier.pair && at ^ 1 == to {
            return Ok(());
        }
        let other = if barrier.pair { " or the other one of its pair" } else { "" };
        let detail =
            format!("got a barrier in block {at} of the cluster, expected block {to}, which receives the data{other}");
        Err(invalid(detail)).address(Space::SharedCluster, barrier.address)
    }

    /// The parts of a load; with `count`, what is read of global memory is counted.
    fn load_parts(&mut self, tile: &Tile, shared: Shared<'_>, count: bool, lane: usize) -> Exec<Vec<Moved>> {
        let target = self.shared_side(tile, shared, lane)?;
        let fill = fill(&tile.map);
        let mut parts = Vec::new();
        for run in tile.rows.runs(&tile.map, target.place.offset() as u64, End::Element) {
            let source = match self.global_side(&run, Strength::WEAK, lane)? {
                Some(access) => Origin::Memory(access),
                None => Origin::Fill(fill),
            };
            if count && run.global.is_some() {
                self.env.counts[self.pc as usize].global_bytes += run.bytes;
            }
            parts.push(Moved { source, target: part_of(&target, &run), bytes: run.bytes as usize });
        }
        Ok(parts)
    }

    fn store_box(
        &mut self,
        tile: &Tile,
        shared: Shared<'_>,
        reduction: Option<&BoxReduction>,
        lane: usize,
    ) -> Exec<()> {
        if let Some((dimension, got)) = (0..).zip(&tile.corner).find(|&(_, &at)| at < 0) {
            return Err(invalid(format!(
                "got coordinate {got} of dimension {dimension}, expected one that is not negative: a store may leave the \
                 tensor only at its ends"
            )));
        }
        pixels::check_store(&tile.map)?;
        let element = tile.map.arguments().element;
        let reduction = reduction.map(|known| reduction_of(known, element)).transpose()?;
        let strength = reduction.map_or(Strength::WEAK, |word| Strength::strong(Scope::Gpu, word.bytes));
        let source = self.shared_side(tile, shared, lane)?;
        let mut parts = Vec::new();
        for run in tile.rows.runs(&tile.map, source.place.offset() as u64, End::Chunk) {
            let Some(target) = self.global_side(&run, strength, lane)? else { continue };
            let counts = &mut self.env.counts[self.pc as usize];
            counts.global_bytes += run.bytes;
            counts.shared_bytes += run.bytes;
            let source = Origin::Memory(part_of(&source, &run));
            parts.push(Moved { source, target, bytes: run.bytes as usize });
        }
        let change = reduction.map_or(Change::None, Change::Reduced);
        let bytes = tile.rows.bytes(&tile.map);
        self.bulk_issue(
            lane,
            Transfer { parts: &parts, bytes, barrier: None, change, map: Some(tile.encoded), written: Use::Write },
        )
    }

    /// Reads the map and the coordinates of a box.
    fn tile(&mut self, corner: &Corner, lane: usize) -> Exec<Tile> {
        let address = self.addresses(&corner.map)[lane];
        let (map, encoded) = self.tensor_map(Space::Generic, address, lane)?;
        let coordinates = corner.coordinates.iter();
        let coordinates: Vec<i64> = coordinates.map(|&src| i64::from(self.row(src)[lane] as i32)).collect();
        let filter: Vec<i64> = corner.filter.iter().map(|&src| i64::from(self.row(src)[lane] as u16)).collect();
        let dimensions = if corner.rows == BoxRows::Four { 2 } else { coordinates.len() };
        if map.rank() != dimensions {
            let detail = format!("got a tensor map of {} dimensions, the instruction has {dimensions}", map.rank());
            return Err(invalid(detail).address(Space::Generic, address));
        }
        check_extents(&map)?;
        check_size(&map)?;
        check_column(&map, coordinates[0])?;
        let rows = match (corner.rows, &map.arguments().im2col) {
            (BoxRows::Tile, None) => Rows::of_tile(&map, &coordinates),
            (BoxRows::Four, None) => {
                check_one_row(&map)?;
                Rows::of_four(&map, coordinates[0], &coordinates[1..])
            }
            (BoxRows::Pixels, Some(im2col)) => pixels::rows(&map, im2col, &coordinates, &filter)?,
            (rows, _) => return Err(pixels::other_mode(rows).address(Space::Generic, address)),
        };
        Ok(Tile { map, encoded, corner: coordinates, rows })
    }

    /// The shared memory of a box, with the gaps between its rows.
    fn shared_side(&self, tile: &Tile, shared: Shared<'_>, lane: usize) -> Exec<Access> {
        let bytes = tile.rows.extent(&tile.map) as usize;
        let Shared { space, addr, address } = shared;
        self.access(lane, (space, addr.within), address, bytes, BOX_ALIGN, Strength::WEAK)
    }

    /// The global memory of a run; none outside the tensor.
    fn global_side(&self, run: &Run, strength: Strength, lane: usize) -> Exec<Option<Access>> {
        let access = |address| self.access(lane, Space::Global, address, run.bytes as usize, 1, strength);
        run.global.map(access).transpose()
    }
}

/// The shared memory of a run, as a part of that of its box.
fn part_of(shared: &Access, run: &Run) -> Access {
    let moved = run.shared - shared.place.offset() as u64;
    Access { place: shared.place.moved(moved as usize), address: shared.address + moved, ..*shared }
}

/// What elements outside the tensor are read as. An H100 uses the same NaN for all types.
fn fill(map: &TensorMap) -> [u8; 8] {
    match map.arguments().fill {
        OutOfBounds::Zero => [0; 8],
        OutOfBounds::Nan => [0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f],
    }
}

/// The driver encodes extents of 2^32, and an H100 ends the kernel that uses such a map with "illegal instruction".
fn check_extents(map: &TensorMap) -> Exec<()> {
    match map.arguments().dims.iter().position(|&extent| extent > u64::from(u32::MAX)) {
        None => Ok(()),
        Some(dimension) => Err(invalid(format!(
            "got a tensor of 2^32 elements in dimension {dimension}, as which an extent of 0 is encoded, too; expected at most 2^32 - 1"
        ))),
    }
}

fn check_size(map: &TensorMap) -> Exec<()> {
    if map.box_bytes() <= MAX_SHARED {
        return Ok(());
    }
    let detail = format!("got a box of {} bytes, a block has at most {MAX_SHARED} of shared memory", map.box_bytes());
    Err(problem(FaultKind::OutOfBounds, detail))
}

/// A GPU does not tell which address is wrong: the kernel ends with "illegal instruction".
fn check_column(map: &TensorMap, column: i64) -> Exec<()> {
    let size = map.arguments().element.bytes() as i64;
    if column * size % COLUMN_ALIGN == 0 {
        return Ok(());
    }
    Err(invalid(format!(
        "got coordinate {column} of dimension 0, which is {} bytes, expected a multiple of {COLUMN_ALIGN} bytes",
        column * size
    )))
}

/// The box of a map whose rows are named one by one has one row.
fn check_one_row(map: &TensorMap) -> Exec<()> {
    match map.box_extent(1) {
        1 => Ok(()),
        got => Err(invalid(format!("got a box of {got} rows, expected 1: the instruction names four rows one by one"))),
    }
}

fn reduction_of(known: &BoxReduction, element: TensorElement) -> Exec<Reduction> {
    if let Some((_, reduction)) = known.iter().find(|(ty, _)| *ty == element) {
        return Ok(*reduction);
    }
    let names: Vec<_> = known.iter().map(|(ty, _)| ty.name()).collect();
    Err(invalid(format!("got a tensor map of {element}, expected one of {}", names.join(", "))))
}
