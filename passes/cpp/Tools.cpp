//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Mains of tile-opt and tile-lsp-server.

#include "Passes.h"
#include "Registry.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

extern "C" int tileOptMain(int argc, char **argv) {
  DialectRegistry registry;
  tile::registerDialects(registry);
  tile::registerAllTilePasses();
  tile::registerConversions();
  registerTransformsPasses();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "tile copies to GPU instructions\n", registry));
}

extern "C" int tileLspServerMain(int argc, char **argv) {
  DialectRegistry registry;
  tile::registerDialects(registry);
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}
