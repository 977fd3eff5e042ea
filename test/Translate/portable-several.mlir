// Of several scans, the one whose kernel is named is written.
// RUN: tile-translate %s --tile-to-wgsl --kernel=products | FileCheck %s
// RUN: tile-translate %s --tile-to-msl --kernel=sums | FileCheck %s --check-prefix=SUMS
// RUN: not tile-translate %s --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not tile-translate %s --tile-to-wgsl --kernel=maxima 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-translate %s --tile-to-wgsl --kernel=twice 2>&1 | FileCheck %s --check-prefix=TWICE

// CHECK: @compute
// CHECK-NEXT: fn products(
// CHECK-NOT: @compute
// SUMS: kernel void sums(
// SUMS-NOT: kernel void
// WHICH: error: {{.*}}has 4 scans and kernels, expected the name of one of them: @sums, @products, @twice, @twice (--kernel)
// NONE: error: {{.*}}has neither a scan nor a kernel @maxima, expected one of @sums, @products, @twice, @twice
// TWICE: error: {{.*}}has 2 scans and kernels @twice, expected one

func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  tile.scan @kernels::@products inclusive mul %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  tile.scan @kernels::@twice inclusive min %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  tile.scan @others::@twice inclusive max %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
