/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Questions about layouts. */

#ifndef TILE_C_LAYOUT_H
#define TILE_C_LAYOUT_H

#include "tile-c/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes where an element is on one axis. */
typedef void (*MlirTilePlaceCallback)(int64_t axis, int64_t value,
                                      void *userData);

/* Where the element of a logical index is, row-major over the tile: a call for
 * each axis that the layout names. */
MLIR_CAPI_EXPORTED bool mlirTileLayoutApply(MlirAttribute layout, int64_t index,
                                            MlirTilePlaceCallback at,
                                            void *userData,
                                            MlirTileErrorHandler onError);

/* The widest power of two of elements, up to `most`, that can always be loaded
 * or stored at a time, and what refuses twice as many: its reason is
 * passed to `reason`, if there is one. 0 on an error. */
MLIR_CAPI_EXPORTED int64_t mlirTileLayoutWidestVector(
    MlirAttribute layout, int64_t elementBytes, int64_t baseAlignment,
    int64_t most, MlirStringCallback reason, void *userData,
    MlirTileErrorHandler onError);

/* What an access of shared memory by a warp costs. */
typedef struct MlirTileBanks {
  /* Wavefronts that it takes. */
  int64_t wavefronts;
  /* Those that as many bytes without a conflict take. */
  int64_t least;
} MlirTileBanks;

/* Lane i accesses elements first + i * width to first + (i + 1) * width - 1 of
 * the logical index, with one instruction. */
MLIR_CAPI_EXPORTED bool
mlirTileLayoutBankConflicts(MlirAttribute layout, int64_t elementBytes,
                            int64_t first, int64_t width, MlirStringRef chip,
                            MlirTileBanks *banks, MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_LAYOUT_H */
