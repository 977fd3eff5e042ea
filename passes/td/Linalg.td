//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From linalg on memrefs to tiles. Passes.td includes this file.

#ifndef TILE_LINALG_TD
#define TILE_LINALG_TD

include "mlir/Pass/PassBase.td"

// The chip is written as a target of NVVM.
defvar Tile_LinalgDialects = ["::tile::TileDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                              "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                              "::mlir::vector::VectorDialect"];

defvar Tile_Strict = Option<"strict", "strict", "bool", /*default=*/"false", "Report an op of a kernel that stays as an error">;

defvar Tile_LinalgBlock = Option<"block", "block", "unsigned", /*default=*/"0",
    "Threads of a block of functions that state no size: these become kernels, with gpu.known_block_size; 0 leaves them">;

defvar Tile_Stages = Option<"stages", "stages", "unsigned", /*default=*/"4",
    "The most stages of a loop that loads tiles and multiplies them; 0 leaves loops as they are">;

defvar Tile_LinalgInstruction = Option<"instruction", "instruction", "std::string", /*default=*/"",
    "What multiplies where no schedule says it: wgmma, mma_sync or fma; by default the best of the chip">;

defvar Tile_LinalgEpilogue = Option<"epilogue", "epilogue", "std::string", /*default=*/"",
    "How sums are stored where no schedule says it: direct, or through shared memory">;

def TileScheduleProducts : Pass<"tile-schedule-products"> {
  let summary = "Choose the tiles of products that state no schedule";
  let description = [{
    Gives each product of linalg, on tensors or memrefs, whose extents are known and that has no schedule, a `tile.schedule`: the fastest
    for the chip by a model of its speeds (docs/tuning.md). A remark, `product-scheduled`, gives the estimate and the runner-up; others
    say why a product has none. `record` names a file of measured times; what was fastest there is taken instead, where it has the product
    and the chip.

    ```mlir
    func.func @product(%A: tensor<4096x4096xf16>, %B: tensor<4096x4096xf16>, %C: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
      %c = linalg.matmul ins(%A, %B : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%C : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
      return %c : tensor<4096x4096xf32>
    }
    ```
    After, for sm_90a:
    ```text
    linalg.matmul {tile.schedule = #tile.schedule<instruction = wgmma, stages = 4, tile = [128, 256, 64], threads = 256, group = 16>} …
    ```
  }];
  let options = [Tile_Chip,
                 Option<"record", "record", "std::string", /*default=*/"", "A file of measured times; none without a name">];
  let dependentDialects = Tile_LinalgDialects;
}

def TileListProducts : Pass<"tile-list-products"> {
  let summary = "Print the schedules of products that are worth timing";
  let description = [{
    Writes the fastest schedules, by the model of `--tile-schedule-products`, of each product of linalg that states none to the standard
    output stream, for `tile-tune` (docs/tuning.md): a line of JSON for each, with the function, the place, the chip, the size, the
    elements, the schedule, and the estimate in microseconds. A product without any is a warning that says why.
  }];
  let options = [Tile_Chip,
                 Option<"candidates", "candidates", "unsigned", /*default=*/"6", "The most schedules of a product">];
  let dependentDialects = Tile_LinalgDialects;
}

