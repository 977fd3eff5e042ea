//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The passes that make versions of regions and kernels, included by Passes.td.

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

    A `tile.block_order` becomes arithmetic.

    The passes that plan copies, `--tile-check-sync`, `--tile-pipeline`, `--lower-tile-copy` and others, start with this one.
  }];
  let options = [Tile_Chip, Tile_ArgumentAlignment,
                 Option<"once", "once", "bool", /*default=*/"false", "Keep only the region without promises">];
  let dependentDialects = ["::tile::TileDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect"];
}

def TileVersionKernels : Pass<"tile-version-kernels"> {
  let summary = "Make versions of whole kernels, by the promises with which their copies would take fewer accesses";
  let description = [{
    Each kernel whose copies would take fewer accesses if something were promised of its arguments becomes a `tile.version`: of
    its body, by these promises.

    Before:
    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @load(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
        %a = tile.view %A : memref<?x?xf16>
        %s = tile.alloc : !tile.buffer<8x64xf16, shared>
        tile.copy %a[0, 0] [8, 64] to %s scope(cta) masked
          : !tile.buffer<?x?xf16, global> to !tile.buffer<8x64xf16, shared>
        gpu.return
      }
    }
    ```
    After:
    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @load(%A: memref<?x?xf16> {llvm.align = 256 : i64}) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        tile.version %A divisible_by 8 : memref<?x?xf16> {
          %a = tile.view %A : memref<?x?xf16>
          %s = tile.alloc : !tile.buffer<8x64xf16, shared>
          tile.copy %a[0, 0] [8, 64] to %s scope(cta) masked
            : !tile.buffer<?x?xf16, global> to !tile.buffer<8x64xf16, shared>
        }
        gpu.return
      }
    }
    ```
    A version has at most as many promises as the option says; the copies that come first decide. A kernel that has versions is
    left as it is written, and so is one whose body has several blocks. As the branch is in the kernel, a launch does not differ,
    and the kernel needs the registers of one copy of its body, and the shared memory of one.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias,
                 Option<"promises", "promises", "unsigned", /*default=*/"4", "Promises of a version, at most">];
  let dependentDialects = ["::tile::TileDialect", "::mlir::NVVM::NVVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}
