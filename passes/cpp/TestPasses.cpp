//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes for tests of the library's errors. They exist only where the
// environment asks for them before the first context is made.

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstdlib>

using namespace mlir;

namespace {

struct TestPanic : PassWrapper<TestPanic, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPanic)
  StringRef getArgument() const override { return "tile-test-panic"; }
  StringRef getDescription() const override { return "Panic"; }
  void runOnOperation() override {
    if (!tileTestPanic(wrap(getOperation())))
      signalPassFailure();
  }
};

} // namespace

extern "C" void tileRegisterTestPasses() {
  if (std::getenv("TILE_TEST_PASSES"))
    PassRegistration<TestPanic>();
}
