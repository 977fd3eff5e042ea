// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @twice(%a: !tile.buffer<32xf32, global>, %s: !tile.buffer<32xf32, shared>) {
  // expected-error @below {{got the clause 'scope' twice, expected each of scope, convert, reduce, masked, fill at most once}}
  tile.copy %a to %s scope(warp) masked scope(warp) : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
  return
}

// -----

func.func @unknown(%a: !tile.buffer<32xf32, global>, %s: !tile.buffer<32xf32, shared>) {
  // expected-error @below {{got 'mask', expected one of the clauses scope, convert, reduce, masked, fill, options in '{}', or ':'}}
  tile.copy %a to %s scope(warp) mask : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
  return
}

// -----

func.func @missing(%a: !tile.buffer<16x16xf16, local>, %b: !tile.buffer<16x8xf16, local>, %c: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{expected the clause 'scope'; the clauses are scales, scope, group, convert}}
  tile.mma %a, %b, %c group : !tile.buffer<16x16xf16, local>, !tile.buffer<16x8xf16, local>, !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @group(%a: !tile.buffer<32xf32, global>, %s: !tile.buffer<32xf32, shared>) {
  // expected-error @below {{got the clause 'group' twice, expected each of scope, group, bulk_group, mbarrier, remote_cta, cta_mask, predicate, through, rows, im2col, steps, filter, convert, reduce, masked, until, fill at most once}}
  tile.copy_async %a to %s group scope(warp) group : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
  return
}

// -----

func.func @scope(%a: !tile.buffer<32xf32, global>, %s: !tile.buffer<32xf32, shared>) {
  // expected-error @below {{got scope 'block', expected thread, warp, warpgroup or cta}}
  tile.copy %a to %s scope(block) : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
  return
}

// -----

func.func @dimension(%x: !tile.buffer<64xi32, local>, %one: !tile.buffer<1xi32, local>) {
  // expected-error @below {{expected the clause 'dim'; the clauses are dim, scope}}
  tile.reduce add %x to %one scope(thread) : !tile.buffer<64xi32, local> to !tile.buffer<1xi32, local>
  return
}

// -----

func.func @promise(%n: index) {
  // expected-error @below {{got 'multiple_of', expected one of the clauses divisible_by, aligned, uniform, distinct, options in '{}', or ':'}}
  %m = tile.assume %n multiple_of 8 : index
  return
}

// -----

func.func @strides(%pointer: !llvm.ptr<1>, %n: index) {
  // expected-error @below {{got 'shape', expected one of the clauses extents, strides}}
  %view = tile.view %pointer shape(%n) : !llvm.ptr<1> to !tile.buffer<?xf16, global>
  return
}
