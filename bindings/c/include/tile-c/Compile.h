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
 * threads that they run in. Without a function nobody is called any more. */
MLIR_CAPI_EXPORTED bool mlirTileSetRemarkCallback(MlirContext context,
                                                  MlirTileRemarkCallback call,
                                                  void *userData,
                                                  MlirTileErrorHandler onError);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_COMPILE_H */
