//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops whose iterations are threads, warps or warpgroups, by upstream's
// mapping; and ops of linalg as loops over elements, of one thread, or of the
// threads of a block.

#include "Bridge.h"
#include "LinalgRequests.h"
#include "Threads.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;

// The threads that do an iteration of an scf.forall together; -1 for another
// op, and without a mapping to a GPU.
extern "C" int64_t tileForallScope(MlirOperation op) {
  auto forall = dyn_cast<scf::ForallOp>(unwrap(op));
  if (!forall || !forall.getMapping() || forall.getMapping()->empty())
    return -1;
  Attribute mapping = forall.getMapping()->getValue().front();
  auto code = [](Scope scope) { return static_cast<int64_t>(scope); };
  return TypeSwitch<Attribute, int64_t>(mapping)
      .Case<gpu::GPUBlockMappingAttr>([&](auto) { return code(Scope::Cta); })
      .Case<gpu::GPUWarpgroupMappingAttr>(
          [&](auto) { return code(Scope::Warpgroup); })
      .Case<gpu::GPUWarpMappingAttr>([&](auto) { return code(Scope::Warp); })
      .Case<gpu::GPUThreadMappingAttr, gpu::GPULaneMappingAttr>(
          [&](auto) { return code(Scope::Thread); })
      .Default([](Attribute) { return -1; });
}

// Makes the iterations of an scf.forall those of the threads of a block; false,
// with upstream's reason, where they are none.
extern "C" bool tileMapForall(MlirOperation op, const int64_t *block,
                              MlirStringCallback say, void *userData) {
  auto forall = cast<scf::ForallOp>(unwrap(op));
  IRRewriter rewriter(forall);
  bool isMapped = false;
  SmallVector<Diagnostic> errors = errorsOf(forall.getContext(), [&] {
    DiagnosedSilenceableFailure outcome =
        transform::gpu::mapOneForallToThreadsImpl(
            rewriter, std::nullopt, forall, ArrayRef(block, 3), warpSize,
            /*syncAfterDistribute=*/false);
    isMapped = outcome.succeeded();
    if (outcome.isSilenceableFailure())
      say(wrap(StringRef(outcome.getMessage())), userData);
    (void)outcome.silence();
  });
  for (Diagnostic &error : errors)
    say(wrap(StringRef(error.str())), userData);
  return isMapped;
}

// Writes an op of linalg as loops over elements, of which it returns the
// outermost; null where upstream does not.
extern "C" MlirOperation tileLoopsOfElements(MlirOperation op) {
  auto linalg = dyn_cast<linalg::LinalgOp>(unwrap(op));
  if (!linalg || !linalg.hasPureBufferSemantics())
    return MlirOperation{nullptr};
  IRRewriter rewriter(linalg);
  if (failed(linalg::linalgOpToLoops(rewriter, linalg)))
    return MlirOperation{nullptr};
  Operation *made = linalg->getPrevNode();
  rewriter.eraseOp(linalg);
  return wrap(made);
}

// Whether every element of each result is that of one iteration of the parallel
// loops.
static bool hasOwnResults(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto isParallel = [&](AffineExpr result) {
      auto loop = dyn_cast<AffineDimExpr>(result);
      return loop && linalg::isParallelIterator(
                         op.getIteratorTypesArray()[loop.getPosition()]);
    };
    return map.isProjectedPermutation() &&
           map.getNumResults() == op.getNumParallelLoops() &&
           llvm::all_of(map.getResults(), isParallel);
  });
}

// Writes the body of an op of linalg for these values of its loops.
static void writeBody(RewriterBase &rewriter, linalg::LinalgOp op,
                      ValueRange loops) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> numbers = getAsOpFoldResult(loops);
  auto indices = [&](OpOperand &operand) {
    SmallVector<OpFoldResult> applied =
        affine::makeComposedFoldedMultiResultAffineApply(
            rewriter, loc, op.getMatchingIndexingMap(&operand), numbers);
    return getValueOrCreateConstantIndexOp(rewriter, loc, applied);
  };
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(rewriter, loc, value, indices(operand));
    mapping.map(argument, value);
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), loops[index.getDim()]);
    else
      rewriter.clone(inner, mapping);
  }
  for (auto [result, init] :
       llvm::zip_equal(op.getBlock()->getTerminator()->getOperands(),
                       op.getDpsInitsMutable()))
    memref::StoreOp::create(rewriter, loc, mapping.lookupOrDefault(result),
                            init.get(), indices(init));
}

// The threads along each dimension of a result, powers of two of which the last
// dimension has as many as it can use: neighbours write neighbours.
//
//   10 x 24 elements, 128 threads: 4 x 32
static SmallVector<int64_t> threadsAlong(ArrayRef<int64_t> shape,
                                         int64_t threads) {
  SmallVector<int64_t> along(shape.size(), 1);
  for (auto [extent, count] : llvm::reverse(llvm::zip_equal(shape, along))) {
    int64_t most = ShapedType::isDynamic(extent)
                       ? threads
                       : static_cast<int64_t>(llvm::PowerOf2Ceil(extent));
    count = std::min(most,
                     static_cast<int64_t>(llvm::bit_floor<uint64_t>(threads)));
    threads /= count;
  }
  return along;
}

