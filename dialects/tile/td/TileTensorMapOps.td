//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tensor maps, which the host makes for the TMA engine.

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

#endif // TILE_TENSOR_MAP_OPS_TD
