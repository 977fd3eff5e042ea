//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The ranges of the rows and columns that tile.block_order returns.

#include "tile/Dialect.h"

using namespace mlir;
using namespace tile;

/// The numbers from 0 to `most`.
static ConstantIntRanges upTo(const APInt &most) {
  return ConstantIntRanges::fromUnsigned(APInt::getZero(most.getBitWidth()),
                                         most);
}

/// The largest index below a count.
static APInt lastOf(const ConstantIntRanges &count) {
  return count.umax().isZero() ? count.umax() : count.umax() - 1;
}

/// The largest quotient by a count.
static APInt quotient(const APInt &most, const ConstantIntRanges &count) {
  return count.umin().isZero() ? most : most.udiv(count.umin());
}

void BlockOrderOp::inferResultRanges(ArrayRef<ConstantIntRanges> operands,
                                     SetIntRangeFn set) {
  // Nothing is known of a matrix: the analysis has no range for it, and does
  // not ask.
  if (getMatrix())
    return;
  const APInt &most = operands[0].umax();
  const ConstantIntRanges &rows = operands[1], &columns = operands[2];
  bool overflow = false;
  APInt tiles = rows.umin().umul_ov(columns.umin(), overflow);
  bool inside = !overflow && most.ult(tiles);
  bool byRows = getOrder() == BlockOrder::Rows,
       byColumns = getOrder() == BlockOrder::Columns;
  APInt row = lastOf(rows), column = lastOf(columns);
  // A number beyond the grid leaves it in the slow dimension; in groups, in
  // either.
  if (!inside && !byColumns)
    row = quotient(most, columns)
              .uadd_sat(APInt(most.getBitWidth(), getGroup().value_or(1) - 1));
  if (!inside && !byRows)
    column = byColumns ? quotient(most, rows) : most;
  set(getRow(), upTo(row));
  set(getColumn(), upTo(column));
}
