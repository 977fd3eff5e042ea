//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The syntax of tile.map, whose function is a region, or the name of an op.

#ifndef TILE_MAP_SYNTAX_H
#define TILE_MAP_SYNTAX_H

#include "Clauses.h"

namespace tile {

mlir::ParseResult parseMap(mlir::OpAsmParser &parser, Operands &sources,
                           llvm::SmallVectorImpl<mlir::Type> &sourceTypes,
                           Operands &dests,
                           llvm::SmallVectorImpl<mlir::Type> &destTypes,
                           ScopeAttr &scope, mlir::NamedAttrList &options,
                           mlir::Region &body);

void printMap(mlir::OpAsmPrinter &printer, mlir::Operation *op,
              mlir::OperandRange sources, mlir::TypeRange sourceTypes,
              mlir::OperandRange dests, mlir::TypeRange destTypes,
              ScopeAttr scope, mlir::DictionaryAttr options,
              mlir::Region &body);

} // namespace tile

#endif // TILE_MAP_SYNTAX_H
