//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Verifiers (which call Rust) and folders of views of tiles.

#include "Bridge.h"
#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

LogicalResult SubviewOp::verify() {
  return success(tileDerivedVerify(wrap(getOperation())));
}

LogicalResult PermuteOp::verify() {
  return success(tileDerivedVerify(wrap(getOperation())));
}

LogicalResult ReshapeOp::verify() {
  return success(tileDerivedVerify(wrap(getOperation())));
}

LogicalResult CastOp::verify() {
  return success(tileDerivedVerify(wrap(getOperation())));
}

LogicalResult PartsOp::verify() {
  return success(tilePartsVerify(wrap(getOperation())));
}

/// Folds to the operands of a tile.view of a pointer with all run-time numbers.
LogicalResult PartsOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  auto view = getSource().getDefiningOp<ViewOp>();
  if (!view || view->getOperandTypes() != getResultTypes())
    return failure();
  results.append(view->operand_begin(), view->operand_end());
  return success();
}

namespace {
// The begin of a part: numbers, and values for those that are dynamic.
struct Begins {
  SmallVector<int64_t> numbers;
  SmallVector<Value> values;
};
} // namespace

/// The sum of the begins of a part and of a part of that part; none where
/// adding two of them takes an op.
static std::optional<Begins> sum(SubviewOp outer, SubviewOp inner) {
  Begins begins;
  auto outerValue = outer.getOffsets().begin();
  auto innerValue = inner.getOffsets().begin();
  for (auto [a, b] :
       llvm::zip_equal(outer.getStaticOffsets(), inner.getStaticOffsets())) {
    bool dynamicA = ShapedType::isDynamic(a),
         dynamicB = ShapedType::isDynamic(b);
    int64_t number = ShapedType::kDynamic;
    if ((dynamicA && b != 0) || (dynamicB && a != 0) ||
        (!dynamicA && !dynamicB && llvm::AddOverflow(a, b, number)))
      return std::nullopt;
    begins.numbers.push_back(number);
    if (dynamicA)
      begins.values.push_back(*outerValue++);
    if (dynamicB)
      begins.values.push_back(*innerValue++);
  }
  return begins;
}

/// Replaces offsets that are constants by numbers.
static bool foldConstants(SubviewOp op, ArrayRef<Attribute> constants) {
  Begins begins;
  auto value = op.getOffsets().begin();
  auto constant = constants.begin();
  for (int64_t number : op.getStaticOffsets()) {
    if (ShapedType::isDynamic(number)) {
      auto known = dyn_cast_if_present<IntegerAttr>(*constant++);
      Value offset = *value++;
      if (known)
        number = known.getInt();
      else
        begins.values.push_back(offset);
    }
    begins.numbers.push_back(number);
  }
  if (begins.values.size() == op.getOffsets().size() ||
      !tileIsPart(wrap(op.getSource().getType()), begins.numbers.data(),
                  op.getSizes().data(), op.getSizes().size(),
                  wrap(op.getType())))
    return false;
  op.getOffsetsMutable().assign(begins.values);
  op.setStaticOffsets(begins.numbers);
  return true;
}

OpFoldResult SubviewOp::fold(FoldAdaptor adaptor) {
  if (foldConstants(*this, adaptor.getOffsets()))
    return getResult();
  bool whole =
      getOffsets().empty() && getSource().getType() == getType() &&
      llvm::all_of(getStaticOffsets(), [](int64_t b) { return b == 0; });
  if (whole)
    return getSource();
  auto outer = getSource().getDefiningOp<SubviewOp>();
  // The begins of a part that lacks dimensions are those of the others.
  if (!outer || outer.getType().getShape().size() != outer.getSizes().size())
    return {};
  std::optional<Begins> begins = sum(outer, *this);
  if (!begins ||
      !tileIsPart(wrap(outer.getSource().getType()), begins->numbers.data(),
                  getSizes().data(), getSizes().size(), wrap(getType())))
    return {};
  getSourceMutable().assign(outer.getSource());
  getOffsetsMutable().assign(begins->values);
  setStaticOffsets(begins->numbers);
  return getResult();
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType() && llvm::is_sorted(getOrder()))
    return getSource();
  auto outer = getSource().getDefiningOp<PermuteOp>();
  if (!outer)
    return {};
  SmallVector<int64_t> order;
  for (int64_t dimension : getOrder())
    order.push_back(outer.getOrder()[dimension]);
  if (llvm::is_sorted(order) && outer.getSource().getType() == getType())
    return outer.getSource();
  getSourceMutable().assign(outer.getSource());
  setOrder(order);
  return getResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto outer = getSource().getDefiningOp<ReshapeOp>();
  if (!outer)
    return {};
  if (outer.getSource().getType() == getType())
    return outer.getSource();
  getSourceMutable().assign(outer.getSource());
  return getResult();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto outer = getSource().getDefiningOp<CastOp>();
  if (!outer)
    return {};
  if (outer.getSource().getType() == getType())
    return outer.getSource();
  if (!tileMayCast(wrap(outer.getSource().getType()), wrap(getType())))
    return {};
  getSourceMutable().assign(outer.getSource());
  return getResult();
}

LogicalResult SubviewOp::canonicalize(SubviewOp op, PatternRewriter &rewriter) {
  return viewIntoLaunch(op, rewriter);
}

LogicalResult PermuteOp::canonicalize(PermuteOp op, PatternRewriter &rewriter) {
  return viewIntoLaunch(op, rewriter);
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  return viewIntoLaunch(op, rewriter);
}

LogicalResult CastOp::canonicalize(CastOp op, PatternRewriter &rewriter) {
  return viewIntoLaunch(op, rewriter);
}
