//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The passes and pipelines of the tile compiler. Each pass has a struct of its
// options and a function that makes it:
//
//   pm.addPass(tile::createLowerTileCopy({.chip = "sm_90a"}));

#ifndef TILE_PASSES_H
#define TILE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/TilePasses.h.inc"

// From lowered copies to the LLVM and NVVM dialects: --tile-to-nvvm.
void buildTileToNVVM(mlir::OpPassManager &pm,
                     const TilePrepareKernelsOptions &options = {},
                     bool lineInfo = false);

#define GEN_PASS_REGISTRATION
#include "tile/TilePasses.h.inc"

// The upstream conversions that the pipeline consists of, each by its own name.
void registerConversions();

} // namespace tile

#endif // TILE_PASSES_H
