//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Functions that C++ defines and Rust calls: the dialect's attribute and type,
// making ops and reading the sizes of the dialect's groups of operands
// (Capi.cpp); diagnostics with notes, and remarks, which MLIR's C API lacks
// (Emit.cpp); copies that ops of other dialects state (StatedCopy.cpp).

#ifndef TILE_CAPI_H
#define TILE_CAPI_H

#include "Bridge.h"

#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"

extern "C" {

// A buffer type's parameters; shape lives as long as the context, fragment may
// be null.
struct TileBufferRef {
  const int64_t *shape;
  intptr_t rank;
  MlirType element;
  int32_t space;
  MlirAttribute layout;
  MlirAttribute fragment;
  bool isAuto;
};

bool tileAttributeIsALayout(MlirAttribute attribute);

// The attribute must be a layout.
TileLayoutRef tileLayoutAttrGetParts(MlirAttribute layout);

// Null, after an error at the location, when the parts form no valid layout.
MlirAttribute tileLayoutAttrGet(MlirLocation location, TileLayoutRef layout);

// Null, after an error at the location, when there is no such fragment.
MlirAttribute tileFragmentAttrGet(MlirLocation location, MlirStringRef name);

// The name of a fragment, which lives as long as the context; a null string if
// the attribute is none.
MlirStringRef tileFragmentAttrGetName(MlirAttribute attribute);

// What the schedule of an op says; the lists and the attribute live as long as
// the context.
struct TileSchedule {
  MlirStringRef instruction;
  const int64_t *over;
  intptr_t overSize;
  int64_t stages;
  MlirStringRef epilogue;
  const int64_t *tile;
  intptr_t tileSize;
  int64_t threads;
  int64_t group;
  MlirAttribute attribute;
};

// Reads the schedule of an op; false where it has none.
bool tileScheduleOf(MlirOperation op, TileSchedule *schedule);

// The plan of an attribute, which lives as long as the context; null if the
// attribute is no plan.
const void *tilePlanAttrGetPlan(MlirAttribute attribute);

// Takes over a reference to the plan.
MlirAttribute tilePlanAttrGet(MlirContext context, const void *plan);

bool tileTypeIsABuffer(MlirType type);

// The type must be a buffer.
TileBufferRef tileBufferTypeGetParts(MlirType type);

// Null, after an error at the location, when the parts form no valid buffer
// type.
MlirType tileBufferTypeGet(MlirLocation location, TileBufferRef buffer);

// The fields are as the planner writes them.
MlirType tileTensorMapTypeGet(MlirContext context, MlirStringRef fields);

// The fields of a tensor map, which live as long as the context; a null string
// if the type is none.
MlirStringRef tileTensorMapTypeFields(MlirType type);

// The parts of an op to be made. It takes ownership of the regions.
struct TileOpParts {
  MlirStringRef name;
  MlirLocation location;
  intptr_t operandCount;
  const MlirValue *operands;
  intptr_t resultCount;
  const MlirType *results;
  intptr_t attributeCount;
  const MlirStringRef *names;
  const MlirAttribute *attributes;
  intptr_t regionCount;
  const MlirRegion *regions;
};

MlirOperation tileCreateOp(TileOpParts parts);

// Sizes of groups of operands; they are valid until the op is changed.
struct TileSegments {
  const int32_t *sizes;
  intptr_t count;
};

// Empty for an op that is not of the dialect, or has no such groups.
TileSegments tileOperandSegments(MlirOperation op);

// Whether an op, and those of its regions, read and write no memory.
bool tileIsMemoryEffectFree(MlirOperation op);

struct TileNote {
  MlirLocation location;
  MlirStringRef text;
};

// Severity: 0 error, 1 warning. Errors read "'op' op text", as from
// emitOpError.
void tileEmit(MlirOperation op, int32_t severity, MlirStringRef text,
              intptr_t noteCount, const TileNote *notes);

struct TileRemark {
  MlirStringRef name;
  MlirStringRef category;
  MlirStringRef function;
  MlirStringRef text;
  intptr_t argCount;
  const MlirStringRef *keys;
  const MlirStringRef *values;
};

// Whether a filter accepts remarks of that kind and category.
bool tileRemarksEnabled(MlirContext context, int32_t kind,
                        MlirStringRef category);

// Kind: 0 passed, 1 missed.
void tileEmitRemark(MlirLocation location, int32_t kind, TileRemark remark);

// Reports why a pattern does not match.
void tileNotifyMatchFailure(MlirPatternRewriter rewriter, MlirOperation op,
                            MlirStringRef reason);

// A part of a copy that an op states: `stated_copy::CopyPart`.
enum TileCopyPart {
  TileCopySource,
  TileCopyDest,
  TileCopySourceBegin,
  TileCopyDestBegin,
  TileCopyFiller,
  TileCopyMbarrier,
};

// Whether an op implements TileCopyOpInterface.
bool tileStatesCopy(MlirOperation op);

// The copy that such an op states, in no block, at the op's location; null,
// with the part, where one is none of the op's operands.
MlirOperation tileMakeStatedCopy(MlirOperation op, TileCopyPart *other);

// Adds a pattern of all such ops; it owns the state.
void tileAddStatedCopyPattern(MlirRewritePatternSet set,
                              MlirRewritePatternCallbacks callbacks,
                              void *state);
}

#endif // TILE_CAPI_H
