// A masked copy is done in two ways, inside of its buffer and at its edges: both have its contract.
// RUN: not tile-opt --lower-tile-copy %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-2: error: 'tile.copy' op breaks its contract, which denies conflicts: got 1024 wavefronts, expected 32

!s = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @parts(%A: memref<?x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x32xf32>
    %s = tile.alloc : !s
    %row = gpu.block_id x
    tile.copy %a[%row, 0] [32, 32] to %s scope(cta) masked {tile.deny = ["conflicts"]} : !tile.buffer<?x32xf32, global> to !s
    gpu.return
  }
}
