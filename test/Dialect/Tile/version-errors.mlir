// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

func.func @nothing(%n: index) {
  // expected-error @below {{promises nothing, expected divisible_by or aligned}}
  "tile.version"() <{alignments = array<i64>, divisors = array<i64>, operandSegmentSizes = array<i32: 0, 0>}> ({
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @numbers(%n: index) {
  // expected-error @below {{got 2 numbers for 1 operands that are divisible_by, expected one for each}}
  "tile.version"(%n) <{alignments = array<i64>, divisors = array<i64: 8, 8>, operandSegmentSizes = array<i32: 1, 0>}> ({
    "tile.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @zero(%n: index) {
  // expected-error @below {{got divisible_by 0, expected at least 1}}
  tile.version %n divisible_by 0 : index {
  }
  return
}

// -----

func.func @wide(%n: i8) {
  // expected-error @below {{got divisible_by 128 for i8, expected less than 128}}
  tile.version %n divisible_by 128 : i8 {
  }
  return
}

// -----

func.func @float(%x: f32) {
  // expected-error @below {{got divisible_by for f32, expected a signless integer, index, or a memref with a dimension of stride 1}}
  tile.version %x divisible_by 8 : f32 {
  }
  return
}

// -----

func.func @rows(%A: memref<?x12xf32>) {
  // expected-error @below {{got divisible_by 8 for memref<?x12xf32>, whose stride in dimension 0 is 12, expected a divisor of 12}}
  tile.version %A divisible_by 8 : memref<?x12xf32> {
  }
  return
}

// -----

func.func @alignment(%A: memref<8xf32>) {
  // expected-error @below {{got aligned 24, expected a power of two}}
  tile.version %A aligned 24 : memref<8xf32> {
  }
  return
}

// -----

func.func @number(%n: index) {
  // expected-error @below {{got aligned for index, expected a memref with strides, or a pointer}}
  tile.version %n aligned 16 : index {
  }
  return
}

// -----

func.func @results(%n: index, %x: f32) -> index {
  // expected-error @below {{got f32 from the region, expected index, as the results}}
  %r = tile.version %n divisible_by 8 : index -> index {
    tile.yield %x : f32
  }
  return %r : index
}

// -----

func.func @no_results(%n: index) {
  // expected-error @below {{got index from the region, expected nothing, as the results}}
  tile.version %n divisible_by 8 : index {
    tile.yield %n : index
  }
  return
}

// -----

func.func @types(%n: index) {
  // expected-error @below {{got 1 promises and 2 types, expected a type for each promise}}
  tile.version %n divisible_by 8 : index, index {
  }
  return
}

// -----

func.func @clause(%n: index) {
  // expected-error @below {{expected 'divisible_by' or 'aligned'}}
  tile.version %n 8 : index {
  }
  return
}

// -----

func.func @parent(%n: index) {
  // expected-error @below {{expects parent op to be one of 'tile.block_scan, tile.chained, tile.map, tile.reduce, tile.scan, tile.total, tile.version'}}
  tile.yield
}
