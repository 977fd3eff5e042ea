//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// MLIR's parser calls itself for each level that a text nests: one that nests
// too deep is refused before it is parsed.

#ifndef TILE_PASSES_NESTING_H
#define TILE_PASSES_NESTING_H

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tile {

// Fails after an error that says where the text nests too deep.
inline llvm::LogicalResult checkNesting(llvm::MemoryBufferRef text) {
  uint64_t line = 0, column = 0;
  if (tileCheckNesting(wrap(text.getBuffer()), &line, &column))
    return llvm::success();
  llvm::errs() << text.getBufferIdentifier() << ":" << line << ":" << column
               << ": error: nests deeper than 256 levels\n";
  return llvm::failure();
}

} // namespace tile

#endif // TILE_PASSES_NESTING_H
