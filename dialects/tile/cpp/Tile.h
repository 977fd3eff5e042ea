//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The tile dialect: declarations that mlir-tblgen writes from td/.

#ifndef TILE_TILE_H
#define TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "TileDialect.h.inc"
#include "TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TileTypes.h.inc"

namespace mlir {
class PatternRewriter;
} // namespace mlir

namespace tile {
// Accesses of asynchronous copies between issue and completion.
struct InFlightResource : mlir::SideEffects::Resource::Base<InFlightResource> {
  llvm::StringRef getName() final { return "tile.InFlight"; }
};
} // namespace tile

#define GET_OP_CLASSES
#include "TileOps.h.inc"

namespace tile {
// A view that is used in a gpu.launch and made outside of it is made there.
llvm::LogicalResult viewIntoLaunch(mlir::Operation *view,
                                   mlir::PatternRewriter &rewriter);
} // namespace tile

#endif // TILE_TILE_H
