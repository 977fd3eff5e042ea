// Clauses are read in any order, and written in one.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

!a = !tile.buffer<16x16xi8, local>
!b = !tile.buffer<16x8xi8, local>
!c = !tile.buffer<16x8xi32, local>
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!map = !tile.tensor_map<element = float32, dims = [ {extent = const(32), stride = bytes(4), box = 32}, {extent = of(0), stride = bytes(128), box = 32} ]>

// CHECK-LABEL: func @products
func.func @products(%a: !a, %b: !b, %c: !c) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(warp) group convert(signed) {convert_b = "unsigned"} :
  tile.mma %a, %b, %c convert(signed) group scope(warp) {convert_b = "unsigned"} : !a, !b, !c
  return
}

// CHECK-LABEL: func @scales
func.func @scales(%a: !tile.buffer<128x128xf8E4M3FN, shared>, %b: !tile.buffer<128x64xf8E5M2, shared>, %c: !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>,
                  %of_a: !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>,
                  %of_b: !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scales(%{{.*}}, %{{.*}} : {{.*}}) scope(cta) group :
  tile.mma %a, %b, %c group scope(cta) scales(%of_a, %of_b : !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>,
      !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>)
    : !tile.buffer<128x128xf8E4M3FN, shared>, !tile.buffer<128x64xf8E5M2, shared>, !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
  return
}

// CHECK-LABEL: func @copies
func.func @copies(%g: !global, %s: !shared, %one: f32, %row: index) {
  // CHECK: tile.copy %{{.*}}[%{{.*}}, 0] [32, 32] to %{{.*}} scope(warp) convert(tf32) masked fill(%{{.*}} : f32) :
  tile.copy %g[%row, 0] [32, 32] to %s fill(%one : f32) masked convert(tf32) scope(warp) : !global to !shared
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(cta) reduce(add) masked :
  tile.copy %s to %g masked reduce(add) scope(cta) : !shared to !global
  // CHECK: tile.fill %{{.*}} to %{{.*}} scope(cta) masked :
  tile.fill %one to %g masked scope(cta) : f32 to !global
  return
}

// CHECK-LABEL: func @asynchronous
func.func @asynchronous(%g: !global, %s: !shared, %barrier: !llvm.ptr<3>, %inside: i1, %zero: f32, %map: !map, %end: index,
                        %mask: i16, %i: index) {
  // CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(cta) group predicate(%{{.*}}) {fill = "zero"} :
  tile.copy_async %g to %s predicate(%inside) group scope(cta) {fill = "zero"} : !global to !shared
  // CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) cta_mask(%{{.*}}) through(%{{.*}} : {{.*}}) masked until(%{{.*}}) fill(%{{.*}} : f32) :
  tile.copy_async %g to %s fill(%zero : f32) until(%end) through(%map : !map) masked cta_mask(%mask) mbarrier(%barrier : !llvm.ptr<3>) scope(cta)
    : !global to !shared
  // CHECK: tile.copy_async %{{.*}}[0, 0] [2, 32] to %{{.*}}[0, 0] [2, 32] scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) rows(%{{.*}}, %{{.*}}) :
  tile.copy_async %g[0, 0] [2, 32] to %s[0, 0] [2, 32] rows(%i, %i) scope(cta) mbarrier(%barrier : !llvm.ptr<3>) : !global to !shared
  return
}

// CHECK-LABEL: func @pixels
func.func @pixels(%images: !tile.buffer<2x9x7x32xf32, global>, %s: !shared, %barrier: !llvm.ptr<3>, %zero: f32, %i: index) {
  // CHECK: scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) im2col [-1, -1] to [-1, -1] steps [2, 2] filter(%{{.*}}, %{{.*}}) masked fill(%{{.*}} : f32) :
  tile.copy_async %images[%i, %i, %i, 0] [1, 1, 32, 32] to %s
    filter(%i, %i) steps [2, 2] im2col [-1, -1] to [-1, -1] fill(%zero : f32) masked mbarrier(%barrier : !llvm.ptr<3>) scope(cta)
    : !tile.buffer<2x9x7x32xf32, global> to !shared
  return
}

// CHECK-LABEL: func @elementwise
func.func @elementwise(%x: !tile.buffer<64xi32, local>, %one: !tile.buffer<1xi32, local>, %zero: i32) {
  // CHECK: tile.reduce add %{{.*}} to %{{.*}} dim(0) scope(thread) :
  tile.reduce add %x to %one scope(thread) dim(0) : !tile.buffer<64xi32, local> to !tile.buffer<1xi32, local>
  // CHECK: tile.block_scan exclusive add %{{.*}} to %{{.*}} init(%{{.*}} : i32) dim(0) scope(thread) :
  tile.block_scan exclusive add %x to %x scope(thread) init(%zero : i32) dim(0) : !tile.buffer<64xi32, local> to !tile.buffer<64xi32, local>
  return
}

// CHECK-LABEL: func @scans
func.func @scans(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32, %zero: f32) {
  // CHECK: tile.scan @kernels::@sum exclusive custom %{{.*}} to %{{.*}} workspace(%{{.*}}) epoch(%{{.*}}) init(%{{.*}} : f32) identity(0.000000e+00 : f32) :
  tile.scan @kernels::@sum exclusive custom %x to %y identity(0.0 : f32) init(%zero : f32) epoch(%e) workspace(%w)
    : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func @values
func.func @values(%n: index, %memory: memref<?x?xf16>, %pointer: !llvm.ptr<1>) {
  // CHECK: tile.assume %{{.*}} divisible_by 8 uniform(warp) distinct(cta) :
  %promised = tile.assume %n distinct(cta) uniform(warp) divisible_by 8 : index
  // CHECK: tile.assume %{{.*}} divisible_by 8 aligned 16 :
  %rows = tile.assume %memory aligned 16 divisible_by 8 : memref<?x?xf16>
  // CHECK: tile.view %{{.*}} extents(%[[N:.*]], %[[N]]) strides(%[[PROMISED:.*]]) :
  %view = tile.view %pointer strides(%promised) extents(%n, %n) : !llvm.ptr<1> to !tile.buffer<?x?xf16, global>
  return
}

// CHECK-LABEL: func @maps
func.func @maps(%map: !map, %tile: !tile.buffer<?x32xf32, global>, %slot: !tile.buffer<128xi8, global>, %bytes: !tile.buffer<128xi8, shared>) {
  // CHECK: tile.update_map %{{.*}} to %{{.*}} in(%{{.*}} : {{.*}}) scratch(%{{.*}} : {{.*}}) scope(warp) :
  %n = tile.update_map %map to %tile scope(warp) scratch(%bytes : !tile.buffer<128xi8, shared>) in(%slot : !tile.buffer<128xi8, global>)
    : !map to !tile.buffer<?x32xf32, global>
  return
}
