/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Kernels executed on the CPU, under checkers that a GPU does not have. */

#ifndef TILE_C_SIMULATE_H
#define TILE_C_SIMULATE_H

#include "tile-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An argument. Memory is brought to the device before the launch, and what has
 * a value there comes back behind it; two arguments with the same address are
 * the same memory. Anything else is passed as it stands. */
typedef struct MlirTileSimArgument {
  void *data;
  intptr_t bytes;
  bool isMemory;
} MlirTileSimArgument;

typedef struct MlirTileSimLaunch {
  uint32_t grid[3];
  uint32_t block[3];
  /* 0: what the kernel requires. */
  uint32_t cluster[3];
  uint32_t dynamicShared;
  /* fair, random:SEED, one-block-at-a-time, reversed or starve:BLOCK; empty:
   * fair. */
  MlirStringRef schedule;
} MlirTileSimLaunch;

/* What all executions of an opcode came to. */
typedef struct MlirTileSimCounts {
  MlirStringRef opcode;
  /* Times that a warp issued it. */
  uint64_t issued;
  uint64_t globalBytes;
  uint64_t sharedBytes;
  /* Of 32 bytes, in global memory. */
  uint64_t sectors;
  /* Of shared memory, and those lost to bank conflicts. */
  uint64_t wavefronts;
  uint64_t conflicts;
} MlirTileSimCounts;

/* What a checker found: a race, an access out of bounds, … */
typedef struct MlirTileSimFault {
  /* Such as race. */
  MlirStringRef kind;
  /* All of it, in words: who, where, and the other side. */
  MlirStringRef text;
  /* Line of the PTX; 0 where no single one is to blame. */
  uint32_t ptxLine;
  /* Where that line comes from, with PTX that names its lines; otherwise the
   * file is empty. */
  MlirStringRef file;
  uint64_t line;
  uint64_t column;
} MlirTileSimFault;

/* Takes what comes of a launch. Each function may be null. */
typedef struct MlirTileSimListener {
  void (*counts)(const MlirTileSimCounts *counts, void *userData);
  void (*fault)(const MlirTileSimFault *fault, void *userData);
  void *userData;
} MlirTileSimListener;

/* Runs a kernel of a PTX text to its end, or to the first fault, which the
 * listener gets and the error handler, too. Memory is left as it was, then. */
MLIR_CAPI_EXPORTED bool mlirTileSimulate(
    MlirStringRef ptx, MlirStringRef kernel, const MlirTileSimLaunch *launch,
    intptr_t argCount, const MlirTileSimArgument *args,
    const MlirTileSimListener *listener, MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_SIMULATE_H */
