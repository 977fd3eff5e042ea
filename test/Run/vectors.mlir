// Multi-dimensional vectors, and the ops that upstream's conversion to LLVM leaves: each kernel is executed, and computes a copy
// of its first argument in a roundabout way.

// RUN: tile-run %s --entry load_store --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry shape_cast --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry transpose --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry contract --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry multi_reduction --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry scan --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry outerproduct --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry masks --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry masked_rows --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry gather_scatter --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry out_of_bounds --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry interleave --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry shuffle_slices --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry bitcast --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry elements --arg f32[4x8]=iota --arg f32[4x8]=poison --arg i64=8 --expect-equal 0,1 | FileCheck %s
// CHECK: argument 1 holds what argument 0 holds

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @load_store(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %A[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    vector.store %v, %B[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    gpu.return
  }
  gpu.func @shape_cast(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<8x2x2xf32>
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %s = vector.shape_cast %v : vector<4x8xf32> to vector<8x2x2xf32>
    %t = arith.addf %s, %zeros : vector<8x2x2xf32>
    %u = vector.shape_cast %t : vector<8x2x2xf32> to vector<4x8xf32>
    vector.transfer_write %u, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @transpose(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %s = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    vector.transfer_write %s, %B[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : vector<8x4xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @contract(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<4x8xf32>
    %identity = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : vector<4x4xf32>
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %identity, %v, %none : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
    vector.transfer_write %p, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @multi_reduction(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<4x8xf32>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %s = vector.shape_cast %v : vector<4x8xf32> to vector<1x4x8xf32>
    %m = vector.multi_reduction <add>, %s, %none [0] : vector<1x4x8xf32> to vector<4x8xf32>
    %all = vector.multi_reduction <maxnumf>, %m, %zero [0, 1] : vector<4x8xf32> to f32
    vector.transfer_write %m, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    memref.store %all, %B[%c3, %c7] : memref<4x8xf32>
    gpu.return
  }
  gpu.func @scan(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %first = vector.extract %v[0] : vector<8xf32> from vector<4x8xf32>
    %s:2 = vector.scan <maxnumf>, %v, %first {inclusive = true, reduction_dim = 0} : vector<4x8xf32>, vector<8xf32>
    vector.transfer_write %s#0, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @outerproduct(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %nought = arith.constant dense<0.0> : vector<8xf32>
    %ones = arith.constant dense<1.0> : vector<8xf32>
    %identity = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : vector<4x4xf32>
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %unit = vector.extract %identity[2] : vector<4xf32> from vector<4x4xf32>
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %row = vector.extract %v[2] : vector<8xf32> from vector<4x8xf32>
    %o = vector.outerproduct %unit, %row : vector<4xf32>, vector<8xf32>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    %r = vector.extract %o[2] : vector<8xf32> from vector<4x8xf32>
    %f = vector.fma %r, %ones, %nought : vector<8xf32>
    vector.store %f, %B[%c2, %c0] : memref<4x8xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @masks(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<4x8xf32>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %keep = vector.create_mask %c3, %n : vector<4x8xi1>
    %s = arith.select %keep, %v, %none : vector<4x8xi1>, vector<4x8xf32>
    %o = vector.constant_mask [3, 8] : vector<4x8xi1>
    %t = arith.select %o, %s, %v : vector<4x8xi1>, vector<4x8xf32>
    vector.transfer_write %t, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @masked_rows(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %nought = arith.constant dense<0.0> : vector<8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    %keep = vector.create_mask %n : vector<8xi1>
    %row = vector.maskedload %A[%c1, %c0], %keep, %nought : memref<4x8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %B[%c1, %c0], %keep, %row : memref<4x8xf32>, vector<8xi1>, vector<8xf32>
    %m = vector.mask %keep { vector.reduction <add>, %nought : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %x = memref.load %A[%c0, %c0] : memref<4x8xf32>
    %y = arith.addf %x, %m : f32
    memref.store %y, %B[%c0, %c0] : memref<4x8xf32>
    gpu.return
  }
  gpu.func @gather_scatter(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<4x8xf32>
    %nought = arith.constant dense<0.0> : vector<8xf32>
    %places = arith.constant dense<[3, 1, 2, 0, 7, 6, 4, 5]> : vector<8xi32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %none, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    %keep = vector.constant_mask [8] : vector<8xi1>
    %flat = memref.collapse_shape %A [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    %to = memref.collapse_shape %B [[0, 1]] : memref<4x8xf32> into memref<32xf32>
    scf.for %i = %c0 to %c32 step %c8 {
      %g = vector.gather %flat[%i] [%places], %keep, %nought : memref<32xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      vector.scatter %to[%i] [%places], %keep, %g : memref<32xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
    }
    gpu.return
  }
  gpu.func @out_of_bounds(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    %w = vector.transfer_read %A[%c2, %n], %zero : memref<4x8xf32>, vector<4x8xf32>
    %x = vector.extract %w[3, 7] : f32 from vector<4x8xf32>
    %y = vector.insert %x, %w [0, 0] : f32 into vector<4x8xf32>
    vector.transfer_write %v, %B[%c3, %n] : vector<4x8xf32>, memref<4x8xf32>
    %row = vector.extract %v[3] : vector<8xf32> from vector<4x8xf32>
    vector.store %row, %B[%c3, %c0] : memref<4x8xf32>, vector<8xf32>
    %p = vector.extract %y[0, 0] : f32 from vector<4x8xf32>
    %q = arith.addf %p, %p : f32
    %o = memref.load %A[%c0, %c1] : memref<4x8xf32>
    %s = arith.addf %o, %q : f32
    memref.store %s, %B[%c0, %c1] : memref<4x8xf32>
    gpu.return
  }
  gpu.func @interleave(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %a, %b = vector.deinterleave %v : vector<4x8xf32> -> vector<4x4xf32>
    %s = vector.interleave %a, %b : vector<4x4xf32> -> vector<4x8xf32>
    vector.transfer_write %s, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @shuffle_slices(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %s = vector.shuffle %v, %v [3, 2, 5, 4] : vector<4x8xf32>, vector<4x8xf32>
    %t = vector.shuffle %s, %s [3, 2, 1, 0] : vector<4x8xf32>, vector<4x8xf32>
    %part = vector.extract_strided_slice %t {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %back = vector.insert_strided_slice %part, %t {offsets = [1, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
    %u = vector.shuffle %back, %back [0, 1, 2, 3] : vector<4x8xf32>, vector<4x8xf32>
    %rows = vector.shuffle %u, %u [1, 4, 3, 6] : vector<4x8xf32>, vector<4x8xf32>
    %w = vector.shuffle %rows, %rows [1, 0, 3, 2] : vector<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %w, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @bitcast(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %bits = arith.constant dense<0> : vector<4x8xi32>
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %h = vector.bitcast %v : vector<4x8xf32> to vector<4x16xf16>
    %i = vector.bitcast %h : vector<4x16xf16> to vector<4x8xi32>
    %j = arith.xori %i, %bits : vector<4x8xi32>
    %s = vector.bitcast %j : vector<4x8xi32> to vector<4x8xf32>
    vector.transfer_write %s, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
  gpu.func @elements(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = vector.load %A[%c0, %c0] : memref<4x8xf32>, vector<2x2xf32>
    %e:4 = vector.to_elements %v : vector<2x2xf32>
    %w = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<2x2xf32>
    %all = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %all, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    vector.store %w, %B[%c0, %c0] : memref<4x8xf32>, vector<2x2xf32>
    %st = vector.step : vector<8xindex>
    %i = arith.index_cast %st : vector<8xindex> to vector<8xi32>
    %f = arith.sitofp %i : vector<8xi32> to vector<8xf32>
    %first = memref.load %A[%c1, %c0] : memref<4x8xf32>
    %b = vector.broadcast %first : f32 to vector<8xf32>
    %row = arith.addf %b, %f : vector<8xf32>
    vector.store %row, %B[%c1, %c0] : memref<4x8xf32>, vector<8xf32>
    gpu.return
  }
}
