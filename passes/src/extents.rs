//! `tile.extents` becomes the numbers that it names, before copies are read: what is known of a view's extents is known of them.
//!
//! ```text
//!   %a = tile.view %A extents(%m, %n) …              %m
//!   %a = tile.view %A : memref<?x64xf32>             memref.dim %A, 0; 64
//!   a tile that no view makes                        tile.parts of it
//! ```

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Ir, Rewriter, results_of};
use tile_layout::OPEN;
use tile_ops::tile::{self, ExtentsOp};
use tile_ops::{Builder, constant, llvm_type};

use crate::emit::Kit;
use crate::read::run_time;
use crate::walk;

/// Some of what it becomes.
pub(crate) const MADE: [&str; 1] = [tile_ops::memref::DimOp::NAME];

/// Replaces each such op at or below the root.
pub(crate) fn write_out(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for op in walk::named(root, ExtentsOp::NAME) {
        replace(op, rewriter);
    }
}

/// Replaces one such op; `false` for another one.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    let extents = ExtentsOp::cast(op).and_then(|op| values(Builder::before(rewriter, op.operation()), op.source()));
    extents.inspect(|extents| rewriter.replace(op, extents)).is_some()
}

/// The extents of a tile: those that its view gives it, or its own.
pub(crate) fn values<'c: 'a, 'a>(builder: Builder<'c, 'a>, tile: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let buffer = BufferType::from_type(tile.r#type())?;
    let (open, stated) = (buffer.shape().iter().filter(|&&extent| extent == OPEN).count(), run_time::extents(tile));
    let numbers: Vec<_> = if stated.len() == open {
        stated.into_iter().map(|(_, extent)| extent.value(builder)).collect()
    } else {
        // No view makes it, so that its first numbers are its extents.
        let types = vec![builder.context.index(); open + buffer.layout().stride_count()];
        let pointer = Kit::new(builder).pointer(llvm_type::Space::Global);
        let parts = tile::parts(builder, tile, pointer, &types).build().operation();
        results_of(parts).split_off(1)
    };
    let mut numbers = numbers.into_iter();
    let extent = |&extent: &i64| match extent {
        OPEN => numbers.next(),
        extent => Some(constant::index(builder, extent)),
    };
    buffer.shape().iter().map(extent).collect()
}
