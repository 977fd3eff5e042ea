/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Execution of kernels on the CPU, under checkers that a GPU does not have. */

#ifndef TILE_C_SIMULATE_H
#define TILE_C_SIMULATE_H

#include "tile-c/Compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An argument. Memory is copied to the device before the launch, and the bytes
 * that have a value there are copied back afterwards; two arguments with the
 * same address are the same memory. Anything else is passed by value. */
typedef struct MlirTileSimArgument {
  void *data;
  intptr_t bytes;
  bool isMemory;
} MlirTileSimArgument;

/* The shape of a launch; 0 for what the kernel needs. */
typedef struct MlirTileSimLaunch {
  uint32_t grid[3]; /* Never 0. */
  uint32_t block[3];
  uint32_t cluster[3];
  /* In bytes. */
  uint32_t dynamicShared;
  /* fair, random:SEED, one-block-at-a-time, reversed or starve:BLOCK; fair if
   * empty. */
  MlirStringRef schedule;
  /* Checkers to leave out, by their names on the command line of tile-run,
   * separated by commas: uninit, race, proxy, leak, equal-stores, all. */
  MlirStringRef noCheck;
} MlirTileSimLaunch;

/* The totals of all executions of an opcode. */
typedef struct MlirTileSimCounts {
  MlirStringRef opcode;
  /* The number of times that a warp issued it. */
  uint64_t issued;
  uint64_t globalBytes;
  uint64_t sharedBytes;
  /* Sectors of 32 bytes, in global memory. */
  uint64_t sectors;
  /* Wavefronts of shared memory, and those lost to bank conflicts. */
  uint64_t wavefronts;
  uint64_t conflicts;
} MlirTileSimCounts;

/* The finding of a checker: a race, an access out of bounds, … */
typedef struct MlirTileSimFault {
  /* The kind, such as race. */
  MlirStringRef kind;
  /* The full message: the thread, the location, and the conflicting access. */
  MlirStringRef text;
  /* The line of the PTX; 0 where no single line is to blame. */
  uint32_t ptxLine;
  /* The source location of that line, if the PTX has line information;
   * otherwise the file is empty. */
  MlirStringRef file;
  uint64_t line;
  uint64_t column;
} MlirTileSimFault;

/* Receives the results of a launch. Each function may be null. */
typedef struct MlirTileSimListener {
  void (*counts)(const MlirTileSimCounts *counts, void *userData);
  void (*fault)(const MlirTileSimFault *fault, void *userData);
  void *userData;
} MlirTileSimListener;

/* Describes the kernels of a PTX text that any compiler has made: a parameter's
 * declared type is that of the PTX, such as u64 or b8[128]. A text that the
 * simulator cannot run is an error, with its line. */
MLIR_CAPI_EXPORTED bool mlirTileReadPtx(MlirStringRef ptx,
                                        MlirTileKernelCallback call,
                                        void *userData,
                                        MlirTileErrorHandler onError);

/* Completes a launch of a kernel of a PTX text by what the kernel needs, and
 * refuses one that it cannot have: a grid of 0, blocks or clusters of another
 * size than it was compiled for, less dynamic shared memory than the compiler
 * has planned. For launches through a driver: mlirTileSimulate does the same.
 * A cluster that neither states stays 0. */
MLIR_CAPI_EXPORTED bool mlirTileCompleteLaunch(MlirStringRef ptx,
                                               MlirStringRef kernel,
                                               MlirTileSimLaunch *launch,
                                               MlirTileErrorHandler onError);

/* Runs a kernel of a PTX text to its end, or to the first fault. A fault is
 * passed to both the listener and the error handler; memory is then left
 * unchanged. */
MLIR_CAPI_EXPORTED bool mlirTileSimulate(
    MlirStringRef ptx, MlirStringRef kernel, const MlirTileSimLaunch *launch,
    intptr_t argCount, const MlirTileSimArgument *args,
    const MlirTileSimListener *listener, MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_SIMULATE_H */
