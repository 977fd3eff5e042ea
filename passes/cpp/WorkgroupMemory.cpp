//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Promotion to workgroup memory leaves memref.alloc behind, in the kernel or
// before its launch. It becomes a workgroup attribution of the kernel.

#include "Copies.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

// Target.cpp
extern "C" MlirValue tileAddWorkgroupAttribution(MlirOperation op,
                                                 MlirType type,
                                                 MlirLocation location,
                                                 int64_t alignment);
extern "C" MlirValue tileAddLaunchAttribution(MlirOperation op, MlirType type,
                                              MlirLocation location);

// The alignment that vectors of shared memory need.
static constexpr int64_t leastAlignment = 16;

static bool isWorkgroupMemory(Operation *op) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op) || op->getNumOperands() != 0)
    return false;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  return memoryOf(type) == Space::Shared && type.hasStaticShape() &&
         type.getLayout().isIdentity();
}

/// The kernels that use an allocation; none if anything else uses it, too.
static SmallVector<Operation *> kernelsOf(Operation *alloc) {
  SmallVector<Operation *> kernels;
  for (Operation *user : alloc->getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    Operation *kernel = user->getParentOfType<gpu::LaunchOp>();
    if (!kernel)
      kernel = user->getParentOfType<gpu::GPUFuncOp>();
    if (!kernel)
      return {};
    if (!llvm::is_contained(kernels, kernel))
      kernels.push_back(kernel);
  }
  return kernels;
}

static Value attribution(Operation *alloc, Operation *kernel) {
  Location loc = alloc->getLoc();
  MlirType type = wrap(alloc->getResult(0).getType());
  auto given = alloc->getAttrOfType<IntegerAttr>("alignment");
  int64_t alignment = std::max(leastAlignment, given ? given.getInt() : 1);
  if (isa<gpu::GPUFuncOp>(kernel))
    return unwrap(
        tileAddWorkgroupAttribution(wrap(kernel), type, wrap(loc), alignment));
  Value memory =
      unwrap(tileAddLaunchAttribution(wrap(kernel), type, wrap(loc)));
  // This keeps the alignment through --gpu-kernel-outlining.
  auto builder = OpBuilder::atBlockBegin(&kernel->getRegion(0).front());
  return memref::AssumeAlignmentOp::create(builder, loc, memory, alignment);
}

void tile::attributeWorkgroupMemory(Operation *root) {
  SmallVector<Operation *> allocs;
  root->walk([&](Operation *op) {
    if (isWorkgroupMemory(op))
      allocs.push_back(op);
  });
  for (Operation *alloc : allocs) {
    SmallVector<Operation *> kernels = kernelsOf(alloc);
    if (kernels.empty())
      continue;
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    for (Operation *kernel : kernels) {
      Value memory = attribution(alloc, kernel);
      alloc->getResult(0).replaceUsesWithIf(memory, [&](OpOperand &use) {
        return kernel->isAncestor(use.getOwner());
      });
    }
    alloc->erase();
  }
}
