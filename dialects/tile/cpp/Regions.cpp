//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Regions of copies: builders, and canonicalization, which shortens regions and
// erases copies that change nothing.

#include "tile/Dialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

namespace {
struct Window {
  SmallVector<Value> offsets;
  SmallVector<int64_t> constants, sizes;

  bool operator==(const Window &other) const {
    return offsets == other.offsets && constants == other.constants &&
           sizes == other.sizes;
  }
};
} // namespace

/// The begin in a dimension, if only one begin is in bounds, or if it is a
/// constant that is in bounds. A masked region may begin anywhere.
static std::optional<int64_t> begin(Value offset, int64_t size, int64_t extent,
                                    bool masked) {
  if (size == extent && !masked)
    return 0;
  APInt value;
  if (!matchPattern(offset, m_ConstantInt(&value)))
    return std::nullopt;
  // The smallest number stands for a run-time offset.
  if (masked)
    return value.isMinSignedValue() ? std::nullopt
                                    : std::optional(value.getSExtValue());
  bool closed = !ShapedType::isDynamic(extent);
  if (value.isNegative() ||
      (closed && (extent < size || value.ugt(extent - size))))
    return std::nullopt;
  return value.getSExtValue();
}

/// The region in its shortest form: without numbers if it is the whole buffer.
static Window shortest(Value buffer, OperandRange offsets,
                       ArrayRef<int64_t> constants, ArrayRef<int64_t> sizes,
                       bool masked) {
  ArrayRef<int64_t> shape = cast<BufferType>(buffer.getType()).getShape();
  Window window{{}, llvm::to_vector(constants), llvm::to_vector(sizes)};
  auto next = offsets.begin();
  for (auto [constant, size, extent] : llvm::zip_equal(
           window.constants, sizes, shape.take_front(sizes.size()))) {
    if (!ShapedType::isDynamic(constant))
      continue;
    Value offset = *next++;
    if (std::optional<int64_t> number = begin(offset, size, extent, masked))
      constant = *number;
    else
      window.offsets.push_back(offset);
  }
  if (window.offsets.empty() && sizes == shape &&
      llvm::all_of(window.constants, [](int64_t begin) { return begin == 0; }))
    window.constants.clear(), window.sizes.clear();
  return window;
}

static bool write(const Window &window, MutableOperandRange offsets,
                  ArrayRef<int64_t> constants, ArrayRef<int64_t> sizes,
                  function_ref<void(ArrayRef<int64_t>)> setConstants,
                  function_ref<void(ArrayRef<int64_t>)> setSizes) {
  if (window.constants == constants && window.sizes == sizes)
    return false;
  offsets.assign(window.offsets);
  setConstants(window.constants);
  setSizes(window.sizes);
  return true;
}

template <typename Op> static bool writeSrc(Op op, const Window &src) {
  return write(
      src, op.getSrcOffsetsMutable(), op.getSrcStatic(), op.getSrcSizes(),
      [&](ArrayRef<int64_t> list) { op.setSrcStatic(list); },
      [&](ArrayRef<int64_t> list) { op.setSrcSizes(list); });
}

template <typename Op> static bool writeDst(Op op, const Window &dst) {
  return write(
      dst, op.getDstOffsetsMutable(), op.getDstStatic(), op.getDstSizes(),
      [&](ArrayRef<int64_t> list) { op.setDstStatic(list); },
      [&](ArrayRef<int64_t> list) { op.setDstSizes(list); });
}

/// Tells the rewriter of a change that `change` may make; success if it did.
static LogicalResult changed(Operation *op, PatternRewriter &rewriter,
                             function_ref<bool()> change) {
  rewriter.startOpModification(op);
  if (!change()) {
    rewriter.cancelOpModification(op);
    return failure();
  }
  rewriter.finalizeOpModification(op);
  return success();
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value src,
                   Value dst, Scope scope) {
  build(builder, state, src, {}, {}, dst, {}, {}, scope);
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value src,
                   ArrayRef<OpFoldResult> srcBegin, ArrayRef<int64_t> srcSizes,
                   Value dst, ArrayRef<OpFoldResult> dstBegin,
                   ArrayRef<int64_t> dstSizes, Scope scope) {
  SmallVector<Value> srcOffsets, dstOffsets;
  SmallVector<int64_t> srcStatic, dstStatic;
  dispatchIndexOpFoldResults(srcBegin, srcOffsets, srcStatic);
  dispatchIndexOpFoldResults(dstBegin, dstOffsets, dstStatic);
  build(builder, state, src, srcOffsets, dst, dstOffsets, /*filler=*/Value(),
        srcStatic, srcSizes, dstStatic, dstSizes, scope, /*masked=*/false,
        /*variant=*/{}, /*cache=*/{}, /*l1_evict=*/{}, /*l2_evict=*/{},
        /*prefetch_size=*/{}, /*convert=*/{}, /*reduce=*/{}, /*constant=*/{});
}

