//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Passes that analyse which threads touch which bytes, and in what order. Included by Passes.td.

def TileCheckSync : Pass<"tile-check-sync"> {
  let summary = "Prove that conflicting accesses are ordered, or report threads that race";
  let description = [{
    Two accesses conflict if different threads touch the same byte and one of them writes. This pass, run before the copies are
    lowered, checks every such pair in a kernel, within an iteration of a loop and across iterations, for something that orders
    it: barriers of the block, of several warps or of one; groups of asynchronous copies, committed and waited for; phases of
    mbarriers; proxy fences. The plan that a copy will have says which thread touches which bytes. Since the plan depends on
    the options, these are the options of `--lower-tile-copy`, and both passes must be given the same values.

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
    A barrier that not all threads reach, a group that is never waited for, and arrivals and waits on an mbarrier that do not
    match are errors, too. Code that the analysis cannot follow is an error that says so: nothing is skipped silently. A kernel
    is analysed for one block, or for one cluster where blocks access each other's shared memory; conflicts between blocks in
    global memory are not checked.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}

def TilePrintDependences : Pass<"tile-print-dependences"> {
  let summary = "Print the dependences between accesses as a Graphviz graph";
  let description = [{
    Writes a graph of each kernel to the standard error stream. The nodes are the operations that `--tile-check-sync` analyses,
    in program order. An edge joins two operations in which different threads touch the same byte: read after write, write
    after read or write after write. The label of a loop-carried edge has the number of iterations; an edge is red where
    nothing orders the two operations.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}

def TileInsertSync : Pass<"tile-insert-sync"> {
  let summary = "Order conflicting accesses with as few and as narrow barriers as suffice";
  let description = [{
    Inserts the synchronization that `--tile-check-sync` finds missing: barriers of the block, of several warps or of single
    warps, waits for groups of asynchronous copies, proxy fences. Each is inserted right before the access that needs it,
    outside of code that only some threads reach. In kernels with branches or loops the barriers form a minimum cut, so that
    they are in the one arm that needs them, and before a loop rather than in it. Those that others make redundant are left
    out, and each barrier is as narrow as possible, so that the check fails if any one of them is removed.

    ```text
    tile.copy %a to %s scope(cta)                   : … threads write elements that others will read
    gpu.barrier                                         what is put
    tile.copy %s[0, 8] [64, 32] to %b scope(cta)    : …
    ```
    A conflict that no insertion can order is an error, as in the check: two threads that write one byte in one copy, a copy
    without a group. `remove-redundant` also erases redundant synchronization that the programmer wrote, with a remark for each.

    With `where-needed`, as in `--tile-build`, a kernel that has any synchronization is not changed (the remark
    `order-as-written` says so), nor is one without shared memory. Kernels whose copies were converted, which have the attribute
    `tile.converted` or such copies, are ordered in any case. It is an error if a kernel with shared memory is not known to be in
    order then. With `allow-unordered`, and in kernels with `tile.order = "by_hand"`, which are never changed, that is a warning if
    two threads are known to race, or if the kernel does not synchronize at all.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias,
                 Option<"removeRedundant", "remove-redundant", "bool", /*default=*/"false",
                        "Erase barriers, waits and fences without which all accesses are still ordered">,
                 Option<"whereNeeded", "where-needed", "bool", /*default=*/"false",
                        "Only in kernels that have shared memory and do not synchronize at all, and in those whose upstream "
                        "copies were converted">,
                 Tile_AllowUnordered];
  let dependentDialects = Tile_LoweredDialects;
}

def TilePipeline : Pass<"tile-pipeline"> {
  let summary = "Pipeline loops of asynchronous copies through rings of stages";
  let description = [{
    The loop is written without pipelining: one tile for the data of an iteration, the asynchronous copies into it, and the ops
    that read it. With `tile.stages = 3` each tile becomes a ring of three stages, copies are issued two iterations ahead, the
    first ones before the loop, and each iteration waits for its own copies. Then the pass orders the accesses of the kernel as
    `--tile-insert-sync` does: the result passes `--tile-check-sync`.

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
    Bulk copies, `{variant = "bulk"}` without an mbarrier, are completed by mbarriers that the pass creates, one per stage:

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
    A loop may have both kinds. The remark `pipelined` gives the number of stages and the bytes of each. Anything that prevents
    a copy from being issued earlier is an error: loop-carried offsets, a copy under a condition, a tile that lives longer than
    an iteration, a source that an earlier iteration writes, more stages than fit.

    With `tensor-maps`, as in `--tile-build`, copies that name neither a variant nor a completion go through
    [tensor maps](../variants/tma.md) where the chip has them and few boxes suffice, which the remark `tensor-map-chosen` says; a
    *missed* remark says what prevents it.

    With `where-needed`, as in `--tile-build`, a kernel stays as it is if such a loop waits for its copies itself, or if they are
    lowered already. That is an error, unless the kernel has `tile.order = "by_hand"`, or with `allow-unordered`.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias,
                 Option<"whereNeeded", "where-needed", "bool", /*default=*/"false",
                        "Only in kernels whose loops with stages do not synchronize themselves">,
                 Option<"tensorMaps", "tensor-maps", "bool", /*default=*/"false",
                        "Copies that leave it open go through tensor maps, which --tile-make-maps makes">,
                 Tile_AllowUnordered];
  let dependentDialects = Tile_LoweredDialects;
}

def TilePlanMemory : Pass<"tile-plan-memory"> {
  let summary = "Assign addresses to the shared tiles of a kernel, which may overlap if they are never live together";
  let description = [{
    The shared tiles of each kernel become views of one array. A tile is live where it may have been touched and may still be read
    before it is written as a whole; two tiles that are never live at the same time may occupy the same bytes. Tiles that
    different warps use, and those in different arms of a divergent branch, are in use at the same time and share nothing. Copies
    between registers that go through shared memory become two copies, and their scratch is planned like other tiles.

    ```mlir
    %s = tile.alloc : !tile.buffer<128x128xf16, shared>
    %t = tile.alloc : !tile.buffer<128x128xf16, shared>
    ```
    ```text
    %base = gpu.dynamic_shared_memory                        where static and shared memory of tiles are more than 48 KiB
    %part = memref.view %base[%c0][]
    %s    = tile.view %part : memref<16384xf16, …>           and %t at byte 32768, or 0 where %s is not live any more
    ```
    Up to 48 KiB the array is static. A larger array is dynamic: the kernel's `tile.dynamic_shared` attribute gives its size, and
    launches of the kernel that the pass sees request as much, as does `tile-run`. The remark `shared-memory` gives the static and
    dynamic size, the chip's limit, the size without sharing, and the size of the tiles that are live at the same time. Exceeding
    the chip's limit is an error that lists the tiles that are live at the same time.

    Where tiles share bytes, the last use of one must be ordered before the first use of the next. `--tile-insert-sync`, run after
    this pass, inserts what that needs; `--tile-check-sync` reports what is missing.

    With `where-needed`, as in `--tile-build`, only kernels are planned whose tiles take more than the 48 KiB that may be static,
    and the accesses of those in which tiles share bytes are ordered, too.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias,
                 Option<"whereNeeded", "where-needed", "bool", /*default=*/"false",
                        "Only in kernels whose shared tiles take more than the memory that may be static">];
  let dependentDialects = Tile_LoweredDialects;
}
