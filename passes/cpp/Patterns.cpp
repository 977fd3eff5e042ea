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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

LogicalResult tile::populateCopyPatterns(RewritePatternSet &patterns,
                                         Location loc,
                                         const CopyPatternOptions &options) {
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
  if (tilePopulateCopyPatterns(wrap(&patterns), wrap(patterns.getContext()),
                               raw, tile::appendTo, &reason))
    return success();
  return emitError(loc) << reason;
}

void tile::configureCopyLegality(ConversionTarget &target) {
  target.addLegalDialect<TileDialect, arith::ArithDialect, gpu::GPUDialect,
                         LLVM::LLVMDialect, memref::MemRefDialect,
                         NVVM::NVVMDialect, scf::SCFDialect>();
  target.addIllegalOp<CopyOp, CopyAsyncOp, FillOp, PrefetchOp>();
}
