// Errors of prefetches and of their plans.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @memory(%A: memref<8x8xf32, #gpu.address_space<workgroup>>) {
  // expected-note @below {{the buffer is !tile.buffer<8x8xf32, shared>}}
  %s = tile.view %A : memref<8x8xf32, #gpu.address_space<workgroup>> to !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got a prefetch of a shared tile, expected one in global memory, which L2 caches}}
  tile.prefetch %s scope(warp) : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @bounds(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{source region is out of bounds: got [4, 12) in dimension 0, expected within [0, 8)}}
  tile.prefetch %a[4, 0] [8, 8] scope(warp) : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @rank(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got 1 offset and 1 size of the source region, expected 2 of each, one for each dimension of the buffer}}
  tile.prefetch %a[4] [4] scope(warp) : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @open(%a: !tile.buffer<?x8xf32, global>) {
  // expected-error @below {{got no source region of a buffer whose extent in dimension 0 is a run-time value, expected one: [offsets] [sizes]}}
  tile.prefetch %a scope(warp) : !tile.buffer<?x8xf32, global>
  return
}

// -----

func.func @option(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got unknown option 'cache', expected one of variant}}
  tile.prefetch %a scope(warp) {cache = "nc"} : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @scope(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got scope 'cluster', expected thread, warp, warpgroup or cta}}
  tile.prefetch %a scope(cluster) : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @two_buffers(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got 2 buffers, expected the plan's source}}
  tile.planned_copy %a to %a scope(warp)
    plan<prefetch "prefetch", threads = 32, bits = 32, src = {layout = (64) : (1), space = global, align = 4}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @clause(%a: !tile.buffer<8x8xf32, global>, %p: i1) {
  // expected-error @below {{got a predicate, expected none}}
  tile.planned_copy %a scope(warp) predicate(%p)
    plan<prefetch "prefetch", threads = 32, bits = 32, src = {layout = (64) : (1), space = global, align = 4}>
    : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @memory_of_plan(%s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got a prefetch of shared memory, expected global}}
  tile.planned_copy %s scope(warp)
    plan<prefetch "prefetch", threads = 32, bits = 32, src = {layout = (64) : (1), space = shared, align = 4}>
    : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @chunk(%a: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{chunk_bytes=20, contiguous; needed 16 or a multiple}}
  tile.planned_copy %a scope(warp)
    plan<prefetch "bulk_prefetch", threads = 32, bits = 32, src = {layout = (8, 5) : (8, 1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @variant(%a: !tile.buffer<8x8xf32, global>) {
  tile.planned_copy %a scope(warp)
    // expected-error @below {{got variant = "bulk", expected one of bulk_prefetch, prefetch, dropped}}
    plan<prefetch "bulk", threads = 32, bits = 32, src = {layout = (64) : (1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @rows(%a: !tile.buffer<8x8xf32, global>, %i: index) {
  // expected-error @below {{got 1 row number for a region of 2 rows, expected one for each}}
  tile.prefetch %a[0, 0] [2, 8] scope(warp) rows(%i) : !tile.buffer<8x8xf32, global>
  return
}
