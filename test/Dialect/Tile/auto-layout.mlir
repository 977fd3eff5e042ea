// RUN: tile-opt %s --split-input-file --verify-diagnostics | tile-opt --split-input-file | FileCheck %s
// A layout that is left to the compiler, of tiles and of their views.

!t = !tile.buffer<3x64x64xf16, shared, auto>
// CHECK-LABEL: func.func @views
func.func @views(%k: index) {
  // CHECK: tile.alloc : !tile.buffer<3x64x64xf16, shared, auto>
  %s = tile.alloc : !t
  // CHECK: tile.subview {{.*}} to !tile.buffer<1x64x64xf16, shared, auto>
  %p = tile.subview %s[%k, 0, 0] [1, 64, 64] : !t
  // CHECK: tile.reshape {{.*}} to !tile.buffer<64x64xf16, shared, auto>
  %r = tile.reshape %p : !tile.buffer<1x64x64xf16, shared, auto> to !tile.buffer<64x64xf16, shared, auto>
  // CHECK: tile.permute {{.*}} to !tile.buffer<64x64xf16, shared, auto>
  %q = tile.permute %r [1, 0] : !tile.buffer<64x64xf16, shared, auto>
  return
}

// -----

// expected-error@below {{got layout auto in a global tile, expected it in a shared or local one only}}
func.func private @global(!tile.buffer<64x64xf16, global, auto>)

// -----

// expected-error@below {{got 1 : i32, expected a #tile.layout, a #tile.fragment or auto}}
func.func private @number(!tile.buffer<64x64xf16, shared, 1 : i32>)

// -----

func.func @cast(%s: !tile.buffer<64x64xf16, shared, auto>) {
  // expected-error@below {{expected views of tiles whose layout is auto to be auto, and no casts of them}}
  %t = tile.cast %s : !tile.buffer<64x64xf16, shared, auto> to !tile.buffer<64x64xf16, shared>
  return
}

// -----

func.func @subview(%s: !tile.buffer<64x64xf16, shared, auto>) {
  // expected-error@below {{expected views of tiles whose layout is auto to be auto, and no casts of them}}
  %t = tile.permute %s [1, 0] : !tile.buffer<64x64xf16, shared, auto> to !tile.buffer<64x64xf16, shared>
  return
}

// -----

func.func @memory(%A: memref<64x64xf16, 3>) {
  // expected-error@below {{of memory that it does not own, expected a layout; a tile.alloc may have auto}}
  %t = tile.view %A : memref<64x64xf16, 3> to !tile.buffer<64x64xf16, shared, auto>
  return
}
