// A condition on coordinates costs nothing in registers where its outcome is known: the lanes hold rows g and g + 8.
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s

// CHECK: .entry f(
// CHECK-NOT: setp
// CHECK-NOT: selp
// CHECK: st.global.v2.b32 {{.*}}+256], {0f00000000, 0f00000000};
// CHECK-NOT: setp
// CHECK: ret;

!x = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
gpu.module @k [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f(%A: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c8 = arith.constant 8 : index
    %x = tile.alloc : !x
    %a = tile.view %A : memref<16x8xf32>
    tile.copy %a to %x scope(warp) : !tile.buffer<16x8xf32, global> to !x
    tile.map %x to %x scope(warp) : !x to !x {
    ^bb0(%e: f32, %i: index, %j: index):
      %in = arith.cmpi ult, %i, %c8 : index
      %r = arith.select %in, %e, %zero : f32
      tile.yield %r : f32
    }
    tile.copy %x to %a scope(warp) : !x to !tile.buffer<16x8xf32, global>
    gpu.return
  }
}
