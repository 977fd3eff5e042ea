//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops around ops of linalg, by upstream's tiling. Which loops and which sizes
// is decided by passes/plan/src/linalg/split.rs.

#include "Copies.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

/// Whether a memref has so many elements from an index on.
static bool hasElements(Value memref, int64_t dimension, OpFoldResult begin,
                        int64_t count) {
  using Variable = ValueBoundsConstraintSet::Variable;
  AffineExpr index = getAffineDimExpr(0, memref.getContext());
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(1, 0, index + count), {Variable(begin)}),
      ValueBoundsConstraintSet::ComparisonOperator::LE,
      Variable(memref, dimension));
}

// The extent of a loop is that of all operands. Where it is known only at run
// time, upstream limits each part by the end of the first operand: it becomes
// the end of the operand itself, which a copy is masked by.
static void limitByOwnEnd(OpOperand &operand) {
  auto part = operand.get().getDefiningOp<memref::SubViewOp>();
  if (!part)
    return;
  OpBuilder builder(part);
  Location loc = part.getLoc();
  SmallVector<OpFoldResult> begins = part.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = part.getMixedSizes();
  MLIRContext *context = builder.getContext();
  for (auto [dimension, size] : llvm::enumerate(sizes)) {
    auto value = dyn_cast<Value>(size);
    auto least = value ? value.getDefiningOp<affine::AffineMinOp>()
                       : affine::AffineMinOp();
    if (!least)
      continue;
    for (AffineExpr result : least.getMap().getResults()) {
      auto most = dyn_cast<AffineConstantExpr>(result);
      if (!most)
        continue;
      if (hasElements(part.getSource(), dimension, begins[dimension],
                      most.getValue())) {
        size = builder.getIndexAttr(most.getValue());
        break;
      }
      AffineMap limit = AffineMap::get(
          0, 2,
          {getAffineSymbolExpr(1, context) - getAffineSymbolExpr(0, context),
           most},
          context);
      size = affine::makeComposedFoldedAffineMin(
          builder, loc, limit,
          {begins[dimension],
           memref::getMixedSize(builder, loc, part.getSource(), dimension)});
    }
  }
  auto own = memref::SubViewOp::create(builder, loc, part.getSource(), begins,
                                       sizes, part.getMixedStrides());
  operand.set(own);
  if (part.use_empty())
    part.erase();
}

// Puts an op of linalg on memrefs in loops over parts of these sizes, 0 for a
// loop that stays whole. The op of a part, without the loops of one iteration;
// null, and nothing changed, where upstream does not tile it.
extern "C" MlirOperation tileSplitLoops(MlirOperation op, const int64_t *sizes,
                                        intptr_t count) {
  auto whole = cast<linalg::LinalgOp>(unwrap(op));
  IRRewriter rewriter(whole.getContext());
  rewriter.setInsertionPoint(whole);
  linalg::LinalgTilingOptions options;
  // Given as numbers, upstream puts them at the start of a func.func.
  SmallVector<Value, 4> values;
  for (int64_t size : ArrayRef(sizes, count))
    values.push_back(
        arith::ConstantIndexOp::create(rewriter, whole.getLoc(), size));
  options.setTileSizes(values);
  SmallVector<Value> given(whole->getOperands());
  FailureOr<linalg::TiledLinalgOp> tiled =
      linalg::tileLinalgOp(rewriter, whole, options);
  if (failed(tiled))
    return MlirOperation{nullptr};
  rewriter.eraseOp(whole);
  for (OpOperand &operand : tiled->op->getOpOperands())
    if (!llvm::is_contained(given, operand.get()))
      limitByOwnEnd(operand);
  return wrap(tiled->op.getOperation());
}

namespace {

/// Whether the elements of an input are not used.
bool isUnused(linalg::LinalgOp op, OpOperand &operand) {
  return op.isDpsInput(&operand) &&
         op.getMatchingBlockArgument(&operand).use_empty();
}

/// The loops of one iteration that are dropped: every memref keeps a dimension,
/// and the op a loop.
llvm::SmallBitVector unitLoops(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::SmallBitVector dropped(ranges.size());
  for (auto [number, range] : llvm::enumerate(ranges))
    if (range == 1)
      dropped.set(number);
  if (dropped.all())
    dropped.reset(ranges.size() - 1);
  for (OpOperand &operand : op->getOpOperands()) {
    // An operand that only says how long loops are is left out.
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (isUnused(op, operand))
      continue;
    auto isKept = [&](AffineExpr result) {
      bool hasLoop = false;
      result.walk([&](AffineExpr part) {
        auto dimension = dyn_cast<AffineDimExpr>(part);
        hasLoop |= dimension && !dropped.test(dimension.getPosition());
      });
      return hasLoop;
    };
    if (map.getNumResults() == 0 || llvm::any_of(map.getResults(), isKept))
      continue;
    if (auto last = dyn_cast<AffineDimExpr>(map.getResults().back()))
      dropped.reset(last.getPosition());
  }
  return dropped;
}

/// A memref without the dimensions that are not kept, each of extent 1.
Value withoutDimensions(OpBuilder &builder, Location loc, Value memref,
                        const llvm::SmallBitVector &kept) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> zeros(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, memref);
  SmallVector<int64_t> shape;
  for (unsigned dimension : kept.set_bits())
    shape.push_back(type.getDimSize(dimension));
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, zeros, sizes, ones);
  return memref::SubViewOp::create(builder, loc, reduced, memref, zeros, sizes,
                                   ones);
}

} // namespace

