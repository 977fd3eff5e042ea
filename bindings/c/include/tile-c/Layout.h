/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Queries on layouts. */

#ifndef TILE_C_LAYOUT_H
#define TILE_C_LAYOUT_H

#include "tile-c/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives the position of an element on one axis. */
typedef void (*MlirTilePlaceCallback)(int64_t axis, int64_t value,
                                      void *userData);

/* The location of the element with a logical index, row-major over the tile:
 * calls `at` for each axis that the layout names. */
MLIR_CAPI_EXPORTED bool mlirTileLayoutApply(MlirAttribute layout, int64_t index,
                                            MlirTilePlaceCallback at,
                                            void *userData,
                                            MlirTileErrorHandler onError);

/* The largest power of two, up to `most`, of elements that can always be loaded
 * or stored at a time. If twice as many cannot, the reason is passed to
 * `reason`. Returns 0 on an error. */
MLIR_CAPI_EXPORTED int64_t mlirTileLayoutWidestVector(
    MlirAttribute layout, int64_t elementBytes, int64_t baseAlignment,
    int64_t most, MlirStringCallback reason, void *userData,
    MlirTileErrorHandler onError);

/* The cost of an access to shared memory by a warp. */
typedef struct MlirTileBanks {
  /* The wavefronts that it takes. */
  int64_t wavefronts;
  /* The wavefronts that the same number of bytes takes without conflicts. */
  int64_t least;
} MlirTileBanks;

/* The cost when lane i accesses the elements with logical indices
 * first + i * width to first + (i + 1) * width - 1, with one instruction. */
MLIR_CAPI_EXPORTED bool
mlirTileLayoutBankConflicts(MlirAttribute layout, int64_t elementBytes,
                            int64_t first, int64_t width, MlirStringRef chip,
                            MlirTileBanks *banks, MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_LAYOUT_H */
