//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registration of the dialect and its members.

#include "tile/Dialect.h"
#include "Interfaces.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tile/TileDialect.cpp.inc"
#include "tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.cpp.inc"

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
  tile::addInterfaces(*this);
  tile::addOldNames(*this);
}

// The declaration gives the handle C linkage; without it a plugin would fail to
// load and say nothing.
extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)
