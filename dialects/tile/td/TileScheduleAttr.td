//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How an op of linalg is done on a chip.

#ifndef TILE_SCHEDULE_ATTR_TD
#define TILE_SCHEDULE_ATTR_TD

include "TileDialect.td"
include "TileScheduleInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_ScheduleInstruction : I32EnumAttr<"ScheduleInstruction", "instruction that multiplies tiles", [
    I32EnumAttrCase<"Auto", 0, "auto">,
    I32EnumAttrCase<"Tcgen05", 1, "tcgen05">,
    I32EnumAttrCase<"Wgmma", 2, "wgmma">,
    I32EnumAttrCase<"MmaSync", 3, "mma_sync">,
    I32EnumAttrCase<"Fma", 4, "fma">]> {
  let cppNamespace = "::tile";
}

def Tile_ScheduleEpilogue : I32EnumAttr<"ScheduleEpilogue", "way of sums to global memory", [
    I32EnumAttrCase<"Auto", 0, "auto">,
    I32EnumAttrCase<"Direct", 1, "direct">,
    I32EnumAttrCase<"Shared", 2, "shared">]> {
  let cppNamespace = "::tile";
}

def Tile_ScheduleAttr : AttrDef<Tile_Dialect, "Schedule", [Tile_ScheduleAttrInterface]> {
  let mnemonic = "schedule";
  let summary = "how an op of linalg is done on a chip";
  let description = [{
    The value of `tile.schedule` on an op that `--convert-linalg-to-tile` converts. What is left out is chosen for the chip.

    | field | |
    | --- | --- |
    | `instruction` | `wgmma`, `mma_sync`, `fma` or `auto`: what multiplies; another chip than one that has it is an error |
    | `over` | the rows and columns of warps (of `wgmma`, warpgroups) among which the sums are divided |
    | `stages` | the stages of the loop around the product |
    | `epilogue` | `direct`: sums go from registers to global memory; `shared`: through shared memory, for wide stores |
    | `tile` | the rows, columns and depths of the tiles of a block, by which a script or the pass tiles the product |
    | `threads` | the threads of such a block |
    | `group` | the rows of tiles that blocks take in groups, as by `tile.block_order` |

    `--tile-schedule-products` chooses one for a product that has none.

    ```mlir
    func.func @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
      linalg.matmul {tile.schedule = #tile.schedule<instruction = mma_sync, over = [2, 2], stages = 3>}
        ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
      return
    }
    ```

    An attribute of another dialect that implements `TileScheduleAttrInterface` says the same.
  }];
  let parameters = (ins
    DefaultValuedParameter<"::tile::ScheduleInstruction", "::tile::ScheduleInstruction::Auto">:$instruction,
    OptionalArrayRefParameter<"int64_t", "rows and columns">:$over,
    DefaultValuedParameter<"int64_t", "0">:$stages,
    DefaultValuedParameter<"::tile::ScheduleEpilogue", "::tile::ScheduleEpilogue::Auto">:$epilogue,
    OptionalArrayRefParameter<"int64_t", "rows, columns and depths">:$tile,
    DefaultValuedParameter<"int64_t", "0">:$threads,
    DefaultValuedParameter<"int64_t", "0">:$group);
  let assemblyFormat = "`<` struct($instruction, custom<Over>($over), $stages, $epilogue, custom<Over>($tile), $threads, $group) `>`";
  let genVerifyDecl = 1;
}

#endif // TILE_SCHEDULE_ATTR_TD
