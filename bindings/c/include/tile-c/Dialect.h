/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* The tile dialect: registration, the layout attribute, the buffer type. */

#ifndef TILE_C_DIALECT_H
#define TILE_C_DIALECT_H

#include "mlir-c/IR.h"
#include "tile-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__tile__() */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);

/* Adds the tile dialect and all other dialects that a kernel module may use,
 * with their conversions and translations to LLVM. */
MLIR_CAPI_EXPORTED bool
mlirTileRegisterAllDialects(MlirDialectRegistry registry,
                            MlirTileErrorHandler onError);

/* Registers the passes and the pipeline tile-to-nvvm by their names. May be
 * called any number of times. */
MLIR_CAPI_EXPORTED void mlirTileRegisterAllPasses(void);

/* The axis of that name, such as laneid or m (memory); -1 if there is none. */
MLIR_CAPI_EXPORTED int64_t mlirTileAxisFromName(MlirStringRef name);

/* The name of an axis; empty if there is no such axis. */
MLIR_CAPI_EXPORTED MlirStringRef mlirTileAxisGetName(int64_t axis);

/* An iter (CuTe: mode) of a layout. */
typedef struct MlirTileIter {
  int64_t extent;
  int64_t stride;
  int64_t axis;
} MlirTileIter;

/* An XOR of the memory address: 2^perElement elements stay together, and
 * `length` bits are XORed with the bits `distance` higher, or lower if inner is
 * false. */
typedef struct MlirTileSwizzle {
  uint32_t perElement;
  uint32_t length;
  uint32_t distance;
  bool inner;
} MlirTileSwizzle;

/* Whether the attribute is a #tile.layout; false for null. */
MLIR_CAPI_EXPORTED bool mlirAttributeIsATileLayout(MlirAttribute attribute);

/* A layout with the given shard iters, slowest first, and replica iters, along
 * which every element is repeated. The swizzle may be null. */
MLIR_CAPI_EXPORTED MlirAttribute mlirTileLayoutAttrGet(
    MlirContext context, intptr_t shardSize, const MlirTileIter *shard,
    intptr_t replicaSize, const MlirTileIter *replica,
    const MlirTileSwizzle *swizzle, MlirTileErrorHandler onError);

/* The dense row-major layout of a shape. */
MLIR_CAPI_EXPORTED MlirAttribute mlirTileLayoutAttrGetRowMajor(
    MlirContext context, intptr_t rank, const int64_t *shape,
    MlirTileErrorHandler onError);

/* The number of iters; -1 if the attribute is no layout. */
MLIR_CAPI_EXPORTED intptr_t mlirTileLayoutAttrGetShardSize(MlirAttribute);
MLIR_CAPI_EXPORTED intptr_t mlirTileLayoutAttrGetReplicaSize(MlirAttribute);

/* Return false if there is no such iter. */
MLIR_CAPI_EXPORTED bool mlirTileLayoutAttrGetShard(MlirAttribute layout,
                                                   intptr_t index,
                                                   MlirTileIter *iter);
MLIR_CAPI_EXPORTED bool mlirTileLayoutAttrGetReplica(MlirAttribute layout,
                                                     intptr_t index,
                                                     MlirTileIter *iter);

/* The constant offset on an axis. */
MLIR_CAPI_EXPORTED int64_t mlirTileLayoutAttrGetOffset(MlirAttribute layout,
                                                       int64_t axis);

/* Returns false if there is no swizzle. */
MLIR_CAPI_EXPORTED bool mlirTileLayoutAttrGetSwizzle(MlirAttribute layout,
                                                     MlirTileSwizzle *swizzle);

/* Whether the attribute is a #tile.fragment; false for null. */
MLIR_CAPI_EXPORTED bool mlirAttributeIsATileFragment(MlirAttribute attribute);

/* The layout of an operand of a matrix instruction, by name:
 * mma.m16n8k16.a over (2, 4) warps. */
MLIR_CAPI_EXPORTED MlirAttribute mlirTileFragmentAttrGet(
    MlirContext context, MlirStringRef name, MlirTileErrorHandler onError);

/* The memory that a tile lives in. */
typedef enum MlirTileSpace {
  MlirTileSpaceNone = -1,
  MlirTileSpaceGlobal = 0,
  MlirTileSpaceShared = 1,
  MlirTileSpaceLocal = 2,
  MlirTileSpaceTmem = 3
} MlirTileSpace;

/* Whether the type is a !tile.buffer; false for null. */
MLIR_CAPI_EXPORTED bool mlirTypeIsATileBuffer(MlirType type);

/* A buffer type. The layout may be a fragment; null means dense and row-major.
 */
MLIR_CAPI_EXPORTED MlirType mlirTileBufferTypeGet(
    intptr_t rank, const int64_t *shape, MlirType element, MlirTileSpace space,
    MlirAttribute layout, MlirTileErrorHandler onError);

/* A buffer type whose layout the compiler chooses, in shared or local memory.
 */
MLIR_CAPI_EXPORTED MlirType
mlirTileBufferTypeGetAuto(intptr_t rank, const int64_t *shape, MlirType element,
                          MlirTileSpace space, MlirTileErrorHandler onError);

/* Whether the layout is still to be chosen; false if the type is no buffer. */
MLIR_CAPI_EXPORTED bool mlirTileBufferTypeIsAuto(MlirType type);

/* These return -1 or null if the type is no buffer. A run-time extent is
 * mlirShapedTypeGetDynamicSize(). */
MLIR_CAPI_EXPORTED intptr_t mlirTileBufferTypeGetRank(MlirType type);
MLIR_CAPI_EXPORTED int64_t mlirTileBufferTypeGetDimSize(MlirType type,
                                                        intptr_t dim);
MLIR_CAPI_EXPORTED MlirType mlirTileBufferTypeGetElementType(MlirType type);
MLIR_CAPI_EXPORTED MlirTileSpace mlirTileBufferTypeGetSpace(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute mlirTileBufferTypeGetLayout(MlirType type);

/* The fragment that names the layout; null if there is none. */
MLIR_CAPI_EXPORTED MlirAttribute mlirTileBufferTypeGetFragment(MlirType type);

/* What each op of the dialect, and of those that kernels use beside it, takes
 * and gives: JSON, an object with a member for each op by its name, for
 * builders in other languages. It lives as long as the library. */
MLIR_CAPI_EXPORTED MlirStringRef mlirTileOpSignatures(void);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_DIALECT_H */
