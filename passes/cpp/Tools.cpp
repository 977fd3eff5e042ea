//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Mains of tile-opt and tile-lsp-server.

#include "Nesting.h"
#include "tile/InitAll.h"
#include "tile/Passes.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

// Reads a file, checks it, and writes what the passes make of it.
static LogicalResult runPasses(StringRef input, StringRef output,
                               DialectRegistry &registry,
                               const MlirOptMainConfig &config) {
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(input, &reason);
  if (!text || failed(tile::checkNesting(*text))) {
    llvm::errs() << reason << (text ? "" : "\n");
    return failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &reason);
  if (!file) {
    llvm::errs() << reason << "\n";
    return failure();
  }
  if (failed(MlirOptMain(file->os(), std::move(text), registry, config)))
    return failure();
  file->keep();
  return success();
}

extern "C" int tileOptMain(int argc, char **argv) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  tile::registerConversions();
  registerTransformsPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "tile copies to GPU instructions\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(runPasses(input, output, registry, config));
}

extern "C" int tileLspServerMain(int argc, char **argv) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}

extern "C" void tilePrintStackOnCrash() {
  llvm::sys::PrintStackTraceOnErrorSignal(/*Argv0=*/"");
}
