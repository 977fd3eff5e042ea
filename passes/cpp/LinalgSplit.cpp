//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops around ops of linalg, by upstream's tiling. Which loops and which sizes
// is decided by passes/plan/src/linalg/split.rs.

#include "Copies.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

// Puts an op of linalg on memrefs in loops over parts of these sizes, 0 for a
// loop that stays whole. The op of a part, without the loops of one iteration;
// null, and nothing changed, where upstream does not tile it.
extern "C" MlirOperation tileSplitLoops(MlirOperation op, const int64_t *sizes,
                                        intptr_t count) {
  auto whole = cast<linalg::LinalgOp>(unwrap(op));
  IRRewriter rewriter(whole.getContext());
  rewriter.setInsertionPoint(whole);
  linalg::LinalgTilingOptions options;
  options.setTileSizes(ArrayRef(sizes, count));
  FailureOr<linalg::TiledLinalgOp> tiled =
      linalg::tileLinalgOp(rewriter, whole, options);
  if (failed(tiled))
    return MlirOperation{nullptr};
  rewriter.eraseOp(whole);
  return wrap(tiled->op.getOperation());
}

// The same op as a linalg.generic without loops of one iteration, on memrefs
// without the dimensions that only these index; the op itself where it has no
// such loop.
extern "C" MlirOperation tileDropUnitLoops(MlirOperation op) {
  auto whole = cast<linalg::LinalgOp>(unwrap(op));
  if (!llvm::is_contained(whole.getStaticLoopRanges(), 1))
    return op;
  IRRewriter rewriter(whole.getContext());
  rewriter.setInsertionPoint(whole);
  auto generic = dyn_cast<linalg::GenericOp>(whole.getOperation());
  if (!generic) {
    DictionaryAttr attributes = whole->getDiscardableAttrDictionary();
    FailureOr<linalg::GenericOp> made =
        linalg::generalizeNamedOp(rewriter, whole);
    if (failed(made))
      return op;
    generic = *made;
    generic->setDiscardableAttrs(attributes);
  }
  linalg::ControlDropUnitDims control;
  control.rankReductionStrategy =
      linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, generic, control);
  if (failed(dropped))
    return wrap(generic.getOperation());
  dropped->resultOp->setDiscardableAttrs(
      generic->getDiscardableAttrDictionary());
  Operation *made = dropped->resultOp;
  rewriter.eraseOp(generic);
  return wrap(made);
}

// Gives an op, for its only result, memory of the kernel's own of that shape:
// it is copied from the result before the op, and to the result after it.
extern "C" void tileKeepResult(MlirOperation op, const int64_t *shape,
                               intptr_t rank) {
  auto whole = cast<linalg::LinalgOp>(unwrap(op));
  OpBuilder builder(whole);
  Location loc = whole.getLoc();
  OpOperand &init = whole.getDpsInitsMutable()[0];
  Value result = init.get();
  auto type = cast<MemRefType>(result.getType());
  auto own = MemRefType::get(ArrayRef(shape, rank), type.getElementType());
  Value memory = memref::AllocOp::create(builder, loc, own);
  if (!type.hasStaticShape()) {
    SmallVector<OpFoldResult> zeros(rank, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(rank, builder.getIndexAttr(1));
    memory = memref::SubViewOp::create(
        builder, loc, memory, zeros,
        memref::getMixedSizes(builder, loc, result), ones);
  }
  memref::CopyOp::create(builder, loc, result, memory);
  init.set(memory);
  builder.setInsertionPointAfter(whole);
  memref::CopyOp::create(builder, loc, memory, result);
}
