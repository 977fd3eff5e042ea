//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the passes from linalg to tiles ask for.

#ifndef TILE_PASSES_LINALG_REQUESTS_H
#define TILE_PASSES_LINALG_REQUESTS_H

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Threading.h"

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
  request.foralls = request.vectors = request.split = request.memory =
      request.ops = true;
  return request;
}

// The errors that this thread reports while it does something; they are not
// printed.
inline llvm::SmallVector<mlir::Diagnostic>
errorsOf(mlir::MLIRContext *context, llvm::function_ref<void()> work) {
  llvm::SmallVector<mlir::Diagnostic> errors;
  uint64_t thread = llvm::get_threadid();
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &error) {
    if (llvm::get_threadid() != thread ||
        error.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::failure();
    errors.push_back(std::move(error));
    return mlir::success();
  });
  work();
  return errors;
}

} // namespace tile

#endif // TILE_PASSES_LINALG_REQUESTS_H
