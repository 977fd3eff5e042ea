// What each op reads (Ref) and writes (Mod) according to MLIR's alias analysis: a copy, only its source and destination, also
// through views; an asynchronous copy, all memory that is in flight; a scan, its arrays and its workspace.
// REQUIRES: mlir-test-passes
// RUN: mlir-opt %s --mlir-disable-threading --load-dialect-plugin=%tile_plugin --pass-pipeline='builtin.module(func.func(test-alias-analysis-modref))' 2>&1 | FileCheck %s

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// CHECK-LABEL: Testing : "copies"
// CHECK-DAG:   copy -> copies.region0#0: Ref
// CHECK-DAG:   copy -> s#0: Mod
// CHECK-DAG:   copy -> other#0: NoModRef
// CHECK-DAG:   copy -> c#0: NoModRef
// CHECK-DAG:   issue -> copies.region0#0: ModRef
// CHECK-DAG:   stage -> s#0: Ref
// CHECK-DAG:   stage -> other#0: Mod
// CHECK-DAG:   stage -> copies.region0#0: NoModRef
func.func @copies(%A: memref<32x32xf32>) attributes {test.ptr = "copies"} {
  %c = memref.alloc() {test.ptr = "c"} : memref<32x32xf32>
  %a = tile.view %A : memref<32x32xf32> to !global
  %s = tile.alloc {test.ptr = "s"} : !shared
  %other = tile.alloc {test.ptr = "other"} : !shared
  tile.copy %a to %s scope(cta) {test.ptr = "copy"} : !global to !shared
  tile.copy_async %a to %s scope(cta) group {test.ptr = "issue"} : !global to !shared
  tile.planned_copy %s to %other scope(warp)
    plan<scalar "fallback", owner = scope_thread(0), extents = [4, 6], bits = 32,
         src = {layout = (32, 32) : (32, 1), space = shared, shape = [32, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16},
         dst = {layout = (32, 32) : (32, 1), space = shared, shape = [32, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16}> {test.ptr = "stage"}
    : !shared to !shared
  return
}

// CHECK-LABEL: Testing : "scans"
// CHECK-DAG:   scan -> x#0: Ref
// CHECK-DAG:   scan -> y#0: ModRef
// CHECK-DAG:   scan -> w#0: ModRef
// CHECK-DAG:   scan -> other#0: NoModRef
func.func @scans(%n: index, %e: i32) attributes {test.ptr = "scans"} {
  %x = memref.alloc(%n) {test.ptr = "x"} : memref<?xi32>
  %y = memref.alloc(%n) {test.ptr = "y"} : memref<?xi32>
  %w = memref.alloc(%n) {test.ptr = "w"} : memref<?xi8>
  %other = memref.alloc(%n) {test.ptr = "other"} : memref<?xi32>
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%e) {test.ptr = "scan"}
    : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
