//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The C interface of Create.cpp.

#ifndef TILE_CREATE_H
#define TILE_CREATE_H

#include "mlir-c/IR.h"

extern "C" {

// An op that is to be made, apart from its place. It takes the regions.
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

// None for an op that is not of the dialect, or has no such groups.
TileSegments tileOperandSegments(MlirOperation op);
}

#endif // TILE_CREATE_H
