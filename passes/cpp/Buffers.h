//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tiles as values of control flow and of functions: the conversion of their
// type, for other compilers, too.

#ifndef TILE_PASSES_BUFFERS_H
#define TILE_PASSES_BUFFERS_H

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

// Converts a tile in global or shared memory to a pointer, an index for each
// extent that only the run knows, and one for each such stride; tile.view and
// tile.parts go from one to the other. A tile in registers or in tensor memory
// is nothing.
void addBufferConversions(mlir::TypeConverter &converter);

// Patterns for scf, cf, func, gpu and arith.select whose values are converted,
// and what is legal where they are: functions and calls too, unless they are
// `outside`, the function that is converted alone.
void populateBufferConversionPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns,
                                      mlir::ConversionTarget &target,
                                      mlir::Operation *outside = nullptr);

} // namespace tile

#endif // TILE_PASSES_BUFFERS_H
