//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Ranges of integers, by MLIR's analysis, and the pass that requests them.

#include "Bridge.h"
#include "Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "Tile.h"

namespace tile {
#define GEN_PASS_DEF_TILEINSERTBOUNDSTRAPS
#include "TilePasses.h.inc"
} // namespace tile

using namespace mlir;

// Least and largest value, read as signed; false where nothing is known, as in
// code that is never executed.
extern "C" bool tileValueRange(const void *solver, MlirValue value,
                               int64_t *least, int64_t *most) {
  auto *state =
      static_cast<const DataFlowSolver *>(solver)
          ->lookupState<dataflow::IntegerValueRangeLattice>(unwrap(value));
  if (!state || state->getValue().isUninitialized())
    return false;
  const ConstantIntRanges &range = state->getValue().getValue();
  if (range.smin().getBitWidth() == 0 || range.smin().getBitWidth() > 64)
    return false;
  *least = range.smin().getSExtValue();
  *most = range.smax().getSExtValue();
  return true;
}

namespace {
// LLVM 22's analysis takes for granted that a loop which has induction
// variables has bounds that are values or constants. Those of affine.for may be
// maps: then nothing is known of the variables.
struct RangeAnalysis : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;
  void visitNonControlFlowArguments(
      Operation *op, const RegionSuccessor &successor,
      ArrayRef<dataflow::IntegerValueRangeLattice *> arguments,
      unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (loop && loop.getLoopInductionVars() &&
        !(loop.getLoopLowerBounds() && loop.getLoopUpperBounds() &&
          loop.getLoopSteps()))
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                       firstIndex);
  }
};

struct InsertBoundsTraps
    : tile::impl::TileInsertBoundsTrapsBase<InsertBoundsTraps> {
  using TileInsertBoundsTrapsBase::TileInsertBoundsTrapsBase;
  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<RangeAnalysis>();
    // Without ranges every begin is checked.
    bool known = succeeded(solver.initializeAndRun(getOperation()));
    if (!tileInsertBoundsTraps(wrap(getOperation()), known ? &solver : nullptr))
      signalPassFailure();
  }
};
} // namespace
