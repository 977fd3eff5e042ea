// Products that state no schedule get the one with the least estimated time, or that of a record; others say why not.

// RUN: split-file %s %t && cd %t
// RUN: tile-opt %t/products.mlir --tile-schedule-products=chip=sm_90a --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: [Passed] product-scheduled | {{.*}}Function=large |
// CHECK-SAME: Estimate="193.8 us, 4 waves, bound by multiplications"
// CHECK-SAME: RunnerUp="#tile.schedule<instruction = wgmma, stages = 4, tile = [256, 128, 64], threads = 256, group = 8>: 193.8 us"
// CHECK-SAME: Schedule="#tile.schedule<instruction = wgmma, stages = 4, tile = [128, 256, 64], threads = 256, group = 16>"
// CHECK: [Passed] product-scheduled | {{.*}}Function=few |
// CHECK-SAME: bound by loads from DRAM
// CHECK: [Missed] schedule-no-tiles | {{.*}}Function=odd |
// CHECK-SAME: no tiles that sm_90a multiplies divide 3001x4096 f16 by 4096x2560 f16 to f32
// CHECK: [Missed] stays-unbounded | {{.*}}Function=open |

// CHECK-LABEL: func.func @large
// CHECK: linalg.matmul {tile.schedule = #tile.schedule<instruction = wgmma, stages = 4, tile = [128, 256, 64], threads = 256, group = 16>}
// CHECK-LABEL: func.func @few
// CHECK: linalg.matmul {tile.schedule = #tile.schedule<instruction = mma_sync, stages = 5, tile = [16, 64, 256], threads = 128, group = 1>}
// CHECK-LABEL: func.func @odd
// CHECK-NOT: tile.schedule
// A schedule that is stated is kept, and a copy gets none.
// CHECK-LABEL: func.func @stated
// CHECK-NOT: tile.schedule
// CHECK: linalg.copy
// CHECK: linalg.matmul {tile.schedule = #tile.schedule<stages = 3>}

// RUN: tile-opt %t/products.mlir --tile-schedule-products=chip=sm_80 -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SPEEDS
// SPEEDS: [Missed] schedule-no-speeds | {{.*}}Function=large | {{.*}}the speeds of sm_80 are not known, expected one of sm_90, sm_90a

// The fastest of a record for the chip, the size and the elements is taken.
// RUN: tile-opt %t/products.mlir --tile-schedule-products="chip=sm_90a record=record.json" --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RECORD
// RECORD: [Passed] product-recorded | {{.*}}Function=large |
// RECORD-SAME: Time="190.5 us on NVIDIA H200, 2026-11-30"
// RECORD: [Missed] schedule-not-recorded | {{.*}}Function=few |
// RECORD-SAME: record.json has no time of 16x8192x8192 of f16, f16, f32 for sm_90a
// RECORD: [Passed] product-scheduled | {{.*}}Function=few |
// RECORD: linalg.matmul {tile.schedule = #tile.schedule<instruction = wgmma, stages = 3, tile = [128, 128, 128], threads = 256, group = 8>}

// RUN: not tile-opt %t/products.mlir --tile-schedule-products="chip=sm_90a record=none.json" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}cannot read the record none.json
// RUN: not tile-opt %t/products.mlir --tile-schedule-products="chip=sm_90a record=wrong.json" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}wrong.json, line 1: {{.*}}expected a measured time of a product
// RUN: not tile-opt %t/products.mlir --tile-schedule-products="chip=sm_90a record=other.json" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: products.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'linalg.matmul' op has 32 : i64 in a record, expected #tile.schedule<…>

// What a schedule says of tiles and threads is checked.
// RUN: not tile-opt %t/refused.mlir --split-input-file --convert-linalg-to-tile=strict -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: got tile = [64, 64], expected the numbers of rows, columns and depths of a tile, each at least 1
// REFUSED: error: got threads = 100, expected a multiple of 32 from 32 to 1024
// REFUSED: error: got group = -1, expected a number of rows of tiles, at least 1
// REFUSED: error: 'linalg.matmul' op stays as it is: the schedule asks for blocks of 256 threads, got 128

