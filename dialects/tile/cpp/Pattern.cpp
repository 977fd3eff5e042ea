//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What MLIR's C API lacks for patterns.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

extern "C" void tileNotifyMatchFailure(MlirPatternRewriter rewriter,
                                       MlirOperation op, MlirStringRef reason) {
  (void)unwrap(rewriter)->notifyMatchFailure(
      unwrap(op),
      [&](Diagnostic &diagnostic) { diagnostic << unwrap(reason); });
}