def ConvertLinalgToTile : Pass<"convert-linalg-to-tile"> {
  let summary = "Convert kernels of linalg on memrefs to kernels of tiles";
  let description = [{
    Runs `--tile-map-foralls`, `--tile-convert-vectors`, `--tile-split-linalg`, `--tile-convert-memory`, `--tile-convert-linalg-ops` and `--tile-stage-loops` on kernels: each `gpu.func`, each `gpu.launch`,
    and functions with `gpu.known_block_size`. docs/linalg.md has the ops, what becomes of them, and why others stay.

    Before, as upstream's transforms tile, promote and bufferize a `linalg.matmul`:
    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @product(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c256 = arith.constant 256 : index
        %zero = arith.constant 0.0 : f32
        %sums = memref.alloc() : memref<64x64xf32>
        linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
        scf.for %k = %c0 to %c256 step %c64 {
          %a = memref.subview %A[0, %k] [64, 64] [1, 1] : memref<64x256xf16> to memref<64x64xf16, strided<[256, 1], offset: ?>>
          %b = memref.subview %B[%k, 0] [64, 64] [1, 1] : memref<256x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>>
          %sa = memref.alloc() : memref<64x64xf16, #gpu.address_space<workgroup>>
          %sb = memref.alloc() : memref<64x64xf16, #gpu.address_space<workgroup>>
          memref.copy %a, %sa : memref<64x64xf16, strided<[256, 1], offset: ?>> to memref<64x64xf16, #gpu.address_space<workgroup>>
          memref.copy %b, %sb : memref<64x64xf16, strided<[64, 1], offset: ?>> to memref<64x64xf16, #gpu.address_space<workgroup>>
          linalg.matmul ins(%sa, %sb : memref<64x64xf16, #gpu.address_space<workgroup>>, memref<64x64xf16, #gpu.address_space<workgroup>>)
            outs(%sums : memref<64x64xf32>)
        }
        memref.copy %sums, %C : memref<64x64xf32> to memref<64x64xf32>
        gpu.return
      }
    }
    ```
    After:
    ```text
    tile.fill %zero to %sums scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy_async %va[0, %k] [64, 64] to %sa scope(cta) : … to !tile.buffer<64x64xf16, shared, auto>
      tile.copy_async %vb[%k, 0] [64, 64] to %sb scope(cta) : … to !tile.buffer<64x64xf16, shared, auto>
      tile.mma %sa, %sb, %sums scope(cta) group : …
    } {tile.stages = 4 : i64}
    tile.copy %sums to %vc scope(cta) : …
    ```
    All threads of a block do each op together. Kernels that were converted get the attribute `tile.converted`, and so do ops in a
    `gpu.launch`: `--tile-build`, of which the pass is a step, then orders their accesses. An op that cannot be converted stays, with a
    remark that says why; with `strict` that is an error. With `where-needed`, as in `--tile-build`, vectors stay, and an op
    that stays gets the attribute `tile.stays` with the reason, for errors of later passes.
  }];
  let options = [Tile_Chip, Tile_Strict, Tile_LinalgBlock, Tile_Stages, Tile_LinalgInstruction, Tile_LinalgEpilogue,
                 Option<"whereNeeded", "where-needed", "bool", /*default=*/"false", "Only memref.copy and ops of linalg">];
  let dependentDialects = Tile_LinalgDialects # ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def TileMapForalls : Pass<"tile-map-foralls"> {
  let summary = "Make the threads, warps and warpgroups of a block the iterations of loops that are mapped to them";
  let description = [{
    The first step of `--convert-linalg-to-tile`. An `scf.forall` in a kernel that is mapped to threads, lanes, warps or warpgroups becomes
    what upstream's `transform.gpu.map_nested_forall_to_threads` makes of it, without a barrier after it: later passes insert those that
    are needed. The ops of linalg and copies in it get the attribute `tile.scope`, for what the other steps do with them. A loop that
    the block is too small for, or that is over tensors, stays, with a remark.

    ```mlir
    gpu.module @kernels {
      gpu.func @ones(%A: memref<128x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %one = arith.constant 1.0 : f32
        scf.forall (%w) in (4) {
          %row = affine.apply affine_map<(w) -> (w * 32)>(%w)
          %a = memref.subview %A[%row, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
          linalg.fill ins(%one : f32) outs(%a : memref<32x32xf32, strided<[32, 1], offset: ?>>)
        } {mapping = [#gpu.warp<x>]}
        gpu.return
      }
    }
    ```
    After:
    ```text
    %w = affine.apply affine_map<()[x] -> (x floordiv 32)>()[%thread_id_x]
    …
    linalg.fill {tile.scope = "warp"} ins(%one : f32) outs(%a : …)
    ```
  }];
  let options = [Tile_Strict];
  let dependentDialects = Tile_LinalgDialects # ["::mlir::affine::AffineDialect"];
}

def TileConvertVectors : Pass<"tile-convert-vectors"> {
  let summary = "Make ops of linalg of contractions and reductions of vectors that a block does together";
  let description = [{
    The second step of `--convert-linalg-to-tile`. A `vector.contract` or `vector.multi_reduction`, with the transfers, arithmetic and loops
    that its vectors come from and go to, becomes ops of linalg on memory that the kernel allocates, where all threads of a block have the
    same vectors. Others stay, with a remark that names the op that is not followed, or the value that differs.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
      gpu.func @sums(%A: memref<16x64xf32>, %S: memref<16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %c0 = arith.constant 0 : index
        %none = arith.constant 0.0 : f32
        %zero = arith.constant dense<0.0> : vector<16xf32>
        %a = vector.transfer_read %A[%c0, %c0], %none {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
        %s = vector.multi_reduction <add>, %a, %zero [1] : vector<16x64xf32> to vector<16xf32>
        vector.transfer_write %s, %S[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
        gpu.return
      }
    }
    ```
    After:
    ```text
    memref.copy %part, %a : … to memref<16x64xf32>
    linalg.fill ins(%none : f32) outs(%s : memref<16xf32>)
    linalg.generic {…, iterator_types = ["parallel", "reduction"]} ins(%a : memref<16x64xf32>) outs(%s : memref<16xf32>) { … arith.addf … }
    memref.copy %s, %S_part : memref<16xf32> to …
    ```
  }];
  let options = [Tile_Chip, Tile_LinalgBlock];
  let dependentDialects = Tile_LinalgDialects # ["::mlir::linalg::LinalgDialect"];
}

def TileSplitLinalg : Pass<"tile-split-linalg"> {
  let summary = "Put ops of linalg that are too large for tiles in loops over parts that are not";
  let description = [{
    The third step of `--convert-linalg-to-tile`. An op of linalg in a kernel that has more elements than tiles hold, an extent that nothing
    bounds, loops of a batch or of a window, becomes loops around the same op on parts, by upstream's tiling: of a product, parts that the
    chip multiplies, with sums that stay in memory of the kernel's own along the depths. A remark, `split-in-parts`, gives the sizes: a schedule that
    maps parts to blocks does more.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
      gpu.func @double(%A: memref<?x64xf32>, %B: memref<?x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        linalg.add ins(%A, %A : memref<?x64xf32>, memref<?x64xf32>) outs(%B : memref<?x64xf32>)
        gpu.return
      }
    }
    ```
  }];
  let options = [Tile_Chip, Tile_LinalgBlock];
  let dependentDialects = Tile_LinalgDialects # ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def TileConvertMemory : Pass<"tile-convert-memory"> {
  let summary = "Make tiles of promoted memory that only ops of linalg and copies use";
  let description = [{
    The fourth step of `--convert-linalg-to-tile`. A `memref.alloc` or `memref.alloca` of workgroup memory, or of memory without a space
    that a kernel allocates, becomes a `tile.alloc` where every op that uses it is one that the next step converts: in shared memory
    with a layout that is still to be chosen; in registers, in the layout of the chip's instruction, where it has the sums of products; and in registers that the compiler divides
    among the threads, where the kernel has no product and threads divide the extents of its maps and reductions evenly. Global memory that
    several of these ops use is kept in such memory between the first and the last of them, if nothing else accesses it then.
    The tile is presented to these ops as a memref, and parts of it by views of the tile; a copy to a part whose extents are known at run time
    is masked. Other memory stays, and a remark, `memory-escapes`, names the op that uses it.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
      gpu.func @keep(%A: memref<32x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %s = memref.alloc() : memref<32x64xf32, #gpu.address_space<workgroup>>
        memref.copy %A, %s : memref<32x64xf32> to memref<32x64xf32, #gpu.address_space<workgroup>>
        memref.copy %s, %A : memref<32x64xf32, #gpu.address_space<workgroup>> to memref<32x64xf32>
        gpu.return
      }
    }
    ```
    After:
    ```text
    %0 = tile.alloc : !tile.buffer<32x64xf32, shared, auto>
    %1 = builtin.unrealized_conversion_cast %0 : !tile.buffer<32x64xf32, shared, auto> to memref<32x64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let options = [Tile_Chip, Tile_LinalgBlock];
  let dependentDialects = Tile_LinalgDialects;
}

def TileConvertLinalgOps : Pass<"tile-convert-linalg-ops"> {
  let summary = "Convert copies and ops of linalg in kernels to tile ops";
  let description = [{
    The fifth step of `--convert-linalg-to-tile`. An op is known by its loops, its maps and its body, not by its name: it is a copy, a
    fill, a map, a reduction along one loop, or a product. Operands that are no tiles are copied to tiles of the op's own, and results
    back. Where no tile op does an op on global memory that only reads in its body, the threads of the block compute its elements one by
    one.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
      gpu.func @sums(%A: memref<8x256xf32>, %S: memref<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        linalg.reduce ins(%A : memref<8x256xf32>) outs(%S : memref<8xf32>) dimensions = [1]
          (%in: f32, %out: f32) {
            %sum = arith.addf %in, %out : f32
            linalg.yield %sum : f32
          }
        gpu.return
      }
    }
    ```
    After:
    ```text
    tile.copy %a to %terms scope(cta) : …
    tile.reduce add %terms to %sums dim(1) scope(cta) : !tile.buffer<8x256xf32, shared, auto> to !tile.buffer<8x1xf32, shared>
    tile.copy %s to %own scope(cta) : …
    tile.map %own, %sums to %own scope(cta) : … { … arith.addf … }
    tile.copy %own to %s scope(cta) : …
    ```
  }];
  let options = [Tile_Chip, Tile_Strict, Tile_LinalgBlock, Tile_LinalgInstruction, Tile_LinalgEpilogue];
  let dependentDialects = Tile_LinalgDialects # ["::mlir::affine::AffineDialect"];
}

def TileStageLoops : Pass<"tile-stage-loops"> {
  let summary = "Make rings of converted loops that load tiles and multiply them";
  let description = [{
    The last step of `--convert-linalg-to-tile`. In a kernel that was converted, the copies of whole tiles from global memory in a loop
    that has a product become asynchronous, and the loop gets `tile.stages`: as many as shared memory holds, at most `stages`. A remark
    says why another loop has one stage.

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @square(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %c256 = arith.constant 256 : index
        %a = tile.view %A : memref<64x256xf16>
        %s = tile.alloc : !tile.buffer<64x64xf16, shared, auto>
        %sums = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
        scf.for %k = %c0 to %c256 step %c64 {
          tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !tile.buffer<64x256xf16, global> to !tile.buffer<64x64xf16, shared, auto>
          tile.mma %s, %s, %sums scope(cta) group
            : !tile.buffer<64x64xf16, shared, auto>, !tile.buffer<64x64xf16, shared, auto>,
              !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
        }
        gpu.return
      }
    }
    ```
  }];
  let options = [Tile_Chip, Tile_Stages];
  let dependentDialects = Tile_LinalgDialects;
}

#endif // TILE_LINALG_TD
