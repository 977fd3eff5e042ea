//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_PASSES_TD
#define TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

// The dialects of the ops that copies, products and scans are lowered to. Every pass that plans copies makes some: products are
// lowered first, and versions become branches.
defvar Tile_LoweredDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                               "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
                               "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                               "::mlir::vector::VectorDialect"];

// What is made of ops that are written short, and of loops, branches and accesses of the affine dialect.
defvar Tile_WrittenOutDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                                  "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];

// Options that several passes share.
defvar Tile_Chip = Option<"chip", "chip", "std::string", /*default=*/"\"\"",
    "Chip to compile for, such as sm_90a; it is written to the gpu.module. By default the chip that the gpu.module names, "
    "else sm_80">;
defvar Tile_MaxVectorBits = Option<"maxVectorBits", "max-vector-bits", "unsigned", /*default=*/"128",
    "Widest load or store, in bits: a power of two from 8 to 256">;
defvar Tile_Variants = ListOption<"variants", "variants", "std::string",
    "Variants that may be chosen; by default all">;
defvar Tile_ArgumentAlignment = Option<"argumentAlignment", "argument-alignment", "unsigned", /*default=*/"256",
    "Alignment in bytes to assume for the memref arguments of a kernel (device allocations have 256); it is written as "
    "their llvm.align, and an existing llvm.align takes precedence">;
defvar Tile_NoAlias = Option<"noalias", "noalias", "bool", /*default=*/"true",
    "Assume that the arguments of a kernel do not overlap where it writes one of them; tile.noalias on the kernel takes "
    "precedence">;
defvar Tile_AllowUnordered = Option<"allowUnordered", "allow-unordered", "bool", /*default=*/"false",
    "With where-needed, leave kernels whose order is not found as they are written, with a warning instead of an error">;

def TileCheckBounds : Pass<"tile-check-bounds"> {
  let summary = "Prove that copies stay inside their buffers, or report a thread whose copy does not";
  let description = [{
    Unless a copy is `masked`, the caller promises that a region with run-time offsets stays inside its buffer. This pass
    changes nothing but what is written short: a `tile.view` with promises, `tile.allocs`, `tile.extents`, a `tile.block_order` of a
    matrix, a `tile.return_if`, and loops and branches of the affine dialect around tiles are
    written out. Run before the copies are lowered, it checks that promise for each `tile.copy` and `tile.copy_async`, in
    each dimension of both regions and of each `tile.subview` that they are regions of.

    | finding | report | contents |
    | --- | --- | --- |
    | always inside | a remark, `in-bounds` | |
    | outside, for a thread, block or iteration that exists | an error | that thread, block or iteration, where its region begins, and which element is outside |
    | undecided | a warning, with `strict` an error | the value about which too little is known, numbers for which the region leaves the buffer, and the promise or condition that would prove it inside |

    ```mlir
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp)
      : !tile.buffer<100x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    With `%row` equal to 16 times the block id, and seven blocks:
    ```text
    error: 'tile.copy' op leaves its buffer in dimension 0: the source begins at 96, expected 0 to 84:
      element [4, 0] of the region is outside of the extent 100, with block x = 6
    ```
    Values are computed as at run time, in 64 bits or in the width of their type, with overflow. The analysis knows thread
    and block ids (within `known_block_size` and `known_grid_size`), loops, arithmetic, `tile.assume`, and the conditions of
    `scf.if`, `affine.if`, `scf.while` and `cf.assert` around the copy; it takes an extent to be from 0 to 2^56. Run-time
    extents are compared symbolically: `for %i = 0 to %n step 16` stays inside an extent `%n` that is `divisible_by 16`.
    Where there are few combinations of values, all are enumerated; otherwise inequalities are added up.
  }];
  let options = [Option<"strict", "strict", "bool", /*default=*/"false",
                        "Report a copy that is not proved to stay inside as an error">];
  let dependentDialects = Tile_WrittenOutDialects;
}

include "Border.td"
include "Synchronization.td"
include "TensorMaps.td"

def TileInsertBoundsTraps : Pass<"tile-insert-bounds-traps"> {
  let summary = "Assert at run time that copies begin in bounds";
  let description = [{
    The caller promises that a region with run-time offsets stays inside its buffer; a copy that
    breaks the promise accesses what lies next to the buffer, such as the next row of a matrix. This pass, run
    before the copies are lowered, makes the kernel check the promise: before each
    `tile.copy` and `tile.copy_async` it asserts, for source and destination, that each run-time offset
    is from 0 to the extent of the buffer minus that of the region.

    ```mlir
    %c84 = arith.constant 84 : index
    %0 = arith.cmpi ule, %row, %c84 : index
    cf.assert %0, "tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84"
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp)
      : !tile.buffer<100x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    An assertion that fails prints its text, the file, line, block and thread, and ends the kernel
    with an error (`__assertfail`). A thread for which the predicate of a `tile.copy_async` is false need
    not be in bounds; with `fill` only its source need not.

    Where the extent of the buffer is known only at run time (`?`), even a constant offset is compared with it. A masked copy may
    leave its buffer; for it, extents that are passed to `tile.view` are asserted to be at least 0.

    Nothing is emitted for an offset that is proved to be in bounds, as by `--tile-check-bounds`, or by that and what has been
    asserted before earlier copies. An offset that is proved to be out of bounds is an error: the same copies are reported as by
    `--tile-check-bounds`, whatever would be asserted before them.
  }];
  let dependentDialects = Tile_WrittenOutDialects # ["::mlir::cf::ControlFlowDialect"];
}

