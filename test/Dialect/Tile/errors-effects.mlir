// Verifier errors of fills and of copies that reduce.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @value(%v: f16, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got fill of type f16, expected f32, the destination's elements}}
  tile.fill %v to %s scope(warp) : f16 to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @bounds(%v: f32, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{destination region is out of bounds: got [4, 12) in dimension 0, expected within [0, 8)}}
  tile.fill %v to %s[4, 0] [8, 8] scope(warp) : f32 to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @rank(%v: f32, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got 1 offset and 1 size of the destination region, expected 2 of each, one for each dimension of the buffer}}
  tile.fill %v to %s[4] [4] scope(warp) : f32 to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @option(%v: f32, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got unknown option 'cache', expected one of variant}}
  tile.fill %v to %s scope(warp) {cache = "nc"} : f32 to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @types(%a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got reduce(and) of elements of type f32; allowed: i32, i64}}
  tile.copy %a to %b scope(warp) reduce(and) : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @word(%a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got reduce = "mul", expected one of add, min, max, umin, umax, and, or, xor, inc, dec}}
  tile.copy %a to %b scope(warp) reduce(mul) : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @registers(%a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, local>) {
  // expected-error @below {{got reduce(add) to a local tile, expected one in global or shared memory}}
  tile.copy %a to %b scope(thread) reduce(add) : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, local>
  return
}

// -----

func.func @both(%v: f32, %a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got reduce(add) and fill, expected one of them}}
  tile.copy %a to %b scope(warp) reduce(add) masked fill(%v : f32) : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @stage(%a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got a source, expected none of a fill, which reads nothing}}
  tile.planned_copy %a to %b scope(warp)
    plan<matched "fill", threads = 32, bits = 32, effect = filled,
         src = {layout = (64) : (1), space = shared, align = 16},
         dst = {layout = (64) : (1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @buffers(%a: !tile.buffer<8x8xf32, shared>, %b: !tile.buffer<8x8xf32, global>, %zero: f32) {
  // expected-error @below {{got 2 buffers, expected the plan's destination}}
  tile.planned_copy %a to %b scope(warp) fill(%zero : f32)
    plan<matched "fill", threads = 32, bits = 32, effect = filled, dst = {layout = (64) : (1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @source(%a: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got no source, expected one of a copy that does not fill}}
  tile.planned_copy %a scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32, dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @counts(%a: !tile.buffer<8x8xf32, shared>, %i: index, %zero: f32) {
  // expected-error @below {{got value_counts [3], expected one for each of 1 buffers, 1 run-time value together}}
  "tile.planned_copy"(%a, %i, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0>, scope = 1 : i32,
    value_counts = array<i64: 3>, plan = #tile.plan<matched "fill", threads = 32, bits = 32, effect = filled,
      dst = {layout = (64) : (1), space = shared, align = 16, terms = [{value = 0, stride = 8}]}>}>
    : (!tile.buffer<8x8xf32, shared>, index, f32) -> ()
  return
}
