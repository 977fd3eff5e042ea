// A vector width that is forced or required, but not proven, is an error.
// RUN: tile-opt %s --tile-vectorize-copy --verify-diagnostics -o /dev/null

!global = !tile.buffer<32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @widths(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the source: 2 elements at a time: the offset needs to be a multiple of 2, not 1}}
    tile.matched_copy "vec_32b" %a as #tile.layout<(2) : (1) + 1> to %s as #tile.layout<(2) : (1)>
      scope(thread) threads(1) {forced_bits = 32 : i64} : !global to !shared
    // expected-error @below {{cp.async moves 4, 8 or 16 bytes; 4 are not possible}}
    tile.matched_copy "ldgsts" %a as #tile.layout<(1024) : (1) + 1> to %s as #tile.layout<(1024) : (1)>
      scope(warp) threads(32) : !global to !shared
    gpu.return
  }
}
