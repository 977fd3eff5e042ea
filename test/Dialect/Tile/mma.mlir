// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!a = !tile.buffer<16x8xf32, local>
!b = !tile.buffer<8x8xf32, local>
!c = !tile.buffer<16x8xf32, local>
!bytes_a = !tile.buffer<16x32xi8, local>
!bytes_b = !tile.buffer<32x8xi8, local>
!sums = !tile.buffer<16x8xi32, local>
!eights_a = !tile.buffer<128x64xf8E4M3FN, shared>
!eights_b = !tile.buffer<64x32xf8E5M2, shared>
!tensor = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!of_a = !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!of_b = !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>

// CHECK-LABEL: func.func @products
func.func @products(%a: !a, %b: !b, %c: !c, %d: !bytes_a, %e: !bytes_b, %f: !sums) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(thread) : !tile.buffer<16x8xf32, local>, !tile.buffer<8x8xf32, local>, !tile.buffer<16x8xf32, local>
  tile.mma %a, %b, %c scope(thread) : !a, !b, !c
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(warp) convert(tf32) {variant = "mma_sync"} :
  tile.mma %a, %b, %c scope(warp) convert(tf32) {variant = "mma_sync"} : !a, !b, !c
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(cta) convert(unsigned) {convert_b = "signed"} :
  tile.mma %d, %e, %f scope(cta) convert(unsigned) {convert_b = "signed"} : !bytes_a, !bytes_b, !sums
  return
}

// CHECK-LABEL: func.func @scales
func.func @scales(%a: !eights_a, %b: !eights_b, %c: !tensor, %of_a: !of_a, %of_b: !of_b) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scales(%{{.*}}, %{{.*}} : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>, !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>) scope(cta) group : !tile.buffer<128x64xf8E4M3FN, shared>,
  tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(cta) group : !eights_a, !eights_b, !tensor
  return
}
