//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops, branches and accesses of the affine dialect, by upstream's patterns.
// affine.apply, min and max stay: they may be anywhere, and say more than the
// arithmetic that they become.

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tile/Dialect.h"

using namespace mlir;

namespace {

/// As upstream's, but the attributes of the loop stay, such as tile.stages.
struct LowerLoop : OpRewritePattern<affine::AffineForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(affine::AffineForOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lower = lowerAffineLowerBound(op, rewriter);
    Value upper = lowerAffineUpperBound(op, rewriter);
    Value step =
        arith::ConstantIndexOp::create(rewriter, loc, op.getStepAsInt());
    auto loop =
        scf::ForOp::create(rewriter, loc, lower, upper, step, op.getInits());
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(),
                                loop.getRegion().end());
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

} // namespace

// The innermost function or launch around each op of the tile dialect.
static llvm::SetVector<Operation *> functionsWithTiles(Operation *root) {
  llvm::SetVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (!isa_and_present<tile::TileDialect>(op->getDialect()))
      return;
    Operation *around = op;
    while (around != root && !around->hasTrait<OpTrait::AffineScope>())
      around = around->getParentOp();
    functions.insert(around);
  });
  return functions;
}

extern "C" void tileLowerAffine(MlirOperation rawRoot) {
  auto isLowered = [](Operation *op) {
    return isa_and_present<affine::AffineDialect>(op->getDialect()) &&
           !isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
                affine::AffineDelinearizeIndexOp,
                affine::AffineLinearizeIndexOp>(op);
  };
  for (Operation *function : functionsWithTiles(unwrap(rawRoot))) {
    auto isFound = [&](Operation *op) {
      return isLowered(op) ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (!function->walk(isFound).wasInterrupted())
      continue;
    MLIRContext *context = function->getContext();
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return !isLowered(op); });
    RewritePatternSet patterns(context);
    populateAffineToStdConversionPatterns(patterns);
    populateAffineToVectorConversionPatterns(patterns);
    patterns.add<LowerLoop>(context, /*benefit=*/2);
    // What no pattern takes is reported, and stays.
    (void)applyPartialConversion(function, target, std::move(patterns));
  }
}
