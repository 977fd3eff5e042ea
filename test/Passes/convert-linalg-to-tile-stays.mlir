// Ops that stay, and why: by name, as remarks; as errors with strict; as errors of --tile-build, which lowers none of them.
// RUN: split-file %s %t
// RUN: tile-opt --tile-convert-memory --tile-convert-linalg-ops %t/kernels.mlir -o %t/stay.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=STAYS < %t/stay.mlir
// RUN: not tile-opt --convert-linalg-to-tile=strict %t/kernels.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not tile-opt --tile-build %t/kernels.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not tile-opt --convert-linalg-to-tile %t/blocks.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: tile-opt --convert-linalg-to-tile=block=64 %t/function.mlir | FileCheck %s --check-prefix=BLOCK
// RUN: tile-opt --convert-linalg-to-tile %t/function.mlir -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST

// RUN: tile-opt --convert-linalg-to-tile %t/stated.mlir -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATED

// CHECK: [Missed] memory-escapes | {{.*}}Function=thread | Remark="stays memory: linalg.exp uses it"
// CHECK: [Missed] memory-escapes | {{.*}}Function=escapes | Remark="stays memory: memref.load uses it"
// CHECK: [Missed] memory-large | {{.*}}Function=much | Remark="stays memory: 1048576 bytes, expected at most {{.*}} of shared memory"
// CHECK: [Missed] stays-may-alias | {{.*}}Function=in_place | Reason="operand 0 and result 0 may overlap, expected the same elements in the same order, or none in common", Remark="linalg.generic stays as it is"
// CHECK: [Missed] stays-may-alias | {{.*}}Function=parts
// CHECK: [Missed] stays-divergent | {{.*}}Function=thread | Reason="not all threads of a cta are known to reach it, expected no condition or loop that differs between them"
// CHECK: [Missed] stays-differs | {{.*}}Function=thread | Reason="operand 0 may differ between the threads of a cta, expected one value for all of them", Remark="linalg.fill stays as it is"
// CHECK: [Missed] stays-differs | {{.*}}Function=thread | {{.*}}Remark="linalg.exp stays as it is"
// CHECK: [Missed] stays-reduction-loops | {{.*}}Function=loops | Reason="a product with 2 loops of depths, expected one: collapse them, or tile all but one by 1"
// CHECK: [Missed] stays-not-combined | {{.*}}Function=loops | Reason="the body does not combine the result with a term by an associative operator, expected one such as arith.addf"
// CHECK: [Missed] stays-operand-map | {{.*}}Function=window | Reason="operand 0 is not indexed by single loops, expected a projected permutation of them"
// CHECK: [Missed] stays-block-size-unknown | {{.*}}Function=unknown_block
// CHECK: [Missed] stays-batch | {{.*}}Function=batch | Reason="a product with a batch loop of extent 4, expected 1: tile it by 1 first"
// CHECK: [Missed] stays-body-op | {{.*}}Function=effects | Reason="the body has memref.store, expected ops without effects and regions"
// CHECK: [Missed] stays-result-map | {{.*}}Function=diagonal | Reason="result 0 is not indexed by each parallel loop once, expected all 2 of them"
// CHECK: [Missed] stays-composed | {{.*}}Function=composed | Reason="linalg.softmax is made of several ops, expected those: transform.structured.decompose_interface makes them"
// CHECK: [Missed] product-not-multiplied | {{.*}}Function=large | Reason="no instruction of sm_80 multiplies 128x32 f32 by 32x128 f32 to f32 with 32 threads

// What stays is what it was.
// STAYS-LABEL: gpu.func @in_place
// STAYS-NEXT: linalg.generic
// STAYS-LABEL: gpu.func @batch
// STAYS-NEXT: linalg.batch_matmul

// STRICT: error: 'linalg.generic' op stays as it is: operand 0 and result 0 may overlap, expected the same elements in the same order, or none in common
// STRICT: error: 'linalg.fill' op stays as it is: blocks of a size that is not known

// BLOCKS: error: 'linalg.exp' op is in an scf.forall that is mapped to blocks, expected a gpu.launch, which transform.gpu.map_forall_to_blocks makes
// BLOCKS: note: mapped here

// BLOCK: func.func @block({{.*}}) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, tile.converted}
// BLOCK: tile.fill
// HOST: stays-in-no-kernel | {{.*}}Function=block

// STATED: [Missed] schedule-not-taken | {{.*}}Function=stated | Reason="the schedule asks for instruction = wgmma, by which sm_80 does not multiply
// STATED: [Missed] stages-stated | {{.*}}Function=one | Reason="its schedule says so", Remark="has one stage"

