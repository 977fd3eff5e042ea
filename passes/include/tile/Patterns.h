//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Patterns, type conversions and legality for the conversions of others.

#ifndef TILE_PATTERNS_H
#define TILE_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

// What copies are compiled for, as the options of --lower-tile-copy.
struct CopyPatternOptions {
  // Such as sm_90a; empty, the one that the gpu.module names.
  std::string chip;
  // Widest load or store, in bits.
  unsigned maxVectorBits = 128;
  // What memref arguments of kernels are aligned to, in bytes.
  unsigned argumentAlignment = 256;
  // Variants that may be chosen; empty, all.
  llvm::SmallVector<std::string> variants;
};

// Adds a pattern for each variant of tile.copy, tile.copy_async and tile.fill,
// with the variant's priority as its benefit: they choose, as
// --tile-align-layouts does, and --tile-vectorize-copy and --tile-expand-copy
// follow. A copy that no variant takes stays. The patterns look at what defines
// the operands, so a conversion in which others replace that runs with
// allowPatternRollback unset in its ConversionConfig. Fails, after an error at
// the location, where an option makes no sense.
llvm::LogicalResult
populateCopyPatterns(mlir::RewritePatternSet &patterns, mlir::Location loc,
                     const CopyPatternOptions &options = {});

// Copies are illegal; what the patterns make of them is legal.
void configureCopyLegality(mlir::ConversionTarget &target);

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

#endif // TILE_PATTERNS_H
