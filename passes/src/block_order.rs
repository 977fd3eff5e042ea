//! `tile.block_order` becomes arithmetic on its operands, before copies are read: what is known of them is then known of its results.
//!
//! ```text
//!   b of (m, n) rows          b / n, b % n
//!   b of (m, n) columns       b % m, b / m
//!   b of (m, n) grouped(g)    first = b / (g n) * g      the first row of the group
//!                             rows  = min(g, m - first)  of the group; g again for a group that begins at m or beyond
//!                             rest  = b % (g n)
//!                             first + rest % rows, rest / rows
//!   b of %c [x, y] …          of (ceil(extent / x), ceil(extent / y)) …, times x and y
//! ```

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::tile::{self, BlockOrder, BlockOrderOp};
use tile_ops::{Builder, arith, constant};

use crate::{extents, walk};

/// Some of what it becomes.
pub(crate) const MADE: [&str; 1] = [arith::DivUIOp::NAME];

/// Makes arithmetic of each such op at or below the root.
pub fn lower(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for op in walk::named(root, BlockOrderOp::NAME) {
        replace(op, rewriter);
    }
}

/// Makes arithmetic of one such op; `false` for one that the verifier refuses.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    let builder = Builder::before(rewriter, op);
    let made = BlockOrderOp::cast(op).and_then(|op| first(builder, op, place));
    made.inspect(|first| rewriter.replace(op, first)).is_some()
}

/// Writes out the grids of the ops that state a matrix, so that what is known of numbers of tiles is known of theirs.
pub(crate) fn write_grids(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let ordered = walk::named(root, BlockOrderOp::NAME).into_iter().filter_map(BlockOrderOp::cast);
    for op in ordered.filter(|op| op.matrix().is_some()) {
        if let Some(first) = first(Builder::before(rewriter, op.operation()), op, of_grid) {
            rewriter.replace(op.operation(), &first);
        }
    }
}

/// The same op of a grid.
fn of_grid<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: BlockOrderOp<'c, 'a>,
    [rows, columns]: [Value<'c, 'a>; 2],
) -> Option<[Value<'c, 'a>; 2]> {
    let index = builder.context.index();
    let made = tile::block_order(builder, op.number(), op.order()?, index, index).rows(rows).columns(columns);
    let made = made.group(op.group()).build();
    Some([made.row(), made.column()])
}

/// What the op returns, where `place` is that of a tile in a grid.
fn first<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: BlockOrderOp<'c, 'a>,
    place: impl FnOnce(Builder<'c, 'a>, BlockOrderOp<'c, 'a>, [Value<'c, 'a>; 2]) -> Option<[Value<'c, 'a>; 2]>,
) -> Option<[Value<'c, 'a>; 2]> {
    let Some(matrix) = op.matrix() else { return place(builder, op, [op.rows()?, op.columns()?]) };
    let &[height, width] = &op.sizes()[..] else { return None };
    let sizes = [height, width].map(|size| constant::index(builder, size));
    let extents = extents::values(builder, matrix)?;
    let &[rows, columns] = &extents[..] else { return None };
    let count = |at: usize| arith::ceildivui(builder, [rows, columns][at], sizes[at]).value();
    let first = place(builder, op, [count(0), count(1)])?;
    Some(std::array::from_fn(|at| arith::muli(builder, first[at], sizes[at]).value()))
}

/// The row and the column of a tile in a grid.
fn place<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: BlockOrderOp<'c, 'a>,
    [rows, columns]: [Value<'c, 'a>; 2],
) -> Option<[Value<'c, 'a>; 2]> {
    let number = op.number();
    let divided = |number, by| [arith::divui(builder, number, by).value(), arith::remui(builder, number, by).value()];
    Some(match op.order()? {
        BlockOrder::Rows => divided(number, columns),
        BlockOrder::Columns => {
            let [column, row] = divided(number, rows);
            [row, column]
        }
        BlockOrder::Grouped => {
            let group = constant::index(builder, op.group()?);
            let [full, rest] = divided(number, arith::muli(builder, columns, group).value());
            let first = arith::muli(builder, full, group).value();
            let height = height(builder, op.group()?, arith::subi(builder, rows, first).value());
            let [column, row] = divided(rest, height);
            [arith::addi(builder, first, row).value(), column]
        }
        // The verifier has refused it.
        _ => return None,
    })
}

/// The rows of a group, of which `left` are left in the grid: at least one, so that a group beyond the grid divides by no zero. As an
/// unsigned number, `left - 1` is then large.
fn height<'c: 'a, 'a>(builder: Builder<'c, 'a>, group: i64, left: Value<'c, 'a>) -> Value<'c, 'a> {
    let one = constant::index(builder, 1);
    let others = arith::subi(builder, left, one).value();
    let others = arith::minui(builder, others, constant::index(builder, group - 1)).value();
    arith::addi(builder, others, one).value()
}
