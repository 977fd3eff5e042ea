//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The syntax of the promises of a tile.version.

#ifndef TILE_VERSION_H
#define TILE_VERSION_H

#include "Clauses.h"

namespace tile {

mlir::ParseResult parsePromises(mlir::OpAsmParser &parser, Operands &values,
                                llvm::SmallVectorImpl<mlir::Type> &valueTypes,
                                mlir::DenseI64ArrayAttr &divisors,
                                Operands &addresses,
                                llvm::SmallVectorImpl<mlir::Type> &addressTypes,
                                mlir::DenseI64ArrayAttr &alignments);

void printPromises(mlir::OpAsmPrinter &printer, mlir::Operation *,
                   mlir::OperandRange values, mlir::TypeRange valueTypes,
                   mlir::DenseI64ArrayAttr divisors,
                   mlir::OperandRange addresses, mlir::TypeRange addressTypes,
                   mlir::DenseI64ArrayAttr alignments);

} // namespace tile

#endif // TILE_VERSION_H
