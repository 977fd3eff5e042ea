//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the conversions of tiles to pointers and numbers share.

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

/// Structured ops that upstream has no type conversion of.
void populateBufferRegionPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  mlir::ConversionTarget &target);

} // namespace tile

#endif // TILE_PASSES_BUFFERS_H
