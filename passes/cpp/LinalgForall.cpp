//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Loops whose iterations are threads, warps or warpgroups, by upstream's
// mapping; and ops of linalg that one thread does, as loops over elements.

#include "Bridge.h"
#include "LinalgRequests.h"
#include "Threads.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

// The threads that do an iteration of an scf.forall together; -1 for another
// op, and without a mapping to a GPU.
extern "C" int64_t tileForallScope(MlirOperation op) {
  auto forall = dyn_cast<scf::ForallOp>(unwrap(op));
  if (!forall || !forall.getMapping() || forall.getMapping()->empty())
    return -1;
  Attribute mapping = forall.getMapping()->getValue().front();
  auto code = [](Scope scope) { return static_cast<int64_t>(scope); };
  return TypeSwitch<Attribute, int64_t>(mapping)
      .Case<gpu::GPUBlockMappingAttr>([&](auto) { return code(Scope::Cta); })
      .Case<gpu::GPUWarpgroupMappingAttr>(
          [&](auto) { return code(Scope::Warpgroup); })
      .Case<gpu::GPUWarpMappingAttr>([&](auto) { return code(Scope::Warp); })
      .Case<gpu::GPUThreadMappingAttr, gpu::GPULaneMappingAttr>(
          [&](auto) { return code(Scope::Thread); })
      .Default([](Attribute) { return -1; });
}

// Makes the iterations of an scf.forall those of the threads of a block; false,
// with upstream's reason, where they are none.
extern "C" bool tileMapForall(MlirOperation op, const int64_t *block,
                              MlirStringCallback say, void *userData) {
  auto forall = cast<scf::ForallOp>(unwrap(op));
  IRRewriter rewriter(forall);
  bool isMapped = false;
  SmallVector<Diagnostic> errors = errorsOf(forall.getContext(), [&] {
    DiagnosedSilenceableFailure outcome =
        transform::gpu::mapOneForallToThreadsImpl(
            rewriter, std::nullopt, forall, ArrayRef(block, 3), warpSize,
            /*syncAfterDistribute=*/false);
    isMapped = outcome.succeeded();
    if (outcome.isSilenceableFailure())
      say(wrap(StringRef(outcome.getMessage())), userData);
    (void)outcome.silence();
  });
  for (Diagnostic &error : errors)
    say(wrap(StringRef(error.str())), userData);
  return isMapped;
}

// Writes an op of linalg as loops over elements, of which it returns the
// outermost; null where upstream does not.
extern "C" MlirOperation tileLoopsOfElements(MlirOperation op) {
  auto linalg = dyn_cast<linalg::LinalgOp>(unwrap(op));
  if (!linalg || !linalg.hasPureBufferSemantics())
    return MlirOperation{nullptr};
  IRRewriter rewriter(linalg);
  if (failed(linalg::linalgOpToLoops(rewriter, linalg)))
    return MlirOperation{nullptr};
  Operation *made = linalg->getPrevNode();
  rewriter.eraseOp(linalg);
  return wrap(made);
}
