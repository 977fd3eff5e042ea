//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes between upstream's dialects and ours.

#ifndef TILE_BORDER_TD
#define TILE_BORDER_TD

include "mlir/Pass/PassBase.td"

def ConvertCopiesToTile : Pass<"convert-copies-to-tile"> {
  let summary = "Make upstream's copies between memories tile copies";
  let description = [{
    In kernels, `memref.copy`, `linalg.copy`, `linalg.transpose`, and a `vector.transfer_write` of what a
    `vector.transfer_read` has read become `tile.copy`, between and within global and workgroup memory.

    Before:
    ```mlir
    func.func @load(%a: memref<16x64xf32>, %w: memref<16x64xf32, #gpu.address_space<workgroup>>) {
      memref.copy %a, %w : memref<16x64xf32> to memref<16x64xf32, #gpu.address_space<workgroup>>
      return
    }
    ```
    After:
    ```text
    %0 = tile.view %a : memref<16x64xf32> to !tile.buffer<16x64xf32, global>
    %1 = tile.view %w : memref<16x64xf32, #gpu.address_space<workgroup>> to !tile.buffer<16x64xf32, shared>
    tile.copy %0 to %1 scope(cta) : !tile.buffer<16x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    The threads of `scope`, or of the op's own `tile.scope = "warp"`, do it together. Before, each thread did all of it: who reads
    what other threads now bring needs a barrier between, which is the caller's, or `--tile-insert-sync`'s. Subviews become
    regions, run-time extents masks, out-of-bounds reads a `fill` with the padding. What cannot be done stays, with a remark
    that says why (docs/upstream.md). Workgroup memory of `memref.alloc`, also outside of the `gpu.launch` that uses it, becomes the kernel's.
  }];
  let options = [Option<"scope", "scope", "std::string", /*default=*/"\"cta\"",
                        "Threads that do a copy together: thread, warp, warpgroup or cta">];
  let dependentDialects = ["::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // TILE_BORDER_TD
