// Verifier errors of tile.scan, which say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got kernel @kernels, expected the names of a gpu.module and of the kernel, as in @kernels::@cumsum}}
  tile.scan @kernels inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{scans in place, expected a separate destination: a block may read elements that another block has overwritten}}
  tile.scan @k::@s inclusive add %x to %x workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{scans one element type: got f32 from the source, i32 in the destination}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xi32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<10xf32>, %y: memref<11xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 10 elements in the source and 11 in the destination, expected the same}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<10xf32> to memref<11xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got memref<?x4xf32> as source, expected one dimension with stride 1 or -1}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?x4xf32> to memref<?x4xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32, strided<[2]>>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{as destination, expected one dimension with stride 1 or -1}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32, strided<[2]>>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32, 3>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{as source, expected global memory}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32, 3> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xi12>, %y: memref<?xi12>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of i12, expected i8, i16, i32, i64, f16, bf16, f32, f64 or a vector of them of up to 16 bytes, a power of two}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xi12> to memref<?xi12>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xvector<3xf32>>, %y: memref<?xvector<3xf32>>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got elements of vector<3xf32>, expected}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xvector<3xf32>> to memref<?xvector<3xf32>>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got operator xor on f32, expected integers}}
  tile.scan @k::@s inclusive xor %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{has operator custom, expected a region that combines two elements}}
  tile.scan @k::@s inclusive custom %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{has operator add and a region, expected only one of them}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got a region on (f32, i32), expected two f32}}
  tile.scan @k::@s inclusive custom %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: i32):
    tile.yield %l : f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got i1 from the region, expected f32}}
  tile.scan @k::@s inclusive custom %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    %c = arith.cmpf olt, %l, %r : f32
    tile.yield %c : i1
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got 'gpu.barrier' in the region, expected arithmetic: ops of arith, math, ub and vector}}
  tile.scan @k::@s inclusive custom %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    gpu.barrier
    tile.yield %l : f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{is exclusive with a custom operator, expected init(…) or identity(…): its first result}}
  tile.scan @k::@s exclusive custom %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32, %i: i32) {
  // expected-error @+1 {{got an initial value of i32, expected f32}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) init(%i : i32) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{has an identity, but operator add has its own}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) identity(0.0 : f32) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got an identity of i32, expected f32}}
  tile.scan @k::@s inclusive custom %x to %y workspace(%w) epoch(%e) identity(0 : i32) : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  }
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got unknown option 'thread', expected one of shape, threads, stages, order, deterministic, strategy, items, max_spin, skip_post, hold, reverse, poll_cap, counters}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {thread = 32} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got max_spin = 0, expected at least 1}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {max_spin = 0} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got order = "random", expected one of ticket, block_id}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {order = "random"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xi8>, %y: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got the source as workspace, expected separate memory: states of tiles are written there}}
  tile.scan @k::@s inclusive add %x to %y workspace(%x) epoch(%e) : memref<?xi8> to memref<?xi8>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xi8>, %y: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got the destination as workspace, expected separate memory}}
  tile.scan @k::@s inclusive add %x to %y workspace(%y) epoch(%e) : memref<?xi8> to memref<?xi8>, memref<?xi8>
  return
}

// -----

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got poll_cap = 2147483648, expected at most 1073741824}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {poll_cap = 2147483648} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}
