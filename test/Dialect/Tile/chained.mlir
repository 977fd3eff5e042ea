// Every form of tile.chained, as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @least(
func.func @least(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // CHECK: tile.chained @kernels::@sums ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>)
  // CHECK-SAME: init [0.000000e+00 : f32] workspace(%{{.*}} : memref<?xi8>) epoch(%{{.*}}) {scattered} summary {
  // CHECK: } combine {
  // CHECK: } emit {
  // CHECK-NOT: finish
  tile.chained @kernels::@sums ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32]
    workspace(%w : memref<?xi8>) epoch(%e) {scattered}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %before: f32, %after: f32, %v: f32):
    %kept = arith.constant true
    tile.yield %kept, %i, %after : i1, i64, f32
  }
  return
}

// CHECK-LABEL: func.func @all(
func.func @all(%x: memref<100xi8>, %f: memref<?xf16, strided<[1], offset: 4>>, %y: memref<100xvector<2xi32>>, %z: memref<?xi8>,
               %c: memref<1xi32>, %n: memref<1xi32>, %w: memref<?xi8>, %e: i32, %t: f16) {
  // CHECK: tile.chained @kernels::@all ins(%{{.*}}, %{{.*}} : memref<100xi8>, memref<?xf16, strided<[1], offset: 4>>)
  // CHECK-SAME: outs(%{{[^ ]*}}, %{{[^ ]*}} : memref<100xvector<2xi32>>, memref<?xi8>) totals(%{{[^ ]*}} : memref<1xi32>)
  // CHECK-SAME: length(%{{[^ ]*}} : memref<1xi32>) with(%{{[^ ]*}} : f16) init [0 : i32, 1 : i8] workspace
  // CHECK-SAME: {counters, deterministic, halo, hold = 7 : i64, items = 4 : i64, max_spin = 8 : i64, order = "ticket", reverse, skip_post = 3 : i64, strategy = "decoupled_fallback", threads = 64 : i64} summary {
  // CHECK: finish {
  tile.chained @kernels::@all ins(%x, %f : memref<100xi8>, memref<?xf16, strided<[1], offset: 4>>)
    outs(%y, %z : memref<100xvector<2xi32>>, memref<?xi8>) totals(%c : memref<1xi32>) length(%n : memref<1xi32>) with(%t : f16)
    init [0 : i32, 1 : i8] workspace(%w : memref<?xi8>) epoch(%e)
    {halo, strategy = "decoupled_fallback", threads = 64, items = 4, order = "ticket", max_spin = 8, deterministic, skip_post = 3,
     hold = 7, reverse, counters}
  summary {
  ^bb0(%i: i64, %a: i8, %b: f16, %la: i8, %lb: f16, %ra: i8, %rb: f16, %first: i1, %last: i1, %u: f16):
    %k = arith.cmpf ogt, %b, %u : f16
    %one = arith.extui %k : i1 to i32
    tile.yield %one, %a : i32, i8
  } combine {
  ^bb0(%ln: i32, %lm: i8, %rn: i32, %rm: i8):
    %n1 = arith.addi %ln, %rn : i32
    %m = arith.maxsi %lm, %rm : i8
    tile.yield %n1, %m : i32, i8
  } emit {
  ^bb0(%i: i64, %bn: i32, %bm: i8, %an: i32, %am: i8, %a: i8, %b: f16, %la: i8, %lb: f16, %ra: i8, %rb: f16, %first: i1, %last: i1, %u: f16):
    %k = arith.cmpi ne, %bn, %an : i32
    %p = vector.from_elements %bn, %an : vector<2xi32>
    tile.yield %k, %bn, %p, %k, %bn, %am : i1, i32, vector<2xi32>, i1, i32, i8
  } finish {
  ^bb0(%tn: i32, %tm: i8, %u: f16):
    tile.yield %tn : i32
  }
  return
}
