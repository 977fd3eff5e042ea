// Totals that are malformed.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @total_of_another_type() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{has a result of type f32, expected f16, the elements of the tile}}
  %r = tile.total add %x scope(thread) : !tile.buffer<16x8xf16, local> to f32
  return
}

// -----

func.func @total_by_a_region() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{has operator custom, expected one that is built in; tile.reduce takes a region}}
  %r = tile.total custom %x scope(thread) : !tile.buffer<16x8xf16, local> to f16
  return
}

// -----

func.func @total_of_two() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{got a region on (f16, f16), expected (f16)}}
  %r = tile.total add %x scope(thread) : !tile.buffer<16x8xf16, local> to f16 of {
  ^bb0(%a: f16, %b: f16):
    tile.yield %a : f16
  }
  return
}

// -----

func.func @total_of_floats() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{got operator xor on f16, expected integers}}
  %r = tile.total xor %x scope(thread) : !tile.buffer<16x8xf16, local> to f16
  return
}

// -----

func.func @total_of_each_warp_in_shared_memory() {
  %s = tile.alloc : !tile.buffer<16x8xf16, shared>
  // expected-error @below {{is per_warp of a tile in shared memory, expected one in registers, whose layout says what a warp holds}}
  %r = tile.total add %s scope(cta) per_warp : !tile.buffer<16x8xf16, shared> to f16
  return
}

// -----

func.func @totals_without_a_region() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{has 2 results, expected a region, which yields a value for each}}
  %r:2 = tile.total add %x scope(thread) : !tile.buffer<16x8xf16, local> to f16, f16
  return
}

// -----

func.func @no_total() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{has no result, expected one, or one for each value that its region yields}}
  "tile.total"(%x) <{kind = 0 : i32, scope = 0 : i32}> ({}) : (!tile.buffer<16x8xf16, local>) -> ()
  return
}

// -----

func.func @totals_of_floats() {
  %x = tile.alloc : !tile.buffer<16x8xf16, local>
  // expected-error @below {{got operator or on f16, expected integers}}
  %r:2 = tile.total or %x scope(thread) : !tile.buffer<16x8xf16, local> to i1, f16 of {
  ^bb0(%e: f16):
    %c = arith.cmpf ogt, %e, %e : f16
    tile.yield %c, %e : i1, f16
  }
  return
}
