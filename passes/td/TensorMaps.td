//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The pass that makes tensor maps, included by Passes.td.

def TileMakeMaps : Pass<"tile-make-maps"> {
  let summary = "Make the tensor maps of copies on the host, and pass them to kernels";
  let description = [{
    A `tile.copy_async` that names the variant `tma` and no map gets the maps of its plan: a `tile.tensor_map` of its tile in
    global memory for each part, and the clause `through`. Then every `tile.tensor_map` in a kernel moves to the host: the kernel
    takes the map as its last argument, and each launch in the module makes it from the operands that it passes. Copies of one
    kernel whose maps are the same share an argument.

    Before:
    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @load(%A: memref<?x512xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %c0 = arith.constant 0 : index
        %a = tile.view %A : memref<?x512xf16> to !tile.buffer<?x512xf16, global>
        %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
        %barriers = memref.get_global @barrier : memref<1xi64, 3>
        tile.copy_async %a[%c0, 64] [64, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
          : !tile.buffer<?x512xf16, global>
          to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
        gpu.return
      }
      memref.global "private" @barrier : memref<1xi64, 3>
    }
    ```
    After:
    ```text
    gpu.func @load(%A: memref<?x512xf16>, %map: !tile.tensor_map<element = float16, dims = [ … ], swizzle = b128>) kernel
    …
      tile.copy_async %a[%c0, 64] [64, 64] to %s scope(cta) mbarrier(…) through(%map : …)
    ```

    A tile that does not follow from the kernel's arguments, as the matrix of a group whose address is loaded, gets its map in the
    kernel, if that has an argument `memref<?x128xi8> {tile.map_workspace}`: the map that moves to the host is that of any tile of the
    type, and a `tile.update_map` where the tile is made changes it, in a row of the argument that is the block's. All threads of the
    block make the tile, of numbers on which they agree, with strides that are known to be multiples of 16 bytes; in a loop only where
    copies through the map are known to be complete when the tile is made again.

    It is an error if a copy that names `tma` cannot go through a map (the reason names the rule and both numbers), or if there is
    neither a map on the host nor one of the kernel.

    Whoever launches the kernel without host code of the module encodes the map: the PTX states for each such parameter what it is
    made of, which `tile-run`, the runtime and the bindings read.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}
