//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes between upstream dialects and the tile dialect.

#ifndef TILE_BORDER_TD
#define TILE_BORDER_TD

def ConvertCopiesToTile : Pass<"convert-copies-to-tile"> {
  let summary = "Convert upstream copies between memories to tile copies";
  let description = [{
    In kernels, converts `memref.copy`, `linalg.copy`, `linalg.transpose`, and a `vector.transfer_write` of the result of a
    `vector.transfer_read` to `tile.copy`, between and within global and workgroup memory. A copy of a memref, or of equal views of
    one, to itself is erased.

    Before:
    ```mlir
    gpu.module @kernels {
      gpu.func @load(%a: memref<16x64xf32>) workgroup(%w: memref<16x64xf32, #gpu.address_space<workgroup>>) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>} {
        memref.copy %a, %w : memref<16x64xf32> to memref<16x64xf32, #gpu.address_space<workgroup>>
        gpu.return
      }
    }
    ```
    After:
    ```text
    %0 = tile.view %a : memref<16x64xf32> to !tile.buffer<16x64xf32, global>
    %1 = tile.view %w : memref<16x64xf32, #gpu.address_space<workgroup>> to !tile.buffer<16x64xf32, shared>
    tile.copy %0 to %1 scope(cta) : !tile.buffer<16x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    The threads of `scope`, or of the op's own `tile.scope = "warp"`, perform the copy together. Before the conversion each
    thread performed all of it; now a thread that reads elements that other threads copied needs a barrier in between, which
    the caller or `--tile-insert-sync` inserts. Subviews become regions, run-time extents become masks, and out-of-bounds
    reads become a `fill` with the padding. An op that cannot be converted stays, with a remark that says why
    (docs/upstream.md). Workgroup memory of a `memref.alloc`, even outside of the `gpu.launch` that uses it, becomes memory of
    the kernel.

    Kernels in which copies of several threads were made get the attribute `tile.converted`, and so do such copies in a
    `gpu.launch`: `--tile-build`, or `--tile-insert-sync=where-needed`, then orders the kernel's accesses, whatever else the kernel
    has. With `where-needed`, as in `--tile-build`, transfers of vectors stay: each thread may copy a part of its own.
    An op that stays gets the attribute `tile.stays` with the reason, for errors of later passes.
  }];
  let options = [Option<"scope", "scope", "std::string", /*default=*/"\"cta\"",
                        "Threads that perform a copy together: thread, warp, warpgroup or cta">,
                 Option<"whereNeeded", "where-needed", "bool", /*default=*/"false",
                        "Only memref.copy and ops of linalg">];
  let dependentDialects = Tile_WrittenOutDialects;
}

#endif // TILE_BORDER_TD
