//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The verifier of tile.scan: Rust does it.

#include "Tile.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

// Verifies the op and emits what is wrong; false when something is. It does not
// unwind.
extern "C" bool tileScanVerify(MlirOperation op);

LogicalResult tile::ScanOp::verify() {
  return success(tileScanVerify(wrap(getOperation())));
}