//--- products.mlir
func.func @large(%A: tensor<4096x4096xf16>, %B: tensor<4096x4096xf16>, %C: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = linalg.matmul ins(%A, %B : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%C : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}
func.func @few(%A: memref<16x8192xf16>, %B: memref<8192x8192xf16>, %C: memref<16x8192xf32>) {
  linalg.matmul ins(%A, %B : memref<16x8192xf16>, memref<8192x8192xf16>) outs(%C : memref<16x8192xf32>)
  return
}
func.func @odd(%A: memref<3001x4096xf16>, %B: memref<4096x2560xf16>, %C: memref<3001x2560xf32>) {
  linalg.matmul ins(%A, %B : memref<3001x4096xf16>, memref<4096x2560xf16>) outs(%C : memref<3001x2560xf32>)
  return
}
func.func @open(%A: tensor<?x4096xf16>, %B: tensor<4096x256xf16>, %C: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %c = linalg.matmul ins(%A, %B : tensor<?x4096xf16>, tensor<4096x256xf16>) outs(%C : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %c : tensor<?x256xf32>
}
func.func @stated(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  linalg.copy ins(%A : memref<64x64xf16>) outs(%B : memref<64x64xf16>)
  linalg.matmul {tile.schedule = #tile.schedule<stages = 3>} ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>)
  return
}
//--- record.json
{"chip":"sm_90a","gpu":"NVIDIA H200","driver":"13.0","date":"2026-11-30","size":[4096,4096,4096],"elements":["f16","f16","f32"],"schedule":"#tile.schedule<instruction = wgmma, stages = 4, tile = [128, 256, 64], threads = 256, group = 16>","estimate":193.8,"measured":191.8}
{"chip":"sm_90a","gpu":"NVIDIA H200","driver":"13.0","date":"2026-11-30","size":[4096,4096,4096],"elements":["f16","f16","f32"],"schedule":"#tile.schedule<instruction = wgmma, stages = 3, tile = [128, 128, 128], threads = 256, group = 8>","estimate":330.0,"measured":190.5}

{"chip":"sm_90","gpu":"NVIDIA H200","driver":"13.0","date":"2026-11-30","size":[16,8192,8192],"elements":["f16","f16","f32"],"schedule":"#tile.schedule<stages = 8>","estimate":47.0,"measured":42.9}
//--- other.json
{"chip":"sm_90a","gpu":"NVIDIA H200","driver":"13.0","date":"2026-11-30","size":[4096,4096,4096],"elements":["f16","f16","f32"],"schedule":"32 : i64","estimate":193.8,"measured":191.8}

//--- wrong.json
{"chip":"sm_90a"}
//--- refused.mlir
func.func @tile(%A: memref<4x4xf16>, %C: memref<4x4xf32>) {
  linalg.matmul {tile.schedule = #tile.schedule<tile = [64, 64]>} ins(%A, %A : memref<4x4xf16>, memref<4x4xf16>) outs(%C : memref<4x4xf32>)
  return
}
// -----
func.func @threads(%A: memref<4x4xf16>, %C: memref<4x4xf32>) {
  linalg.matmul {tile.schedule = #tile.schedule<threads = 100>} ins(%A, %A : memref<4x4xf16>, memref<4x4xf16>) outs(%C : memref<4x4xf32>)
  return
}
// -----
func.func @group(%A: memref<4x4xf16>, %C: memref<4x4xf32>) {
  linalg.matmul {tile.schedule = #tile.schedule<group = -1>} ins(%A, %A : memref<4x4xf16>, memref<4x4xf16>) outs(%C : memref<4x4xf32>)
  return
}
// -----
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @block(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.matmul {tile.schedule = #tile.schedule<threads = 256>} ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>)
    gpu.return
  }
}
