//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The steps of --tile-to-nvvm and --tile-to-host that are passes of their own, included by Passes.td.

def TilePrepareKernels : Pass<"tile-prepare-kernels"> {
  let summary = "State what a kernel's caller promises about its memref arguments";
  let description = [{
    The first step of `--tile-to-nvvm`. Memref arguments of kernels become plain pointers. The dynamic offset, extents and
    strides of a memref's type become arguments after it, in this order; strides of dense rows are computed from the extents.
    Memrefs that the kernel only reads are marked as such, and as not overlapping with any other (`llvm.readonly`,
    `llvm.noalias`), unless the option or the kernel's own `tile.noalias = false` disables that. Memory that is written is not
    marked: LLVM assumes that a barrier does not touch memory that is reachable through one pointer only. All are marked as
    aligned (`llvm.align`): as the copies relied on, but by no more than divides the size of the memref, since LLVM may load an
    aligned vector of which only a part is used. No op of the tile dialect may be left. Workgroup memory takes the alignment
    that a `memref.assume_alignment` in the kernel states: outlining a `gpu.launch` leaves it in that form.
  }];
  let options = [Tile_ArgumentAlignment, Tile_NoAlias];
  let dependentDialects = Tile_WrittenOutDialects;
}

def TileUnrollRegisters : Pass<"tile-unroll-registers"> {
  let summary = "Unroll loops that index a thread's registers";
  let description = [{
    A step of `--tile-to-nvvm`. A loop with a constant trip count of up to 256 is fully unrolled if its body accesses a
    `memref.alloca`, such as the one of a `tile.local_view`, at an index that the loop computes. No instruction can address
    a register by a run-time index: an array that a loop indexes would be placed in local memory. Loops with a run-time trip
    count are left as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TileSeparateRegisters : Pass<"tile-separate-registers"> {
  let summary = "Keep blocks apart that access different registers";
  let description = [{
    A step of `--tile-to-nvvm`, once branches are blocks. Numbers the arrays of registers, such as the memory of a `tile.local_view`, and
    states the number on each op that accesses one (`tile.registers`). Two arms of a condition that do the same with different arrays
    are then different blocks, which MLIR does not merge: the one block would have the array as an argument, and that has no
    registers.
  }];
}

def TileLowerReductions : Pass<"tile-lower-reductions"> {
  let summary = "Lower reductions over warps and blocks to shuffles";
  let description = [{
    A step of `--tile-to-nvvm`. `gpu.subgroup_reduce` becomes shuffles; upstream's conversion supports only 32-bit integers, and
    unsigned extremes of these become `nvvm.redux.sync`.
    `gpu.all_reduce … uniform` becomes one such reduction in each warp, an exchange through shared memory with
    one barrier (two in a loop), and another such reduction, so that all threads have the result.
  }];
  let options = [Option<"redux", "redux", "bool", /*default=*/"true",
                        "Leave those of 32-bit integers, for which chips from sm_80 on have an instruction">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileLowerSubgroups : Pass<"tile-lower-subgroups"> {
  let summary = "Lower numbers of warps, and exchanges between lanes to those of words";
  let description = [{
    A step of `--tile-to-nvvm`. `gpu.subgroup_id`, `gpu.num_subgroups` and `gpu.subgroup_size` become arithmetic, where a warp has
    32 threads, and `gpu.rotate` and `gpu.subgroup_broadcast` of a specific lane become shuffles. A `gpu.shuffle` of a number of
    any width, or of a vector, becomes shuffles of words of 32 bits.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::vector::VectorDialect"];
}

def TileLowerAtomics : Pass<"tile-lower-atomics"> {
  let summary = "Lower atomic updates for which the chip has no instruction";
  let description = [{
    A step of `--tile-to-nvvm`. `memref.atomic_rmw` of a kind and a type for which the chip has no instruction, and
    `memref.generic_atomic_rmw`, become loops that compare and swap the word of 32 or 64 bits that the element is in.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileLowerArithmetic : Pass<"tile-lower-arithmetic"> {
  let summary = "Lower arithmetic of 8-bit floats";
  let description = [{
    A step of `--tile-to-nvvm`. Arithmetic of `f8E4M3FN` and `f8E5M2` is computed in `f32` and rounded; `arith.scaling_extf` and
    `scaling_truncf` become products; conversions to and from `f8E8M0FNU` become shifts. All of this is done by upstream's
    patterns.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def TileLowerShuffles : Pass<"tile-lower-shuffles"> {
  let summary = "Exchange values of lanes through shared memory";
  let description = [{
    A step of `--tile-to-portable`: subgroups of portable targets are not known to be warps. Each `gpu.shuffle` becomes a store,
    a barrier and a load of the other lane's value, after a barrier behind the loads of the previous one. So all threads of the
    block must execute it. Shuffles within parts of warps are an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

def TileLowerVectors : Pass<"tile-lower-vectors"> {
  let summary = "Lower multi-dimensional vectors to one-dimensional ones";
  let description = [{
    A step of `--tile-to-nvvm`. Applies upstream's patterns to ops that the conversion of the vector dialect does not
    support: transposes, shape casts, contractions, multi-dimensional reductions and transfers, scans, masks,
    gathers, interleavings. Everything is unrolled, so that vectors stay in registers. A constant vector that is indexed at run time becomes
    a constant in global memory, of which each thread loads elements.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def TileLowerMath : Pass<"tile-lower-math"> {
  let summary = "Expand elementary functions";
  let description = [{
    A step of `--tile-to-nvvm`. Upstream lowers the math dialect to calls of libdevice, which no library here provides; this
    pass expands its ops to arithmetic or, where an op's `fastmath` has `afn`, to the chip's approximations. Vectors are
    split into elements. docs/math.md gives the error of each function; an op without an expansion for its type is an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def TileFinishLaunches : Pass<"tile-finish-launches"> {
  let summary = "Make launches pass the arguments that kernels take";
  let description = [{
    The last step of `--tile-to-nvvm` outside kernels. A `gpu.launch_func` that passes a memref to a kernel which
    takes it as one pointer passes the address of its memory instead, so that `--gpu-to-llvm` needs no option.

    A launch is an error if its constant sizes are not those that the kernel needs: a grid of 0, blocks of another size than
    `known_block_size`, clusters of another size, or less dynamic shared memory than is planned.

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

def TileLineInfo : Pass<"tile-line-info"> {
  let summary = "Make PTX name the lines of the MLIR that it comes from";
  let description = [{
    The last step of `--tile-to-nvvm=line-info`. Locations become what debug information can state: places in files, and calls
    from one such place to another. A name stands for what it names, a fusion for the first of its parts that has a place, and a call
    without a place for the code that it calls. Upstream's `ensure-debug-info-scope-on-llvm-func` then makes the scopes of
    functions. It expects of a call that both ends have a file, and that the op is in a function. Code that `--tile-inline` has
    inlined gets the scope of the function that it is from: PTX states that function's name, and the call.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TileOutlineKernels : Pass<"tile-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of each launch, which states the same order";
  let description = [{
    The first step of `--tile-to-host`: upstream's `--gpu-kernel-outlining`, after which the kernel of a `gpu.launch` has its
    `tile.order`. Upstream's pass alone drops the attributes of a launch.
  }];
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::gpu::GPUDialect"];
}

def TileLowerMemset : Pass<"tile-lower-memset"> {
  let summary = "Fill memory of the device with elements of any width";
  let description = [{
    A step of `--tile-to-host`. Upstream's conversion of `gpu.memset` takes elements of 16 and 32 bits. For others an array on the
    host is filled and copied, and the host waits for the copy.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
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

    A module that still contains ops of dialects other than LLVM's is an error.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"];
}

def TileFinishHost : Pass<"tile-finish-host"> {
  let summary = "Check that host code is fully lowered";
  let description = [{
    The last step of `--tile-to-host`: an op outside of kernels that is not in the LLVM dialect, except for launches and the
    binaries that they name, is an error at that op. Upstream's `--gpu-to-llvm` leaves ops that it does not support, such as
    an asynchronous `gpu.alloc host_shared`.
  }];
}

def TileFinishKernels : Pass<"tile-finish-kernels"> {
  let summary = "Let the launch size dynamic shared memory, and check that kernels are fully lowered";
  let description = [{
    The last step of `--tile-to-nvvm` in kernels: an op that is in neither the LLVM nor the NVVM dialect is an error.
    Upstream lowers `gpu.dynamic_shared_memory` to an internal array of no elements, which becomes one byte of static shared
    memory; other shared arrays may then overlap the dynamic ones. This pass makes the array external, which is PTX's form of
    dynamic shared memory. Static shared arrays are rounded up to a multiple of their alignment: LLVM may load an aligned
    vector whose last elements are not used, and these must not lie beyond the end of a block's shared memory.

    `known_block_size` becomes `nvvm.reqntid`, the only size of blocks that the kernel can be launched with. Upstream makes it
    `nvvm.maxntid`, with which the driver accepts smaller blocks. Loads from arguments that are only read are marked as
    invariant, so that all of them go through the read-only cache.
  }];
}
