// Copies that are not converted, each with the reason; and invalid options and attributes.
// RUN: split-file %s %t
// RUN: tile-opt --convert-copies-to-tile %t/stays.mlir -o %t.out --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// OUT-NOT: {{[^{]}}tile.
// OUT: memref.copy
// OUT-NOT: {{[^{]}}tile.
// RUN: not tile-opt --convert-copies-to-tile=scope=block %t/stays.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}in the options of the pass: got scope = block, expected thread, warp, warpgroup or cta
// RUN: not tile-opt --convert-copies-to-tile %t/word.mlir 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: word.mlir:3:5: error: 'memref.copy' op has tile.scope = "warps", expected thread, warp, warpgroup or cta in quotes
// RUN: not tile-opt --convert-copies-to-tile %t/number.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: number.mlir:3:5: error: 'memref.copy' op has tile.scope = 4 : i64, expected thread, warp, warpgroup or cta in quotes
// RUN: tile-opt --convert-copies-to-tile %t/outside.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: outside.mlir:3:3: remark: [Missed] stays-in-no-kernel {{.*}}Function=load{{.*}}

// RUN: tile-opt --convert-copies-to-tile %t/vast.mlir -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VAST
// VAST: vast.mlir:4:5: remark: [Missed] stays-too-large {{.*}}Reason="got size 4294967296 * 4294967296, expected less than 2^62 = 4611686018427387904"{{.*}}

// What stays in a kernel and has no other lowering is an error with the reason.
// RUN: not tile-opt --tile-build=order=false %t/unranked.mlir 2>&1 | FileCheck %s --check-prefix=UNRANKED --implicit-check-not=error:
// UNRANKED: unranked.mlir:3:5: error: 'memref.copy' op is left in a kernel, where only dense memrefs are copied without a tile copy
// UNRANKED: note: no tile op does it: tensors, or memrefs of no rank, expected ranked memrefs: bufferize first

