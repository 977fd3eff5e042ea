// RUN: tile-opt %s --split-input-file --verify-diagnostics
!matrix = !tile.buffer<?x?xf16, global>

func.func @divisor_of_pointer(%p: !llvm.ptr<1>, %n: index) {
  // expected-error @below {{got divisible_by for !llvm.ptr<1>, expected a signless integer, index, or a memref with a dimension of stride 1}}
  %a = tile.view %p divisible_by 8 extents(%n, %n) strides(%n) : !llvm.ptr<1> to !matrix
  return
}

// -----

func.func @divisor_of_extent(%A: memref<?x12xf16>) {
  // expected-error @below {{got divisible_by 8 for memref<?x12xf16>, whose stride in dimension 0 is 12, expected a divisor of 12}}
  %a = tile.view %A divisible_by 8 : memref<?x12xf16>
  return
}

// -----

func.func @alignment(%A: memref<?x?xf16>) {
  // expected-error @below {{got aligned 24, expected a power of two}}
  %a = tile.view %A aligned 24 : memref<?x?xf16>
  return
}

// -----

func.func @clauses(%A: memref<?x?xf16>) {
  // expected-error @below {{got 'uniform', expected one of the clauses extents, strides, divisible_by, aligned, options in '{}', or ':'}}
  %a = tile.view %A uniform(cta) : memref<?x?xf16>
  return
}

// -----

func.func @rank(%b: index, %c: !tile.buffer<2x?x?xf16, global>) {
  // expected-error @below {{got a tile of 3 dimensions and sizes of 2 dimensions, expected 2 of both: rows and columns}}
  %i, %j = tile.block_order %b of %c [128, 256] rows : !tile.buffer<2x?x?xf16, global>
  return
}

// -----

func.func @size(%b: index, %c: !tile.buffer<?x?xf16, global>) {
  // expected-error @below {{got tiles of size 0, expected at least 1}}
  %i, %j = tile.block_order %b of %c [128, 0] rows : !tile.buffer<?x?xf16, global>
  return
}

// -----

func.func @no_grid(%b: index) {
  // expected-error @below {{states no grid, expected (rows, columns), or a matrix and the sizes of its tiles}}
  %i, %j = "tile.block_order"(%b) <{order = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (index) -> (index, index)
  return
}

// -----

func.func @both(%b: index, %c: !tile.buffer<?x?xf16, global>) {
  // expected-error @below {{got numbers of tiles, and a matrix, expected one of them}}
  %i, %j = "tile.block_order"(%b, %b, %b, %c) <{order = 0 : i32, sizes = array<i64: 8, 8>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}>
    : (index, index, index, !tile.buffer<?x?xf16, global>) -> (index, index)
  return
}

// -----

func.func @integer_for_float(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got fill of 0 : i64, expected a number of f16, the destination's elements}}
  tile.fill 0 to %s scope(cta) : !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @float_for_integer(%s: !tile.buffer<32xi8, shared>) {
  // expected-error @below {{got fill of 0.000000e+00 : f64, expected a number of i8, the destination's elements}}
  tile.fill 0.0 to %s scope(cta) : !tile.buffer<32xi8, shared>
  return
}

// -----

func.func @other_type(%a: !tile.buffer<?xf16, global>, %s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got fill of 0.000000e+00 : f32, expected a number of f16, the destination's elements}}
  tile.copy %a[0] to %s scope(cta) masked fill(0.0 : f32) : !tile.buffer<?xf16, global> to !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @large(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got fill of 100000.0, which f16 does not have, expected a number that it has}}
  tile.fill 1.0e5 to %s scope(cta) : !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @infinite(%s: !tile.buffer<32xf8E4M3FN, shared>) {
  // expected-error @below {{got fill of -inf, which f8E4M3FN does not have, expected a number that it has}}
  tile.fill -inf to %s scope(cta) : !tile.buffer<32xf8E4M3FN, shared>
  return
}

// -----

func.func @wide(%s: !tile.buffer<32xi8, shared>) {
  // expected-error @below {{got fill of 256, which i8 does not have, expected -128 to 255}}
  tile.fill 256 to %s scope(cta) : !tile.buffer<32xi8, shared>
  return
}

// -----

func.func @word(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got '-nan', expected a value, a number, inf, -inf or nan}}
  tile.fill -nan to %s scope(cta) : !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @text(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got "zero", expected a value or a number}}
  tile.fill "zero" to %s scope(cta) : !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @unmasked(%a: !tile.buffer<?xf16, global>, %s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got fill of a copy that is not masked, expected masked fill}}
  tile.copy %a[0] to %s scope(cta) fill(0.0) : !tile.buffer<?xf16, global> to !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @two_fillers(%v: f16, %s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got fill of a value and of a constant, expected one of them}}
  "tile.fill"(%v, %s) <{constant = 0.0 : f16, dstSizes = array<i64>, dstStatic = array<i64>, scope = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}>
    : (f16, !tile.buffer<32xf16, shared>) -> ()
  return
}

// -----

func.func @no_filler(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got nothing to fill with, expected a value or a constant}}
  "tile.fill"(%s) <{dstSizes = array<i64>, dstStatic = array<i64>, scope = 3 : i32, operandSegmentSizes = array<i32: 0, 1, 0>}>
    : (!tile.buffer<32xf16, shared>) -> ()
  return
}

