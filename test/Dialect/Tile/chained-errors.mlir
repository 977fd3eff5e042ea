// Verifier errors of tile.chained, which say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got kernel @k, expected the names of a gpu.module and of the kernel, as in @kernels::@cumsum}}
  tile.chained @k ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got unknown option 'thread', expected one of halo, scattered, shape, threads, stages, order, deterministic, strategy, items, max_spin, skip_post, hold, reverse, poll_cap, counters}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {thread = 32}
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got items = 0, expected at least 1}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {items = 0}
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?x2xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got memref<?x2xf32> as source 0, expected one dimension with stride 1}}
  tile.chained @k::@s ins(%x : memref<?x2xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32, 3>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got memref<?xf32, 3> as source 0, expected global memory}}
  tile.chained @k::@s ins(%x : memref<?xf32, 3>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xi4>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of i4, expected i8, i16, i32, i64, f16, bf16, f32, f64 or a vector of them of up to 16 bytes, a power of two}}
  tile.chained @k::@s ins(%x : memref<?xi4>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<10xf32>, %z: memref<11xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 11 elements in source 1, expected 10 as in the first array}}
  tile.chained @k::@s ins(%x, %z : memref<10xf32>, memref<11xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got result 0, which is source 0, too, expected separate memory: a block may read elements after another block has written its results}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%x : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xi8>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got workspace, which is source 0, too, expected separate memory}}
  tile.chained @k::@s ins(%x : memref<?xi8>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%x : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got total 0, which is length, too, expected separate memory}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) length(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of f32 as length, expected i32 or i64}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) length(%x : memref<?xf32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got init [], expected the numbers of a payload, as in [0 : i32]}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init []
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got a payload of 32 bytes, expected at most 16: 3 numbers take the next power of two times 8 bytes, and atomics publish a tile's payload in four words}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32, 0 : i64, 0.0 : f32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{has a region 'finish', expected totals(…) for its results}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{has totals(…) and no region 'finish'}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got a region 'summary' on (i64), expected (i64, f32)}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got a region 'summary' on (i64, f32), expected (i64, f32, f32, f32, i1, i1)}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {halo}
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got (f32) from the region 'summary', expected (i32)}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 'memref.load' in the region, expected arithmetic: ops of arith, math, ub and vector}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %m = ub.poison : memref<1xi32>
    %z = arith.constant 0 : index
    %one = memref.load %m[%z] : memref<1xi32>
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got (i1, f32) from the region 'emit', expected (i1, i64, f32)}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %v : i1, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}

// -----

func.func @f(%x: memref<4294967296xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 4294967296 elements and places of 32 bits, expected places of 64 bits}}
  tile.chained @k::@s ins(%x : memref<4294967296xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%t: i32):
    tile.yield %t : i32
  }
  return
}
