//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Patterns, type conversions and legality for other compilers' conversions.

#ifndef TILE_PATTERNS_H
#define TILE_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

// What copies, and other ops, are compiled with, as the options of
// --lower-tile-copy.
struct CopyPatternOptions {
  // Such as sm_90a; if empty, the one that the gpu.module names.
  std::string chip;
  // Widest load or store, in bits.
  unsigned maxVectorBits = 128;
  // The alignment of kernels' memref arguments, in bytes.
  unsigned argumentAlignment = 256;
  // Variants of copies that may be chosen; if empty, all.
  llvm::SmallVector<std::string> variants;
  // Whether the arguments of a kernel do not overlap where it writes one.
  bool noalias = true;
};

// Adds a pattern for each variant of tile.copy, tile.copy_async and tile.fill,
// with the variant's priority as its benefit: they choose, as
// --tile-align-layouts does, and --tile-vectorize-copy and --tile-expand-copy
// follow; and one for each of tile.block_order, tile.return_if, tile.allocs,
// tile.extents and tile.view with promises, which are written out before copies
// are read. A copy that no variant takes stays. An op of another dialect that
// states a copy, by TileCopyOpInterface, becomes that copy. The patterns
// inspect the ops that define the operands, so a conversion in which other
// patterns replace those runs with allowPatternRollback unset in its
// ConversionConfig. Fails, after an error at the location, where an option is
// not valid.
llvm::LogicalResult
populateCopyPatterns(mlir::RewritePatternSet &patterns, mlir::Location loc,
                     const CopyPatternOptions &options = {});

// Makes copies illegal, and the ops that the patterns make legal.
void configureCopyLegality(mlir::ConversionTarget &target);

// Adds the same patterns of copies, and one for each variant of tile.mma, with
// its priority as its benefit, for each strategy of tile.scan, and for
// tile.map, tile.reduce, tile.total, tile.block_scan, tile.block_order,
// tile.return_if, tile.allocs, tile.extents and tile.view: those whose name
// `wanted` accepts, as "wgmma", "gmem_smem", "tile.map" or
// "TileCopyOpInterface". What a reduction becomes has copies. A tile.scan
// becomes kernels in the module that it names, so the driver runs on an op
// around both.
llvm::LogicalResult populateTilePatterns(
    mlir::RewritePatternSet &patterns, mlir::Location loc,
    const CopyPatternOptions &options = {},
    llvm::function_ref<bool(llvm::StringRef)> wanted = nullptr);

// Makes all of these ops illegal, and the ops that the patterns make legal.
void configureTileLegality(mlir::ConversionTarget &target);

// Converts a tile in global or shared memory to a pointer, an index for each
// extent that is known only at run time, and one for each such stride;
// tile.view and tile.parts convert between the two. A tile in registers or in
// tensor memory converts to no value.
void addBufferConversions(mlir::TypeConverter &converter);

// Patterns for scf, cf, func, gpu and arith.select whose values are converted,
// and their legality; also for functions and calls, but not for `outside`, the
// function that is converted alone.
void populateBufferConversionPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns,
                                      mlir::ConversionTarget &target,
                                      mlir::Operation *outside = nullptr);

} // namespace tile

#endif // TILE_PATTERNS_H
