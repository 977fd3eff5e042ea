//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-reduce-strength: remainders of induction variables become numbers
// that loops carry.

#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

namespace tile {
#define GEN_PASS_DEF_TILEREDUCESTRENGTH
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// `(variable + offset) mod divisor` of a loop that counts upwards from a
// constant by a constant.
struct Remainder {
  int64_t offset;
  int64_t divisor;
};

// The loop of an induction variable that starts at a constant of at least 0,
// so that the variable is never negative.
scf::ForOp loopOf(Value variable) {
  auto argument = dyn_cast<BlockArgument>(variable);
  if (!argument || argument.getArgNumber() != 0)
    return {};
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getUnsignedCmp() || !variable.getType().isIndex())
    return {};
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return lower && *lower >= 0 && step && *step > 0 ? loop : scf::ForOp();
}

// The loop and the remainder that an op computes; no loop for other ops, and
// for divisors that a mask does for.
std::pair<scf::ForOp, Remainder> read(arith::RemUIOp op) {
  std::optional<int64_t> divisor = getConstantIntValue(op.getRhs());
  if (!divisor || *divisor <= 0 || llvm::isPowerOf2_64(*divisor))
    return {};
  if (scf::ForOp loop = loopOf(op.getLhs()))
    return {loop, {0, *divisor}};
  auto sum = op.getLhs().getDefiningOp<arith::AddIOp>();
  if (!sum)
    return {};
  std::optional<int64_t> offset = getConstantIntValue(sum.getRhs());
  scf::ForOp loop = loopOf(sum.getLhs());
  if (!loop || !offset || *offset < 0)
    return {};
  return {loop, {*offset, *divisor}};
}

// Carries a remainder from iteration to iteration, and replaces the ops that
// compute it.
scf::ForOp carry(scf::ForOp loop, Remainder of, ArrayRef<arith::RemUIOp> ops,
                 IRRewriter &rewriter) {
  int64_t lower = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep()) % of.divisor;
  int64_t first = (lower % of.divisor + of.offset % of.divisor) % of.divisor;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value init = arith::ConstantIndexOp::create(rewriter, loc, first);
  Value by = arith::ConstantIndexOp::create(rewriter, loc, step);
  Value divisor = arith::ConstantIndexOp::create(rewriter, loc, of.divisor);
  auto next = [&](OpBuilder &builder, Location loc,
                  ArrayRef<BlockArgument> now) -> SmallVector<Value> {
    Value sum = arith::AddIOp::create(builder, loc, now.front(), by);
    Value wrapped = arith::SubIOp::create(builder, loc, sum, divisor);
    Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        sum, divisor);
    return {arith::SelectOp::create(builder, loc, wraps, wrapped, sum)};
  };
  auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false, next));
  Value carried = replaced.getRegionIterArgs().back();
  for (arith::RemUIOp op : ops)
    rewriter.replaceOp(op, carried);
  return replaced;
}

struct ReduceStrength : tile::impl::TileReduceStrengthBase<ReduceStrength> {
  using TileReduceStrengthBase::TileReduceStrengthBase;
  void runOnOperation() override {
    // By loop, then by offset and divisor.
    using Same = llvm::MapVector<std::pair<int64_t, int64_t>,
                                 SmallVector<arith::RemUIOp>>;
    llvm::MapVector<Operation *, Same> found;
    getOperation()->walk([&](arith::RemUIOp op) {
      auto [loop, of] = read(op);
      if (loop)
        found[loop][{of.offset, of.divisor}].push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, remainders] : found) {
      auto loop = cast<scf::ForOp>(op);
      for (auto &[of, ops] : remainders)
        loop = carry(loop, {of.first, of.second}, ops, rewriter);
    }
  }
};

} // namespace
