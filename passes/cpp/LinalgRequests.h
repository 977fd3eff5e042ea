//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the passes from linalg to tiles ask for.

#ifndef TILE_PASSES_LINALG_REQUESTS_H
#define TILE_PASSES_LINALG_REQUESTS_H

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

// The options of passes that plan copies: those of a chip, and defaults.
inline TilePassOptions onChip(llvm::StringRef chip) {
  TilePassOptions options = {};
  options.chip = wrap(chip);
  options.maxVectorBits = 128;
  options.argumentAlignment = 256;
  options.noalias = true;
  return options;
}

// A request of no step.
inline TileLinalgRequest noSteps() {
  TileLinalgRequest request = {};
  request.instruction = request.epilogue = wrap(llvm::StringRef());
  return request;
}

// A request of all steps.
inline TileLinalgRequest allSteps() {
  TileLinalgRequest request = noSteps();
  request.vectors = request.split = request.memory = request.ops = true;
  return request;
}

} // namespace tile

#endif // TILE_PASSES_LINALG_REQUESTS_H
