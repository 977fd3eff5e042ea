/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Pipelines, PTX, and the remarks and warnings of the compiler. */

#ifndef TILE_C_COMPILE_H
#define TILE_C_COMPILE_H

#include "mlir-c/IR.h"
#include "tile-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The target and options of a compilation. Strings may be empty. */
typedef struct MlirTileCompileOptions {
  /* The chip, such as sm_90a; if empty, the one that the gpu.module names, else
   * sm_80. */
  MlirStringRef chip;
  /* The PTX version, such as +ptx86; if empty, the oldest that suffices. */
  MlirStringRef features;
  /* The name of the gpu.module, where there are several. */
  MlirStringRef gpuModule;
  /* The widest load or store, in bits. */
  uint32_t maxVectorBits;
  /* The alignment of memref arguments of kernels, in bytes. */
  uint32_t argumentAlignment;
  /* Whether the PTX refers to the lines of its MLIR. */
  bool lineInfo;
  /* Whether memref arguments never overlap where one of them is written. */
  bool noalias;
  /* The passes to run, such as lower-tile-copy,tile-to-nvvm; if empty,
   * tile-build. Widths, alignment and noalias are then their own options. */
  MlirStringRef passes;
} MlirTileCompileOptions;

MLIR_CAPI_EXPORTED MlirTileCompileOptions
mlirTileCompileOptionsGetDefault(void);

/* Runs a pipeline such as builtin.module(lower-tile-copy{chip=sm_90a}). */
MLIR_CAPI_EXPORTED bool mlirTileRunPipeline(MlirModule module,
                                            MlirStringRef pipeline,
                                            MlirTileErrorHandler onError);

/* Runs the passes on a module at any stage, and passes the PTX of its
 * gpu.module to `ptx`. Null options are the defaults. */
MLIR_CAPI_EXPORTED bool mlirTileCompile(MlirModule module,
                                        const MlirTileCompileOptions *options,
                                        MlirStringCallback ptx, void *userData,
                                        MlirTileErrorHandler onError);

/* Compiles a text in a separate context; errors refer to it as `name`. */
MLIR_CAPI_EXPORTED bool
mlirTileCompileText(MlirStringRef text, MlirStringRef name,
                    const MlirTileCompileOptions *options,
                    MlirStringCallback ptx, void *userData,
                    MlirTileErrorHandler onError);

/* Runs a pipeline on a text in a separate context; errors refer to it as
 * `name`. Passes the text of the result to `lowered`, in one call, and each
 * warning, with its location, to `warning`. Both functions may be null. */
MLIR_CAPI_EXPORTED bool
mlirTileLowerText(MlirStringRef text, MlirStringRef name,
                  MlirStringRef pipeline, MlirStringCallback lowered,
                  MlirStringCallback warning, void *userData,
                  MlirTileErrorHandler onError);

/* A remark: how a copy is lowered, or what prevented another way. Its pointers
 * are valid during the call. */
typedef struct MlirTileRemark {
  /* False for a missed remark. */
  bool passed;
  /* Its name, such as gmem_smem, and its category, such as tile-copy. */
  MlirStringRef name;
  MlirStringRef category;
  MlirStringRef function;
  MlirLocation location;
  /* Pairs of a key, such as Instructions, and a value. */
  intptr_t argCount;
  const MlirStringRef *keys;
  const MlirStringRef *values;
} MlirTileRemark;

typedef void (*MlirTileRemarkCallback)(const MlirTileRemark *remark,
                                       void *userData);

/* Calls a function for each remark of passes that run in the context, on the
 * threads that they run on. A null function ends the calls. */
MLIR_CAPI_EXPORTED bool mlirTileSetRemarkCallback(MlirContext context,
                                                  MlirTileRemarkCallback call,
                                                  void *userData,
                                                  MlirTileErrorHandler onError);

/* The kind of value that is passed for an argument of a kernel. */
typedef enum MlirTileArgumentKind {
  /* A vector or an aggregate. */
  MlirTileArgumentOther = 0,
  /* A 64-bit address; for a memref that of its memory, before its offset. */
  MlirTileArgumentPointer = 1,
  MlirTileArgumentInteger = 2,
  MlirTileArgumentFloat = 3,
  /* A tensor map: the 128 bytes that cuTensorMapEncodeTiled encodes. A line
   * below the PTX says what it is made of: mlirTileSimulate makes it where
   * fewer arguments are given than the kernel has. */
  MlirTileArgumentTensorMap = 4
} MlirTileArgumentKind;

/* A run-time number of the memref whose pointer precedes it. */
typedef enum MlirTileNumber {
  MlirTileNumberNone = 0,
  MlirTileNumberOffset = 1,
  MlirTileNumberExtent = 2,
  MlirTileNumberStride = 3
} MlirTileNumber;

typedef struct MlirTileArgument {
  MlirTileArgumentKind kind;
  /* The width of a number or a pointer; 0 for others. */
  uint32_t bits;
  /* The promised alignment of a pointer's memory, in bytes; 0 without a
   * promise. */
  uint64_t alignment;
  /* The type in the gpu.func, such as memref<32x?xf32>; empty where the module
   * was lowered already. */
  MlirStringRef declared;
  MlirTileNumber number;
  /* The dimension of an extent or a stride. */
  intptr_t dimension;
} MlirTileArgument;

/* What a launch needs to know about a kernel. Its pointers are valid during the
 * call. */
typedef struct MlirTileKernel {
  MlirStringRef name;
  /* The threads of a block in x, y, z for which it was compiled; 0 if not
   * specified. */
  uint32_t threads[3];
  /* The blocks of a cluster; 0 if it has no clusters. */
  uint32_t cluster[3];
  /* Bytes of static shared memory that it uses, and functions that it calls. */
  uint64_t staticShared;
  /* Bytes of dynamic shared memory that a launch must give it. */
  uint64_t dynamicShared;
  intptr_t argCount;
  const MlirTileArgument *args;
} MlirTileKernel;

typedef void (*MlirTileKernelCallback)(const MlirTileKernel *kernel,
                                       void *userData);

/* Receives the results of a compilation. Each function may be null. */
typedef struct MlirTileCompileListener {
  /* Receives the PTX, in one call. */
  MlirStringCallback ptx;
  /* Receives each kernel of it. */
  MlirTileKernelCallback kernel;
  /* Receives each remark. */
  MlirTileRemarkCallback remark;
  /* Receives each warning, with its location. */
  MlirStringCallback warning;
  void *userData;
} MlirTileCompileListener;

/* Like mlirTileCompileText, but also reports kernels, remarks and warnings. */
MLIR_CAPI_EXPORTED bool
mlirTileCompileTextWith(MlirStringRef text, MlirStringRef name,
                        const MlirTileCompileOptions *options,
                        const MlirTileCompileListener *listener,
                        MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_COMPILE_H */
