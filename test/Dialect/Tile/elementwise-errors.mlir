// Maps and reductions that the verifier refuses.
// RUN: tile-opt %s --split-input-file --verify-diagnostics


func.func @shapes() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x3xf32, local>
  // expected-error @below {{got source 1 of shape 16x3, expected 16x8, or divisors of these where each element belongs to several}}
  tile.map %m to %x scope(thread) : !tile.buffer<16x3xf32, local> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32):
    tile.yield %e : f32
  }
  return
}

// -----

func.func @ranks() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<8xf32, local>
  // expected-error @below {{got source 1 of shape 8, expected 16x8, or divisors of these where each element belongs to several}}
  tile.map %m to %x scope(thread) : !tile.buffer<8xf32, local> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32):
    tile.yield %e : f32
  }
  return
}

// -----

func.func @results() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %y = tile.alloc : !tile.buffer<16x4xf32, local>
  // expected-error @below {{got result 2 of shape 16x4, expected 16x8}}
  tile.map to %x, %y scope(thread) : to !tile.buffer<16x8xf32, local>, !tile.buffer<16x4xf32, local> {
    %e = arith.constant 0.0 : f32
    tile.yield %e, %e : f32, f32
  }
  return
}

// -----

func.func @twice() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got a tile as result 2 that is a result already}}
  tile.map to %x, %x scope(thread) : to !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> {
    %e = arith.constant 0.0 : f32
    tile.yield %e, %e : f32, f32
  }
  return
}

// -----

func.func @arguments() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got a region on (f32, index), expected (f32), or (f32, index, index) with coordinates}}
  tile.map %x to %x scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32, %i: index):
    tile.yield %e : f32
  }
  return
}

// -----

func.func @yields() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got nothing from the region, expected f32, an element of each result}}
  tile.map %x to %x scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32):
    tile.yield
  }
  return
}

// -----

func.func @effects(%A: memref<16xf32>) {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got 'memref.load' in the region, which may read or write memory, expected ops that only compute values}}
  tile.map to %x scope(thread) : to !tile.buffer<16x8xf32, local> {
  ^bb0(%i: index, %j: index):
    %e = memref.load %A[%i] : memref<16xf32>
    tile.yield %e : f32
  }
  return
}

// -----

func.func @regions(%yes: i1) {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got 'scf.if' in the region, which has regions, expected ops that only compute values}}
  tile.map %x to %x scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32):
    %r = scf.if %yes -> f32 {
      scf.yield %e : f32
    } else {
      scf.yield %e : f32
    }
    tile.yield %r : f32
  }
  return
}

// -----

func.func @dimension() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got dim(2), expected one of the dimensions 0 to 1}}
  tile.reduce add %x to %m dim(2) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @reduced() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got result 1 of shape 16x1, expected 1x8: 1 along dim(0)}}
  tile.reduce add %x to %m dim(0) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @element() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got result 1 of f32, expected f16, the elements of its source}}
  tile.reduce add %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf16, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @floats() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got operator umax on f32, expected integers}}
  tile.reduce umax %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @narrow() {
  %x = tile.alloc : !tile.buffer<16x8xf8E5M2, local>
  %m = tile.alloc : !tile.buffer<16x1xf8E5M2, local>
  // expected-error @below {{got operator add on f8E5M2, expected floats of 16 bits or more, or integers}}
  tile.reduce add %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf8E5M2, local> to !tile.buffer<16x1xf8E5M2, local>
  return
}

// -----

func.func @custom() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{has operator custom, expected a region that combines two elements}}
  tile.reduce custom %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @both() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{has operator add and a region, expected only one of them}}
  tile.reduce add %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local> combine {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @several() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  %n = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{has operator add on 2 tiles, expected one, or custom with a region}}
  tile.reduce add %x, %x to %m, %n dim(1) scope(thread)
    : !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>, !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @counts() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got 2 sources and 1 results, expected as many}}
  tile.reduce add %x, %x to %m dim(1) scope(thread)
    : !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @operator() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got a region on (f32), expected (f32, f32)}}
  tile.reduce custom %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local> combine {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @arg_sources() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{has operator argmax on 2 tiles, expected one}}
  tile.reduce argmax %x, %x to %i dim(1) scope(thread)
    : !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xi32, local>
  return
}

// -----