def TileConvertBuffers : Pass<"tile-convert-buffers"> {
  let summary = "Pass tiles through loops, branches and functions as pointers and indices";
  let description = [{
    A tile that a loop carries, a branch or `arith.select` chooses, or a function takes or returns becomes the results of
    `tile.parts`: a pointer, and an index for each run-time extent and stride. `tile.view` builds a tile from them where one
    is used. Where the value can only be one particular tile, that tile replaces it. Functions are converted when the pass
    runs on an op around them.

    ```mlir
    %c = arith.constant true
    %p = tile.parts %a : !tile.buffer<32x32xf32, shared> to !llvm.ptr<3>
    %q = tile.parts %b : !tile.buffer<32x32xf32, shared> to !llvm.ptr<3>
    %r = arith.select %c, %p, %q : !llvm.ptr<3>
    %x = tile.view %r : !llvm.ptr<3> to !tile.buffer<32x32xf32, shared>
    ```
    A fact that holds for every value that a pointer or an index may take is kept: its alignment, what it is a multiple of. A
    tile in registers or in tensor memory has no address to pass: it must be one particular tile, or it is an error.

    The passes that lower copies start with this one. Other compilers can use the type conversion and its patterns
    (`passes/cpp/Buffers.h`).
  }];
  let dependentDialects = Tile_WrittenOutDialects;
}

def TileInline : Pass<"tile-inline"> {
  let summary = "Make the functions that kernels call part of the kernels";
  let description = [{
    Replaces each `func.call` in a kernel, in a function of a `gpu.module` and in a `gpu.launch` by the body of the callee, the
    callees of callees first. Tiles may be arguments and results, also tiles of registers and of tensor memory: in the kernel,
    each is one particular tile again. A callee may allocate tiles, synchronize and reduce over the block, as its caller may at
    the place of the call.

    Before:
    ```mlir
    gpu.module @kernels {
      func.func private @load(%a: !tile.buffer<32x32xf32, global>) -> !tile.buffer<32x32xf32, shared> {
        %s = tile.alloc : !tile.buffer<32x32xf32, shared>
        tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
        return %s : !tile.buffer<32x32xf32, shared>
      }
      gpu.func @kernel(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
        %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
        %s = func.call @load(%a) : (!tile.buffer<32x32xf32, global>) -> !tile.buffer<32x32xf32, shared>
        gpu.return
      }
    }
    ```
    After:
    ```mlir
    gpu.module @kernels {
      gpu.func @kernel(%A: memref<32x32xf32> {llvm.align = 256 : i64}) kernel
          attributes {known_block_size = array<i32: 64, 1, 1>} {
        %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
        %s = tile.alloc : !tile.buffer<32x32xf32, shared>
        tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
        gpu.return
      }
    }
    ```
    A private function of a `gpu.module` that nothing refers to any more is erased, and so is any other that nothing can call,
    because it takes or returns registers or tensor memory. The size of blocks is that of the kernel;
    a callee that states another one is an error. An alignment that an argument of the callee promises (`llvm.align`) is kept.

    A call that cannot be replaced is an error that names the callee: the callee calls itself, has no body, is known only at run
    time, or has several blocks where the call is in a region of one. With `keep-calls`, such a call stays a call, which a
    remark reports, `call-stays`, unless it passes registers or tensor memory, which no call can. A function or a call that is
    `no_inline` always stays. The pass reads functions next to the one that calls, so it runs on a module.
  }];
  let options = [Tile_ArgumentAlignment,
                 Option<"keepCalls", "keep-calls", "bool", /*default=*/"false",
                        "Leave a call that cannot be inlined, with a remark">];
  let dependentDialects = Tile_WrittenOutDialects;
}

