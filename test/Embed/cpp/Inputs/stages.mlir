!rows = !tile.buffer<128x32xf32, global>
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%A: memref<128x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x32xf32> to !rows
    %b = tile.view %B : memref<32x32xf32> to !global
    %t = tile.alloc : !shared
    %zero = arith.constant 0 : index
    %step = arith.constant 32 : index
    %end = arith.constant 128 : index
    panel.clear %t from %zero rows 32 {tile.scope = "cta"} : !shared
    scf.for %k = %zero to %end step %step {
      %s = tile.alloc : !shared
      tile.copy_async %a[%k, 0] [32, 32] to %s scope(cta) group : !rows to !shared
      panel.add %s to %t {tile.scope = "cta"} : !shared to !shared
    } {tile.stages = 3}
    tile.copy %t to %b scope(cta) : !shared to !global
    gpu.return
  }
}