func.func @arg_results() {
  %x = tile.alloc : !tile.buffer<16x8xi32, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  %j = tile.alloc : !tile.buffer<16x1xi32, local>
  %k = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{has operator argmin with 3 results, expected the indices, or elements and indices}}
  tile.reduce argmin %x to %i, %j, %k dim(1) scope(thread) : !tile.buffer<16x8xi32, local>
    to !tile.buffer<16x1xi32, local>, !tile.buffer<16x1xi32, local>, !tile.buffer<16x1xi32, local>
  return
}

// -----

func.func @arg_value() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf16, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{got result 1 of f16, expected f32, the elements of its source}}
  tile.reduce argmax %x to %m, %i dim(1) scope(thread)
    : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf16, local>, !tile.buffer<16x1xi32, local>
  return
}

// -----

func.func @arg_index() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %i = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got result 1 of f32, expected signed integers that hold the indices 0 to 7}}
  tile.reduce argmax %x to %i dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @arg_narrow() {
  %x = tile.alloc : !tile.buffer<16x129xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  %i = tile.alloc : !tile.buffer<16x1xi8, local>
  // expected-error @below {{got result 2 of i8, expected signed integers that hold the indices 0 to 128}}
  tile.reduce argmax %x to %m, %i dim(1) scope(thread)
    : !tile.buffer<16x129xf32, local> to !tile.buffer<16x1xf32, local>, !tile.buffer<16x1xi8, local>
  return
}

// -----

func.func @arg_dimension() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{got dim(2), expected one of the dimensions 0 to 1}}
  tile.reduce argmax %x to %i dim(2) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xi32, local>
  return
}

// -----

func.func @arg_shape() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %i = tile.alloc : !tile.buffer<16x8xi32, local>
  // expected-error @below {{got result 1 of shape 16x8, expected 16x1: 1 along dim(1)}}
  tile.reduce argmax %x to %i dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xi32, local>
  return
}

// -----

func.func @arg_region() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{has operator argmax and a region, expected only one of them}}
  tile.reduce argmax %x to %i dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xi32, local> combine {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @arg_float() {
  %x = tile.alloc : !tile.buffer<16x8xf8E5M2, local>
  %i = tile.alloc : !tile.buffer<16x1xi32, local>
  // expected-error @below {{got operator argmin on f8E5M2, expected floats of 16 bits or more, or integers}}
  tile.reduce argmin %x to %i dim(1) scope(thread) : !tile.buffer<16x8xf8E5M2, local> to !tile.buffer<16x1xi32, local>
  return
}

// -----

func.func @arg_scan() {
  %x = tile.alloc : !tile.buffer<16x8xi32, local>
  // expected-error @below {{one of the following enum values for attribute 'kind' [add, mul, min, max, umin, umax, and, or, xor, custom]}}
  tile.block_scan inclusive argmax %x to %x dim(1) scope(thread) : !tile.buffer<16x8xi32, local> to !tile.buffer<16x8xi32, local>
  return
}

// -----

func.func @scanned_shape() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  %m = tile.alloc : !tile.buffer<16x1xf32, local>
  // expected-error @below {{got result 1 of shape 16x1, expected 16x8}}
  tile.block_scan inclusive add %x to %m dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x1xf32, local>
  return
}

// -----

func.func @scanned_dimension() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got dim(2), expected one of the dimensions 0 to 1}}
  tile.block_scan inclusive add %x to %x dim(2) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @scanned_init(%i: i32) {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got init(i32), expected (f32), an element of each source}}
  tile.block_scan inclusive add %x to %x init(%i : i32) dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @scanned_start() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{is exclusive with operator custom, whose identity is not known, expected init(…)}}
  tile.block_scan exclusive custom %x to %x dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local> combine {
  ^bb0(%a: f32, %b: f32):
    tile.yield %b : f32
  }
  return
}

// -----

func.func @scanned_operator() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got operator xor on f32, expected integers}}
  tile.block_scan inclusive xor %x to %x dim(1) scope(thread) : !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @scanned_twice() {
  %x = tile.alloc : !tile.buffer<16x8xf32, local>
  // expected-error @below {{got a tile as result 2 that is a result already}}
  tile.block_scan inclusive custom %x, %x to %x, %x dim(1) scope(thread) : !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> to !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local> combine {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}
