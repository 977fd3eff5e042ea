//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_PASSES_TD
#define TILE_PASSES_TD

include "Border.td"

// What a lowered copy or scan is made of.
defvar Tile_LoweredDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                               "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                               "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                               "::mlir::vector::VectorDialect"];

// Options that several passes share.
defvar Tile_Chip = Option<"chip", "chip", "std::string", /*default=*/"\"\"",
    "Chip to compile for, such as sm_90a, which a gpu.module is made to name; left out, the one that it names, else "
    "sm_80">;
defvar Tile_MaxVectorBits = Option<"maxVectorBits", "max-vector-bits", "unsigned", /*default=*/"128",
    "Widest load or store, in bits: a power of two from 8 to 256">;
defvar Tile_Variants = ListOption<"variants", "variants", "std::string",
    "Variants that may be chosen; left out, all">;
defvar Tile_ArgumentAlignment = Option<"argumentAlignment", "argument-alignment", "unsigned", /*default=*/"256",
    "Alignment in bytes that the memref arguments of a kernel are taken to have (device allocations have 256); it is "
    "written as their llvm.align, and one that is there already wins">;

def TileCheckBounds : Pass<"tile-check-bounds"> {
  let summary = "Prove that copies stay inside their buffers, or say which thread leaves";
  let description = [{
    That a region with run-time begins stays inside its buffer is the caller's promise, unless the copy is `masked`. This pass
    changes nothing. Run before the copies are lowered, it asks of each `tile.copy` and `tile.copy_async`, of each dimension of
    both regions and of each `tile.subview` that they are regions of, whether the promise is kept.

    | found | reported | |
    | --- | --- | --- |
    | always inside | a remark, `in-bounds` | |
    | leaves, for a thread, a block or an iteration that there is | an error | which one, where the region begins for it, and which element is outside |
    | not decided | a warning, with `strict` an error | of which value too little is known, numbers for which the region leaves, and the promise or the condition that would prove it |

    ```mlir
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp)
      : !tile.buffer<100x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    Where `%row` is 16 times the number of the block, of which there are seven:
    ```text
    error: 'tile.copy' op leaves its buffer in dimension 0: the source begins at 96, expected 0 to 84:
      element [4, 0] of the region is outside of the extent 100, with block x = 6
    ```
    Numbers are computed as the run computes them, in 64 bits or in the width of their type, with overflow. What is known are
    ids of threads and blocks (sizes as `known_block_size` and `known_grid_size` say them), loops, arithmetic, `tile.assume`,
    the conditions of `scf.if`, `affine.if`, `scf.while` and `cf.assert` around the copy, and that an extent is from 0 to 2^56.
    Extents that only the run knows are compared as they are: `for %i = 0 to %n step 16` stays inside an extent `%n` that is
    `divisible_by 16`. Where numbers are few all are looked at; otherwise inequalities are added up.
  }];
  let options = [Option<"strict", "strict", "bool", /*default=*/"false",
                        "A copy that is not proved to stay inside is an error">];
  let dependentDialects = ["::tile::TileDialect"];
}

include "Synchronization.td"

def TileInsertBoundsTraps : Pass<"tile-insert-bounds-traps"> {
  let summary = "Stop kernels whose copies begin out of bounds";
  let description = [{
    That a region with run-time begins stays inside its buffer is the caller's promise; a copy that
    breaks it moves what lies beside the buffer, such as the next row of a matrix. This pass, run
    before the copies are lowered, has the promise checked while the kernel runs: before each
    `tile.copy` and `tile.copy_async` it asserts, for source and destination, that each run-time begin
    is from 0 to the extent of the buffer less that of the region.

    ```mlir
    %c84 = arith.constant 84 : index
    %0 = arith.cmpi ule, %row, %c84 : index
    cf.assert %0, "tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84"
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp)
      : !tile.buffer<100x64xf32, global> to !tile.buffer<16x64xf32, shared>
    ```
    An assertion that fails prints its text, the file, line, block and thread, and ends the kernel
    with an error (`__assertfail`). Threads that the predicate of a `tile.copy_async` leaves out need
    not be in bounds; with `fill` only the source need not.

    Where only the run knows the extent of the buffer (`?`), the begin is compared with it, also one that is a number.

    Nothing is emitted for a begin that is proved to be in bounds, as by `--tile-check-bounds`. A begin that is proved to be
    out of bounds is an error.
  }];
  let dependentDialects = ["::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TileConvertBuffers : Pass<"tile-convert-buffers"> {
  let summary = "Make tiles that loops, branches and functions hand on pointers and numbers";
  let description = [{
    A tile that a loop carries, a branch or `arith.select` chooses, or a function takes or returns becomes what `tile.parts`
    gives: a pointer, and an index for each extent and stride that only the run knows. `tile.view` makes a tile of them where one
    is used. Where it can be one tile only, it is that. Functions are converted where the pass runs on what is around them.

    ```mlir
    %c = arith.constant true
    %p = tile.parts %a : !tile.buffer<32x32xf32, shared> to !llvm.ptr<3>
    %q = tile.parts %b : !tile.buffer<32x32xf32, shared> to !llvm.ptr<3>
    %r = arith.select %c, %p, %q : !llvm.ptr<3>
    %x = tile.view %r : !llvm.ptr<3> to !tile.buffer<32x32xf32, shared>
    ```
    What is known of all that a pointer or a number may be is known of it: its alignment, what it is a multiple of. A tile of
    registers or of tensor memory has no address that could be handed on: it is one tile, or an error.

    The passes that lower copies begin with this one. Other compilers have the type conversion and its patterns
    (`passes/cpp/Buffers.h`).
  }];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
}

def TileAlignLayouts : Pass<"tile-align-layouts"> {
  let summary = "Choose a variant for each copy and reorder both sides alike";
  let description = [{
    Layouts of the two sides are aligned with each other, so that both count the same elements in the same order. How addresses
    are aligned is the subject of `--tile-vectorize-copy`.

    Each variant is one rewrite pattern whose benefit is its priority; of equals the first wins.

    The table of variants, in the order in which they are tried, is made from their registry: docs/generated/Variants.md.

    Before:
    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
    After:
    ```mlir
    tile.matched_copy "gmem_smem" %a as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)>
      scope(warp) threads(32) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
    A variant that declines says why in a remark; a forced variant that declines is an error. The
    fallback warns. No `tile.copy` and no `tile.copy_async` is left, or the pass fails.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TileVectorizeCopy : Pass<"tile-vectorize-copy"> {
  let summary = "Split matched copies into rounds, threads and the widest vectors";
  let description = [{
    A width is legal when, on both sides, its elements are contiguous, and every address is a multiple
    of it: every other stride, the offset, run-time offsets and the storage's alignment. The remark
    names what keeps the next wider width from being legal.

    After:
    ```mlir
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_ArgumentAlignment];
  let dependentDialects = ["::tile::TileDialect", "::mlir::NVVM::NVVMDialect", "::mlir::memref::MemRefDialect"];
}

def TileExpandCopy : Pass<"tile-expand-copy"> {
  let summary = "Turn staged copies and buffers into loads, stores and matrix instructions";
  let description = [{
    Writes the copies as arith, gpu, memref, nvvm, scf and vector ops. Loads and stores state their
    alignment; the loads of a thread come before its stores, so that they are in flight together.
    Buffers become memrefs: shared ones workgroup memory, local ones private arrays that end in
    registers. Workgroup memory is an attribution of the `gpu.func` or the `gpu.launch`; that of another
    function is a `memref.global` beside it, for which the pass must run on the module around it. No op of
    the tile dialect is left.
  }];
  let options = [Tile_Chip];
  let dependentDialects = Tile_LoweredDialects;
}

def LowerTileCopy : Pass<"lower-tile-copy"> {
  let summary = "Lower tile copies: align, vectorize and expand in one pass";
  let description = [{
    The three stages one after the other. No op of the tile dialect is left, or the pass fails and says
    which copy cannot be done and why.
  }];
  let options = [Tile_Chip, Tile_MaxVectorBits, Tile_Variants, Tile_ArgumentAlignment];
  let dependentDialects = Tile_LoweredDialects;
}

def LowerTileScan : Pass<"lower-tile-scan"> {
  let summary = "Lower tile scans to kernels and launches";
  let description = [{
    Puts the kernels of each `tile.scan` into the `gpu.module` that it names, and launches in its place.
    Each strategy is one rewrite pattern whose benefit is its priority.

    | strategy | priority | does |
    | --- | --- | --- |
    | `decoupled_fallback` | 30 | one pass; a block computes itself what another one does not publish |
    | `decoupled_lookback` | 20 | one pass; a block waits for as long as it takes |
    | `reduce_then_scan` | 10 | three kernels that wait for nothing |
    | `serial` | 0 | one thread |

    A remark says which strategy took a scan, with its tile, its workspace and its grid; each strategy
    that declined says why in another one. A forced strategy that declines is an error. No `tile.scan`
    is left, or the pass fails.
  }];
  let options = [Tile_Chip, Tile_ArgumentAlignment];
  let dependentDialects = Tile_LoweredDialects;
}

def TilePrepareKernels : Pass<"tile-prepare-kernels"> {
  let summary = "State what a kernel's caller promises about its memref arguments";
  let description = [{
    The first step of `--tile-to-nvvm`. Memref arguments of kernels become plain pointers. What a memref's type leaves to the
    run becomes arguments behind it, in the order of offset, extents and strides; strides of dense rows follow from the
    extents. Memrefs that the kernel only reads are said not to overlap with any other
    (`llvm.noalias`), unless the option or the kernel's own `tile.noalias = false` disables that. Of memory that is
    written it is not said: to LLVM a barrier does not touch memory that nothing else reaches. All are said to be aligned (`llvm.align`): as the copies relied on, but no
    more than divides the size of the memref, since LLVM may load an aligned vector of which only a part is
    used. No op of the tile dialect may be left.
    Workgroup memory gets the alignment that a `memref.assume_alignment` in the kernel says it has: that is
    how it comes out of a `gpu.launch`.
  }];
  let options = [Tile_ArgumentAlignment,
    Option<"noalias", "noalias", "bool", /*default=*/"true",
           "Memref arguments of a kernel do not overlap where one of them is written">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def TileUnrollRegisters : Pass<"tile-unroll-registers"> {
  let summary = "Unroll loops that walk along a thread's registers";
  let description = [{
    A step of `--tile-to-nvvm`. A loop of a known number of rounds, up to 256, becomes as many copies of its body where this
    accesses a `memref.alloca`, as `tile.local_view` gives it, at a place that the loop computes. No instruction takes a
    register by a number that only the run knows: memory that a loop indexes would be local memory. Loops whose rounds only
    the run knows are left as they are.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TileLowerReductions : Pass<"tile-lower-reductions"> {
  let summary = "Lower reductions over warps and blocks to shuffles";
  let description = [{
    A step of `--tile-to-nvvm`. `gpu.subgroup_reduce` becomes shuffles, of which upstream's conversion takes only integers of
    32 bits. `gpu.all_reduce … uniform` becomes one such reduction in each warp, an exchange through shared memory with
    one barrier (in a loop two), and another one, so that all threads have the result.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def TileLowerVectors : Pass<"tile-lower-vectors"> {
  let summary = "Lower vectors of several dimensions to those of one";
  let description = [{
    A step of `--tile-to-nvvm`. Applies upstream's patterns to what the conversion of the vector dialect does not
    take: transposes, shape casts, contractions, multi-dimensional reductions and transfers, scans, masks,
    gathers, interleavings. Everything is unrolled, so that vectors stay in registers.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def TileLowerMath : Pass<"tile-lower-math"> {
  let summary = "Expand elementary functions";
  let description = [{
    A step of `--tile-to-nvvm`. Upstream makes calls of libdevice of the math dialect, which no library here provides; here they
    become arithmetic, or, where an op's `fastmath` has `afn`, the chip's approximations. Vectors are taken apart.
    How far each function is off is in docs/math.md; one that has no expansion for its type is an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def TileFinishLaunches : Pass<"tile-finish-launches"> {
  let summary = "Let the host pass what kernels take";
  let description = [{
    The last step of `--tile-to-nvvm` outside kernels. A `gpu.launch_func` that passes a memref to a kernel which
    takes it as one pointer passes the address of its memory instead, so that `--gpu-to-llvm` needs no option.

    Before:
    ```text
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%A : memref<32x32xf32>)
    ```
    After:
    ```text
    %address = memref.extract_aligned_pointer_as_index %A : memref<32x32xf32> -> index
    %number = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%pointer : !llvm.ptr)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TileEmbedPtx : Pass<"tile-embed-ptx"> {
  let summary = "Print kernels as PTX into the module that launches them";
  let description = [{
    A `gpu.module` that `--tile-to-nvvm` has lowered becomes a `gpu.binary` of the same name with its PTX, the text that
    `tile-translate --tile-to-ptx` prints. Upstream's translation to LLVM IR then embeds the text, and a launch loads it.

    Before:
    ```text
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      llvm.func @copy(%A: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} { … }
    }
    ```
    After:
    ```text
    gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "…">]
    ```

    A module that still has ops of other dialects than LLVM's is an error.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"];
}

def TileFinishHost : Pass<"tile-finish-host"> {
  let summary = "See that host code is complete";
  let description = [{
    The last step of `--tile-to-host`: an op outside of kernels that is not in the LLVM dialect, but for launches and the
    binaries that they name, is an error at that op. Upstream's `--gpu-to-llvm` leaves what it does not take, such as a
    `gpu.alloc host_shared` that is asynchronous.
  }];
}

def TileFinishKernels : Pass<"tile-finish-kernels"> {
  let summary = "Let dynamic shared memory be sized by the launch, and see that a kernel is complete";
  let description = [{
    The last step of `--tile-to-nvvm` in kernels: an op that is in neither the LLVM nor the NVVM dialect is an error.

    Upstream's lowering of `gpu.dynamic_shared_memory` makes an
    internal array of no elements, which becomes one byte of static shared memory; other shared arrays
    may then lie where the dynamic ones are. An external array is PTX's dynamic shared memory.

    Static shared arrays are rounded up to a multiple of their alignment: LLVM loads an aligned vector
    where its last elements are not used, and these must not lie behind a block's shared memory.
  }];
}

#endif // TILE_PASSES_TD
