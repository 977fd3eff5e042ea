!rows = !tile.buffer<128x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wrong(%A: memref<128x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x32xf32> to !rows
    %zero = arith.constant 0 : index
    %s = tile.alloc : !shared
    %h = tile.alloc : !tile.buffer<32x32xi8, shared>
    panel.pull %a[%zero] [32, 32] to %s {tile.scope = "cta"} : !rows to !shared
    panel.pull %a[%zero, %zero] [32, 16] to %s {tile.scope = "cta"} : !rows to !shared
    panel.pull %a[%zero, %zero] [32, 64] to %s {tile.scope = "cta"} : !rows to !shared
    panel.pull %a[%zero, %zero] [32, 32] to %h {tile.scope = "cta"} : !rows to !tile.buffer<32x32xi8, shared>
    panel.pull %a[%zero, %zero] [32, 32] to %s {tile.scope = "block"} : !rows to !shared
    %n = panel.pull %a[%zero, %zero] [32, 32] to %s {tile.scope = "cta"} : !rows to !shared -> index
    panel.drop %s : !shared
    gpu.return
  }
}
