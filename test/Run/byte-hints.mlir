// Cache hints on single-byte accesses, which a transposing copy needs, although there are no 8-bit registers.
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --implicit-check-not=global.L2::128B.u32
// RUN: tile-run %s --arg i8[33x32]=random --arg i8[33x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=HOLDS

// CHECK-COUNT-33: ld.global.L2::128B.u8
// CHECK-NOT: ld.global.L2::128B
// HOLDS: argument 1 holds what argument 0 holds
!global = !tile.buffer<33x32xi8, global>
!shared = !tile.buffer<33x32xi8, shared, #tile.layout<(33, 32) : (1, 33)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<33x32xi8>, %B: memref<33x32xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<33x32xi8> to !global
    %b = tile.view %B : memref<33x32xi8> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) {prefetch_size = "L2::128B"} : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !global
    gpu.return
  }
}
