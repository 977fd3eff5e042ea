// A vector width that is forced or required, but not proven, is an error.
// RUN: tile-opt %s --tile-vectorize-copy --verify-diagnostics -o /dev/null

!global = !tile.buffer<32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @widths(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the source: 2 elements at a time: the offset needs to be a multiple of 2, not 1}}
    tile.planned_copy %a to %s scope(thread)
      plan<matched "vec_32b", threads = 1, bits = 16, forced_bits = 32,
           src = {layout = (2) : (1) + 1, space = global, align = 16},
           dst = {layout = (2) : (1), space = shared, align = 16}>
      : !global to !shared
    // expected-error @below {{cp.async moves 4, 8 or 16 bytes; 4 are not possible}}
    tile.planned_copy %a to %s scope(warp)
      plan<matched "ldgsts", threads = 32, bits = 16,
           src = {layout = (1024) : (1) + 1, space = global, align = 16},
           dst = {layout = (1024) : (1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}
