//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Folders and canonicalization of views, allocations and promises.

#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// The gpu.launch around an op; null when there is none.
static Operation *launchAround(Operation *op) {
  while (op && op->getName().getStringRef() != "gpu.launch")
    op = op->getParentOp();
  return op;
}

/// Makes a view of a cast that only drops static information a view of the
/// operand of the cast.
static LogicalResult viewOfCast(ViewOp view, PatternRewriter &rewriter) {
  auto forgets = view.getSource().getDefiningOp<memref::CastOp>();
  if (!forgets)
    return failure();
  auto source = dyn_cast<MemRefType>(forgets.getSource().getType());
  auto result = cast<MemRefType>(view.getSource().getType());
  SmallVector<int64_t> strides, known;
  int64_t offset;
  if (!source || source.getShape() != result.getShape() ||
      source.getMemorySpace() != result.getMemorySpace() ||
      failed(source.getStridesAndOffset(strides, offset)) ||
      failed(result.getStridesAndOffset(known, offset)) || strides != known)
    return failure();
  rewriter.modifyOpInPlace(
      view, [&] { view.getSourceMutable().assign(forgets.getSource()); });
  return success();
}

LogicalResult tile::viewIntoLaunch(Operation *view, PatternRewriter &rewriter) {
  Operation *own = launchAround(view);
  llvm::SmallSetVector<Operation *, 2> launches;
  for (Operation *user : view->getUsers())
    if (Operation *launch = launchAround(user); launch && launch != own)
      launches.insert(launch);
  for (Operation *launch : launches) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&launch->getRegion(0).front());
    Operation *inside = rewriter.clone(*view);
    rewriter.replaceUsesWithIf(
        view->getResult(0), inside->getResult(0),
        [&](OpOperand &use) { return launchAround(use.getOwner()) == launch; });
  }
  return success(!launches.empty());
}

LogicalResult ViewOp::canonicalize(ViewOp view, PatternRewriter &rewriter) {
  if (succeeded(viewOfCast(view, rewriter)))
    return success();
  return viewIntoLaunch(view, rewriter);
}

/// An alloc that is written or filled, and never read, takes no memory.
/// Asynchronous copies stay: a wait may follow.
LogicalResult AllocOp::canonicalize(AllocOp alloc, PatternRewriter &rewriter) {
  SmallVector<Operation *> copies;
  for (OpOperand &use : alloc->getUses()) {
    auto copy = dyn_cast<CopyOp>(use.getOwner());
    auto fill = dyn_cast<FillOp>(use.getOwner());
    bool written = (copy && &use == &copy.getDstMutable()) ||
                   (fill && &use == &fill.getDstMutable());
    if (!written)
      return failure();
    copies.push_back(use.getOwner());
  }
  for (Operation *copy : copies)
    rewriter.eraseOp(copy);
  rewriter.eraseOp(alloc);
  return success();
}

Speculation::Speculatability AssumeOp::getSpeculatability() {
  // Hoisted, it would be executed by more threads, which the promise does not
  // cover.
  return getUniform() || getDistinct() ? Speculation::NotSpeculatable
                                       : Speculation::Speculatable;
}

/// Whether a constant is a multiple, both as a signed and an unsigned number.
static bool isMultiple(const APInt &value, uint64_t divisor) {
  unsigned width = std::max(value.getBitWidth(), 64u) + 1;
  APInt by(width, divisor);
  return value.sext(width).srem(by).isZero() &&
         value.zext(width).urem(by).isZero();
}

/// Whether the op that defines the operand already makes the op's promise. That
/// is never so for `distinct`: the other op may be executed less often.
static bool isImplied(AssumeOp op, AssumeOp earlier) {
  if (op.getDistinct())
    return false;
  std::optional<uint64_t> divisor = op.getDivisor(),
                          known = earlier.getDivisor();
  if (divisor && !(known && *known % *divisor == 0))
    return false;
  std::optional<uint64_t> bytes = op.getAlignment(),
                          stated = earlier.getAlignment();
  if (bytes && !(stated && *stated % *bytes == 0))
    return false;
  std::optional<Scope> scope = op.getUniform(), wide = earlier.getUniform();
  return !scope || (wide && *wide >= *scope);
}

OpFoldResult AssumeOp::fold(FoldAdaptor adaptor) {
  auto earlier = getValue().getDefiningOp<AssumeOp>();
  if (earlier && isImplied(*this, earlier))
    return getValue();
  auto constant = adaptor.getValue();
  auto number = dyn_cast_if_present<IntegerAttr>(constant);
  // A constant is the same for all threads.
  bool kept = !getDistinct() &&
              (!getDivisor() ||
               (number && isMultiple(number.getValue(), *getDivisor())));
  return constant && kept ? OpFoldResult(getValue()) : OpFoldResult();
}
