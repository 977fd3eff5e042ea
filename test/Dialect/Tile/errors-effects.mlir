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
  // expected-error @below {{is filled, expected a fill value, and the same buffer as source and destination}}
  tile.planned_copy %a to %b scope(warp)
    plan<matched "fill", threads = 32, bits = 32, effect = filled,
         src = {layout = (64) : (1), space = shared, align = 16},
         dst = {layout = (64) : (1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}
