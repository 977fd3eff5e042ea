// tile.map and tile.reduce, printed and parsed again.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!x = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!m = !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!i = !tile.buffer<16x1xi32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!j = !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>

// CHECK-LABEL: func @maps
func.func @maps(%scale: f32) {
  %x = tile.alloc : !x
  %j = tile.alloc : !j
  %m = tile.alloc : !m
  // CHECK: tile.map %[[X:.*]], %{{.*}} to %[[X]] scope(warp) : !tile.buffer<16x8xf32, local, {{.*}}>, !tile.buffer<16x1xf32, local, {{.*}}> to !tile.buffer<16x8xf32, local, {{.*}}> {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %{{.*}}: f32, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT: arith.mulf %[[E]], %{{.*}}
  // CHECK-NEXT: tile.yield %{{.*}} : f32
  tile.map %x, %m to %x scope(warp) : !x, !m to !x {
  ^bb0(%e: f32, %most: f32, %row: index, %column: index):
    %r = arith.mulf %e, %scale : f32
    tile.yield %r : f32
  }
  // CHECK: tile.map to %{{.*}}, %{{.*}} scope(warp) : to !tile.buffer<16x8xi32, local, {{.*}}>, !tile.buffer<16x8xf32, local, {{.*}}> {
  tile.map to %j, %x scope(warp) : to !j, !x {
  ^bb0(%row: index, %column: index):
    %c = arith.index_cast %column : index to i32
    %f = arith.sitofp %c : i32 to f32
    tile.yield %c, %f : i32, f32
  }
  return
}

// CHECK-LABEL: func @reductions
func.func @reductions() {
  %x = tile.alloc : !x
  %j = tile.alloc : !j
  %m = tile.alloc : !m
  %i = tile.alloc : !i
  // CHECK: tile.reduce max %{{.*}} to %{{.*}} dim(1) scope(warp) : !tile.buffer<16x8xf32, local, {{.*}}> to !tile.buffer<16x1xf32, local, {{.*}}>
  tile.reduce max %x to %m dim(1) scope(warp) : !x to !m
  // CHECK: tile.reduce umin %{{.*}} to %{{.*}} dim(1) scope(warp) {note = "kept"}
  tile.reduce umin %j to %i dim(1) scope(warp) {note = "kept"} : !j to !i
  // CHECK: tile.reduce argmax %{{.*}} to %{{.*}}, %{{.*}} dim(1) scope(warp) : !tile.buffer<16x8xf32, local, {{.*}}> to !tile.buffer<16x1xf32, local, {{.*}}>, !tile.buffer<16x1xi32, local, {{.*}}>
  tile.reduce argmax %x to %m, %i dim(1) scope(warp) : !x to !m, !i
  // CHECK: tile.reduce argmin %{{.*}} to %{{.*}} dim(1) scope(warp) : !tile.buffer<16x8xf32, local, {{.*}}> to !tile.buffer<16x1xi32, local, {{.*}}>
  tile.reduce argmin %x to %i dim(1) scope(warp) : !x to !i
  // CHECK: tile.reduce custom %{{.*}}, %{{.*}} to %{{.*}}, %{{.*}} dim(1) scope(warp) : {{.*}} combine {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  tile.reduce custom %x, %j to %m, %i dim(1) scope(warp) : !x, !j to !m, !i combine {
  ^bb0(%a: f32, %ia: i32, %b: f32, %ib: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %value = arith.select %more, %a, %b : f32
    %index = arith.select %more, %ia, %ib : i32
    tile.yield %value, %index : f32, i32
  }
  return
}

// CHECK-LABEL: func @scans
func.func @scans(%init: i32) {
  %x = tile.alloc : !x
  %j = tile.alloc : !j
  // CHECK: tile.block_scan inclusive max %[[X:.*]] to %[[X]] dim(1) scope(warp) : !tile.buffer<16x8xf32, local, {{.*}}> to !tile.buffer<16x8xf32, local, {{.*}}>
  tile.block_scan inclusive max %x to %x dim(1) scope(warp) : !x to !x
  // CHECK: tile.block_scan exclusive add %{{.*}} to %{{.*}} init(%{{.*}} : i32) dim(0) scope(warp) {note = "kept"}
  tile.block_scan exclusive add %j to %j init(%init : i32) dim(0) scope(warp) {note = "kept"} : !j to !j
  // CHECK: tile.block_scan inclusive custom %{{.*}} to %{{.*}} dim(0) scope(warp) : {{.*}} combine {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32):
  tile.block_scan inclusive custom %j to %j dim(0) scope(warp) : !j to !j combine {
  ^bb0(%a: i32, %b: i32):
    tile.yield %b : i32
  }
  return
}
