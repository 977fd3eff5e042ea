!rows = !tile.buffer<128x32xf32, global>
!result = !tile.buffer<32x32xf32, global>
!panel = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%A: memref<128x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x32xf32> to !rows
    %b = tile.view %B : memref<32x32xf32> to !result
    %zero = arith.constant 0 : index
    %step = arith.constant 32 : index
    %end = arith.constant 128 : index
    %sum = tile.alloc : !panel
    panel.clear %sum from %zero rows 32 {tile.scope = "cta"} : !panel
    scf.for %k = %zero to %end step %step {
      %s = tile.alloc : !panel
      panel.pull %a[%k, %zero] [32, 32] to %s {tile.scope = "cta", variant = "tma"} : !rows to !panel
      panel.add %s to %sum {tile.scope = "cta"} : !panel to !panel
    } {tile.stages = 3, tile.producer}
    panel.store %sum to %b from %zero : !panel to !result
    gpu.return
  }
}
