//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the dialect says to MLIR's inliner.

#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

namespace {

// Every op may stand in another function: who executes it, its caller's
// threads, stays the same.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void tile::addInterfaces(TileDialect &dialect) {
  dialect.addInterfaces<Inliner>();
  addBytecode(dialect);
}
