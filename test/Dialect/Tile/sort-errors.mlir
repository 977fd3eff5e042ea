// Verifier errors of tile.sort, which say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got kernel @k, expected the names of a gpu.module and of the kernel}}
  tile.sort @k ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got unknown option 'threads', expected one of descending, unsigned_keys, strategy, items, max_spin, skip_post, hold, reverse, poll_cap, counters}}
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e) {threads = 32}
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 3 arrays in ins(…), expected keys, or keys and values}}
  tile.sort @k::@s ins(%x, %v, %v : memref<?xi32>, memref<?xf32>, memref<?xf32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 1 arrays in outs(…), expected 2, as many as in ins(…)}}
  tile.sort @k::@s ins(%x, %v : memref<?xi32>, memref<?xf32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of f32 in result 0, expected i32 as in the source}}
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%u : memref<?xf32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got unsigned keys of f32, expected integers}}
  tile.sort @k::@s ins(%v : memref<?xf32>) outs(%u : memref<?xf32>) workspace(%w : memref<?xi8>) epoch(%e) {unsigned_keys}
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf32>, %u: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got result 0, which is source 0, too, expected separate memory: a block may read elements after another block has written its results}}
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%x : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xvector<2xf32>>, %u: memref<?xvector<2xf32>>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of vector<2xf32> in result 1, expected a number, no vector}}
  tile.sort @k::@s ins(%x, %v : memref<?xi32>, memref<?xvector<2xf32>>) outs(%y, %u : memref<?xi32>, memref<?xvector<2xf32>>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<8xi32>, %y: memref<9xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 9 elements in result 0, expected 8 as in the first array}}
  tile.sort @k::@s ins(%x : memref<8xi32>) outs(%y : memref<9xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<1073741824xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 1073741824 elements in source 0, expected less than 2^30, which counts of 30 bits hold}}
  tile.sort @k::@s ins(%x : memref<1073741824xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

func.func @f(%x: memref<?xi1>, %y: memref<?xi1>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of i1}}
  tile.sort @k::@s ins(%x : memref<?xi1>) outs(%y : memref<?xi1>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}
