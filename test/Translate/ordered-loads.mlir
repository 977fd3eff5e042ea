// Volatile and atomic loads stay what they are, though LLVM takes the memory of a `noalias readonly` argument as invariant; plain
// loads go through the read-only cache.

// RUN: tile-opt %s --tile-embed-ptx | tr '\134' '\n' | FileCheck %s

// CHECK-LABEL: .entry ordered(
// CHECK-DAG:     ld.relaxed.sys.global.b32
// CHECK-DAG:     ld.volatile.global.b32
// CHECK-DAG:     ld.relaxed.sys.global.b32
// CHECK-DAG:     ld.global.nc.b32
// CHECK-NOT:     .nc
// CHECK-LABEL: .entry derived(
// CHECK-NOT:     .nc
// CHECK:         ld.acquire.gpu.global.b32
// CHECK-NOT:     .nc
// CHECK:         ret;
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.func @ordered(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias, llvm.readonly},
                     %d: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %x = llvm.load %a atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
    %y = llvm.load volatile %a : !llvm.ptr -> i32
    // LLVM infers that this argument is only read.
    %z = llvm.load %b atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
    %w = llvm.load %c : !llvm.ptr -> i32
    %s = llvm.add %x, %y : i32
    %t = llvm.add %s, %z : i32
    %u = llvm.add %t, %w : i32
    llvm.store %u, %d : i32, !llvm.ptr
    llvm.return
  }

  // Called, with an address that is computed, and marked as invariant.
  llvm.func internal @flag(%a: !llvm.ptr, %i: i64) -> i32 {
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x = llvm.load %p atomic syncscope("device") acquire invariant {alignment = 4 : i64} : !llvm.ptr -> i32
    llvm.return %x : i32
  }
  llvm.func @derived(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias, llvm.readonly}, %n: i64, %c: i1, %d: !llvm.ptr)
      attributes {gpu.kernel, nvvm.kernel} {
    %p = llvm.select %c, %a, %b : i1, !llvm.ptr
    %x = llvm.call @flag(%p, %n) : (!llvm.ptr, i64) -> i32
    llvm.store %x, %d : i32, !llvm.ptr
    llvm.return
  }
}
