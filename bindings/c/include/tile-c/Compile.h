/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Pipelines, PTX, and what the compiler says on the way. */

#ifndef TILE_C_COMPILE_H
#define TILE_C_COMPILE_H

#include "mlir-c/IR.h"
#include "tile-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to compile for, and how. Strings may be empty. */
typedef struct MlirTileCompileOptions {
  /* Such as sm_90a; empty, the one that the gpu.module names, else sm_80. */
  MlirStringRef chip;
  /* The PTX version, such as +ptx86; empty, the first that will do. */
  MlirStringRef features;
  /* Which of several gpu.modules. */
  MlirStringRef gpuModule;
  /* Widest load or store. */
  uint32_t maxVectorBits;
  /* What memref arguments of kernels are aligned to, in bytes. */
  uint32_t argumentAlignment;
  /* PTX names the lines of its MLIR. */
  bool lineInfo;
  /* Memref arguments do not overlap where one of them is written. */
  bool noalias;
} MlirTileCompileOptions;

MLIR_CAPI_EXPORTED MlirTileCompileOptions
mlirTileCompileOptionsGetDefault(void);

/* Runs a pipeline such as builtin.module(lower-tile-copy{chip=sm_90a}). */
MLIR_CAPI_EXPORTED bool mlirTileRunPipeline(MlirModule module,
                                            MlirStringRef pipeline,
                                            MlirTileErrorHandler onError);

/* Runs what is left of the pipeline on a module at any stage, and hands over
 * the PTX of its gpu.module. Options may be null: the defaults. */
MLIR_CAPI_EXPORTED bool mlirTileCompile(MlirModule module,
                                        const MlirTileCompileOptions *options,
                                        MlirStringCallback ptx, void *userData,
                                        MlirTileErrorHandler onError);

/* The same of a text, which errors call `name`, in a context of its own. */
MLIR_CAPI_EXPORTED bool
mlirTileCompileText(MlirStringRef text, MlirStringRef name,
                    const MlirTileCompileOptions *options,
                    MlirStringCallback ptx, void *userData,
                    MlirTileErrorHandler onError);

/* Runs a pipeline on a text, which errors call `name`, in a context of its
 * own, and hands over the text of what comes out, in one call, and each warning
 * with its place. Both functions may be null. */
MLIR_CAPI_EXPORTED bool
mlirTileLowerText(MlirStringRef text, MlirStringRef name,
                  MlirStringRef pipeline, MlirStringCallback lowered,
                  MlirStringCallback warning, void *userData,
                  MlirTileErrorHandler onError);

/* How a copy is done, or why not otherwise. What it points to lives during the
 * call. */
typedef struct MlirTileRemark {
  /* False: a missed one. */
  bool passed;
  /* Its name, such as gmem_smem, and its category, such as tile-copy. */
  MlirStringRef name;
  MlirStringRef category;
  MlirStringRef function;
  MlirLocation location;
  /* Pairs, such as Instructions and what they are. */
  intptr_t argCount;
  const MlirStringRef *keys;
  const MlirStringRef *values;
} MlirTileRemark;

typedef void (*MlirTileRemarkCallback)(const MlirTileRemark *remark,
                                       void *userData);

/* Calls a function for each remark of passes that run in the context, from the
 * threads that they run in. Without a function there are no more calls. */
MLIR_CAPI_EXPORTED bool mlirTileSetRemarkCallback(MlirContext context,
                                                  MlirTileRemarkCallback call,
                                                  void *userData,
                                                  MlirTileErrorHandler onError);

/* What is passed for an argument of a kernel. */
typedef enum MlirTileArgumentKind {
  /* A vector or an aggregate. */
  MlirTileArgumentOther = 0,
  /* A 64-bit address: of the memory of a memref, before its offset. */
  MlirTileArgumentPointer = 1,
  MlirTileArgumentInteger = 2,
  MlirTileArgumentFloat = 3
} MlirTileArgumentKind;

/* Which number of the memref whose pointer comes before. */
typedef enum MlirTileNumber {
  MlirTileNumberNone = 0,
  MlirTileNumberOffset = 1,
  MlirTileNumberExtent = 2,
  MlirTileNumberStride = 3
} MlirTileNumber;

typedef struct MlirTileArgument {
  MlirTileArgumentKind kind;
  /* Of a number, or of a pointer; 0 of others. */
  uint32_t bits;
  /* What the memory of a pointer is promised to be aligned to, in bytes; 0
   * where nothing is promised. */
  uint64_t alignment;
  /* The type in the gpu.func, such as memref<32x?xf32>; empty where the module
   * was lowered already. */
  MlirStringRef declared;
  MlirTileNumber number;
  /* Of an extent or a stride. */
  intptr_t dimension;
} MlirTileArgument;

/* What a launch must know of a kernel. What it points to lives during the
 * call. */
typedef struct MlirTileKernel {
  MlirStringRef name;
  /* Threads of a block in x, y, z for which it was compiled; 0 where that was
   * not said. */
  uint32_t threads[3];
  /* Blocks of a cluster; 0 where it has none. */
  uint32_t cluster[3];
  intptr_t argCount;
  const MlirTileArgument *args;
} MlirTileKernel;

/* Takes what comes of a compilation. Each function may be null. */
typedef struct MlirTileCompileListener {
  /* The PTX, in one call. */
  MlirStringCallback ptx;
  /* Each kernel of it. */
  void (*kernel)(const MlirTileKernel *kernel, void *userData);
  /* Each remark. */
  MlirTileRemarkCallback remark;
  /* Each warning, with its place. */
  MlirStringCallback warning;
  void *userData;
} MlirTileCompileListener;

/* As mlirTileCompileText, and says more than the PTX. */
MLIR_CAPI_EXPORTED bool
mlirTileCompileTextWith(MlirStringRef text, MlirStringRef name,
                        const MlirTileCompileOptions *options,
                        const MlirTileCompileListener *listener,
                        MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_COMPILE_H */
