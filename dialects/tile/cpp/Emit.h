//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Diagnostics with notes, and remarks: what MLIR's C API lacks.

#ifndef TILE_EMIT_H
#define TILE_EMIT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

extern "C" {

struct TileNote {
  MlirLocation location;
  MlirStringRef text;
};

// Severity: 0 error, 1 warning. Errors read "'op' op text", as
// emitOpError says it.
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

// Does a filter take remarks of that kind and category?
bool tileRemarksEnabled(MlirContext context, int32_t kind,
                        MlirStringRef category);

// Kind: 0 passed, 1 missed.
void tileEmitRemark(MlirLocation location, int32_t kind, TileRemark remark);
}

#endif // TILE_EMIT_H
