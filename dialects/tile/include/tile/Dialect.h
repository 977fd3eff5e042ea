//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The tile dialect: the classes of its ops, types, attributes and enums, which
// mlir-tblgen generates from its .td files.

#ifndef TILE_DIALECT_H
#define TILE_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "tile/Plan.h"
#include "tile/TileDialect.h.inc"
#include "tile/TileEnums.h.inc"

#include "tile/Access.h"
#include "tile/Copy.h"
#include "tile/TileAccessInterface.h.inc"
#include "tile/TileCopyInterface.h.inc"
#include "tile/TileScheduleInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.h.inc"

namespace tile {
// The accesses of asynchronous copies between issue and completion.
struct InFlightResource : mlir::SideEffects::Resource::Base<InFlightResource> {
  llvm::StringRef getName() final { return "tile.InFlight"; }
};
} // namespace tile

#define GET_OP_CLASSES
#include "tile/TileOps.h.inc"

#endif // TILE_DIALECT_H
