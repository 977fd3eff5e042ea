//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Functions that Rust defines and C++ calls. None of them unwinds.

#ifndef TILE_BRIDGE_H
#define TILE_BRIDGE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

extern "C" {

// A layout as the attribute stores it: triples (extent, stride, axis code) of
// the shard and the replica, pairs (axis code, value) of the offset, and
// nothing or (per_element, length, distance, inner) of the swizzle.
struct TileLayoutRef {
  const int64_t *shard;
  intptr_t shardSize;
  const int64_t *replica;
  intptr_t replicaSize;
  const int64_t *offset;
  intptr_t offsetSize;
  const int64_t *swizzle;
  intptr_t swizzleSize;
};

// The code of a named axis, or -1; then the known names are passed to say.
int64_t tileAxisCode(MlirStringRef name, MlirStringCallback say,
                     void *userData);

// Takes a layout; its lists are valid during the call.
typedef void (*TileLayoutCallback)(TileLayoutRef layout, void *userData);

// Takes a mistake in a text, `at` bytes from its start.
typedef void (*TileMistakeCallback)(intptr_t at, MlirStringRef message,
                                    void *userData);

// Reads the text of a layout: passes the layout to accept, or the first
// mistake to refuse.
void tileLayoutParse(MlirStringRef text, TileLayoutCallback accept,
                     TileMistakeCallback refuse, void *userData);

// Writes the text of a layout to put, in pieces.
void tileLayoutPrint(TileLayoutRef layout, MlirStringCallback put,
                     void *userData);

// True when the layout is well formed; otherwise the reason is passed to say.
bool tileLayoutVerify(TileLayoutRef layout, MlirStringCallback say,
                      void *userData);

// Reads the name of a fragment: passes it as it is printed to accept, or the
// first mistake to refuse.
void tileFragmentParse(MlirStringRef text, MlirStringCallback accept,
                       TileMistakeCallback refuse, void *userData);

// True when that is the name of a fragment as it is printed; otherwise the
// reason is passed to say.
bool tileFragmentVerify(MlirStringRef name, MlirStringCallback say,
                        void *userData);

// Passes to accept the layout that a fragment of a tile has, or to say why
// there is none.
void tileFragmentLayout(MlirStringRef name, const int64_t *shape, intptr_t rank,
                        uint32_t elementBits, int32_t space,
                        TileLayoutCallback accept, MlirStringCallback say,
                        void *userData);

// True when these are fields of a schedule; otherwise the reason is passed to
// say.
struct TileSchedule;
bool tileScheduleVerify(const TileSchedule *schedule, MlirStringCallback say,
                        void *userData);

// A plan is an immutable value that counts its references.
void tilePlanRetain(const void *plan);
void tilePlanRelease(const void *plan);
bool tilePlanEqual(const void *plan, const void *other);
size_t tilePlanHash(const void *plan);

// Whether accesses of the plan may be in flight after the op.
bool tilePlanIsAsynchronous(const void *plan);
// Whether the plan writes its buffer at that place, instead of reading it.
bool tilePlanWrites(const void *plan, size_t place);

// Takes a reference to a plan.
typedef void (*TilePlanCallback)(const void *plan, void *userData);

// Reads the text of a plan: passes the plan to accept, or the first mistake to
// refuse.
void tilePlanParse(MlirStringRef text, TilePlanCallback accept,
                   TileMistakeCallback refuse, void *userData);

// Writes the text of a plan to put.
void tilePlanPrint(const void *plan, MlirStringCallback put, void *userData);

// Reads the fields of a tensor map: passes them as they are written to accept,
// or the first mistake to refuse.
void tileTensorMapParse(MlirStringRef text, MlirStringCallback accept,
                        TileMistakeCallback refuse, void *userData);

// The number of run-time strides that the layout steps by: one more than the
// last index that it names.
intptr_t tileStrideCount(TileLayoutRef layout);

// Writes the dense row-major shard of a shape, a triple per dimension; returns
// false, and passes the reason to say, when the shape has no such layout.
bool tileRowMajor(const int64_t *shape, intptr_t rank, int64_t *shard,
                  MlirStringCallback say, void *userData);

// True when the layout fits the shape and the space (0 global, 1 shared, 2
// local, 3 tmem).
bool tileBufferVerify(const int64_t *shape, intptr_t rank, int32_t space,
                      TileLayoutRef layout, MlirStringCallback say,
                      void *userData);

// Verify an op and report what is wrong; false when anything is.
bool tileViewVerify(MlirOperation op);
bool tileAllocVerify(MlirOperation op);
bool tileExtentsVerify(MlirOperation op);
bool tileLocalViewVerify(MlirOperation op);
bool tileAssumeVerify(MlirOperation op);
bool tileBlockOrderVerify(MlirOperation op);
bool tileReturnIfVerify(MlirOperation op);
bool tileVersionVerify(MlirOperation op);
bool tileTmemVerify(MlirOperation op);
bool tileCopyVerify(MlirOperation op);
bool tilePlannedCopyVerify(MlirOperation op);
bool tileDerivedVerify(MlirOperation op);
bool tilePartsVerify(MlirOperation op);
bool tileScanVerify(MlirOperation op);
bool tileChainedVerify(MlirOperation op);
bool tileSortVerify(MlirOperation op);
bool tileMmaVerify(MlirOperation op);
bool tileWarpgroupMmaVerify(MlirOperation op);
bool tileMapVerify(MlirOperation op);
bool tileReduceVerify(MlirOperation op);
bool tileBlockScanVerify(MlirOperation op);
bool tileTotalVerify(MlirOperation op);
bool tileTensorMapVerify(MlirOperation op);
bool tileUpdateMapVerify(MlirOperation op);

// As these, for an attribute of the dialect on an op of any.
bool tileAttributeVerify(MlirOperation op, MlirStringRef name);

// Whether a tile.subview of a tile of type `source` has the type `result`.
// Run-time begins are DYNAMIC.
bool tileIsPart(MlirType source, const int64_t *begins, const int64_t *sizes,
                intptr_t rank, MlirType result);

// The type of the result of an op that does not write it; null, after the
// reason was passed to say, where its operand does not determine it.
MlirType tilePartType(MlirLocation location, MlirType source,
                      const int64_t *begins, const int64_t *sizes,
                      intptr_t rank, MlirStringCallback say, void *userData);
MlirType tilePermutedType(MlirLocation location, MlirType source,
                          const int64_t *order, intptr_t rank,
                          MlirStringCallback say, void *userData);
MlirType tileRegistersType(MlirType source, MlirStringCallback say,
                           void *userData);
MlirType tileViewType(MlirLocation location, MlirType source,
                      MlirStringCallback say, void *userData);

// Passes to say where the run-time strides of a tile's type come from, if it
// states no layout; else nothing.
void tileUnwrittenLayout(MlirType buffer, MlirStringCallback say,
                         void *userData);

// Whether a tile.cast may convert the source type to the result type.
bool tileMayCast(MlirType source, MlirType result);
}

#endif // TILE_BRIDGE_H