// -----

func.func @neither(%a: !tile.buffer<?x?xf16, global>, %s: !tile.buffer<32x64xf16, shared>) {
  // expected-error @below {{got no sizes of the source region, expected them: the destination has none}}
  tile.copy %a[0, 0] to %s[0, 0] scope(cta) : !tile.buffer<?x?xf16, global> to !tile.buffer<32x64xf16, shared>
  return
}

// -----

func.func @other_rank(%a: !tile.buffer<2x?x?xf16, global>, %s: !tile.buffer<32x64xf16, shared>) {
  // expected-error @below {{got no sizes of the source region, expected them: the destination has 2, and the region 3 dimensions}}
  tile.copy %a[0, 0, 0] to %s scope(cta) : !tile.buffer<2x?x?xf16, global> to !tile.buffer<32x64xf16, shared>
  return
}

// -----

func.func @open(%a: !tile.buffer<?x?xf16, global>, %s: !tile.buffer<32x64xf16, shared>) {
  // expected-error @below {{got no sizes of the destination region, expected them: the source has extents that are known only at run time}}
  tile.copy_async %a to %s[0, 0] scope(cta) : !tile.buffer<?x?xf16, global> to !tile.buffer<32x64xf16, shared>
  return
}

// -----

func.func @fills(%s: !tile.buffer<32x64xf16, shared>) {
  // expected-error @below {{expected '['}}
  tile.fill 0.0 to %s[0, 0] scope(cta) : !tile.buffer<32x64xf16, shared>
  return
}

// -----

func.func @option(%a: !tile.buffer<32xf16, global>, %s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{attribute 'variant' failed to satisfy constraint: string attribute}}
  tile.copy %a to %s scope(cta) {variant = 3} : !tile.buffer<32xf16, global> to !tile.buffer<32xf16, shared>
  return
}

// -----

gpu.module @kernels {
  gpu.func @loop(%done: i1, %n: index) kernel {
    scf.for %i = %n to %n step %n {
      // expected-error @below {{got 'scf.for' around it, expected a kernel, or a gpu.launch: threads end at its top level}}
      tile.return_if %done
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @branch(%done: i1) kernel {
    scf.if %done {
      // expected-error @below {{got 'scf.if' around it, expected a kernel, or a gpu.launch: threads end at its top level}}
      tile.return_if %done
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @device(%done: i1) -> i1 {
    // expected-error @below {{got a function that is no kernel around it, expected a kernel, or a gpu.launch: threads end at its top level}}
    tile.return_if %done
    gpu.return %done : i1
  }
}

// -----

func.func @host(%done: i1) {
  // expected-error @below {{got a function that is no kernel around it, expected a kernel, or a gpu.launch: threads end at its top level}}
  tile.return_if %done
  return
}

// -----

gpu.module @kernels {
  gpu.func @blocks(%done: i1) kernel {
    // expected-error @below {{got a kernel of several blocks, expected one block, with scf for control flow}}
    tile.return_if %done
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

func.func @allocs_of_global() {
  // expected-error @below {{got space global, expected shared, local or tmem}}
  %s, %a = tile.allocs : !tile.buffer<32xf16, shared>, !tile.buffer<32xf16, global>
  return
}

// -----

func.func @no_allocs() {
  // expected-error @below {{got no tile, expected at least one}}
  "tile.allocs"() : () -> ()
  return
}

// -----

func.func @extents(%a: !tile.buffer<?x?xf16, global>) {
  // expected-error @below {{got 1 result, expected one for each of 2 dimensions}}
  %m = "tile.extents"(%a) : (!tile.buffer<?x?xf16, global>) -> index
  return
}

// -----

func.func @names(%a: !tile.buffer<?x?xf16, global>) {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %m = tile.extents %a : !tile.buffer<?x?xf16, global>
  return
}

// -----

func.func @function_unknown(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{got 'arith.add', expected the name of an op}}
  tile.map { arith.add } %s, %s to %s scope(cta) : !tile.buffer<32xf16, shared>, !tile.buffer<32xf16, shared> to !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @function_attribute(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags}}
  tile.map { math.exp {fastmath = 3} } %s to %s scope(cta) : !tile.buffer<32xf16, shared> to !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @function_operands(%s: !tile.buffer<32xf16, shared>) {
  // expected-error @below {{'arith.addf' op expected 2 operands, but found 1}}
  tile.map { arith.addf } %s to %s scope(cta) : !tile.buffer<32xf16, shared> to !tile.buffer<32xf16, shared>
  return
}

// -----

func.func @function_type(%s: !tile.buffer<32xf16, shared>, %t: !tile.buffer<32xf32, shared>) {
  // expected-error @below {{'arith.addf' op requires the same type for all operands and results}}
  tile.map { arith.addf } %s, %s to %t scope(cta) : !tile.buffer<32xf16, shared>, !tile.buffer<32xf16, shared> to !tile.buffer<32xf32, shared>
  return
}

// -----

func.func @function_of_no_tile(%s: !tile.buffer<32xf16, shared>, %t: f16) {
  // expected-error @below {{operand #1 must be variadic of}}
  tile.map { arith.negf } %s to %t scope(cta) : !tile.buffer<32xf16, shared> to f16
  return
}
