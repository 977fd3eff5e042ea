//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TD
#define TILE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "Copies of laid-out tiles between the memories of a GPU";
  let description = [{
    A tile is a small dense array whose elements live in global memory, in shared memory,
    in the registers of many threads, or in tensor memory. A `!tile.buffer` type names the memory, and
    its `#tile.layout` gives the location of each element. `tile.copy` copies a tile, or a region of one,
    from one buffer to another; `--lower-tile-copy` replaces it by the widest loads and stores that are
    provably correct, and reports what prevents wider ones.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
          attributes {known_block_size = array<i32: 32, 1, 1>} {
        %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
        %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
        %s = tile.alloc : !tile.buffer<32x32xf32, shared>
        tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
        gpu.barrier
        tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
        gpu.return
      }
    }
    ```
  }];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // TILE_DIALECT_TD
