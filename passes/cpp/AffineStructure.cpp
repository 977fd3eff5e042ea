//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops, branches and accesses of the affine dialect, by upstream's patterns.
// affine.apply, min and max stay: they may be anywhere, and say more than the
// arithmetic that they become.

#include "Copies.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

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

static bool isStructure(Operation *op) {
  return isa_and_present<affine::AffineDialect>(op->getDialect()) &&
         !isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
              affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp>(
             op);
}

// Whether passes read a function: threads of a grid execute it, or an op or a
// tile in it is ours. A launch reads what the function around it computes.
static bool isRead(Operation *function) {
  for (StringRef name : {gpu::GPUDialect::getKernelFuncAttrName(),
                         NVVM::NVVMDialect::getKernelFuncAttrName(),
                         StringRef("known_block_size")})
    if (function->hasAttr(name))
      return true;
  auto isOurs = [](Operation *op) {
    bool handsTilesOn = llvm::any_of(op->getResultTypes(), [](Type type) {
      return isa<tile::TileDialect>(type.getDialect());
    });
    return handsTilesOn || isa<gpu::LaunchOp>(op) ||
                   isa_and_present<tile::TileDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return function->getParentOfType<gpu::GPUModuleOp>() ||
         function->walk(isOurs).wasInterrupted();
}

static void lowerAffineOf(Operation *function) {
  MLIRContext *context = function->getContext();
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !isStructure(op); });
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  patterns.add<LowerLoop>(context, /*benefit=*/2);
  // What no pattern takes is reported, and stays.
  (void)applyPartialConversion(function, target, std::move(patterns));
}

void tile::lowerAffine(Operation *root) {
  llvm::SetVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (!isStructure(op))
      return;
    while (op != root && !isa<FunctionOpInterface>(op))
      op = op->getParentOp();
    functions.insert(op);
  });
  for (Operation *function : functions)
    if (isRead(function))
      lowerAffineOf(function);
}

extern "C" void tileLowerAffine(MlirOperation root) {
  tile::lowerAffine(unwrap(root));
}

extern "C" void tileLowerAffineOf(MlirOperation function) {
  lowerAffineOf(unwrap(function));
}
