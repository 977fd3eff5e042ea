//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Ops of other dialects that state a copy: the copy, and patterns of all such
// ops.

#include "tile/Dialect.h"

#include "Capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

#include "tile/TileCopyInterface.cpp.inc"

using namespace mlir;
using namespace tile;

/// The first part of a copy that names another value than an operand of its op.
static std::optional<TileCopyPart> notAnOperand(Operation *op,
                                                const StatedCopy &copy) {
  auto isOperand = [&](Value value) {
    return value && llvm::is_contained(op->getOperands(), value);
  };
  auto isOffset = [&](OpFoldResult offset) {
    auto value = dyn_cast_or_null<Value>(offset);
    return offset && (!value || isOperand(value));
  };
  if (!isOperand(copy.source.buffer))
    return TileCopySource;
  if (!isOperand(copy.dest.buffer))
    return TileCopyDest;
  if (!llvm::all_of(copy.source.begin, isOffset))
    return TileCopySourceBegin;
  if (!llvm::all_of(copy.dest.begin, isOffset))
    return TileCopyDestBegin;
  if (copy.filler && !isOperand(copy.filler))
    return TileCopyFiller;
  if (copy.mbarrier && !isOperand(copy.mbarrier))
    return TileCopyMbarrier;
  return std::nullopt;
}

template <typename Copy>
static Operation *withClauses(Copy copy, const StatedCopy &stated) {
  copy.setMasked(stated.masked);
  if (stated.filler)
    copy.getFillerMutable().assign(stated.filler);
  copy.setConvert(stated.convert);
  if (!stated.variant.empty())
    copy.setVariant(stated.variant);
  return copy;
}

bool tileStatesCopy(MlirOperation op) {
  return isa<TileCopyOpInterface>(unwrap(op));
}

MlirOperation tileMakeStatedCopy(MlirOperation raw, TileCopyPart *other) {
  auto op = cast<TileCopyOpInterface>(unwrap(raw));
  StatedCopy stated = op.getStatedCopy();
  if (std::optional<TileCopyPart> part = notAnOperand(op, stated)) {
    *other = *part;
    return MlirOperation{nullptr};
  }
  // Without an insertion point, the op is in no block.
  OpBuilder builder(op.getContext());
  const CopyRegion &source = stated.source, &dest = stated.dest;
  Scope scope = stated.scope.value_or(statedScope(op));
  bool synchronous = stated.completion == CopyCompletion::Synchronous;
  if (synchronous && !stated.mbarrier)
    return wrap(
        withClauses(CopyOp::create(builder, op.getLoc(), source.buffer,
                                   source.begin, source.sizes, dest.buffer,
                                   dest.begin, dest.sizes, scope),
                    stated));
  auto copy = CopyAsyncOp::create(
      builder, op.getLoc(), source.buffer, source.begin, source.sizes,
      dest.buffer, dest.begin, dest.sizes, scope,
      stated.completion == CopyCompletion::Group, stated.mbarrier);
  copy.setBulkGroup(stated.completion == CopyCompletion::BulkGroup);
  return wrap(withClauses(copy, stated));
}

namespace {
// A pattern of all ops that state a copy, whose state Rust owns.
struct StatedCopyPattern : RewritePattern {
  StatedCopyPattern(MLIRContext *context, MlirRewritePatternCallbacks callbacks,
                    void *state)
      : RewritePattern(MatchInterfaceOpTypeTag(),
                       TileCopyOpInterface::getInterfaceID(), /*benefit=*/1,
                       context),
        callbacks(callbacks), state(state) {}
  ~StatedCopyPattern() override { callbacks.destruct(state); }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    return unwrap(
        callbacks.matchAndRewrite({nullptr}, wrap(op), wrap(&rewriter), state));
  }

  MlirRewritePatternCallbacks callbacks;
  void *state;
};
} // namespace

void tileAddStatedCopyPattern(MlirRewritePatternSet set,
                              MlirRewritePatternCallbacks callbacks,
                              void *state) {
  RewritePatternSet &patterns = *unwrap(set);
  patterns.add(std::make_unique<StatedCopyPattern>(patterns.getContext(),
                                                   callbacks, state));
}
