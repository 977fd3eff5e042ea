// Global memory that several ops of a kernel use is loaded once, and stored once, where nothing else may access it between.
// RUN: tile-opt %s --tile-convert-memory --tile-convert-linalg-ops --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
!rows = memref<4x256xf32>
!part = memref<4x256xf32, strided<[256, 1]>>
!later = memref<4x256xf32, strided<[256, 1], offset: 512>>

// CHECK-DAG: [Missed] rows-in-shared | {{.*}}Function=divided | Remark="rows are in shared memory: got 4x1021 elements, of which threads have 4x1024, and arith.divsi, which is not defined for all elements beyond; expected another op"
// CHECK-DAG: [Missed] rows-in-shared | {{.*}}Function=wide | Remark="rows are in shared memory: got 128 registers of a thread for each tile, expected at most 64"
// CHECK-DAG: [Passed] memory-kept | {{.*}}Function=twice | Remark="is loaded once", Uses=2
// CHECK-DAG: [Passed] memory-kept | {{.*}}Function=written | Remark="is kept by the kernel, and stored once", Uses=2
// CHECK-DAG: [Passed] memory-kept | {{.*}}Function=written | Remark="is loaded once", Uses=2
// CHECK-DAG: [Passed] memory-kept | {{.*}}Function=updated | Remark="is kept by the kernel, and stored once", Uses=4
// CHECK-DAG: [Passed] memory-kept | {{.*}}Function=overlapping | Remark="is kept by the kernel, and stored once", Uses=4
// CHECK-NOT: memory-kept | {{.*}}Function=overlapping | Remark="is loaded once"
// CHECK-NOT: memory-kept | {{.*}}Function=called
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @twice
  // CHECK: tile.copy %{{.*}} to %[[X:.*]] scope(cta) {{.*}} to !tile.buffer<4x256xf32, local, auto>
  // CHECK: tile.reduce max %[[X]] to
  // CHECK-NOT: tile.copy {{.*}} to !tile.buffer<4x256xf32
  // CHECK: tile.map { arith.subf } %[[X]], {{.*}} to %[[Y:.*]] scope(cta)
  // CHECK: tile.copy %[[Y]] to %{{.*}} scope(cta)
  gpu.func @twice(%x: !rows, %y: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %low = arith.constant 0xFF800000 : f32
    %m = memref.alloca() : memref<4xf32>
    linalg.fill ins(%low : f32) outs(%m : memref<4xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : !rows) outs(%m : memref<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %o, %a : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : !rows, memref<4xf32>) outs(%y : !rows) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %d = arith.subf %a, %u : f32
      linalg.yield %d : f32
    }
    gpu.return
  }

  // Threads do not divide 1021: the tile has 1024.
  // CHECK-LABEL: gpu.func @uneven
  // CHECK: tile.copy {{.*}} masked fill({{.*}} to !tile.buffer<4x1024xf32, local, auto>
  // CHECK: tile.map {{.*}} !tile.buffer<4x1024xf32, local, auto>
  // CHECK: tile.copy {{.*}}[4, 1024] scope(cta) masked : !tile.buffer<4x1024xf32, local, auto>
  gpu.func @uneven(%x: memref<4x1021xf32>, %y: memref<4x1021xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.exp ins(%x : memref<4x1021xf32>) outs(%y : memref<4x1021xf32>)
    gpu.return
  }

  // A quotient has no value for all elements beyond.
  // CHECK-LABEL: gpu.func @divided
  // CHECK: tile.map {{.*}} !tile.buffer<4x1021xi32, shared, auto>
  gpu.func @divided(%x: memref<4x1021xi32>, %y: memref<4x1021xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.div ins(%x, %x : memref<4x1021xi32>, memref<4x1021xi32>) outs(%y : memref<4x1021xi32>)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @wide
  // CHECK: tile.map {{.*}} !tile.buffer<4x1024xf32, shared, auto>
  gpu.func @wide(%x: memref<4x1024xf32>, %y: memref<4x1024xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    linalg.exp ins(%x : memref<4x1024xf32>) outs(%y : memref<4x1024xf32>)
    gpu.return
  }

  // What is written first is not loaded.
  // CHECK-LABEL: gpu.func @written
  // CHECK-COUNT-1: to !tile.buffer<4x256xf32, local, auto>
  // CHECK: tile.map { math.exp } %[[X:[0-9]+]] to %[[Y:[0-9]+]] scope(cta)
  // CHECK: tile.copy %[[Y]] to %{{.*}} scope(cta) {{.*}} to !tile.buffer<4x256xf32, global>
  // CHECK: tile.map { arith.addf } %[[X]], %[[Y]] to %[[Z:[0-9]+]] scope(cta)
  // CHECK-NOT: tile.copy %[[Y]]
  // CHECK: tile.copy %[[Z]] to
  gpu.func @written(%x: !rows, %y: !rows, %z: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.exp ins(%x : !rows) outs(%y : !rows)
    linalg.add ins(%x, %y : !rows, !rows) outs(%z : !rows)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @updated
  // CHECK: tile.copy %{{.*}} to %[[X:.*]] scope(cta) {{.*}} to !tile.buffer<4x256xf32, local, auto>
  // CHECK: tile.map { math.exp } %[[X]] to %[[X]]
  // CHECK: tile.map { math.absf } %[[X]] to %[[X]]
  // CHECK: tile.copy %[[X]] to
  gpu.func @updated(%x: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.exp ins(%x : !rows) outs(%x : !rows)
    linalg.abs ins(%x : !rows) outs(%x : !rows)
    gpu.return
  }

  // The second half of what is read is the first half of what is written.
  // CHECK-LABEL: gpu.func @overlapping
  // CHECK-COUNT-2: tile.copy %{{.*}}[0, 0] [4, 256] to %{{.*}} : !tile.buffer<8x256xf32, global> to
  gpu.func @overlapping(%x: memref<8x256xf32>, %z: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = memref.subview %x[0, 0] [4, 256] [1, 1] : memref<8x256xf32> to !part
    %b = memref.subview %x[2, 0] [4, 256] [1, 1] : memref<8x256xf32> to !later
    linalg.exp ins(%a : !part) outs(%z : !rows)
    linalg.abs ins(%z : !rows) outs(%b : !later)
    linalg.add ins(%a, %z : !part, !rows) outs(%z : !rows)
    gpu.return
  }

  // A function may access anything.
  // CHECK-LABEL: gpu.func @called
  // CHECK-COUNT-2: tile.copy {{.*}} : !tile.buffer<4x256xf32, global> to
  func.func private @other()
  gpu.func @called(%x: !rows, %y: !rows, %z: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.exp ins(%x : !rows) outs(%y : !rows)
    func.call @other() : () -> ()
    linalg.abs ins(%x : !rows) outs(%z : !rows)
    gpu.return
  }
}
