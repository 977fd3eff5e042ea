// What a contract denies is an error, with what was got and expected; without the contract, or with another one, the same compiles.
// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s
// RUN: echo 'module {}' | not tile-opt --tile-deny=costs=fallbacks -o /dev/null 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: in the options of the pass: got costs = "fallbacks", expected one of fallback, masks, conflicts, checks, spills, serialised

!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-note@below {{the contract is the tile.deny here}}
  gpu.func @conflicts(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, tile.deny = ["conflicts"]} {
    %a = tile.view %A : memref<32x32xf32>
    %s = tile.alloc : !s
    // expected-error@below {{breaks its contract, which denies conflicts: got 1024 wavefronts, expected 32}}
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.return
  }
  gpu.func @others(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, tile.deny = ["fallback", "masks", "checks"]} {
    %a = tile.view %A : memref<32x32xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.return
  }
}

// -----

!global = !tile.buffer<4x6xf32, global>
!blocks = !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fallback(%A: memref<4x6xf32>, %row: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32>
    %s = tile.alloc : !blocks
    // expected-error@below {{breaks its contract, which denies fallback: got 24 elements one by one, expected none}}
    // expected-note-re@below {{realign declined: {{.*}} multiples of 8 bytes; {{.*}}}}
    // expected-note-re@below {{gmem_smem declined: {{.*}}}}
    // expected-note@below {{for other memories only: ldstmatrix, transpose, realign_reg, reg, same_memory, shuffle, scratch}}
    tile.copy %a to %s[%row, 0] [4, 6] scope(warp) {tile.deny = ["fallback"]} : !global to !blocks
    gpu.return
  }
}

// -----

// The mask of a copy that may be at an edge, by the contract of a module; one that is proved to be inside has none.
// expected-note@below {{the contract is the tile.deny here}}
module attributes {tile.deny = ["masks"]} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @masks(%A: memref<?x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = tile.view %A : memref<?x64xf32>
      %s = tile.alloc : !tile.buffer<64x64xf32, shared>
      %row = gpu.block_id x
      // expected-error@below {{breaks its contract, which denies masks: got 1 limit, expected none}}
      tile.copy %a[%row, 0] [64, 64] to %s scope(cta) masked : !tile.buffer<?x64xf32, global> to !tile.buffer<64x64xf32, shared>
      gpu.return
    }
    gpu.func @inside(%A: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = tile.view %A : memref<64x64xf32>
      %s = tile.alloc : !tile.buffer<64x64xf32, shared>
      tile.copy %a to %s scope(cta) masked : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, shared>
      gpu.return
    }
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-error@below {{got tile.deny = "masks", expected a list of strings, such as ["fallback"]}}
  gpu.func @no_list() kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.deny = "masks"} {
    gpu.return
  }
  // expected-error@below {{got tile.deny = "mask", expected one of fallback, masks, conflicts, checks, spills, serialised}}
  gpu.func @no_word() kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.deny = ["mask"]} {
    gpu.return
  }
}

// -----

// Multiplications of single threads, where instructions for matrices do the rest: a warning with the reasons, unless they are asked for.
!row = !tile.buffer<16x32xf32, local, #tile.layout<(16, 32) : (1@laneid, 1) + R(2 : 16@laneid)>>
!column = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (8, 1) + R(32 : 1@laneid)>>
!sums = !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @product() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !row
    %b = tile.alloc : !column
    %c = tile.alloc : !sums
    // expected-warning@below {{is multiplied by the fallback fma (each thread multiplies the elements that it holds); all faster variants declined}}
    // expected-note-re@below {{mma_sync declined: {{.*}}}}
    // expected-note@below {{for other memories only: tcgen05, wgmma}}
    tile.mma %a, %b, %c scope(warp) : !row, !column, !sums
    tile.mma %a, %b, %c scope(warp) {variant = "fma"} : !row, !column, !sums
    // expected-error@below {{breaks its contract, which denies fallback: got 256 multiplications of each thread, expected none}}
    // expected-note-re@below {{mma_sync declined: {{.*}}}}
    // expected-note@below {{for other memories only: tcgen05, wgmma}}
    tile.mma %a, %b, %c scope(warp) {tile.deny = ["fallback"]} : !row, !column, !sums
    gpu.return
  }
}
