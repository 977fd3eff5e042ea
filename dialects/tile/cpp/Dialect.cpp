//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registration of the dialect and its members, its inliner interface, and the
// verifier of its attributes on ops of other dialects.

#include "tile/Dialect.h"

#include "Bridge.h"
#include "Interfaces.h"
#include "Schedule.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tile/TileDialect.cpp.inc"
#include "tile/TileEnums.cpp.inc"
#include "tile/TileScheduleInterface.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.cpp.inc"

namespace {

// Every op may be inlined into another function: the threads that execute it,
// the caller's, stay the same.
struct Inliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};

} // namespace

void tile::TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/TileOps.cpp.inc"
      >();
  addInterfaces<Inliner>();
  addInterface(bytecodeInterface(this));
}

mlir::LogicalResult
tile::TileDialect::verifyOperationAttribute(mlir::Operation *op,
                                            mlir::NamedAttribute attribute) {
  return mlir::success(
      tileAttributeVerify(wrap(op), wrap(attribute.getName().getValue())));
}

// The declaration gives the handle C linkage; without it a plugin would
// silently fail to load.
extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)
