//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-outline-kernels: upstream's outlining drops the attributes of a
// launch, and with them what it states of its order.

#include "tile/Passes.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

namespace tile {
#define GEN_PASS_DEF_TILEOUTLINEKERNELS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

constexpr StringLiteral kOrder = "tile.order";

struct OutlineKernels : tile::impl::TileOutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A launch of a kernel replaces each launch where that was, so that they
    // are in the same order.
    SmallVector<Attribute> orders;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
        orders.push_back(isa<gpu::LaunchOp>(op) ? op->getDiscardableAttr(kOrder)
                                                : Attribute());
    });
    OpPassManager outlining(ModuleOp::getOperationName());
    outlining.addPass(createGpuKernelOutliningPass());
    if (failed(runPipeline(outlining, module)))
      return signalPassFailure();
    const Attribute *order = orders.begin();
    module->walk<WalkOrder::PreOrder>([&](gpu::LaunchFuncOp launch) {
      Attribute stated = *order++;
      Operation *kernel =
          SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
      if (stated && kernel)
        kernel->setDiscardableAttr(kOrder, stated);
    });
  }
};

} // namespace
