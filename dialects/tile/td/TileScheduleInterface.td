//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What an attribute of an op answers about how it is done on a chip.

#ifndef TILE_SCHEDULE_INTERFACE_TD
#define TILE_SCHEDULE_INTERFACE_TD

include "mlir/IR/Interfaces.td"

def Tile_ScheduleAttrInterface : AttrInterface<"TileScheduleAttrInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    How an op of linalg is done on a chip, as `--convert-linalg-to-tile` asks. `#tile.schedule` implements it; an attribute of another
    dialect that an op has, such as a lowering configuration, may do so by an external model.
  }];
  let methods = [
    InterfaceMethod<"The instruction that multiplies; `Auto` leaves it to the chip.",
      "::tile::ScheduleInstruction", "getInstruction">,
    InterfaceMethod<"The rows and columns of warps, or warpgroups, among which the sums are divided; empty where that is chosen.",
      "::llvm::ArrayRef<int64_t>", "getOver">,
    InterfaceMethod<"The stages of the loop around a product; 0 where shared memory decides.", "int64_t", "getStages">,
    InterfaceMethod<"How sums are stored to global memory.", "::tile::ScheduleEpilogue", "getEpilogue">,
    InterfaceMethod<"The rows, columns and depths of the tiles of a block; empty where they are chosen.",
      "::llvm::ArrayRef<int64_t>", "getTile", (ins), "", "return {};">,
    InterfaceMethod<"The threads of a block; 0 where they are chosen.", "int64_t", "getThreads", (ins), "", "return 0;">,
    InterfaceMethod<"The rows of tiles that blocks take in groups; 0 for tiles row by row.", "int64_t", "getGroup", (ins), "",
      "return 0;">,
  ];
}

#endif // TILE_SCHEDULE_INTERFACE_TD
