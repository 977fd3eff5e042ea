// Elements that upstream's conversion of gpu.memset does not take are filled on the host and copied, and the host waits.
// RUN: tile-opt %s --tile-lower-memset | FileCheck %s

// CHECK-LABEL: func.func @bytes
// CHECK-NOT:     gpu.memset
// CHECK:         memref.alloc
// CHECK:         gpu.memcpy
func.func @bytes(%to: memref<64xi8>, %value: i8) {
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %to, %value : memref<64xi8>, i8
  gpu.wait [%t1]
  return
}

// CHECK-LABEL: func.func @words
// CHECK:         gpu.memset
func.func @words(%to: memref<64xi32>, %value: i32) {
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %to, %value : memref<64xi32>, i32
  gpu.wait [%t1]
  return
}
