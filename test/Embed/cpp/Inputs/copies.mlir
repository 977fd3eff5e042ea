!rows = !tile.buffer<120x32xf32, global>
!open = !tile.buffer<32x32xf32, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<120x32xf32>, %B: memref<120x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<120x32xf32> to !rows
    %b = tile.view %B : memref<120x32xf32> to !rows
    %none = arith.constant 0.0 : f32
    %zero = arith.constant 0 : index
    %step = arith.constant 32 : index
    %end = arith.constant 120 : index
    scf.for %k = %zero to %end step %step {
      %s = tile.alloc : !open
      panel.pull %a[%k, %zero] [32, 32] to %s fill(%none : f32) {tile.scope = "cta"} : !rows to !open
      panel.store %s to %b from %k : !open to !rows
    } {tile.stages = 3}
    gpu.return
  }
}
