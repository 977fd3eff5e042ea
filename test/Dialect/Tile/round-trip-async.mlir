// The asynchronous copy, tensor memory, and the stage ops of such copies: as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!bytes = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

// CHECK-LABEL: func.func @copies
func.func @copies(%a: !global, %s: !shared, %b: !bytes, %pointer: !llvm.ptr<3>,
                  %bars: memref<4xi64, #gpu.address_space<workgroup>>, %rank: i32, %p: i1, %i: index, %address: i32) {
  // CHECK: tile.copy_async %{{[^ ]*}} to %{{[^ ]*}} scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  tile.copy_async %a to %s scope(cta) : !global to !shared
  // CHECK: tile.copy_async %{{.*}}[%{{.*}}, 0] [8, 32] to %{{.*}}[0, 0] [8, 32] scope(warp) group :
  tile.copy_async %a[%i, 0] [8, 32] to %s[0, 0] [8, 32] scope(warp) group : !global to !shared
  // CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) :
  tile.copy_async %a to %s scope(cta) mbarrier(%pointer : !llvm.ptr<3>) : !global to !shared
  // CHECK: scope(cta) mbarrier(%{{.*}} : memref<4xi64, #gpu.address_space<workgroup>>) :
  tile.copy_async %a to %s scope(cta) mbarrier(%bars : memref<4xi64, #gpu.address_space<workgroup>>) : !global to !shared
  // CHECK: scope(cta) predicate(%{{.*}}) {fill = "zero", prefetch_size = "L2::128B", variant = "ldgsts"} :
  tile.copy_async %a to %s scope(cta) predicate(%p) {variant = "ldgsts", fill = "zero", prefetch_size = "L2::128B"} : !global to !shared
  // CHECK: scope(thread) {direct} :
  tile.copy_async %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {direct} : !global to !shared
  // CHECK: scope(thread) mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) :
  tile.copy_async %s to %s scope(thread) mbarrier(%pointer : !llvm.ptr<3>) remote_cta(%rank) : !shared to !shared
  // CHECK: %[[T:.*]] = tile.tmem %{{.*}} : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
  %t = tile.tmem %address : !tensor
  // CHECK: tile.copy_async %{{.*}} to %[[T]] scope(thread) {cta_group = 2 : i64, multicast = "warpx4", shape = "32x128b"} :
  tile.copy_async %b to %t scope(thread) {shape = "32x128b", multicast = "warpx4", cta_group = 2 : i64} : !bytes to !tensor
  return
}

// CHECK-LABEL: func.func @stages
func.func @stages(%a: !global, %s: !shared, %b: !bytes, %pointer: !llvm.ptr<3>, %rank: i32, %p: i1, %i: index,
                  %t: !tensor, %l: !lanes, %r: !rows) {
  // CHECK: tile.matched_copy "ldgsts" {{.*}} scope(warp) threads(32) predicate(%{{.*}}) {zero_fill} :
  tile.matched_copy "ldgsts" %a as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)>
    scope(warp) threads(32) predicate(%p) {zero_fill} : !global to !shared
  // CHECK: tile.vector_copy "ldgsts" {{.*}} scope(warp) rounds(8) threads(32) vector(4) predicate(%{{.*}}) :
  tile.vector_copy "ldgsts" %a as #tile.layout<(8, 32, 4) : (128, 4, 1)> to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)>
    scope(warp) rounds(8) threads(32) vector(4) predicate(%p) : !global to !shared
  // CHECK: tile.tmem_copy "tcgen05_cp" %{{.*}} as #tile.layout<(32, 16) : (16, 1)> to %{{.*}}[%{{.*}} * 4] as #tile.layout<(32, 16) : (1@TLane, 1@TCol)>
  // CHECK-SAME: scope(thread) shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0) :
  tile.tmem_copy "tcgen05_cp" %b as #tile.layout<(32, 16) : (16, 1)>
    to %t[%i * 4] as #tile.layout<(32, 16) : (1@TLane, 1@TCol)> scope(thread)
    shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0) : !bytes to !tensor
  // CHECK: tile.tmem_access "tcgen05_ldst" %{{.*}} as #tile.layout<(128, 4) : (1@tid_in_wg, 1)> to
  // CHECK-SAME: scope(warpgroup) shape "32x32b" num(4) instruction_iters(0) :
  tile.tmem_access "tcgen05_ldst" %r as #tile.layout<(128, 4) : (1@tid_in_wg, 1)>
    to %l as #tile.layout<(128, 4) : (1@TLane, 1@TCol)> scope(warpgroup)
    shape "32x32b" num(4) instruction_iters(0) : !rows to !lanes
  // CHECK: tile.bulk_copy "dsmem" %{{.*}} to %{{.*}} scope(thread) mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) :
  tile.bulk_copy "dsmem" %s as #tile.layout<(4, 256) : (256, 1)> to %s as #tile.layout<(4, 256) : (256, 1)>
    scope(thread) mbarrier(%pointer : !llvm.ptr<3>) remote_cta(%rank) : !shared to !shared
  return
}
