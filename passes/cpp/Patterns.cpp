//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The variants as patterns for other compilers' conversions.

#include "tile/Patterns.h"
#include "Bridge.h"
#include "Layout.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

using NameFilter = llvm::function_ref<bool(StringRef)>;

// Calls `add` with the options; fails, after an error at the location, where
// it gives a reason.
LogicalResult
withOptions(const tile::CopyPatternOptions &options, Location loc,
            llvm::function_ref<bool(TilePassOptions, std::string &)> add) {
  SmallVector<MlirStringRef> names;
  for (const std::string &name : options.variants)
    names.push_back(wrap(StringRef(name)));
  TilePassOptions raw = {wrap(StringRef(options.chip)),
                         options.maxVectorBits,
                         options.argumentAlignment,
                         static_cast<intptr_t>(names.size()),
                         names.data(),
                         options.noalias};
  std::string reason;
  if (add(raw, reason))
    return success();
  return emitError(loc) << reason;
}

bool acceptsName(MlirStringRef name, void *filter) {
  return (*static_cast<NameFilter *>(filter))(unwrap(name));
}

} // namespace

LogicalResult tile::populateCopyPatterns(RewritePatternSet &patterns,
                                         Location loc,
                                         const CopyPatternOptions &options) {
  return withOptions(options, loc, [&](TilePassOptions raw, std::string &why) {
    return tilePopulateCopyPatterns(
        wrap(&patterns), wrap(patterns.getContext()), raw, appendTo, &why);
  });
}

LogicalResult tile::populateTilePatterns(RewritePatternSet &patterns,
                                         Location loc,
                                         const CopyPatternOptions &options,
                                         NameFilter wanted) {
  auto all = [](StringRef) { return true; };
  if (!wanted)
    wanted = all;
  return withOptions(options, loc, [&](TilePassOptions raw, std::string &why) {
    return tilePopulatePatterns(wrap(&patterns), wrap(patterns.getContext()),
                                raw, acceptsName, &wanted, appendTo, &why);
  });
}

void tile::configureCopyLegality(ConversionTarget &target) {
  target.addLegalDialect<TileDialect, arith::ArithDialect, gpu::GPUDialect,
                         LLVM::LLVMDialect, memref::MemRefDialect,
                         NVVM::NVVMDialect, scf::SCFDialect>();
  target.addIllegalOp<CopyOp, CopyAsyncOp, FillOp, AllocsOp, BlockOrderOp,
                      ExtentsOp, ReturnIfOp>();
  target.addDynamicallyLegalOp<ViewOp>(
      [](ViewOp view) { return !view.getDivisor() && !view.getAlignment(); });
}

void tile::configureTileLegality(ConversionTarget &target) {
  configureCopyLegality(target);
  target.addLegalDialect<math::MathDialect, vector::VectorDialect>();
  target.addIllegalOp<MmaOp, MapOp, ReduceOp, TotalOp, BlockScanOp, ScanOp,
                      ChainedOp, SortOp>();
}