void CopyAsyncOp::build(OpBuilder &builder, OperationState &state, Value src,
                        Value dst, Scope scope, bool group, Value barrier) {
  build(builder, state, src, {}, {}, dst, {}, {}, scope, group, barrier);
}

void CopyAsyncOp::build(OpBuilder &builder, OperationState &state, Value src,
                        ArrayRef<OpFoldResult> srcBegin,
                        ArrayRef<int64_t> srcSizes, Value dst,
                        ArrayRef<OpFoldResult> dstBegin,
                        ArrayRef<int64_t> dstSizes, Scope scope, bool group,
                        Value barrier) {
  SmallVector<Value> srcOffsets, dstOffsets;
  SmallVector<int64_t> srcStatic, dstStatic;
  dispatchIndexOpFoldResults(srcBegin, srcOffsets, srcStatic);
  dispatchIndexOpFoldResults(dstBegin, dstOffsets, dstStatic);
  Value none;
  build(builder, state, src, srcOffsets, dst, dstOffsets, barrier,
        /*remoteCta=*/none, /*ctaMask=*/none, /*predicate=*/none,
        /*filler=*/none, /*maps=*/ValueRange(), /*rows=*/ValueRange(),
        /*until=*/none, /*filter=*/ValueRange(), srcStatic, srcSizes, dstStatic,
        dstSizes, /*lower=*/{}, /*upper=*/{}, /*steps=*/{}, scope,
        /*masked=*/false, group, /*bulk_group=*/false, /*variant=*/{},
        /*prefetch_size=*/{}, /*l2_evict=*/{}, /*reduce=*/{}, /*fill=*/{},
        /*direct=*/false, /*shape=*/{}, /*multicast=*/{}, /*cta_group=*/{},
        /*convert=*/{}, /*constant=*/{});
}

void FillOp::build(OpBuilder &builder, OperationState &state, Value filler,
                   Value dst, Scope scope) {
  build(builder, state, filler, dst, ArrayRef<OpFoldResult>(), {}, scope);
}

void FillOp::build(OpBuilder &builder, OperationState &state, Value filler,
                   Value dst, ArrayRef<OpFoldResult> dstBegin,
                   ArrayRef<int64_t> dstSizes, Scope scope) {
  SmallVector<Value> dstOffsets;
  SmallVector<int64_t> dstStatic;
  dispatchIndexOpFoldResults(dstBegin, dstOffsets, dstStatic);
  build(builder, state, filler, dst, dstOffsets, dstStatic, dstSizes, scope,
        /*masked=*/false, /*variant=*/nullptr, /*constant=*/nullptr);
}

LogicalResult FillOp::canonicalize(FillOp fill, PatternRewriter &rewriter) {
  Window dst =
      shortest(fill.getDst(), fill.getDstOffsets(), fill.getDstStatic(),
               fill.getDstSizes(), fill.getMasked());
  return changed(fill, rewriter, [&] { return writeDst(fill, dst); });
}

template <typename Copy>
static LogicalResult canonicalizeCopy(Copy copy, bool erasable,
                                      PatternRewriter &rewriter) {
  bool masked = copy.getMasked();
  Window src = shortest(copy.getSrc(), copy.getSrcOffsets(),
                        copy.getSrcStatic(), copy.getSrcSizes(), masked);
  Window dst = shortest(copy.getDst(), copy.getDstOffsets(),
                        copy.getDstStatic(), copy.getDstSizes(), masked);
  if (erasable && copy.getSrc() == copy.getDst() && src == dst) {
    rewriter.eraseOp(copy);
    return success();
  }
  return changed(copy, rewriter, [&] {
    bool shortened = writeSrc(copy, src);
    return writeDst(copy, dst) || shortened;
  });
}

LogicalResult CopyOp::canonicalize(CopyOp copy, PatternRewriter &rewriter) {
  bool erasable = !copy.getConvertAttr() && !copy.getReduceAttr();
  return canonicalizeCopy(copy, erasable, rewriter);
}

/// A copy that is waited for is not erased, nor is one that writes to the
/// memory of another CTA, or that writes zeros.
LogicalResult CopyAsyncOp::canonicalize(CopyAsyncOp copy,
                                        PatternRewriter &rewriter) {
  bool erasable = !copy.getGroup() && !copy.getBarrier() &&
                  !copy.getRemoteCta() && !copy.getCtaMask() &&
                  !copy.getFillAttr() && !copy.getConvertAttr() &&
                  !copy.getReduceAttr();
  return canonicalizeCopy(copy, erasable, rewriter);
}
