!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @memory(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %zero = arith.constant 0 : index
    %x = tile.alloc : !shared
    %y = tile.alloc : !shared
    %z = tile.alloc : !shared
    tile.copy %a to %x scope(cta) : !global to !shared
    panel.clear %y from %zero rows 32 {tile.scope = "cta"} : !shared
    panel.add %x to %y {tile.scope = "cta"} : !shared to !shared
    panel.clear %z from %zero rows 32 {tile.scope = "cta"} : !shared
    panel.add %y to %z {tile.scope = "warpgroup"} : !shared to !shared
    tile.copy %z to %b scope(cta) : !shared to !global
    gpu.return
  }
}
