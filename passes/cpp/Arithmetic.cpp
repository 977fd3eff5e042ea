//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-arithmetic: arithmetic that upstream's conversion does not take,
// mostly by upstream's own patterns.

#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERARITHMETIC
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// Upstream's conversion makes a value of type index in LLVM's dialect.
struct AddIndices : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getSum()).isIndex())
      return failure();
    Value sum =
        arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    Value carry = arith::CmpIOp::create(
        rewriter, op.getLoc(), arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, carry});
    return success();
  }
};

struct LowerArithmetic : tile::impl::TileLowerArithmeticBase<LowerArithmetic> {
  void runOnOperation() override {
    applyTo<arith::ScalingExtFOp, arith::ScalingTruncFOp,
            arith::AddUIExtendedOp>([](RewritePatternSet &patterns) {
      arith::populateExpandScalingExtTruncPatterns(patterns);
      patterns.add<AddIndices>(patterns.getContext());
    });
    if (failed(computeInSingle()))
      return signalPassFailure();
    applyTo<arith::ExtFOp, arith::TruncFOp>(
        arith::populateExpandF8E8M0Patterns);
  }

  // Applies patterns to ops of some kinds, and folds nothing else.
  template <typename... Ops>
  void applyTo(function_ref<void(RewritePatternSet &)> populate) {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<Ops...>(op))
        ops.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    (void)applyOpPatternsGreedily(ops, std::move(patterns));
  }

  // Arithmetic of 8-bit floats, in f32.
  LogicalResult computeInSingle() {
    MLIRContext *context = &getContext();
    SmallVector<Type> narrow = {Float8E4M3FNType::get(context),
                                Float8E5M2Type::get(context)};
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, narrow, Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
