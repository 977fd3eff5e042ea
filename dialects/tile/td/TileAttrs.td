//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_ATTRS_TD
#define TILE_ATTRS_TD

include "TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Space : I32EnumAttr<"Space", "memory that a tile lives in", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">,
    I32EnumAttrCase<"Tmem", 3, "tmem">]> {
  let cppNamespace = "::tile";
}

def Tile_Scope : I32EnumAttr<"Scope", "threads that do a copy together", [
    I32EnumAttrCase<"Thread", 0, "thread">,
    I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Warpgroup", 2, "warpgroup">,
    I32EnumAttrCase<"Cta", 3, "cta">]> {
  let cppNamespace = "::tile";
}

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "which location holds which element of a tile";
  let description = [{
    Maps a logical index, row-major over the tile's shape, to a set of locations.

    | part | example | meaning |
    | --- | --- | --- |
    | shard | `(8, 4, 2) : (4@laneid, 1@laneid, 1)` | the iters of the index (CuTe: modes), slowest first: extents, and the stride and axis of each |
    | replica | `+ R(2 : 4@warpid)` | every element is also at these distances |
    | offset | `+ 5@warpid` | added on an axis |
    | swizzle | `, swizzle<3, 3, 3>` | XOR of the memory address: elements that stay together (log2), bits changed, their distance |

    A stride without an axis counts elements of memory, or registers of a thread. Thread axes are
    `laneid`, `wid_in_wg`, `tid_in_wg`, `warpid`, `wgid`, `tx`, `cbx`… and `bx`…; tensor memory has
    `TLane` and `TCol`.

    The fragment `#tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>` of an 8x8 tile:

    ```text
      column     0  1 | 2  3 | 4  5 | 6  7        element (3, 5) = index 29 = coordinates (3, 2, 1)
      row 0      lane 0 lane 1 lane 2 lane 3        laneid 3*4 + 2*1 = 14
      row 1      lane 4 lane 5 lane 6 lane 7        register 1*1     = 1
      …          each lane holds two neighbours
    ```

    A swizzle permutes chunks of a row by the row's number; `swizzle<3, 3, 3>` over rows of 64 16-bit
    elements puts chunk `c` of row `r` where chunk `c ^ (r % 8)` was:

    ```text
      row 0   0 1 2 3 4 5 6 7
      row 1   1 0 3 2 5 4 7 6
      row 2   2 3 0 1 6 7 4 5
    ```

    Extents and strides may be nested tuples as CuTe writes them: inside a nested tuple the leftmost
    iter is the fastest, so `((2, 4), 8) : ((1, 2), 8)` is `(4, 2, 8) : (2, 1, 8)`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extent, stride, axis of each iter">:$shard,
    ArrayRefParameter<"int64_t", "extent, stride, axis of each replica iter">:$replica,
    ArrayRefParameter<"int64_t", "axis and value of each offset">:$offset,
    ArrayRefParameter<"int64_t", "nothing, or per_element, length, distance, direction">:$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TILE_ATTRS_TD