// The same op as a linalg.generic without loops of one iteration, on memrefs
// without the dimensions that only these index; the op itself where it has no
// such loop.
extern "C" MlirOperation tileDropUnitLoops(MlirOperation op) {
  auto whole = cast<linalg::LinalgOp>(unwrap(op));
  llvm::SmallBitVector dropped = unitLoops(whole);
  if (dropped.none())
    return op;
  OpBuilder builder(whole);
  MLIRContext *context = builder.getContext();
  // The loops that remain are numbered anew.
  SmallVector<AffineExpr> loops;
  SmallVector<utils::IteratorType> kinds;
  for (auto [number, kind] : llvm::enumerate(whole.getIteratorTypesArray())) {
    if (dropped.test(number)) {
      loops.push_back(builder.getAffineConstantExpr(0));
      continue;
    }
    loops.push_back(builder.getAffineDimExpr(kinds.size()));
    kinds.push_back(kind);
  }
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  llvm::BitVector unused(whole->getNumOperands());
  unsigned inputs = whole.getNumDpsInputs();
  for (OpOperand &operand : whole->getOpOperands()) {
    AffineMap map = whole.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    llvm::SmallBitVector kept(map.getNumResults());
    SmallVector<AffineExpr> results;
    for (auto [dimension, result] : llvm::enumerate(map.getResults())) {
      AffineExpr next = result.replaceDims(loops);
      bool isDropped = isa<AffineConstantExpr>(next) && type &&
                       type.getDimSize(dimension) == 1;
      if (isDropped)
        continue;
      kept.set(dimension);
      results.push_back(next);
    }
    if (results.empty() && isUnused(whole, operand)) {
      unused.set(operand.getOperandNumber());
      --inputs;
      continue;
    }
    maps.push_back(AffineMap::get(kinds.size(), 0, results, context));
    operands.push_back(kept.all() ? operand.get()
                                  : withoutDimensions(builder, whole.getLoc(),
                                                      operand.get(), kept));
  }
  auto made = linalg::GenericOp::create(
      builder, whole.getLoc(), ArrayRef(operands).take_front(inputs),
      ArrayRef(operands).drop_front(inputs), maps, kinds);
  made->setDiscardableAttrs(whole->getDiscardableAttrDictionary());
  IRMapping mapping;
  whole->getRegion(0).cloneInto(&made.getRegion(), mapping);
  made.getBody()->eraseArguments(unused);
  made.getRegion().walk([&](linalg::IndexOp index) {
    OpBuilder body(index);
    AffineExpr loop = loops[index.getDim()];
    if (auto dimension = dyn_cast<AffineDimExpr>(loop)) {
      index.setDim(dimension.getPosition());
      return;
    }
    Value zero = arith::ConstantIndexOp::create(body, index.getLoc(), 0);
    index.replaceAllUsesWith(zero);
    index.erase();
  });
  whole->erase();
  return wrap(made.getOperation());
}

// A memref.copy as a linalg.generic.
extern "C" MlirOperation tileCopyAsLinalg(MlirOperation op) {
  auto copy = cast<memref::CopyOp>(unwrap(op));
  OpBuilder builder(copy);
  Operation *made = linalg::makeMemRefCopyOp(
      builder, copy.getLoc(), copy.getSource(), copy.getTarget());
  made->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
  copy->erase();
  return wrap(made);
}

// Makes one of what is computed several times below an op.
extern "C" void tileShareComputations(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, unwrap(op));
}

/// Memory of the kernel's own of that shape; the part of it that has the
/// extents of a memref.
static Value allocateLike(OpBuilder &builder, Location loc, Value memref,
                          ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memref.getType());
  auto own = MemRefType::get(shape, type.getElementType());
  Value memory = memref::AllocOp::create(builder, loc, own);
  if (type.getShape() == shape)
    return memory;
  SmallVector<OpFoldResult> zeros(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, memory, zeros,
                                   memref::getMixedSizes(builder, loc, memref),
                                   ones);
}

// As above, before an op.
extern "C" MlirValue tileAllocateLike(MlirOperation before, MlirValue memref,
                                      const int64_t *shape, intptr_t rank) {
  OpBuilder builder(unwrap(before));
  return wrap(allocateLike(builder, unwrap(before)->getLoc(), unwrap(memref),
                           ArrayRef(shape, rank)));
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
  Value memory = allocateLike(builder, loc, result, ArrayRef(shape, rank));
  Operation *alloc = memory.getDefiningOp();
  if (auto view = dyn_cast<memref::SubViewOp>(alloc))
    alloc = view.getSource().getDefiningOp();
  auto load = memref::CopyOp::create(builder, loc, result, memory);
  init.set(memory);
  builder.setInsertionPointAfter(whole);
  auto store = memref::CopyOp::create(builder, loc, memory, result);
  if (Attribute scope = whole->getDiscardableAttr("tile.scope"))
    for (Operation *made : {alloc, load.getOperation(), store.getOperation()})
      made->setDiscardableAttr("tile.scope", scope);
}