namespace {
/// Writes an op of linalg as loops over the elements of its results, of which
/// each thread of a block has its own.
///
///   scf.for %i0 = 0 to 8 step 4 {                10 x 24 elements, 4 x 32
///   threads
///     scf.if %thread % 32 < 24 {
///       … the body for %i0 + %thread / 32, %thread % 32 …
///     }
///   }
///   scf.if %thread / 32 < 2 {
///     scf.if %thread % 32 < 24 {
///       … the body for 8 + %thread / 32, %thread % 32 …
///
/// No loop ends within the threads: then each knows by its number alone which
/// elements it has, and that no other one has them.
class ElementLoops {
public:
  ElementLoops(RewriterBase &rewriter, linalg::LinalgOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()),
        indices(op.getNumLoops()) {
    OpOperand &init = op.getDpsInitsMutable()[0];
    map = op.getMatchingIndexingMap(&init);
    shape = cast<MemRefType>(init.get().getType()).getShape();
    for (Range range : op.createLoopRanges(rewriter, loc))
      extents.push_back(
          getValueOrCreateConstantIndexOp(rewriter, loc, range.size));
  }

  void write(ArrayRef<int32_t> block) {
    along = threadsAlong(shape, threadCount(block));
    Value rest = linearThread(rewriter, loc, block);
    int64_t count = 1;
    digits.resize(shape.size());
    for (auto [digit, threads] :
         llvm::reverse(llvm::zip_equal(digits, along))) {
      digit = arith::RemUIOp::create(rewriter, loc, rest, constant(threads));
      rest = arith::DivUIOp::create(rewriter, loc, rest, constant(threads));
      count *= threads;
    }
    // Threads beyond a power of two have nothing to do.
    if (count < threadCount(block))
      return whereLess(rest, constant(1), [&] { dimension(0); });
    dimension(0);
  }

private:
  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  }

  void whereLess(Value number, Value end, llvm::function_ref<void()> inside) {
    Value isLess = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, number, end);
    auto branch = scf::IfOp::create(rewriter, loc, isLess);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    inside();
  }

  void loop(Value end, int64_t step, llvm::function_ref<void(Value)> inside) {
    auto parts =
        scf::ForOp::create(rewriter, loc, constant(0), end, constant(step));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(parts.getBody());
    inside(parts.getInductionVar());
  }

  /// The elements along a dimension of the result, and those that follow.
  void dimension(size_t number) {
    if (number == shape.size())
      return reductions(0);
    unsigned place = cast<AffineDimExpr>(map.getResult(number)).getPosition();
    Value &index = indices[place], end = extents[place];
    Value digit = digits[number];
    int64_t extent = shape[number], threads = along[number];
    auto from = [&](Value first) {
      index = arith::AddIOp::create(rewriter, loc, first, digit);
      dimension(number + 1);
    };
    if (ShapedType::isDynamic(extent))
      return loop(end, threads, [&](Value first) {
        index = arith::AddIOp::create(rewriter, loc, first, digit);
        whereLess(index, end, [&] { dimension(number + 1); });
      });
    int64_t whole = extent / threads * threads;
    if (whole == threads)
      from(constant(0));
    else if (whole > 0)
      loop(constant(whole), threads, from);
    if (whole < extent)
      whereLess(digit, constant(extent - whole),
                [&] { from(constant(whole)); });
  }

  /// The terms of an element, one after another.
  void reductions(unsigned number) {
    SmallVector<unsigned> reduced;
    op.getReductionDims(reduced);
    if (number == reduced.size())
      return writeBody(rewriter, op, indices);
    loop(extents[reduced[number]], 1, [&](Value index) {
      indices[reduced[number]] = index;
      reductions(number + 1);
    });
  }

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  Location loc;
  AffineMap map;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> along;
  SmallVector<Value> extents, digits, indices;
};
} // namespace

// Writes an op of linalg as loops over elements for the threads of a block, of
// which it returns the last; null, and nothing changed, where iterations share
// elements, or where it is not known how many elements a row has.
extern "C" MlirOperation tileLoopsOfThreads(MlirOperation rawOp,
                                            const int32_t *block) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(rawOp));
  if (!op || !op.hasPureBufferSemantics() || !hasOwnResults(op))
    return MlirOperation{nullptr};
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  if (llvm::any_of(type.getShape().drop_front(type.getRank() > 0),
                   ShapedType::isDynamic))
    return MlirOperation{nullptr};
  IRRewriter rewriter(op);
  ElementLoops(rewriter, op).write(ArrayRef(block, 3));
  Operation *made = op->getPrevNode();
  rewriter.eraseOp(op);
  return wrap(made);
}
