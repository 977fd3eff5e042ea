//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where a kernel ends early.

#ifndef TILE_RETURN_OPS_TD
#define TILE_RETURN_OPS_TD

include "TileOps.td"

def Tile_ReturnIfOp : Tile_Op<"return_if"> {
  let summary = "ends the kernel for the threads for which a condition holds";
  let description = [{
    What follows in the kernel's body is executed by the threads for which the condition does not hold: the op means an `scf.if` around
    it, which the passes that read copies make of it before anything else. So what holds for an `scf.if` holds here: all threads of a scope
    come to an op of that scope, or none of them, and a barrier that follows is for all threads of the block.

    The op is at the top level of a kernel, which is a `gpu.func` or another function with the attribute of kernels, or of the body of a
    `gpu.launch`, with one block.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @copy(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %c128 = arith.constant 128 : index
        %block = gpu.block_id x
        %first = arith.muli %block, %c128 : index
        %beyond = arith.cmpi uge, %first, %n : index
        tile.return_if %beyond
        %a = tile.view %A extents(%n) : memref<?xf32> to !tile.buffer<?xf32, global>
        %b = tile.view %B extents(%n) : memref<?xf32> to !tile.buffer<?xf32, global>
        tile.copy %a[%first] [128] to %b[%first] scope(cta) masked : !tile.buffer<?xf32, global> to !tile.buffer<?xf32, global>
        gpu.return
      }
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}

#endif // TILE_RETURN_OPS_TD
