//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The verifier of tile.scan: Rust does it. The symbol that it names.

#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

// Verifies the op and emits what is wrong; false when something is. It does not
// unwind.
extern "C" bool tileScanVerify(MlirOperation op);

LogicalResult tile::ScanOp::verify() {
  return success(tileScanVerify(wrap(getOperation())));
}

// The kernel's module may be missing: then the lowering makes it.
LogicalResult
tile::ScanOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  StringAttr name = getKernel().getRootReference();
  Operation *found = symbolTable.lookupNearestSymbolFrom(getOperation(), name);
  if (!found || found->getName().getStringRef() == "gpu.module")
    return success();
  return emitOpError() << "names @" << name.getValue() << ", a '"
                       << found->getName() << "', expected a gpu.module";
}
