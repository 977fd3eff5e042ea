//! `tile.block_order` becomes arithmetic on its operands, before copies are read: what is known of them is then known of its results.
//!
//! ```text
//!   b of (m, n) rows          b / n, b % n
//!   b of (m, n) columns       b % m, b / m
//!   b of (m, n) grouped(g)    first = b / (g n) * g      the first row of the group
//!                             rows  = min(g, m - first)  of the group; g again for a group that begins at m or beyond
//!                             rest  = b % (g n)
//!                             first + rest % rows, rest / rows
//! ```

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::tile::{BlockOrder, BlockOrderOp};
use tile_ops::{Builder, arith, constant};

use crate::walk;

/// Some of what it becomes.
pub(crate) const MADE: [&str; 1] = [arith::DivUIOp::NAME];

/// Makes arithmetic of each such op at or below the root.
pub fn lower(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    walk::named(root, BlockOrderOp::NAME).into_iter().for_each(|op| replace(op, rewriter));
}

/// Makes arithmetic of one such op.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    if let Some(place) = place(Builder::before(rewriter, op), op) {
        rewriter.replace(op, &place);
    }
}

/// The row and the column.
fn place<'c: 'a, 'a>(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let op = BlockOrderOp::cast(op)?;
    let (number, rows, columns) = (op.number(), op.rows(), op.columns());
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
