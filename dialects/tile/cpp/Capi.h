//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The C interface of the dialect's attribute and type.

#ifndef TILE_CAPI_H
#define TILE_CAPI_H

#include "Bridge.h"

extern "C" {

// A buffer type's parameters; shape lives as long as the context.
struct TileBufferRef {
  const int64_t *shape;
  intptr_t rank;
  MlirType element;
  int32_t space;
  MlirAttribute layout;
};

bool tileAttributeIsALayout(MlirAttribute attribute);

// The attribute must be a layout.
TileLayoutRef tileLayoutAttrGetParts(MlirAttribute layout);

// Null, after an error at the location, when the parts make no layout.
MlirAttribute tileLayoutAttrGet(MlirLocation location, TileLayoutRef layout);

bool tileTypeIsABuffer(MlirType type);

// The type must be a buffer.
TileBufferRef tileBufferTypeGetParts(MlirType type);

// Null, after an error at the location, when the parts make no buffer type.
MlirType tileBufferTypeGet(MlirLocation location, TileBufferRef buffer);
}

#endif // TILE_CAPI_H
