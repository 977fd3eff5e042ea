//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tiles that regions yield, where upstream has no type conversion.
//
//   %x = scf.execute_region -> !tile.buffer<…> { … scf.yield %a }
//
//   %r = scf.execute_region -> !llvm.ptr<3> { … scf.yield %p }

#include "Buffers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

namespace {

// Makes the op with the parts as results, then moves the region into it.
struct ExecuteRegion : OpConversionPattern<scf::ExecuteRegionOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(scf::ExecuteRegionOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    SmallVector<Type> types;
    SmallVector<unsigned> ends;
    for (Type type : op.getResultTypes()) {
      if (failed(converter.convertType(type, types)))
        return failure();
      ends.push_back(types.size());
    }
    auto made = scf::ExecuteRegionOp::create(rewriter, op.getLoc(), types,
                                             op.getNoInlineAttr());
    Region &to = made.getRegion();
    rewriter.inlineRegionBefore(op.getRegion(), to, to.end());
    if (failed(rewriter.convertRegionTypes(&to, converter)))
      return failure();
    SmallVector<ValueRange> results;
    unsigned begin = 0;
    for (unsigned end : ends) {
      results.push_back(made.getResults().slice(begin, end - begin));
      begin = end;
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

} // namespace

void tile::populateBufferRegionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns,
                                        ConversionTarget &target) {
  patterns.add<ExecuteRegion, Terminator<scf::YieldOp>>(converter,
                                                        patterns.getContext());
  target.addDynamicallyLegalOp<scf::ExecuteRegionOp, scf::YieldOp>(
      hasNoBuffers);
}
