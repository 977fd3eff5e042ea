//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The text of the parts of #tile.schedule that TableGen has no form for.

#ifndef TILE_SCHEDULE_H
#define TILE_SCHEDULE_H

#include "mlir/IR/DialectImplementation.h"

namespace tile {

// Rows and columns: `[2, 1]`.
mlir::ParseResult parseOver(mlir::AsmParser &parser,
                            llvm::SmallVector<int64_t> &over);
void printOver(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> over);

} // namespace tile

#endif // TILE_SCHEDULE_H
