// Ops that no tile op does are loops over elements: gathers, bodies with conditions, diagonals, quotients. numpy's numbers, under every
// schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run ops.mlir --schedule all --entry gather --arg f32[50x24]=table.npy --arg i64[10]=numbers.npy --arg f32[10x24]=poison --expect 2=rows.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry condition --arg f32[10x24]=rows.npy --arg f32[10x24]=poison --expect 1=halves.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry diagonal --arg f32[24x24]=square.npy --arg f32[24]=poison --expect 1=diagonal.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry nearest --arg f32[10x24]=rows.npy --arg f32[20x48]=poison --expect 1=nearest.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry horner --arg f32[10x24]=rows.npy --arg f32[10]=starts.npy --expect 1=polynomials.npy --rtol 1e-5
// RUN: cd %t && tile-run ops.mlir --schedule all --entry open --arg f32[50x24]=table.npy --arg i64[10]=numbers.npy --arg f32[10x24]=poison --expect 2=rows.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry added --arg f32[50x24]=table.npy --arg i64[10]=numbers.npy --arg f32[10x24]=starts2.npy --expect 2=added.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry used --arg f32[50x24]=table.npy --arg i64[10]=numbers.npy --arg f32[10x24]=poison --arg f32[10]=zeros \
// RUN:   --expect 2=rows.npy --expect 3=sums.npy --rtol 1e-5
// RUN: cd %t && tile-run ops.mlir --schedule all --entry row --arg f32[50x24]=table.npy --arg i64[10]=numbers.npy --arg f32[24]=poison --expect 2=row.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry scaled --arg f32[10x24]=rows.npy --arg f32[10]=starts.npy --arg f32[10x24]=poison --expect 2=scaled.npy
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not tile-opt %t/stays.mlir --tile-build -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAYS

// CHECK: [Missed] element-by-element | {{.*}}Function=gather | Reason="the body has memref.load
// CHECK: [Missed] element-by-element | {{.*}}Function=condition | Reason="the body has scf.if
// CHECK: [Missed] element-by-element | {{.*}}Function=diagonal | Reason="operand 0 is not indexed by single loops
// CHECK: [Missed] element-by-element | {{.*}}Function=horner | Reason="the body does not combine

// A body that writes, a result that is read elsewhere, and a result that several iterations write, have an order.
// STAYS: error: 'linalg.generic' op stays as it is: the body has memref.store
// STAYS: error: 'linalg.generic' op stays as it is: the body has memref.load
// STAYS: error: 'linalg.generic' op stays as it is: {{.*}}result

