//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Shared parts of the conversions of tiles to pointers and numbers.

#ifndef TILE_PASSES_BUFFERS_H
#define TILE_PASSES_BUFFERS_H

#include "tile/Dialect.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

inline bool isBuffer(mlir::Type type) { return mlir::isa<BufferType>(type); }

/// The parts of all operands, one after the other.
inline mlir::SmallVector<mlir::Value>
flat(llvm::ArrayRef<mlir::ValueRange> values) {
  mlir::SmallVector<mlir::Value> result;
  for (mlir::ValueRange range : values)
    llvm::append_range(result, range);
  return result;
}

/// Whether no operand and no result of an op is a tile.
inline bool hasNoBuffers(mlir::Operation *op) {
  return llvm::none_of(op->getOperandTypes(), isBuffer) &&
         llvm::none_of(op->getResultTypes(), isBuffer);
}

/// A terminator that passes the parts of its operands.
template <typename Op> struct Terminator : mlir::OpConversionPattern<Op> {
  using Base = mlir::OpConversionPattern<Op>;
  using Base::Base;
  mlir::LogicalResult
  matchAndRewrite(Op op, typename Base::OneToNOpAdaptor operands,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<Op>(op, flat(operands.getOperands()));
    return mlir::success();
  }
};

/// Patterns for structured ops for which upstream has no type conversion.
void populateBufferRegionPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  mlir::ConversionTarget &target);

} // namespace tile

#endif // TILE_PASSES_BUFFERS_H
