// Malformed plans are errors where the mistake is.

// RUN: tile-opt %s --split-input-file --verify-diagnostics

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @ranks(%a: !global, %s: !shared) {
  // expected-error @+2 {{got '8', expected '('}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 4, bits = 32, ranks = {first = 0, digits = [8]},
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @no_ranks(%a: !global, %s: !shared) {
  // expected-error @+2 {{got no key 'first'}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 32, ranks = {},
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @family(%a: !global, %s: !shared) {
  // expected-error @below {{got plan 'vector', expected one of matched, vectors, matrix, tmem_copy, tmem_access, bulk, tensor_map, realigned, realigned_loads, registers, scalar}}
  tile.planned_copy %a to %s scope(warp) plan<vector "gmem_smem", threads = 8> : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @variant(%a: !global, %s: !shared) {
  // expected-error @+2 {{got variant = "bulk", expected one of }}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "bulk", threads = 8, bits = 32,
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @key(%a: !global, %s: !shared) {
  // expected-error @+3 {{got key 'lay', expected one of layout, space, align, terms, strides}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 32,
         src = {lay = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @layout(%a: !global, %s: !shared) {
  // expected-error @+4 {{got 1 strides, expected 2, one for each extent}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 32,
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @memory(%a: !global, %s: !shared) {
  // expected-error @below {{got a plan with the destination in global memory, expected shared, that of the buffer}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 32,
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = global, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @element(%a: !global, %s: !shared) {
  // expected-error @below {{got a plan with elements of 16 bits in the source, expected those of f32}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 16,
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf16, shared>

func.func @conversion(%a: !global, %s: !shared) {
  // expected-error @below {{got a plan that converts f32 to bf16, expected f32 to f16}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 8, bits = 32, convert = "f32 to bf16",
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @predicate(%a: !global, %s: !shared, %b: !llvm.ptr<3>) {
  // expected-error @below {{got an mbarrier, expected none}}
  tile.planned_copy %a to %s scope(warp) mbarrier(%b : !llvm.ptr<3>)
    plan<matched "gmem_smem", threads = 8, bits = 32,
         src = {layout = (8, 4) : (4, 1), space = global, align = 16},
         dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
    : !global to !shared
  return
}

// -----

// What the text of an attribute cannot have ends it.
func.func @open(%a: !tile.buffer<8xf32, global>) {
  // expected-error @below {{got '|', expected a number}}
  tile.planned_copy %a to %a scope(warp) plan<matched "gmem_smem", threads = |
  return
}