//--- ops.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @gather(%table: memref<50x24xf32>, %numbers: memref<10xi64>, %rows: memref<10x24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%numbers : memref<10xi64>) outs(%rows : memref<10x24xf32>) {
    ^bb0(%number: i64, %o: f32):
      %row = arith.index_cast %number : i64 to index
      %j = linalg.index 1 : index
      %x = memref.load %table[%row, %j] : memref<50x24xf32>
      linalg.yield %x : f32
    }
    gpu.return
  }
  gpu.func @condition(%x: memref<10x24xf32>, %y: memref<10x24xf32>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<10x24xf32>) outs(%y : memref<10x24xf32>) {
    ^bb0(%a: f32, %o: f32):
      %is = arith.cmpf olt, %a, %zero : f32
      %r = scf.if %is -> f32 {
        %h = arith.mulf %a, %half : f32
        scf.yield %h : f32
      } else {
        scf.yield %a : f32
      }
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @diagonal(%x: memref<24x24xf32>, %y: memref<24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<24x24xf32>) outs(%y : memref<24xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }
    gpu.return
  }
  // Each element twice in both directions, as torch's nearest interpolation exports it.
  gpu.func @nearest(%x: memref<10x24xf32>, %y: memref<20x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %two = arith.constant 2 : index
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<20x48xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = arith.divui %i, %two : index
      %column = arith.divui %j, %two : index
      %a = memref.load %x[%row, %column] : memref<10x24xf32>
      linalg.yield %a : f32
    }
    gpu.return
  }
  // y = y / 2 + x, one after another.
  gpu.func @horner(%x: memref<10x24xf32>, %y: memref<10xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %half = arith.constant 0.5 : f32
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<10x24xf32>) outs(%y : memref<10xf32>) {
    ^bb0(%a: f32, %o: f32):
      %h = arith.mulf %o, %half : f32
      %s = arith.addf %h, %a : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  gpu.func @open(%table: memref<?x24xf32>, %numbers: memref<?xi64>, %rows: memref<?x24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%numbers : memref<?xi64>) outs(%rows : memref<?x24xf32>) {
    ^bb0(%number: i64, %o: f32):
      %row = arith.index_cast %number : i64 to index
      %j = linalg.index 1 : index
      %x = memref.load %table[%row, %j] : memref<?x24xf32>
      linalg.yield %x : f32
    }
    gpu.return
  }
  // The result before is an operand of the body.
  gpu.func @added(%table: memref<50x24xf32>, %numbers: memref<10xi64>, %rows: memref<10x24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%numbers : memref<10xi64>) outs(%rows : memref<10x24xf32>) {
    ^bb0(%number: i64, %o: f32):
      %row = arith.index_cast %number : i64 to index
      %j = linalg.index 1 : index
      %x = memref.load %table[%row, %j] : memref<50x24xf32>
      %s = arith.addf %o, %x : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  // Other threads wrote the rows that a thread reads.
  gpu.func @used(%table: memref<50x24xf32>, %numbers: memref<10xi64>, %rows: memref<10x24xf32>, %sums: memref<10xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%numbers : memref<10xi64>) outs(%rows : memref<10x24xf32>) {
    ^bb0(%number: i64, %o: f32):
      %row = arith.index_cast %number : i64 to index
      %j = linalg.index 1 : index
      %x = memref.load %table[%row, %j] : memref<50x24xf32>
      linalg.yield %x : f32
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%rows : memref<10x24xf32>) outs(%sums : memref<10xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  // The number of the row is memory without dimensions.
  gpu.func @row(%table: memref<50x24xf32>, %numbers: memref<10xi64>, %row: memref<24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %number = memref.subview %numbers[3] [1] [1] : memref<10xi64> to memref<i64, strided<[], offset: 3>>
    linalg.generic {indexing_maps = [affine_map<(j) -> ()>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]} ins(%number : memref<i64, strided<[], offset: 3>>) outs(%row : memref<24xf32>) {
    ^bb0(%n: i64, %o: f32):
      %i = arith.index_cast %n : i64 to index
      %j = linalg.index 0 : index
      %x = memref.load %table[%i, %j] : memref<50x24xf32>
      linalg.yield %x : f32
    }
    gpu.return
  }
  gpu.func @scaled(%x: memref<10x24xf32>, %scales: memref<10xf32>, %y: memref<10x24xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %scale = memref.subview %scales[2] [1] [1] : memref<10xf32> to memref<f32, strided<[], offset: 2>>
    linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %scale : memref<10x24xf32>, memref<f32, strided<[], offset: 2>>) outs(%y : memref<10x24xf32>) {
    ^bb0(%a: f32, %s: f32, %o: f32):
      %p = arith.mulf %a, %s : f32
      linalg.yield %p : f32
    }
    gpu.return
  }
}

//--- stays.mlir
#id = affine_map<(i) -> (i)>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @writes(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
    ^bb0(%a: f32, %o: f32):
      memref.store %a, %z[%c0] : memref<64xf32>
      linalg.yield %a : f32
    }
    gpu.return
  }
  gpu.func @shifted(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<64xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.xori %i, %c1 : index
      %a = memref.load %y[%j] : memref<64xf32>
      linalg.yield %a : f32
    }
    gpu.return
  }
  gpu.func @last(%x: memref<64x8xf32>, %y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x8xf32>) outs(%y : memref<64xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }
    gpu.return
  }
}

//--- data.py
import numpy as np

rng = np.random.default_rng(5)
table, numbers = rng.standard_normal((50, 24)).astype(np.float32), rng.integers(0, 50, 10)
rows, square = table[numbers], rng.standard_normal((24, 24)).astype(np.float32)
starts = rng.standard_normal(10).astype(np.float32)
np.save("table.npy", table), np.save("numbers.npy", numbers), np.save("rows.npy", rows), np.save("square.npy", square), np.save("starts.npy", starts)
np.save("row.npy", rows[3]), np.save("scaled.npy", rows * starts[2])
np.save("halves.npy", np.where(rows < 0, rows / 2, rows)), np.save("diagonal.npy", np.diagonal(square).copy())
np.save("nearest.npy", rows.repeat(2, 0).repeat(2, 1))
value = starts.copy()
for column in rows.T:
    value = value / 2 + column
np.save("polynomials.npy", value)
np.save("starts2.npy", rows[::-1].copy()), np.save("added.npy", rows[::-1] + rows), np.save("sums.npy", rows.sum(1))
