!tile = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pull(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    %b = tile.view %B : memref<32x32xf32> to !tile
    %zero = arith.constant 0 : index
    %s = tile.alloc : !shared
    panel.pull %a[%zero, %zero] [32, 32] to %s {tile.scope = "cta"} : !tile to !shared
    nvvm.cp.async.wait.group 0
    gpu.barrier
    panel.store %s to %b from %zero : !shared to !tile
    gpu.return
  }
}