//--- word.mlir
gpu.module @kernels {
  gpu.func @word(%A: memref<4xf32>, %B: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    memref.copy %A, %B {tile.scope = "warps"} : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

//--- number.mlir
gpu.module @kernels {
  gpu.func @number(%A: memref<4xf32>, %B: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    memref.copy %A, %B {tile.scope = 4} : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

//--- stays.mlir
gpu.module @kernels {
  gpu.func @whole(%A: memref<4x4xf32>, %B: memref<4x4xi32>, %R: memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, i mod 2, j)>>, %m: index)
      private(%P: memref<4x4xf32, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: {{.*}} [Missed] stays-other-memory {{.*}}Reason="memory #gpu.address_space<private>, expected global memory or that of a workgroup", Remark="memref.copy stays as it is"
    memref.copy %A, %P : memref<4x4xf32> to memref<4x4xf32, #gpu.address_space<private>>
    // CHECK: {{.*}} [Missed] stays-other-elements {{.*}}Reason="elements of f32 become i32, expected one type, or two float types", {{.*}}
    linalg.copy ins(%A : memref<4x4xf32>) outs(%B : memref<4x4xi32>)
    // CHECK: {{.*}} [Missed] stays-not-strided {{.*}}Reason="memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d0 mod 2, d1)>>, expected strides", {{.*}}
    memref.copy %A, %R : memref<4x4xf32> to memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, i mod 2, j)>>
    gpu.return
  }

  // Elements that tile.copy would round otherwise, or that are larger than those of tiles.
  gpu.func @elements(%A: memref<4xf32>, %B: memref<4xf8E4M3FN>, %V: memref<4xvector<4xf32>>, %W: memref<4xvector<4xf32>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: {{.*}} [Missed] stays-other-elements {{.*}}Reason="elements of f32 become f8E4M3FN, expected a type of more than 8 bits: large numbers become others", {{.*}}
    linalg.copy ins(%A : memref<4xf32>) outs(%B : memref<4xf8E4M3FN>)
    // CHECK: {{.*}} [Missed] stays-other-elements {{.*}}Reason="elements of vector<4xf32> become vector<4xf32>, expected integers or floats", {{.*}}
    memref.copy %V, %W : memref<4xvector<4xf32>> to memref<4xvector<4xf32>>
    gpu.return
  }

  // Memory of another kind than the type says.
  gpu.func @hidden(%A: memref<4xf32>) workgroup(%W: memref<4xf32>, %S: memref<4xf32, 3>) private(%P: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: {{.*}} [Missed] stays-other-memory {{.*}}Reason="memref<4xf32> does not state what memory it is in, expected global memory or that of a workgroup", {{.*}}
    memref.copy %A, %W : memref<4xf32> to memref<4xf32>
    // CHECK: {{.*}} [Missed] stays-other-memory {{.*}}
    memref.copy %A, %P : memref<4xf32> to memref<4xf32>
    // CHECK: {{.*}} [Missed] stays-other-memory {{.*}}
    %s = memref.memory_space_cast %S : memref<4xf32, 3> to memref<4xf32>
    memref.copy %A, %s : memref<4xf32> to memref<4xf32>
    // CHECK: {{.*}} [Missed] stays-other-memory {{.*}}
    %p = memref.alloca() : memref<4xf32>
    memref.copy %A, %p {tile.scope = "thread"} : memref<4xf32> to memref<4xf32>
    gpu.return
  }

  gpu.func @overlapping(%A: memref<16xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: {{.*}} [Missed] stays-overlapping {{.*}}Reason="regions of one memref that may overlap, expected disjoint ones", {{.*}}
    %v = vector.transfer_read %A[%c0], %zero {in_bounds = [true]} : memref<16xf32>, vector<4xf32>
    vector.transfer_write %v, %A[%i] {in_bounds = [true]} : vector<4xf32>, memref<16xf32>
    gpu.return
  }

  gpu.func @tensors(%A: tensor<4xf32>, %B: tensor<4xf32>) {
    // CHECK: {{.*}} [Missed] stays-tensors {{.*}}bufferize first", {{.*}}
    %C = linalg.copy ins(%A : tensor<4xf32>) outs(%B : tensor<4xf32>) -> tensor<4xf32>
    gpu.return
  }

  gpu.func @extents(%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<1024x1024xf32>, %D: memref<1024x1024xf32>,
      %E: memref<0xf32>, %F: memref<0xf32>, %m: index) workgroup(%S: memref<64xf32, 3>, %T: memref<64xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: {{.*}} [Missed] stays-unbounded {{.*}}Reason="dimension 0 has a run-time extent without a bound, expected one such as affine.min gives", {{.*}}
    memref.copy %A, %B : memref<?xf32> to memref<?xf32>
    // CHECK: {{.*}} [Missed] stays-too-large {{.*}}
    memref.copy %C, %D : memref<1024x1024xf32> to memref<1024x1024xf32>
    // CHECK: {{.*}} [Missed] stays-empty {{.*}}
    memref.copy %E, %F : memref<0xf32> to memref<0xf32>
    // CHECK: {{.*}} [Missed] stays-shared-extent {{.*}}Reason="a run-time extent in shared memory alone, expected one of global memory", {{.*}}
    %s = memref.subview %S[0] [%m] [1] : memref<64xf32, 3> to memref<?xf32, strided<[1]>, 3>
    %t = memref.subview %T[0] [%m] [1] : memref<64xf32, 3> to memref<?xf32, strided<[1]>, 3>
    memref.copy %s, %t : memref<?xf32, strided<[1]>, 3> to memref<?xf32, strided<[1]>, 3>
    gpu.return
  }

  gpu.func @vectors(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %n: memref<0x8xf32>, %mask: vector<8xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: {{.*}} [Missed] stays-broadcast {{.*}}
    %b = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true], permutation_map = affine_map<(i, j) -> (0)>}
      : memref<8x8xf32>, vector<8xf32>
    vector.transfer_write %b, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-masked {{.*}}
    %m = vector.transfer_read %A[%c0, %c0], %zero, %mask {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
    vector.transfer_write %m, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-masked {{.*}}Reason="a transfer in a vector.mask, expected the mask as an operand", {{.*}}
    %o = vector.mask %mask { vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32> }
      : vector<8xi1> -> vector<8xf32>
    vector.transfer_write %o, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-masked {{.*}}
    %p = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
    vector.mask %mask { vector.transfer_write %p, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32> } : vector<8xi1>
    // CHECK: {{.*}} [Missed] stays-masked {{.*}}
    %one = vector.create_mask %c0 : vector<1xi1>
    %e = vector.transfer_read %A[%c0, %c0], %zero, %one : memref<8x8xf32>, vector<f32>
    vector.transfer_write %e, %B[%c0, %c0] : vector<f32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-empty {{.*}}Reason="a memref without elements, expected some", {{.*}}
    %f = vector.transfer_read %n[%c0, %c0], %zero : memref<0x8xf32>, vector<4x8xf32>
    vector.transfer_write %f, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-scalable {{.*}}
    %l = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true]} : memref<8x8xf32>, vector<[4]xf32>
    vector.transfer_write %l, %B[%c0, %c0] {in_bounds = [true]} : vector<[4]xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-used-elsewhere {{.*}}
    // CHECK: {{.*}} [Missed] stays-used-elsewhere {{.*}}
    %u = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
    vector.transfer_write %u, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    vector.transfer_write %u, %A[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    // CHECK: {{.*}} [Missed] stays-written-between {{.*}}
    %w = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true]} : memref<8x8xf32>, vector<8xf32>
    memref.store %zero, %A[%c0, %c0] : memref<8x8xf32>
    vector.transfer_write %w, %B[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32>
    gpu.return
  }

  // Threads that copy different rows do not perform one copy together.
  gpu.func @threads(%A: memref<64x8xf32>, %B: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = gpu.thread_id x
    %a = memref.subview %A[%x, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    %b = memref.subview %B[%x, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    // CHECK: {{.*}} [Missed] stays-refused {{.*}}thread 0{{.*}}thread 1{{.*}}
    memref.copy %a, %b : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    %loaded = memref.load %A[%x, %c0] : memref<64x8xf32>
    %some = arith.cmpf oeq, %loaded, %loaded : f32
    scf.if %some {
      // CHECK: {{.*}} [Missed] stays-refused {{.*}}
      memref.copy %A, %B : memref<64x8xf32> to memref<64x8xf32>
    }
    gpu.return
  }

  // It is not known how many threads a block has.
  gpu.func @block(%A: memref<4xf32>, %B: memref<4xf32>) kernel {
    // CHECK: {{.*}} [Missed] stays-refused {{.*}}known_block_size{{.*}}
    memref.copy %A, %B : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

//--- outside.mlir
// No threads share the copy of a function that is no kernel.
func.func @load(%a: memref<16x64xf32>, %w: memref<16x64xf32, #gpu.address_space<workgroup>>) {
  memref.copy %a, %w : memref<16x64xf32> to memref<16x64xf32, #gpu.address_space<workgroup>>
  return
}

//--- unranked.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @rows(%A: memref<*xf32>, %B: memref<*xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    memref.copy %A, %B : memref<*xf32> to memref<*xf32>
    gpu.return
  }
}

//--- vast.mlir
gpu.module @kernels {
  gpu.func @part(%A: memref<4294967296x4294967296xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = memref.subview %A[0, 0] [32, 32] [1, 1] : memref<4294967296x4294967296xf32> to memref<32x32xf32, strided<[4294967296, 1]>>
    memref.copy %a, %B : memref<32x32xf32, strided<[4294967296, 1]>> to memref<32x32xf32>
    gpu.return
  }
}