include "Versions.td"
include "Linalg.td"

def TileAlignLayouts : Pass<"tile-align-layouts"> {
  let summary = "Choose a variant for each copy and reorder both sides alike";
  let description = [{
    Aligns the layouts of the two sides with each other, so that both number the same elements in the same order. (The
    alignment of addresses is handled by `--tile-vectorize-copy`.)

    Each variant is one rewrite pattern whose benefit is its priority; among equals the first wins.

    docs/generated/Variants.md, generated from the registry, lists the variants in the order in which they are tried.

    Before:
    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
    After:
    ```mlir
    tile.planned_copy %a to %s scope(warp)
      plan<matched "gmem_smem", threads = 32, bits = 32, src = {layout = (1024) : (1), space = global, align = 256},
                 dst = {layout = (1024) : (1), space = shared, align = 128}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
    A remark says why a variant declined; a forced variant that declines is an error. The fallback emits a
    warning. The pass fails if any `tile.copy` or `tile.copy_async` is left.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}

def TileChooseLayouts : Pass<"tile-choose-layouts"> {
  let summary = "Choose the layouts of shared tiles and of registers that leave them open";
  let description = [{
    A tile of type `!tile.buffer<…, local, auto>` gets the layout that the products decide which use it: each is given the best
    instruction of the chip that takes its tiles, all that share tiles the same one over the same warps. Sums, factors, and the tiles that
    maps, reductions and copies relate to them follow. Factors are copied from shared memory to registers where the instruction has them
    there; a copy that the program makes of a shared tile is dropped where products can read that. Sums of `tcgen05` are copied to tensor
    memory and back, around the loops in which products alone use them. The *passed* remarks are `registers-chosen` and
    `factor-read-in-place`.

    Before:
    ```text
    tile.mma %sa, %sb, %sums scope(cta) : … !tile.buffer<64x64xf32, local, auto>
    ```
    After, on sm_80:
    ```text
    tile.copy %sa to %a … !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a over (2, 2) warps>>
    tile.copy %sb to %b … !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.b over (2, 2) warps>>
    tile.mma %a, %b, %sums scope(cta) : … !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (2, 2) warps>>
    ```

    A tile of type `!tile.buffer<…, shared, auto>` gets the layout in which its accesses take the fewest wavefronts: an order of its
    dimensions, with a swizzle or with padding. All copies and fills of the tile count, through views, loops (`scf.for`) and branches
    (`scf.if`), each as often as the loops around it go round; a trip count that is not known counts as 16. Where a matrix engine or
    TMA accesses the tile, its layouts are those of the engine: panels of 128, 64 or 32 bytes with the swizzle of that width, or none.

    Before:
    ```text
    %s = tile.alloc : !tile.buffer<64x64xf32, shared, auto>
    tile.copy %a to %s …                                        rows
    %t = tile.permute %s [1, 0] : !tile.buffer<64x64xf32, shared, auto>
    tile.copy %t to %b …                                        columns
    ```
    After:
    ```text
    %s = tile.alloc : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 0, bits = 5, shift = 6>>>
    ```

    The *passed* remark `layout-chosen` is a certificate, which a check of its own has verified by enumeration: `0 conflicts`; or how many
    ways are unavoidable, and for which accesses; or `least of the … layouts that TMA has`, and what a free choice would have.
    Allocations that reach the same values get one layout. A tile that something else takes, such as a call or a pointer, is an error
    that names it.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}

def TileDeny : Pass<"tile-deny"> {
  let summary = "Make errors of costs that are remarks otherwise";
  let description = [{
    Writes `tile.deny` on the op that the pass runs on. A copy, a product, a kernel or a module that has the attribute denies costs, of itself and
    of everything in it:

    | cost | the error, where it arises |
    | --- | --- |
    | `fallback` | a copy, or a part of one, is done element by element; a product by multiplications of single threads |
    | `masks` | a masked copy is not proved to be inside, so that its accesses compare their position with limits |
    | `conflicts` | accesses of shared memory take more wavefronts than their bytes need |
    | `checks` | `--tile-insert-bounds-traps` would assert something at run time |
    | `serialised` | an access of a ring waits for copies of later iterations |
    | `spills` | ptxas keeps registers in memory; a warning where there is no ptxas on the `PATH` |

    Each says what was got and what was expected, and has a note at the contract. Attributes can be written by hand, too:

    ```mlir
    gpu.module @kernels attributes {tile.deny = ["spills"]} {
      gpu.func @k(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.deny = ["conflicts"]} {
        %a = tile.view %A : memref<64x64xf16>
        %s = tile.alloc : !tile.buffer<64x64xf16, shared>
        tile.copy %a to %s scope(cta) {tile.deny = ["fallback"]} : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared>
        gpu.return
      }
    }
    ```
  }];
  let options = [ListOption<"costs", "costs", "std::string",
                 "What to deny: fallback, masks, conflicts, checks, spills, serialised">];
}

def TileReportMemory : Pass<"tile-report-memory"> {
  let summary = "List the copies that cost the memories more than their bytes need";
  let description = [{
    Plans each copy, without changing it, and counts what its accesses cost when all warps of a block execute it once: wavefronts of
    shared memory, and sectors of global memory. The copies that cost more than their bytes need are remarks, the worst first: at
    most `worst` of them.

    ```mlir
    // A column of a row-major tile: all lanes access one bank.
    tile.copy %a to %t scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
    ```
    `1 of 1: tile.copy by gmem_smem: 1024 wavefronts, 32 without conflicts; 128 sectors in 32 lines, 128 at least`

    The counts are those of the simulator: run-time begins have the least value that is known to be possible, run-time strides are
    far apart, and masked regions are inside their buffers. `--remarks-filter-analyse=tile-traffic` prints the counts of every copy
    when it is lowered.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias,
                 Option<"worst", "worst", "unsigned", /*default=*/"10", "List at most so many copies">];
  let dependentDialects = Tile_LoweredDialects;
}

def TileVectorizeCopy : Pass<"tile-vectorize-copy"> {
  let summary = "Split matched copies into rounds, threads and the widest vectors";
  let description = [{
    A width is legal when, on both sides, its elements are contiguous, and every address is a multiple
    of it. For this every other stride, the offset, the run-time offsets and the storage's alignment must
    be multiples of the width. The remark names what prevents the next wider width.

    After:
    ```mlir
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4, bits = 32, thread_iters = 1,
                 src = {layout = (8, 32, 4) : (128, 4, 1), space = global, align = 256},
                 dst = {layout = (8, 32, 4) : (128, 4, 1), space = shared, align = 128}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_ArgumentAlignment];
  let dependentDialects = Tile_LoweredDialects;
}

def TileExpandCopy : Pass<"tile-expand-copy"> {
  let summary = "Turn planned copies and buffers into loads, stores and matrix instructions";
  let description = [{
    Expands the copies to arith, gpu, memref, nvvm, scf and vector ops. Loads and stores state their
    alignment; the loads of a thread come before its stores, so that they are in flight together.
    Buffers become memrefs: shared ones in workgroup memory, local ones private arrays that end up in
    registers. Workgroup memory is an attribution of the `gpu.func` or the `gpu.launch`; in any other
    function it is a `memref.global` next to the function, for which the pass must run on the enclosing
    module. No op of the tile dialect is left.
  }];
  let options = [Tile_Chip];
  let dependentDialects = Tile_LoweredDialects;
}

def LowerTileCopy : Pass<"lower-tile-copy"> {
  let summary = "Lower tile copies: align, vectorize and expand in one pass";
  let description = [{
    Runs the three stages in sequence. If an op of the tile dialect is left, the pass fails and says
    which copy cannot be lowered and why.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_LoweredDialects;
}

def LowerTileScan : Pass<"lower-tile-scan"> {
  let summary = "Lower tile scans and other passes over arrays to kernels and launches";
  let description = [{
    Adds the kernels of each `tile.scan`, `tile.chained` and `tile.sort` to the `gpu.module` that it names, and replaces the op by launches.
    Each strategy is one rewrite pattern whose benefit is its priority.

    | strategy | priority | method |
    | --- | --- | --- |
    | `decoupled_fallback` | 30 | one pass; if another block does not publish its sum, the block that needs it computes it |
    | `decoupled_lookback` | 20 | one pass; a block waits without limit for the sums of others |
    | `reduce_then_scan` | 10 | three kernels, in which no block waits for another |
    | `serial` | 0 | one thread |

    `tile.chained` and `tile.sort` have the first two. A remark names the strategy chosen for an op, with its tile, its workspace and its grid; further
    remarks say why strategies declined. A forced strategy that declines is an error. The pass fails if
    any such op is left.
  }];
  let options = [Tile_Chip, Tile_ArgumentAlignment];
  let dependentDialects = Tile_LoweredDialects;
}

include "LoweringSteps.td"

#endif // TILE_PASSES_TD
