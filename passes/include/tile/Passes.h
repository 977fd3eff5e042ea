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

#include "tile/OldNames.h"

#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/TilePasses.h.inc"

#define TILE_OLD_PASS(OLD, NEW, OLD_CLASS, CLASS)                              \
  using OLD_CLASS##Options [[deprecated("its name is " #CLASS "Options")]] =   \
      CLASS##Options;                                                          \
  [[deprecated("its name is create" #CLASS)]]                                  \
  inline std::unique_ptr<mlir::Pass> create##OLD_CLASS(                        \
      const CLASS##Options &options = {}) {                                    \
    return create##CLASS(options);                                             \
  }
TILE_OLD_PASSES(TILE_OLD_PASS)
#undef TILE_OLD_PASS

// From lowered copies to the LLVM and NVVM dialects: --tile-to-nvvm.
void buildTileToNVVM(mlir::OpPassManager &pm,
                     const TilePrepareKernelsOptions &options = {},
                     bool lineInfo = false);

#define GEN_PASS_REGISTRATION
#include "tile/TilePasses.h.inc"

// Old names of passes in textual pipelines.
void registerOldPassNames();

// The upstream conversions that the pipeline consists of, each by its own name.
void registerConversions();

} // namespace tile

#endif // TILE_PASSES_H
