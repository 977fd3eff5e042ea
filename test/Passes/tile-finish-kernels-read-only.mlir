// Loads from an argument that a kernel only reads say that nothing changes what they read, through address arithmetic and descriptors.
// Volatile and ordered loads do not, nor loads from written arguments, nor those of functions that kernels call: a caller may write
// the memory between two calls.

// RUN: tile-opt %s --tile-finish-kernels | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: llvm.func @kernel
  llvm.func @kernel(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
    %poison = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %0 = llvm.insertvalue %a, %poison[0] : !llvm.struct<(ptr, ptr, i64)>
    %1 = llvm.insertvalue %b, %0[1] : !llvm.struct<(ptr, ptr, i64)>
    %2 = llvm.insertvalue %i, %1[2] : !llvm.struct<(ptr, ptr, i64)>
    %from = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64)>
    %other = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64)>
    %p = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
    %r = llvm.getelementptr %other[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    // CHECK: llvm.load %{{.*}} invariant : !llvm.ptr -> f32
    %x = llvm.load %p : !llvm.ptr -> f32
    // CHECK: llvm.load %{{.*}} invariant : !llvm.ptr<1> -> f32
    %y = llvm.load %q : !llvm.ptr<1> -> f32
    // CHECK: llvm.load volatile %{{[^ ]*}} : !llvm.ptr -> f32
    %v = llvm.load volatile %p : !llvm.ptr -> f32
    // CHECK: llvm.load %{{[^ ]*}} atomic monotonic {{.*}} : !llvm.ptr -> f32
    %o = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> f32
    // CHECK: llvm.load %{{[^ ]*}} : !llvm.ptr -> f32
    %z = llvm.load %r : !llvm.ptr -> f32
    %s = llvm.fadd %x, %y : f32
    %t = llvm.fadd %s, %v : f32
    %u = llvm.fadd %t, %o : f32
    %w = llvm.fadd %u, %z : f32
    llvm.store %w, %b : f32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: llvm.func @called
  llvm.func @called(%a: !llvm.ptr {llvm.noalias, llvm.readonly}) -> f32 {
    // CHECK: llvm.load %{{[^ ]*}} : !llvm.ptr -> f32
    %x = llvm.load %a : !llvm.ptr -> f32
    llvm.return %x : f32
  }
}
