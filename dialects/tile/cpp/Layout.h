//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Functions on the layout attribute for the other files.

#ifndef TILE_LAYOUT_H
#define TILE_LAYOUT_H

#include "Bridge.h"
#include "tile/Dialect.h"

namespace tile {

// The layout in the form that Rust reads; valid as long as its parts live.
TileLayoutRef layoutRef(LayoutAttr layout);
TileLayoutRef layoutRef(llvm::ArrayRef<int64_t> shard,
                        llvm::ArrayRef<int64_t> replica,
                        llvm::ArrayRef<int64_t> offset,
                        llvm::ArrayRef<int64_t> swizzle);

// The attribute of a layout; null, after an error, when it is malformed.
LayoutAttr makeLayout(mlir::MLIRContext *context, TileLayoutRef layout,
                      llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

// The dense row-major layout of a shape; null, with the reason, when it has
// none.
LayoutAttr rowMajorLayout(mlir::MLIRContext *context,
                          llvm::ArrayRef<int64_t> shape, std::string &reason);

// An MlirStringCallback that appends to a std::string.
void appendTo(MlirStringRef text, void *string);

} // namespace tile

#endif // TILE_LAYOUT_H
