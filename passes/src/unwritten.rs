//! Shared tiles that are read and never written: a load that was forgotten, or another tile's name.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Parts, results_of, uses};
use tile_dialect::ops::{BlockScanOp, CopyOp, MapOp, MmaOp, ReduceOp, TotalOp};
use tile_dialect::{BufferType, Space};
use tile_ops::tile;

use crate::layouts::flow::use_of;
use crate::layouts::uses::TileUse;
use crate::read::name;
use crate::read::values::key;
use crate::walk;

/// Warns about each shared tile of a kernel of which something is read, and nothing written.
pub fn warn(kernel: OperationRef<'_, '_>) {
    for alloc in walk::named(kernel, tile::AllocOp::NAME) {
        let Some(tile) = alloc.result_at(0).map(Value::from).filter(|tile| is_shared(*tile)) else { continue };
        if let Some(reader) = first_reader(tile) {
            let note = format!("the tile is {}", tile.r#type());
            Diagnostic::warning("reads a shared tile that nothing writes").note(alloc.location(), note).emit(reader);
        }
    }
}

fn is_shared(tile: Value<'_, '_>) -> bool {
    BufferType::from_type(tile.r#type()).is_some_and(|buffer| buffer.space() == Space::Shared)
}

/// The first op that reads the tile, if all that takes it or a view of it is known to write nothing.
fn first_reader<'c: 'a, 'a>(tile: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let (mut waiting, mut readers) = (vec![tile], Vec::new());
    while let Some(view) = waiting.pop() {
        for (op, _) in uses(view) {
            match use_of(op) {
                TileUse::View => waiting.extend(results_of(op)),
                TileUse::Copy | TileUse::Computed | TileUse::Product if only_reads(op, view) => readers.push(op),
                _ => return None,
            }
        }
    }
    // The uses of a value are listed from the last one on.
    readers.pop()
}

/// Whether an op has a tile as nothing but what it reads.
fn only_reads<'c: 'a, 'a>(op: OperationRef<'c, 'a>, tile: Value<'c, 'a>) -> bool {
    let is_tile = |value: &Value<'c, 'a>| key(*value) == key(tile);
    let read = match name(op) {
        MapOp::NAME => MapOp(op).sources(),
        ReduceOp::NAME => ReduceOp(op).sources(),
        BlockScanOp::NAME => BlockScanOp(op).sources(),
        TotalOp::NAME => TotalOp(op).source().into_iter().collect(),
        MmaOp::NAME => MmaOp(op).operands().into_iter().flat_map(|[a, b, _]| [a, b]).collect(),
        _ => CopyOp(op).src().into_iter().map(|src| src.value).collect(),
    };
    let taken = uses(tile).into_iter().filter(|(user, _)| user.to_raw().ptr == op.to_raw().ptr).count();
    read.iter().filter(|value| is_tile(value)).count() == taken
}
