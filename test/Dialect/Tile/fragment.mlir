// Layouts by name, as text, as generic text, and as bytecode. Views of named tiles, and ops on them, read the layout.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

#left = #tile.fragment<mma.m16n8k16.a>

// CHECK:      func.func private @forms(
// CHECK-SAME:   !tile.buffer<64x32xf16, local, #tile.fragment<mma.m16n8k16.a>>,
// CHECK-SAME:   !tile.buffer<64x32xf64, local, #tile.fragment<mma.m8n8k4.b>>,
// CHECK-SAME:   !tile.buffer<16x8xi32, local, #tile.fragment<mma.m16n8k32.c>>,
// CHECK-SAME:   !tile.buffer<64x64xbf16, local, #tile.fragment<mma.m16n8k8.b over (2, 4) warps>>,
// CHECK-SAME:   !tile.buffer<128x24xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>,
// CHECK-SAME:   !tile.buffer<64x64xf8E4M3FN, local, #tile.fragment<wgmma.a>>)
func.func private @forms(
  !tile.buffer<64x32xf16, local, #left>,
  !tile.buffer<64x32xf64, local, #tile.fragment<mma.m8n8k4.b>>,
  !tile.buffer<16x8xi32, local, #tile.fragment<mma.m16n8k32.c>>,
  !tile.buffer<64x64xbf16, local, #tile.fragment<mma.m16n8k8.b over (2, 4) warps>>,
  !tile.buffer<128x24xf32, local, #tile.fragment<wgmma.c over( // rows of warpgroups
    2,1) warpgroups>>,
  !tile.buffer<64x64xf8E4M3FN, local, #tile.fragment<wgmma.a over (1, 1) warpgroups>>)

!named = !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>>
!spelled = !tile.buffer<32x32xf32, local, #tile.layout<(2, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1)>>
!upper = !tile.buffer<16x32xf32, local, #tile.fragment<mma.m16n8k8.c>>

// CHECK-LABEL: func.func @casts
// FOLD-LABEL:  func.func @casts
func.func @casts(%named: !named, %spelled: !spelled) -> (!named, !spelled, !named) {
  // CHECK: tile.cast %{{.*}} : !tile.buffer<32x32xf32, local, #tile.layout<(2, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>>
  %0 = tile.cast %spelled : !spelled to !named
  %1 = tile.cast %named : !named to !spelled
  %2 = tile.cast %1 : !spelled to !named
  // FOLD: return %{{.*}}, %{{.*}}, %arg0 :
  return %0, %1, %2 : !named, !spelled, !named
}

// A part has the layout of its registers in the whole, and a name where that is one of that name.
// CHECK-LABEL: func.func @parts
func.func @parts(%named: !named) -> !upper {
  // CHECK: tile.subview %{{.*}}[0, 0] [16, 32] : !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>> to !tile.buffer<16x32xf32, local, #tile.fragment<mma.m16n8k8.c>>
  %upper = tile.subview %named[0, 0] [16, 32] : !named to !upper
  // CHECK: tile.subview %{{.*}}[16, 0] [16, 32] : !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>> to !tile.buffer<16x32xf32, local, #tile.layout<(1, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1) + 16>>
  %lower = tile.subview %named[16, 0] [16, 32] : !named
  // CHECK: tile.local_view %{{.*}} : !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>> to memref<32xf32>
  %registers = tile.local_view %named : !named
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) : {{.*}} to !tile.buffer<16x32xf32, local, #tile.fragment<mma.m16n8k8.c>>
  tile.copy %lower to %upper scope(warp) : !tile.buffer<16x32xf32, local, #tile.layout<(1, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1) + 16>> to !upper
  return %upper : !upper
}
