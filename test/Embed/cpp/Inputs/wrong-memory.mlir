!tile = !tile.buffer<16x32xf32, global>
!shared = !tile.buffer<16x32xf32, shared>
!r = !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
!sums = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!memory = memref<32x32xf32, #gpu.address_space<workgroup>>
!blocked = memref<32x32xf32, affine_map<(i, j) -> (i floordiv 2, j)>, #gpu.address_space<workgroup>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @memrefs(%p: !llvm.ptr<3>) workgroup(%w : !memory, %x : !blocked) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %row = arith.constant 24 : index
    panel.zero %w from %row rows 16 {tile.scope = "cta"} : !memory
    panel.zero %x from %row rows 8 {tile.scope = "cta"} : !blocked
    panel.zero %p from %row rows 8 {tile.scope = "cta"} : !llvm.ptr<3>
    gpu.return
  }
  gpu.func @tensor(%bar: !llvm.ptr<3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tile.alloc : !r
    %sums = tile.alloc : !sums
    panel.move %r to %sums : !r to !sums
    panel.bring %sums to %bar on %bar by "cp.async" {tile.scope = "cta"} : !sums to !llvm.ptr<3> on !llvm.ptr<3>
    gpu.return
  }
  gpu.func @mbarriers(%A: memref<16x32xf32>, %bar: !llvm.ptr<3>, %global: !llvm.ptr<1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !tile
    %s = tile.alloc : !shared
    panel.bring %a to %s on %bar by "threads" {tile.scope = "cta"} : !tile to !shared on !llvm.ptr<3>
    panel.bring %a to %s on %bar by "cp.async, in part" {tile.scope = "cta"} : !tile to !shared on !llvm.ptr<3>
    panel.bring %a to %s on %global by "cp.async" {tile.scope = "cta"} : !tile to !shared on !llvm.ptr<1>
    panel.bring %a to %s on %bar by "bulk" {tile.scope = "cta"} : !tile to !shared on !llvm.ptr<3>
    panel.bring %s to %a on %bar by "bulk" : !shared to !tile on !llvm.ptr<3>
    panel.bring %a to %bar on %bar by "bulk" : !tile to !llvm.ptr<3> on !llvm.ptr<3>
    gpu.return
  }
}
