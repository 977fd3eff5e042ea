//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Ranges of integers, by MLIR's analysis, and the passes that need them.

#include "Bridge.h"
#include "tile/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "tile/Dialect.h"

namespace tile {
#define GEN_PASS_DEF_TILEINSERTBOUNDSTRAPS
#define GEN_PASS_DEF_TILECHECKBOUNDS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

// Least and largest value, read as signed, but for a single bit, which is 0 or
// 1; false where nothing is known, as in code that is never executed.
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
  bool isBit = range.smin().getBitWidth() == 1;
  *least = isBit ? range.umin().getZExtValue() : range.smin().getSExtValue();
  *most = isBit ? range.umax().getZExtValue() : range.smax().getSExtValue();
  return true;
}

namespace {
// LLVM 22's analysis assumes that a loop with induction variables has bounds
// that are values or constants. Those of affine.for may be maps: then nothing
// is known of the variables. It also reads the bounds of unsigned loops as
// signed; nothing is known of their variables either.
struct RangeAnalysis : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;
  void visitNonControlFlowArguments(
      Operation *op, const RegionSuccessor &successor,
      ArrayRef<dataflow::IntegerValueRangeLattice *> arguments,
      unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    auto counted = dyn_cast<scf::ForOp>(op);
    if ((counted && counted.getUnsignedCmp()) ||
        (loop && loop.getLoopInductionVars() &&
         !(loop.getLoopLowerBounds() && loop.getLoopUpperBounds() &&
           loop.getLoopSteps())))
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                       firstIndex);
  }
};

// The ranges of values below an op.
struct KnownRanges {
  explicit KnownRanges(Operation *op) {
    dataflow::loadBaselineAnalyses(solver);
    solver.load<RangeAnalysis>();
    known = succeeded(solver.initializeAndRun(op));
  }
  // Null where nothing is known.
  const DataFlowSolver *get() const { return known ? &solver : nullptr; }

private:
  DataFlowSolver solver;
  bool known;
};

struct InsertBoundsTraps
    : tile::impl::TileInsertBoundsTrapsBase<InsertBoundsTraps> {
  using TileInsertBoundsTrapsBase::TileInsertBoundsTrapsBase;
  void runOnOperation() override {
    tileWriteOutBounds(wrap(getOperation()));
    KnownRanges ranges(getOperation());
    if (!tileInsertBoundsTraps(wrap(getOperation()), ranges.get()))
      signalPassFailure();
  }
};

struct CheckBounds : tile::impl::TileCheckBoundsBase<CheckBounds> {
  using TileCheckBoundsBase::TileCheckBoundsBase;
  void runOnOperation() override {
    tileWriteOutBounds(wrap(getOperation()));
    KnownRanges ranges(getOperation());
    if (!tileCheckBounds(wrap(getOperation()), ranges.get(), strict))
      signalPassFailure();
  }
};
} // namespace
