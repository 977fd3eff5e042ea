//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What an op of any dialect answers about the memory that it accesses.

#ifndef TILE_ACCESS_INTERFACE_TD
#define TILE_ACCESS_INTERFACE_TD

include "mlir/IR/Interfaces.td"

def Tile_AccessOpInterface : OpInterface<"TileAccessOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    The accesses of an op to tiles, memrefs and pointers, and the threads that make them. Passes that order accesses, pipeline
    loops, plan shared memory and choose layouts ask ops of other dialects, which implement it themselves or by an external model.
    Without methods of its own, a model states what MLIR's interface of memory effects does.
  }];
  let methods = [
    InterfaceMethod<"The threads that execute the op together, so that its accesses need no order among them: `tile.scope`, or each alone.",
      "::tile::Scope", "getAccessScope", (ins), "", "return ::tile::statedScope($_op.getOperation());">,
    InterfaceMethod<"Appends all accesses of the op and of the ops in it.",
      "void", "getAccesses", (ins "::llvm::SmallVectorImpl<::tile::MemoryAccess> &":$accesses), "",
      "::tile::accessesOfEffects($_op.getOperation(), accesses);">,
  ];
}

#endif // TILE_ACCESS_INTERFACE_TD
