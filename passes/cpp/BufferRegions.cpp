//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tiles that regions yield, where upstream has no type conversion.
//
//   %x = affine.if #set(%i) -> !tile.buffer<…> { … yield %a } else { … yield %b
//   }
//
//   %r = affine.if #set(%i) -> !llvm.ptr<3> { … yield %p } else { … yield %q }

#include "Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace tile;

namespace {

// Makes the op with the parts as results, then moves the regions into it.
template <typename Op> struct Structured : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Operands = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(Op op, Operands operands,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *this->getTypeConverter();
    SmallVector<Type> types;
    SmallVector<unsigned> ends;
    for (Type type : op->getResultTypes()) {
      if (failed(converter.convertType(type, types)))
        return failure();
      ends.push_back(types.size());
    }
    Op made = make(op, operands, types, rewriter);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), made->getRegions())) {
      while (!to.empty())
        rewriter.eraseBlock(&to.front());
      rewriter.inlineRegionBefore(from, to, to.end());
      if (failed(rewriter.convertRegionTypes(&to, converter)))
        return failure();
    }
    SmallVector<ValueRange> results;
    unsigned begin = 0;
    for (unsigned end : ends) {
      results.push_back(made->getResults().slice(begin, end - begin));
      begin = end;
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
  virtual Op make(Op op, Operands operands, TypeRange types,
                  OpBuilder &builder) const = 0;
};

struct ExecuteRegion : Structured<scf::ExecuteRegionOp> {
  using Structured::Structured;
  scf::ExecuteRegionOp make(scf::ExecuteRegionOp op, Operands, TypeRange types,
                            OpBuilder &builder) const override {
    return scf::ExecuteRegionOp::create(builder, op.getLoc(), types,
                                        op.getNoInlineAttr());
  }
};

struct AffineIf : Structured<affine::AffineIfOp> {
  using Structured::Structured;
  affine::AffineIfOp make(affine::AffineIfOp op, Operands, TypeRange types,
                          OpBuilder &builder) const override {
    return affine::AffineIfOp::create(builder, op.getLoc(), types,
                                      op.getIntegerSet(), op.getOperands(),
                                      op.hasElse());
  }
};

struct AffineFor : Structured<affine::AffineForOp> {
  using Structured::Structured;
  affine::AffineForOp make(affine::AffineForOp op, Operands operands, TypeRange,
                           OpBuilder &builder) const override {
    return affine::AffineForOp::create(
        builder, op.getLoc(), op.getLowerBoundOperands(), op.getLowerBoundMap(),
        op.getUpperBoundOperands(), op.getUpperBoundMap(), op.getStepAsInt(),
        flat(operands.getInits()));
  }
};

} // namespace

void tile::populateBufferRegionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns,
                                        ConversionTarget &target) {
  patterns.add<ExecuteRegion, AffineIf, AffineFor,
               Terminator<affine::AffineYieldOp>, Terminator<scf::YieldOp>>(
      converter, patterns.getContext());
  target.addDynamicallyLegalOp<scf::ExecuteRegionOp, scf::YieldOp,
                               affine::AffineIfOp, affine::AffineForOp,
                               affine::AffineYieldOp>(hasNoBuffers);
}
