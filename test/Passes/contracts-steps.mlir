// Contracts of other steps: what a ring waits for, and what is checked at run time.
// RUN: tile-opt --tile-pipeline --tile-insert-bounds-traps --split-input-file --verify-diagnostics %s

!matrix = !tile.buffer<1024x64xf16, global>
!plain = !tile.buffer<64x64xf16, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note@below {{the contract is the tile.deny here}}
  gpu.func @anywhere(%A: memref<1024x64xf16>, %B: memref<1024x64xf16>, %rows: memref<1024xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, tile.deny = ["serialised"]} {
    %a = tile.view %A : memref<1024x64xf16> to !matrix
    %b = tile.view %B : memref<1024x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !plain
    scf.for %row = %c0 to %c1024 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !plain
      %which = memref.load %rows[%row] : memref<1024xindex>
      // expected-error@below {{breaks its contract, which denies serialised: got 0 groups in flight, expected 1}}
      tile.copy %s[%which, 0] [1, 64] to %b[%row, 0] [1, 64] scope(cta) : !plain to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>
// expected-note@below {{the contract is the tile.deny here}}
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] attributes {tile.deny = ["checks"]} {
  gpu.func @rows(%A: memref<100x64xf32>, %row: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    // expected-error@below {{breaks its contract, which denies checks: got begins or extents that are not proved, expected none}}
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    tile.copy %a[16, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    gpu.return
  }
}
