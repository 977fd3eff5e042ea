//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Passes over which threads touch which bytes when. Included by Passes.td.

def TileCheckSync : Pass<"tile-check-sync"> {
  let summary = "Prove that conflicting accesses are in order, or say which threads race";
  let description = [{
    Two accesses conflict where different threads touch the same byte and one of them writes. This pass, run before the copies are
    lowered, asks of every pair in a kernel, in the same iteration of a loop and in later ones, whether something orders it:
    barriers of the block, of some warps or of one; groups of asynchronous copies, closed and waited for; phases of mbarriers;
    proxy fences. Which thread touches which bytes is read from the plan that the copy will have, so that the options are those
    of `--lower-tile-copy`, and must be the same.

    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, shared>
    tile.copy %s to %r scope(warp)
      : !tile.buffer<32x8xf32, shared> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    ```
    ```text
    error: 'tile.copy' op reads shared memory that an earlier operation writes, and nothing orders the two:
      for example thread 1 and thread 0, byte 16
    note: 'tile.copy' writes it here
    note: between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp
    ```
    A barrier that not all threads reach, a group that is never waited for, and arrivals and waits on an mbarrier that do not fit are
    errors, too. What is not followed is an error that says so: nothing is passed over in silence. Kernels are taken one block at a
    time, or one cluster where blocks reach shared memory of each other; what blocks do to global memory of each other is not
    looked at.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def TilePrintDependences : Pass<"tile-print-dependences"> {
  let summary = "Print which accesses depend on which, for Graphviz";
  let description = [{
    Writes a graph of each kernel to the standard error stream: the operations that `--tile-check-sync` looks at, in their order,
    and an edge for each two of which different threads touch the same byte: read after write, write after read, write after
    write; around a loop with the number of iterations; red where nothing orders the two.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def TileInsertSync : Pass<"tile-insert-sync"> {
  let summary = "Order conflicting accesses by as few and as narrow barriers as do";
  let description = [{
    Puts what `--tile-check-sync` finds missing: barriers of the block, of some warps, of single warps, waits for groups of
    asynchronous copies, proxy fences. Each is put right before the access that needs it, outside of code that only some threads
    reach; in kernels with branches or loops barriers are a minimum cut, so that they are in the one arm that needs them, and before a
    loop rather than in it. What the others make needless is left out, and each barrier is as narrow as it can be, so that the check
    fails without any one of them.

    ```text
    tile.copy %a to %s scope(cta)                   : … threads write elements that others will read
    gpu.barrier                                         what is put
    tile.copy %s[0, 8] [64, 32] to %b scope(cta)    : …
    ```
    What no addition orders is an error, as of the check: two threads that write one byte in one copy, a copy without a group.
    `remove-redundant` takes out what the programmer has written in vain, with a remark for each.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment,
                 Option<"removeRedundant", "remove-redundant", "bool", /*default=*/"false",
                        "Erase barriers, waits and fences without which all accesses are in order, too">];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::gpu::GPUDialect"];
}

def TilePipeline : Pass<"tile-pipeline"> {
  let summary = "Make rings of stages of loops whose copies are asynchronous";
  let description = [{
    A loop is written plainly: one tile for what an iteration copies, the asynchronous copies, and what reads the tile. Where it says
    `tile.stages = 3`, each tile gets three stages, copies are issued two iterations ahead, the first ones before the loop, and each
    iteration waits for its own. Then the accesses of the kernel are ordered as `--tile-insert-sync` does it: the result passes
    `--tile-check-sync`.

    ```mlir
    func.func @rows(%a: !tile.buffer<4096x64xf16, global>, %b: !tile.buffer<4096x64xf16, global>, %n: index) {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %s = tile.alloc : !tile.buffer<64x64xf16, shared>
      scf.for %i = %c0 to %n step %c64 {
        tile.copy_async %a[%i, 0] [64, 64] to %s scope(cta) group
          : !tile.buffer<4096x64xf16, global> to !tile.buffer<64x64xf16, shared>
        tile.copy %s to %b[%i, 0] [64, 64] scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<4096x64xf16, global>
      } {tile.stages = 3 : i64}
      return
    }
    ```
    ```text
    %ring = tile.alloc : !tile.buffer<3x64x64xf16, shared>
    copy 0 to stage 0; commit; copy 1 to stage 1; commit          each if there is such an iteration
    scf.for %k = 0 to (n + 63) / 64 step 1 {
      nvvm.cp.async.wait.group 1                                  all but the latest group: that of iteration k + 1
      gpu.barrier                                                 stage k is seen by all, stage k - 1 has been read
      scf.if k + 2 < … { copy k + 2 to stage (k + 2) mod 3 }
      nvvm.cp.async.commit.group
      …                                                           what reads stage k mod 3
    }
    nvvm.cp.async.wait.group 0
    ```
    Bulk copies, `{variant = "bulk"}` without an mbarrier, are completed by mbarriers that the pass makes, one of each stage:

    ```text
    scf.if thread 0 { nvvm.mbarrier.init of each stage, for as many arrivals as an iteration's copies make; nvvm.fence.mbarrier.init }
    gpu.barrier
    scf.for %k … {
      wait for phase k / 3 of the mbarrier of stage k mod 3       scf.while around nvvm.mbarrier.try_wait
      gpu.barrier                                                 stage k - 1 has been read, and waited for, by all
      scf.if k + 2 < … { copy k + 2 to stage (k + 2) mod 3, mbarrier of that stage }
      …
    }
    ```
    A loop may have both kinds. A remark, `pipelined`, says how many stages there are and how many bytes each takes. What keeps a copy from being issued earlier
    is an error: begins that the loop carries, a copy under a condition, a tile that lives longer than an iteration, a source that an
    earlier iteration writes, more stages than fit.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def TilePlanMemory : Pass<"tile-plan-memory"> {
  let summary = "Give the shared tiles of a kernel their places, the same to some that are never live at once";
  let description = [{
    The shared tiles of each kernel become views of one array. A tile is live where it may have been touched and may still be read
    before it is written as a whole; two that are never live at once may lie on the same bytes. Tiles that different warps use, and
    those in different arms of a branch between threads, are used at the same time and share nothing. Copies between registers that
    go through shared memory become two copies, and their scratch is planned like other tiles.

    ```mlir
    %s = tile.alloc : !tile.buffer<128x128xf16, shared>
    %t = tile.alloc : !tile.buffer<128x128xf16, shared>
    ```
    ```text
    %base = gpu.dynamic_shared_memory                        where static and shared memory of tiles are more than 48 KiB
    %part = memref.view %base[%c0][]
    %s    = tile.view %part : memref<16384xf16, …>           and %t at byte 32768, or 0 where %s is not live any more
    ```
    Up to 48 KiB the array is static. More is dynamic: the kernel says how much in `tile.dynamic_shared`, launches of it that the
    pass sees give as much, and so does `tile-run`. A remark, `shared-memory`, says how much is static, dynamic, what the chip has,
    what the tiles would take without sharing, and what is live at once. More than the chip has is an error that lists the tiles that
    are live at once.

    Where tiles share bytes, the last use of one and the first of the next need an order. `--tile-insert-sync`, run after this
    pass, adds it; `--tile-check-sync` says what is missing.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::gpu::GPUDialect"];
}