//--- stated.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @stated(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.matmul {tile.schedule = #tile.schedule<instruction = wgmma>} ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>)
    gpu.return
  }
  gpu.func @one(%A: memref<128x1024xf16>, %B: memref<1024x128xf16>, %C: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    linalg.matmul {tile.schedule = #tile.schedule<stages = 1>} ins(%A, %B : memref<128x1024xf16>, memref<1024x128xf16>) outs(%C : memref<128x128xf32>)
    gpu.return
  }
}
//--- kernels.mlir
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
!wg = memref<32x32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @in_place(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xf32>) outs(%A : memref<32x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @parts(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = memref.subview %A[0, 0] [16, 32] [1, 1] : memref<32x32xf32> to memref<16x32xf32, strided<[32, 1]>>
    %b = memref.subview %A[8, 0] [16, 32] [1, 1] : memref<32x32xf32> to memref<16x32xf32, strided<[32, 1], offset: 256>>
    linalg.exp ins(%a : memref<16x32xf32, strided<[32, 1]>>) outs(%b : memref<16x32xf32, strided<[32, 1], offset: 256>>)
    gpu.return
  }
  gpu.func @thread(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c8 = arith.constant 8 : index
    %few = arith.cmpi ult, %t, %c8 : index
    scf.if %few {
      linalg.fill ins(%zero : f32) outs(%A : memref<32x32xf32>)
    }
    %n = arith.index_cast %t : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.fill ins(%f : f32) outs(%A : memref<32x32xf32>)
    %p = memref.alloc() : memref<32xf32>
    %q = memref.subview %A[%t, 0] [1, 32] [1, 1] : memref<32x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    linalg.exp ins(%q : memref<32xf32, strided<[1], offset: ?>>) outs(%p : memref<32xf32>)
    gpu.return
  }
  gpu.func @loops(%A: memref<8x4x4xf32>, %B: memref<4x4x8xf32>, %P: memref<8x8xf32>, %S: memref<8xf32>, %X: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%A, %B : memref<8x4x4xf32>, memref<4x4x8xf32>) outs(%P : memref<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %s: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %s, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%S : memref<8xf32>) outs(%S : memref<8xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.subf %s, %a : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @escapes(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %w = memref.alloc() : !wg
    memref.copy %A, %w : memref<32x32xf32> to !wg
    %x = memref.load %w[%c0, %c0] : !wg
    memref.store %x, %A[%c0, %c0] : memref<32x32xf32>
    gpu.return
  }
  gpu.func @much(%A: memref<512x512xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %w = memref.alloc() : memref<512x512xf32>
    memref.copy %A, %w : memref<512x512xf32> to memref<512x512xf32>
    gpu.return
  }
  gpu.func @window(%X: memref<1x16x1xf32>, %W: memref<3x1x1xf32>, %Y: memref<1x14x1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %begin = memref.subview %X[0, 0, 0] [1, 14, 1] [1, 1, 1] : memref<1x16x1xf32> to memref<1x14x1xf32, strided<[16, 1, 1]>>
    linalg.conv_1d_nwc_wcf ins(%X, %W : memref<1x16x1xf32>, memref<3x1x1xf32>) outs(%begin : memref<1x14x1xf32, strided<[16, 1, 1]>>)
    gpu.return
  }
  gpu.func @unknown_block(%A: memref<32x32xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%A : memref<32x32xf32>)
    gpu.return
  }
  gpu.func @batch(%A: memref<4x32x32xf16>, %B: memref<4x32x16xf16>, %C: memref<4x32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    linalg.batch_matmul ins(%A, %B : memref<4x32x32xf16>, memref<4x32x16xf16>) outs(%C : memref<4x32x16xf32>)
    gpu.return
  }
  gpu.func @effects(%A: memref<32xf32>, %B: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%B : memref<32xf32>) {
    ^bb0(%b: f32):
      %i = linalg.index 0 : index
      memref.store %b, %A[%i] : memref<32xf32>
      linalg.yield %b : f32
    }
    gpu.return
  }
  gpu.func @diagonal(%A: memref<32x32xf32>, %B: memref<32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<32x32xf32>) outs(%B : memref<32xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }
    gpu.return
  }
  gpu.func @composed(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.softmax dimension(1) ins(%A : memref<32x32xf32>) outs(%B : memref<32x32xf32>)
    gpu.return
  }
  gpu.func @large(%A: memref<128x32xf32>, %B: memref<32x128xf32>, %C: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<128x32xf32>, memref<32x128xf32>) outs(%C : memref<128x128xf32>)
    gpu.return
  }
}
//--- blocks.mlir
func.func @host(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  scf.forall (%i) in (2) {
    linalg.exp ins(%A : memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}
//--- function.mlir
func.func @block(%A: memref<24x40xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<24x40xf32>)
  return
}
