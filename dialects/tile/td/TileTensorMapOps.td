//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tensor maps, which the host makes for the TMA engine, and kernels change.

#ifndef TILE_TENSOR_MAP_OPS_TD
#define TILE_TENSOR_MAP_OPS_TD

include "TileOps.td"

def Tile_TensorMapOp : Tile_Op<"tensor_map", [Pure]> {
  let summary = "makes the tensor map of a tile in global memory";
  let description = [{
    Describes a tile to the TMA engine. Copies that go `through` the result take their boxes from it. The tile's base, and the
    extents and strides that the map leaves to run time, are read where the op is: the host encodes the map before a launch,
    which passes it to the kernel as an argument of 128 bytes. In a kernel the op describes a tile of the kernel's arguments, and
    `--tile-make-maps` moves it to the host.

    | the caller ensures that | |
    | --- | --- |
    | the base is aligned to 16 bytes, and run-time strides are multiples of 16 bytes | the encoder reports an error otherwise |
    | the tile has at least one element in each dimension | likewise |

    ```mlir
    %m = tile.tensor_map %a : !tile.buffer<32x32xf32, global>
      to !tile.tensor_map<element = float32, dims = [ {extent = const(32), stride = bytes(4), box = 32},
                                                     {extent = const(32), stride = bytes(128), box = 32} ]>
    ```
  }];
  let arguments = (ins Tile_BufferIn<"Global">:$source);
  let results = (outs Tile_TensorMapType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_UpdateMapOp : Tile_Op<"update_map", [AllTypesMatch<["map", "result"]>]> {
  let summary = "makes a tensor map describe another tile, which only the kernel knows";
  let description = [{
    The result is `map` with the base of `tile`, and with its extents and strides where the map leaves them to run time: the matrices
    of a batch or of a group, whose addresses a kernel loads. Element, box, swizzle and fill stay, and so does the type. All
    threads of the scope, a warp or the block, execute the op together. The first thread copies the map to `scratch` in shared
    memory and replaces fields there (`tensormap.replace`), its warp copies the 128 bytes to `workspace` in global memory
    (`tensormap.cp_fenceproxy`) and acquires them (`fence.proxy.tensormap`). Copies `through` the result read them there. Threads of
    the scope need no other order before they issue such copies: the op ends with a barrier of the scope.

    | the caller ensures that | |
    | --- | --- |
    | the workspace is aligned to 128 bytes, and no other block, and no other map at the same time, uses it | a race, in the simulator and for `--tile-check-sync` |
    | copies through an earlier map in the workspace are complete; of stores, their reads | likewise |
    | the tile's base is aligned to 16 bytes, and run-time strides are multiples of 16 bytes | an error in the simulator; a GPU drops the low bits of a stride |
    | copies go through the map only where the tile has elements | the engine traps |

    The clauses `in(%workspace : type)`, `scratch(%tile : type)` and `scope(s)` are all required, in any order.

    Needs sm_90a, or a later chip of which the name ends in `a` or `f`.

    ```mlir
    %n = tile.update_map %m to %c in(%slot : !tile.buffer<128xi8, global>) scratch(%bytes : !tile.buffer<128xi8, shared>) scope(warp)
      : !tile.tensor_map<element = float32, dims = [ {extent = const(32), stride = bytes(4), box = 32},
                                                     {extent = of(0), stride = bytes(128), box = 32} ]>
      to !tile.buffer<?x32xf32, global>
    ```
  }];
  let arguments = (ins Tile_TensorMapType:$map, Tile_BufferIn<"Global">:$tile,
                       Arg<Tile_BufferIn<"Global">, "where the map is", [MemWrite]>:$workspace,
                       Arg<Tile_BufferIn<"Shared">, "where the map is changed", [MemRead, MemWrite]>:$scratch,
                       Tile_Scope:$scope);
  let results = (outs Tile_TensorMapType:$result);
  let assemblyFormat = [{
    $map `to` $tile `` custom<UpdateMapClauses>($workspace, type($workspace), $scratch, type($scratch), $scope)
    attr-dict `:` qualified(type($map)) `to` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

#endif // TILE_TENSOR_MAP_OPS_TD
