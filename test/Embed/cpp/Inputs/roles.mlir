!matrix = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @role(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : index
    %a = tile.view %A : memref<64x64xf32> to !matrix
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %s = tile.alloc : !shared
    %sum = tile.alloc : !shared
    %t = gpu.thread_id x
    %takes = arith.cmpi ult, %t, %c64 : index
    scf.if %takes {
      panel.pull %a[%zero, %zero] [64, 64] to %s {tile.scope = "cta"} : !matrix to !shared
      panel.clear %sum from %zero rows 64 {tile.scope = "cta"} : !shared
      panel.add %s to %sum {tile.scope = "cta"} : !shared to !shared
      panel.store %sum to %b from %zero : !shared to !matrix
    } {tile.role = 64 : i64}
    gpu.return
  }
}
