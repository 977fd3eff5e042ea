// Tiles whose layout cannot be chosen, and those of which no pass has chosen it.
// RUN: tile-opt %s --tile-choose-layouts --split-input-file --verify-diagnostics
// RUN: echo '!s = !tile.buffer<8x8xf32, shared, auto> func.func @k() { %%0 = tile.alloc : !s  return }' | not tile-opt --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: echo '!s = !tile.buffer<8x8xf32, shared, auto> func.func @k(%%s: !s) { return }' | not tile-opt --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: 'func.func' op takes a tile whose layout is auto; expected a layout, or calls of it that are inlined
// OPEN: error: 'tile.alloc' op has the layout auto, which no pass has chosen; expected --tile-choose-layouts before, which --tile-build has

!t = !tile.buffer<64x64xf32, shared, auto>
func.func private @take(!t)
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @take(!t)
  gpu.func @called() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error@below {{has the layout auto, and cannot be given one: 'func.call' takes it; expected copies, fills, products, maps, reductions, views, scf.for and scf.if only}}
    %s = tile.alloc : !t
    // expected-note@below {{it is used here}}
    func.call @take(%s) : (!t) -> ()
    gpu.return
  }
}

// -----

!t = !tile.buffer<64x64xf32, shared, auto>
!p = !tile.buffer<32x64xf32, shared, auto>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @view_carried(%A: memref<32x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@below {{has the layout auto, and cannot be given one: a view of it is carried by a loop or a branch; expected the tile itself}}
    %s = tile.alloc : !t
    %p = tile.subview %s[0, 0] [32, 64] : !t
    // expected-note@below {{it is used here}}
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> (!p) {
      tile.copy %a to %x scope(cta) : !tile.buffer<32x64xf32, global> to !p
      scf.yield %x : !p
    }
    gpu.return
  }
}

// -----

// No tensor core multiplies these on this chip: the layout is not what is wrong.
!t = !tile.buffer<64x64xf16, shared, auto>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @product(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    // expected-error@below {{has the layout auto, and cannot be given one: no layout suits the products that read it: wgmma declined: wgmma needs sm_90a; got sm_80}}
    %s = tile.alloc : !t
    // expected-error@below {{has the layout auto, and cannot be given one: no layout suits the products that read it: wgmma declined: wgmma needs sm_90a; got sm_80}}
    %t = tile.alloc : !t
    %c = tile.alloc : !c
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !t
    tile.copy %a to %t scope(cta) : !tile.buffer<64x64xf16, global> to !t
    // expected-note@below {{this product, with the layout}}
    tile.mma %s, %t, %c scope(cta) : !t, !t, !c
    gpu.return
  }
}

// -----

// Whatever the layouts, the depth is no multiple of an instruction's.
!a = !tile.buffer<64x24xf16, shared, auto>
!b = !tile.buffer<24x32xf16, shared, auto>
!c = !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @depth(%A: memref<64x24xf16>, %B: memref<24x32xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %ga = tile.view %A : memref<64x24xf16>
    %gb = tile.view %B : memref<24x32xf16>
    // expected-error@below {{no layout suits the products that read it: wgmma declined: 32 columns of each warpgroup, and depth 24; needed multiples of 8 and of 16}}
    %a = tile.alloc : !a
    // expected-error@below {{no layout suits the products that read it: wgmma declined: 32 columns of each warpgroup, and depth 24; needed multiples of 8 and of 16}}
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    tile.copy %ga to %a scope(cta) : !tile.buffer<64x24xf16, global> to !a
    tile.copy %gb to %b scope(cta) : !tile.buffer<24x32xf16, global> to !b
    // expected-note@below {{this product, with the layout}}
    tile.mma %a, %b, %c scope(cta) : !a, !b, !c
    gpu.return
  }
}

// -----

// The instruction changes 128 bytes in their order.
!bytes = !tile.buffer<128xi8, shared, auto>
!map = !tile.tensor_map<element = float32, dims = [ {extent = const(32), stride = bytes(4), box = 32}, {extent = of(0), stride = bytes(128), box = 32} ]>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @map(%m: !map, %c: memref<?x32xf32>, %W: memref<128xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %c : memref<?x32xf32> to !tile.buffer<?x32xf32, global>
    %slot = tile.view %W : memref<128xi8> to !tile.buffer<128xi8, global>
    // expected-error@below {{has the layout auto, and cannot be given one: 'tile.update_map' needs its bytes in order; expected a tile with a layout}}
    %s = tile.alloc : !bytes
    // expected-note@below {{it is used here}}
    %n = tile.update_map %m to %a in(%slot : !tile.buffer<128xi8, global>) scratch(%s : !bytes) scope(warp) : !map to !tile.buffer<?x32xf32, global>
    gpu.return
  }
}
