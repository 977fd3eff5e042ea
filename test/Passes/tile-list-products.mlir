// The schedules of products that are worth timing, the fastest by the model first; why there are none.
// RUN: tile-opt %s --tile-list-products="chip=sm_90a candidates=2" -o /dev/null 2>%t.warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.warnings
// RUN: tile-opt %s --tile-list-products=chip=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPEEDS

// CHECK: {"function":"large","place":"{{.*}}tile-list-products.mlir:[[@LINE+5]]:8","chip":"sm_90a","size":[4096,4096,4096],"elements":["f16","f16","f32"],"schedule":"#tile.schedule<instruction = wgmma, stages = 4, tile = [128, 256, 64], threads = 256, group = 16>","estimate":193.8}
// CHECK-NEXT: {"function":"large",{{.*}}"schedule":"#tile.schedule<{{.*}}>","estimate":193.8}
// CHECK-NOT: {{.}}
// SPEEDS: warning: linalg.matmul gets no schedule: the speeds of sm_80 are not known, expected one of sm_90, sm_90a
func.func @large(%A: tensor<4096x4096xf16>, %B: tensor<4096x4096xf16>, %C: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = linalg.matmul ins(%A, %B : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%C : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}

func.func @stated(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = linalg.matmul {tile.schedule = #tile.schedule<tile = [64, 64, 64], threads = 128>}
    ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

func.func @odd(%A: tensor<3001x4096xf16>, %B: tensor<4096x2560xf16>, %C: tensor<3001x2560xf32>) -> tensor<3001x2560xf32> {
  // WARNING: tile-list-products.mlir:[[@LINE+1]]:8: warning: linalg.matmul gets no schedule: no tiles that sm_90a multiplies divide 3001x4096 f16
  %c = linalg.matmul ins(%A, %B : tensor<3001x4096xf16>, tensor<4096x2560xf16>) outs(%C : tensor<3001x2560xf32>) -> tensor<3001x2560xf32>
  return %c : tensor<3001x2560xf32>
}
