//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Which vectors become memory: those of contractions and reductions, with all
// that they come from and go to.

#include "LinalgVectors.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace tile;

VectorType tile::vectorOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  bool isFixed = type && type.getRank() > 0 && !type.isScalable();
  return isFixed ? type : VectorType();
}

Attribute tile::splatOf(Value value) {
  DenseElementsAttr elements;
  bool isSplat = matchPattern(value, m_Constant(&elements)) &&
                 elements.isSplat() && vectorOf(value);
  return isSplat ? elements.getSplatValue<Attribute>() : Attribute();
}

namespace {

/// Whether an index is at most the extent of a dimension.
bool isWithin(Value memref, Value index, int64_t dimension) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(index), ValueBoundsConstraintSet::ComparisonOperator::LE,
      Variable(memref, dimension));
}

/// Whether a transfer moves a part of a memref that can be viewed.
bool isViewed(VectorTransferOpInterface transfer) {
  if (!isa<MemRefType>(transfer.getBase().getType()) || transfer.getMask() ||
      cast<vector::MaskableOpInterface>(transfer.getOperation()).isMasked() ||
      !transfer.getPermutationMap().isProjectedPermutation(
          /*allowZeroInResults=*/true))
    return false;
  for (auto [i, result] :
       llvm::enumerate(transfer.getPermutationMap().getResults())) {
    auto dimension = dyn_cast<AffineDimExpr>(result);
    if (!dimension || transfer.isDimInBounds(i))
      continue;
    unsigned position = dimension.getPosition();
    if (!isWithin(transfer.getBase(), transfer.getIndices()[position],
                  position))
      return false;
  }
  auto read = dyn_cast<vector::TransferReadOp>(transfer.getOperation());
  return !read || !transfer.hasOutOfBoundsDim() ||
         matchPattern(read.getPadding(), m_Zero()) ||
         matchPattern(read.getPadding(), m_AnyZeroFloat());
}

/// Whether an op of vectors becomes one of linalg, or memory.
bool isFollowed(Operation *op) {
  if (llvm::any_of(op->getResults(), [](Value result) {
        return isa<VectorType>(result.getType()) && !vectorOf(result);
      }))
    return false;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return isViewed(transfer);
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return contract.getKind() == vector::CombiningKind::ADD &&
           vectorOf(contract.getResult()) && !contract.isMasked();
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return vectorOf(reduction.getResult()) && !reduction.isMasked();
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return broadcast.computeBroadcastedUnitDims().empty();
  if (auto loop = dyn_cast<scf::YieldOp>(op))
    return isa<scf::ForOp>(loop->getParentOp());
  if (isa<arith::ConstantOp>(op))
    return splatOf(op->getResult(0)) != nullptr;
  if (isa<vector::TransposeOp, scf::ForOp>(op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && vectorOf(op->getResult(0));
}

} // namespace

VectorGroup::VectorGroup(Operation *anchor) {
  ops.insert(anchor);
  for (size_t at = 0; at < ops.size() && !other; ++at) {
    Operation *op = ops[at];
    if (!isFollowed(op)) {
      other = op;
      return;
    }
    for (Value operand : op->getOperands())
      add(operand);
    for (Value result : op->getResults())
      add(result);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (Value argument : loop.getRegionIterArgs())
        add(argument);
    if (isa<scf::YieldOp>(op))
      ops.insert(op->getParentOp());
  }
}

void VectorGroup::add(Value value) {
  if (!isa<VectorType>(value.getType()))
    return;
  if (Operation *made = value.getDefiningOp())
    ops.insert(made);
  else if (Operation *around = value.getParentBlock()->getParentOp())
    ops.insert(around);
  // A constant may have users of other groups.
  if (!splatOf(value))
    ops.insert(value.getUsers().begin(), value.getUsers().end());
}

// Passes the ops of the group of a contraction or reduction to `take`, and
// returns null; or one of them that does not become an op of linalg.
extern "C" MlirOperation tileVectorGroup(MlirOperation anchor,
                                         void (*take)(MlirOperation, void *),
                                         void *userData) {
  VectorGroup group(unwrap(anchor));
  for (Operation *op : group.ops)
    take(wrap(op), userData);
  return wrap(group.other);
}
