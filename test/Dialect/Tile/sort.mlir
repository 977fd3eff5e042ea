// The forms of tile.sort, printed and read back.
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK: tile.sort @k::@s ins(%{{.*}} : memref<?xi32>) outs(%{{.*}} : memref<?xi32>) workspace(%{{.*}} : memref<?xi8>) epoch(%{{.*}})
// CHECK: tile.sort @k::@p ins(%{{.*}}, %{{.*}} : memref<?xi32>, memref<?xf64>) outs(%{{.*}}, %{{.*}} : memref<?xi32>, memref<?xf64>)
// CHECK-SAME: {descending, items = 8 : i64, strategy = "decoupled_lookback", unsigned_keys}
func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf64>, %u: memref<?xf64>, %w: memref<?xi8>, %e: i32) {
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  tile.sort @k::@p ins(%x, %v : memref<?xi32>, memref<?xf64>) outs(%y, %u : memref<?xi32>, memref<?xf64>)
    workspace(%w : memref<?xi8>) epoch(%e) {descending, unsigned_keys, strategy = "decoupled_lookback", items = 8}
  return
}
