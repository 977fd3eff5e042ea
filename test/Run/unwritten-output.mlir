// A copy of what has no value is compiled to nothing, in which no check finds a mistake: what is left says so.
// RUN: tile-run %s --passes=lower-tile-copy,tile-to-nvvm --arg f16[64x64]=poison 2>&1 | FileCheck %s
// CHECK: warning: schedule fair: argument 0: no element of f16[64x64] was written

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<64x64xf16>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, global>
    gpu.return
  }
}
