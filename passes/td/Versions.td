//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The pass that makes versions of regions, included by Passes.td.

def TileExpandVersions : Pass<"tile-expand-versions"> {
  let summary = "Compile the region of each tile.version twice: with its promises, tested at run time, and without";
  let description = [{
    Each `tile.version` becomes an `scf.if` on its promises.

    Before:
    ```text
    tile.version %n divisible_by 8 : index {
      %x = tile.view %A extents(%n) : memref<?xf16> to !tile.buffer<?xf16, global>
    }
    ```
    After:
    ```text
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %rest = arith.remui %n, %c8 : index
    %holds = arith.cmpi eq, %rest, %c0 : index
    scf.if %holds {
      %m = tile.assume %n divisible_by 8 : index
      %x = tile.view %A extents(%m) : memref<?xf16> to !tile.buffer<?xf16, global>
    } else {
      %x = tile.view %A extents(%n) : memref<?xf16> to !tile.buffer<?xf16, global>
    }
    ```
    In the copy that relies on the promises, what is computed from their values before the region is computed again. Promises that
    are known to hold are not tested; where all are, only that copy is left. Shared memory that the region allocates is allocated
    before the branch, once. A promise that the region makes no use of is a warning.

    Threads that share a copy or a barrier in the region must take the same branch: an operand that may differ between them is an
    error. With `once`, only the region without promises is left.

    A `tile.block_order` becomes arithmetic, a `tile.return_if` an `scf.if` around what follows, a `tile.view` with promises a
    `tile.assume` and a view of its result, a `tile.allocs` several `tile.alloc`, and a `tile.extents` the numbers that it names. In
    kernels, and in functions with ops of this dialect, loops, branches and accesses of the affine dialect become those of `scf` and
    `memref`; attributes of loops, as `tile.stages`, stay. Every pass that reads these does that first.

    The passes that plan copies, `--tile-check-sync`, `--tile-pipeline`, `--lower-tile-copy` and others, start with this one.
  }];
  let options = [Tile_Chip, Tile_ArgumentAlignment,
                 Option<"once", "once", "bool", /*default=*/"false", "Keep only the region without promises">];
  let dependentDialects = ["::tile::TileDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

