// The host passes the address of a memref's memory to a kernel that takes it as one pointer. Other arguments, launches of
// kernels that take descriptors, and launches of kernels that are not converted are unchanged.
// RUN: split-file %s %t
// RUN: tile-opt %t/launches.mlir --tile-finish-launches | FileCheck %s
// RUN: not tile-opt %t/wrong.mlir --tile-finish-launches 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: wrong.mlir:3:5: error: 'gpu.launch_func' op passes 1 arguments, but the kernel takes 3
// WRONG: wrong.mlir:7:5: note: the kernel is here
// RUN: not tile-opt %t/dynamic.mlir --tile-finish-launches 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: dynamic.mlir:3:5: error: 'gpu.launch_func' op passes 2 arguments, but the kernel takes 1

//--- launches.mlir
module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @main(%arg0: memref<8xf32>, %arg1: i64, %arg2: index, %arg3: memref<?x8xf32, strided<[?, 1], offset: ?>>)
  func.func @main(%A: memref<8xf32>, %n: i64, %c: index, %B: memref<?x8xf32, strided<[?, 1], offset: ?>>) {
    // CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %arg0 : memref<8xf32> -> index
    // CHECK: %[[NUMBER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
    // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
    // CHECK: gpu.launch_func @kernels::@pointer {{.*}} args(%arg1 : i64, %[[POINTER]] : !llvm.ptr)
    gpu.launch_func @kernels::@pointer blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%n : i64, %A : memref<8xf32>)
    // CHECK: gpu.launch_func @kernels::@descriptor {{.*}} args(%arg0 : memref<8xf32>)
    gpu.launch_func @kernels::@descriptor blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%A : memref<8xf32>)
    // The pointer is followed by the dynamic parts of the type: the offset, the extents, the strides.
    // CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg3
    // CHECK: gpu.launch_func @kernels::@open {{.*}} args(%{{.*}} : !llvm.ptr, %[[OFFSET]] : index, %[[SIZES]]#0 : index, %[[STRIDES]]#0 : index, %arg1 : i64)
    gpu.launch_func @kernels::@open blocks in (%c, %c, %c) threads in (%c, %c, %c)
      args(%B : memref<?x8xf32, strided<[?, 1], offset: ?>>, %n : i64)
    // CHECK: gpu.launch_func @others::@kernel {{.*}} args(%arg0 : memref<8xf32>)
    gpu.launch_func @others::@kernel blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%A : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    llvm.func @pointer(%n: i64, %A: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @open(%a: !llvm.ptr, %offset: i64, %rows: i64, %ld: i64, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @descriptor(%a: !llvm.ptr, %b: !llvm.ptr, %o: i64, %e: i64, %s: i64) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  gpu.module @others {
    gpu.func @kernel(%A: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

//--- wrong.mlir
module attributes {gpu.container_module} {
  func.func @main(%A: memref<8xf32>, %c: index) {
    gpu.launch_func @kernels::@wrong blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%A : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    llvm.func @wrong(%n: i64, %A: !llvm.ptr, %B: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

//--- dynamic.mlir
module attributes {gpu.container_module} {
  func.func @main(%A: memref<?xf32>, %c: index) {
    gpu.launch_func @kernels::@pointer blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%A : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    llvm.func @pointer(%A: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
