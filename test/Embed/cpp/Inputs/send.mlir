!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @send(%B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %zero = arith.constant 0 : index
    panel.clear %s from %zero rows 32 {tile.scope = "cta"} : !shared
    panel.send %s to %b : !shared to !global
    panel.clear %s from %zero rows 32 {tile.scope = "cta"} : !shared
    gpu.return
  }
}
