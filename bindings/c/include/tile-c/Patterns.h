/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* The lowering of ops on tiles as rewrite patterns for any driver. */

#ifndef TILE_C_PATTERNS_H
#define TILE_C_PATTERNS_H

#include "mlir-c/Rewrite.h"
#include "tile-c/Compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a pattern is wanted, by its name. */
typedef bool (*MlirTileNameFilter)(MlirStringRef name, void *userData);

/* Adds a pattern for each variant of tile.copy, tile.copy_async, tile.fill
 * and tile.mma and for each strategy of tile.scan, by their
 * names, with their priorities as benefits; and for tile.map, tile.reduce,
 * tile.total, tile.block_scan, tile.block_order, tile.return_if, tile.allocs,
 * tile.extents and tile.view, by these names. A null filter accepts all.
 * Returns how many there are, -1 after an error. Of the options, which may be
 * null, chip, widths, alignment and noalias apply. Loads the dialects that are
 * registered in the context. A tile.scan becomes kernels in the module that it
 * names: the driver runs on an op around both. */
MLIR_CAPI_EXPORTED intptr_t mlirTilePopulatePatterns(
    MlirRewritePatternSet patterns, MlirContext context,
    const MlirTileCompileOptions *options, MlirTileNameFilter wanted,
    void *userData, MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_PATTERNS_H */
