// tile.prefetch as text, as generic text and as bytecode; its shortest region; that nothing erases it.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s --check-prefix=SHORT

!global = !tile.buffer<32x32xf32, global>
!map = !tile.tensor_map<element = float32, dims = [{extent = const(32), stride = bytes(4), box = 32}, {extent = const(32), stride = bytes(128), box = 8}]>

// CHECK-LABEL: func.func @regions
// SHORT-LABEL: func.func @regions
func.func @regions(%a: !global, %i: index, %map: !map) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  // CHECK:      tile.prefetch %arg0 scope(cta) : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0 scope(cta) : !tile.buffer<32x32xf32, global>
  tile.prefetch %a scope(cta) : !global
  // CHECK-NEXT: tile.prefetch %arg0[%arg1, 8] [8, 16] scope(warp) : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0[%arg1, 8] [8, 16] scope(warp) : !tile.buffer<32x32xf32, global>
  tile.prefetch %a[%i, 8] [8, 16] scope(warp) : !global
  // CHECK-NEXT: tile.prefetch %arg0[%{{.*}}, 0] [8, 32] scope(thread) {variant = "prefetch"} : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0[4, 0] [8, 32] scope(thread) {variant = "prefetch"} : !tile.buffer<32x32xf32, global>
  tile.prefetch %a[%c4, 0] [8, 32] scope(thread) {variant = "prefetch"} : !global
  // CHECK-NEXT: tile.prefetch %arg0[4, 0] [8, 32] scope(cta) through(%arg2 : !tile.tensor_map<element = float32, {{.*}}>) : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0[4, 0] [8, 32] scope(cta) through(%arg2 : !tile.tensor_map<element = float32, {{.*}}>) : !tile.buffer<32x32xf32, global>
  tile.prefetch %a[4, 0] [8, 32] scope(cta) through(%map : !map) : !global
  // CHECK-NEXT: tile.prefetch %arg0[0, 0] [2, 32] scope(cta) rows(%arg1, %arg1) : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0[0, 0] [2, 32] scope(cta) rows(%arg1, %arg1) : !tile.buffer<32x32xf32, global>
  tile.prefetch %a[0, 0] [2, 32] scope(cta) rows(%i, %i) : !global
  // CHECK-NEXT: tile.prefetch %arg0[%{{.*}}, 0] [32, 32] scope(warpgroup) : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.prefetch %arg0 scope(warpgroup) : !tile.buffer<32x32xf32, global>
  tile.prefetch %a[%i, 0] [32, 32] scope(warpgroup) : !global
  return
}

// CHECK-LABEL: func.func @plans
// SHORT-LABEL: func.func @plans
func.func @plans(%a: !global, %i: index) {
  // CHECK-NEXT: tile.planned_copy %arg0 scope(cta) plan<prefetch "bulk_prefetch", threads = 64, bits = 32, src = {layout = (1024) : (1), space = global, align = 16}> : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.planned_copy %arg0 scope(cta) plan<prefetch "bulk_prefetch"
  tile.planned_copy %a scope(cta)
    plan<prefetch "bulk_prefetch", threads = 64, bits = 32, src = {layout = (1024) : (1), space = global, align = 16}> : !global
  // CHECK-NEXT: tile.planned_copy %arg0[%arg1] scope(cta) plan<prefetch "prefetch", threads = 4, ranks = {first = 32, digits = [(4, 1)]}, bits = 32, last, src = {layout = (4, 32) : (32, 1), space = global, align = 4, terms = [{value = 0, stride = 32}]}> : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.planned_copy %arg0[%arg1] scope(cta) plan<prefetch "prefetch"
  tile.planned_copy %a[%i] scope(cta)
    plan<prefetch "prefetch", threads = 4, ranks = {first = 32, digits = [(4, 1)]}, bits = 32, last,
         src = {layout = (4, 32) : (32, 1), space = global, align = 4, terms = [ {value = 0, stride = 32} ]}> : !global
  // CHECK-NEXT: tile.planned_copy %arg0 scope(cta) plan<prefetch "dropped", threads = 1, bits = 32, src = {layout = (1024) : (1), space = global}> : !tile.buffer<32x32xf32, global>
  // SHORT-NEXT: tile.planned_copy %arg0 scope(cta) plan<prefetch "dropped"
  tile.planned_copy %a scope(cta)
    plan<prefetch "dropped", threads = 1, bits = 32, src = {layout = (1024) : (1), space = global}> : !global
  return
}
