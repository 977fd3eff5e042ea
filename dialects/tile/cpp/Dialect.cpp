//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registration of the dialect and its members.

#include "Interfaces.h"
#include "Tile.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "TileDialect.cpp.inc"
#include "TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "TileTypes.cpp.inc"

void tile::TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TileOps.cpp.inc"
      >();
  tile::addInterfaces(*this);
}

// The declaration gives the handle C linkage; without it a plugin would fail to
// load and say nothing.
extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)
