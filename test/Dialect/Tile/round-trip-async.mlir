// The asynchronous copy, tensor memory, and the stage ops of such copies: as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!bytes = !tile.buffer<32x16xi8, shared>
!images = !tile.buffer<2x9x7x32xf32, global>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

// CHECK-LABEL: func.func @copies
func.func @copies(%a: !global, %s: !shared, %b: !bytes, %pointer: !llvm.ptr<3>,
                  %bars: memref<4xi64, #gpu.address_space<workgroup>>, %rank: i32, %mask: i16, %p: i1, %i: index, %address: i32,
                  %images: !images, %zero: f32) {
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
  // CHECK: scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) cta_mask(%{{.*}}) {variant = "tma"} :
  tile.copy_async %a to %s scope(cta) mbarrier(%pointer : !llvm.ptr<3>) cta_mask(%mask) {variant = "tma"} : !global to !shared
  // CHECK: scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) rows(%[[I:.*]], %[[I]], %[[I]], %[[I]]) :
  tile.copy_async %a[0, 0] [4, 32] to %s[0, 0] [4, 32] scope(cta) mbarrier(%pointer : !llvm.ptr<3>) rows(%i, %i, %i, %i) : !global to !shared
  // CHECK: scope(cta) bulk_group masked until(%[[I]]) :
  tile.copy_async %s to %a[%i, 0] [32, 32] scope(cta) bulk_group masked until(%i) : !shared to !global
  // CHECK: tile.copy_async %[[IMAGES:.*]][%[[I]], -1, %[[I]], 0] [1, 1, 32, 32] to %{{.*}} scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) im2col [-1, -1] to [-1, 0] steps [2, 1] filter(%[[I]], %[[I]]) masked fill(
  tile.copy_async %images[%i, -1, %i, 0] [1, 1, 32, 32] to %s scope(cta) mbarrier(%pointer : !llvm.ptr<3>)
    im2col [-1, -1] to [-1, 0] steps [2, 1] filter(%i, %i) masked fill(%zero : f32) : !images to !shared
  // CHECK: tile.copy_async %{{.*}} to %[[IMAGES]][%[[I]], %[[I]], 0, 0] [1, 1, 32, 32] scope(cta) bulk_group im2col [0, 0] to [0, 0] masked :
  tile.copy_async %s to %images[%i, %i, 0, 0] [1, 1, 32, 32] scope(cta) bulk_group im2col [0, 0] to [0, 0] masked : !shared to !images
  // CHECK: %[[T:.*]] = tile.tmem %{{.*}} : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
  %t = tile.tmem %address : !tensor
  // CHECK: tile.copy_async %{{.*}} to %[[T]] scope(thread) {cta_group = 2 : i64, multicast = "warpx4", shape = "32x128b"} :
  tile.copy_async %b to %t scope(thread) {shape = "32x128b", multicast = "warpx4", cta_group = 2 : i64} : !bytes to !tensor
  return
}

// CHECK-LABEL: func.func @stages
func.func @stages(%a: !global, %s: !shared, %b: !bytes, %pointer: !llvm.ptr<3>, %rank: i32, %p: i1, %i: index,
                  %t: !tensor, %l: !lanes, %r: !rows) {
  // CHECK: tile.planned_copy {{.*}} scope(warp) predicate(%{{.*}}) zero_fill plan<matched "ldgsts", threads = 32,{{.*}}:
  tile.planned_copy %a to %s scope(warp) predicate(%p) zero_fill
    plan<matched "ldgsts", threads = 32, bits = 32,
         src = {layout = (1024) : (1), space = global, align = 16},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !global to !shared
  // CHECK: tile.planned_copy {{.*}} scope(warp) predicate(%{{.*}}) plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 4,{{.*}}:
  tile.planned_copy %a to %s scope(warp) predicate(%p)
    plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 4, bits = 32,
         src = {layout = (8, 32, 4) : (128, 4, 1), space = global, align = 16},
         dst = {layout = (8, 32, 4) : (128, 4, 1), space = shared, align = 16}>
    : !global to !shared
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}}[%{{.*}}] scope(thread) plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {layout = (32, 16) : (16, 1), space{{.*}}dst = {layout = (32, 16) : (1@TLane, 1@TCol), space{{.*}}terms = [{value = 0, stride = 4{{(, [^}]*)?}}}{{.*}}:
  tile.planned_copy %b to %t[%i] scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16, terms = [{value = 0, stride = 4}]}>
    : !bytes to !tensor
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", shape = "32x32b", num = 4, bits = {{[0-9]+}}, tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space{{.*}}registers = {layout = (128, 4) : (1@tid_in_wg, 1), space{{.*}}:
  tile.planned_copy %r to %l scope(warpgroup)
    plan<tmem_access "tcgen05_ldst", shape = "32x32b", num = 4, bits = 32,
         tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
         registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
    : !rows to !lanes
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) plan<bulk "dsmem"{{.*}}:
  tile.planned_copy %s to %s scope(thread) mbarrier(%pointer : !llvm.ptr<3>) remote_cta(%rank)
    plan<bulk "dsmem", bits = 32, chunk = 256,
         src = {layout = (4, 256) : (256, 1), space = shared, align = 16},
         dst = {layout = (4, 256) : (256, 1), space = shared, align = 16}>
    : !shared to !shared
  return
}
