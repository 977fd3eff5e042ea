//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What an op of any dialect answers that copies a tile.

#ifndef TILE_COPY_INTERFACE_TD
#define TILE_COPY_INTERFACE_TD

include "mlir/IR/Interfaces.td"

def Tile_CopyOpInterface : OpInterface<"TileCopyOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    An op of another dialect that copies a tile. Every pass that reads copies first replaces it by the `tile.copy` or the
    `tile.copy_async` that it states, at its location; so it has no results and no regions, and copies between its operands.
  }];
  let methods = [InterfaceMethod<"The copy.", "::tile::StatedCopy", "getStatedCopy">];
}

#endif // TILE_COPY_INTERFACE_TD
