// Malformed views, allocations and copies are errors at their location that say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

func.func @view_strides(%A: memref<8x8xf32, strided<[?, 1]>>) {
  // expected-error @below {{got a dynamic stride in dimension 0 of memref<8x8xf32, strided<[?, 1]>>, expected '?' for it in the tile's layout}}
  %a = tile.view %A : memref<8x8xf32, strided<[?, 1]>> to !tile.buffer<8x8xf32, global>
  return
}

// -----

// Strides below 0 are those of run time, which the layout of such a memref says, too.
func.func @view_backwards(%A: memref<16x64xf32, strided<[-64, -1], offset: 1023>>) {
  // expected-error @below {{got strides [-64, -1] from the memref, expected the tile's layout ((16, 64) : (?, ?) says the same)}}
  %a = tile.view %A : memref<16x64xf32, strided<[-64, -1], offset: 1023>> to !tile.buffer<16x64xf32, global, #tile.layout<(16, 64) : (-64, -1) + 1023>>
  return
}

// -----

// expected-error @below {{the layout reaches address -1023 on axis 'm'; addresses start at 0; strides of global memory that are below 0 are given at run time: (16, 64) : (?, ?)}}
func.func private @backwards(!tile.buffer<16x64xf32, global, #tile.layout<(16, 64) : (-64, -1)>>)

// -----

func.func @view_other_stride(%A: memref<?x?xf32, strided<[?, 2]>>) {
  // expected-error @below {{got stride 2 in dimension 1 of the memref, expected the tile's 1}}
  %a = tile.view %A : memref<?x?xf32, strided<[?, 2]>> to !tile.buffer<?x?xf32, global>
  return
}

// -----

func.func @view_numbers(%A: memref<?xf32>, %n: index) {
  // expected-error @below {{got 1 extents and 1 strides, expected 2 and 1, one for each '?' of '!tile.buffer<?x?xf32, global>'}}
  %a = tile.view %A extents(%n) strides(%n) : memref<?xf32> to !tile.buffer<?x?xf32, global>
  return
}

// -----

func.func @view_nothing_given(%A: !llvm.ptr, %n: index) {
  // expected-error @below {{got no extents(…), which !llvm.ptr does not say; expected one for each '?' of the tile}}
  %a = tile.view %A strides(%n) : !llvm.ptr to !tile.buffer<?x?xf32, global>
  return
}

// -----

func.func @view_pointer(%A: !llvm.ptr<5>) {
  // expected-error @below {{got !llvm.ptr<5>, expected a ranked memref, !llvm.ptr, !llvm.ptr<1> or !llvm.ptr<3>}}
  %a = tile.view %A : !llvm.ptr<5> to !tile.buffer<8xf32, global>
  return
}

// -----

func.func @no_region(%A: memref<?x8xf32>, %B: memref<8x8xf32>) {
  %a = tile.view %A : memref<?x8xf32> to !tile.buffer<?x8xf32, global>
  // expected-note @above {{the buffer is !tile.buffer<?x8xf32, global>}}
  %b = tile.view %B : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-error @below {{got no source region of a buffer whose extent in dimension 0 is a run-time value, expected one: [offsets] [sizes]}}
  tile.copy %a to %b scope(warp) : !tile.buffer<?x8xf32, global> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @negative_begin(%A: memref<?x8xf32>, %B: memref<8x8xf32>) {
  %a = tile.view %A : memref<?x8xf32> to !tile.buffer<?x8xf32, global>
  // expected-note @above {{the buffer is !tile.buffer<?x8xf32, global>}}
  %b = tile.view %B : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-error @below {{source region begins at -1 in dimension 0, expected 0 or more}}
  tile.copy %a[-1, 0] [8, 8] to %b scope(warp) : !tile.buffer<?x8xf32, global> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_space(%A: memref<8x8xf32>) {
  // expected-error @below {{got a memref in the global space, expected the tile's shared}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @view_element(%A: memref<8x8xf16>) {
  // expected-error @below {{got a memref of f16, expected the tile's f32}}
  %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_shape(%A: memref<8x4xf32>) {
  // expected-error @below {{got shape [8, 4], expected the tile's [8, 8]}}
  %a = tile.view %A : memref<8x4xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_dynamic(%A: memref<?x8xf32>) {
  // expected-error @below {{got shape [?, 8], expected the tile's [8, 8] or one dimension that holds all of it}}
  %a = tile.view %A : memref<?x8xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_flat(%A: memref<63xf32>) {
  // expected-error @below {{got a memref of 63 elements, expected at least the layout's 64}}
  %a = tile.view %A : memref<63xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

// The blocks of the swizzle end at 320, but every address is below 304.
!swizzled = !tile.buffer<10x16xf32, shared, #tile.layout<(10, 16) : (32, 1), swizzle<base = 3, bits = 2, shift = 3>>>
func.func @reached(%A: memref<304xf32, #gpu.address_space<workgroup>>, %B: memref<303xf32, #gpu.address_space<workgroup>>) {
  %a = tile.view %A : memref<304xf32, #gpu.address_space<workgroup>> to !swizzled
  // expected-error @below {{got a memref of 303 elements, expected at least the layout's 304}}
  %b = tile.view %B : memref<303xf32, #gpu.address_space<workgroup>> to !swizzled
  return
}

// -----

func.func @alloc_space() {
  // expected-error @below {{got space global, expected shared, local or tmem}}
  %a = tile.alloc : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @alloc_alignment() {
  // expected-error @below {{got alignment 12, expected a power of two up to 65536, in bytes}}
  %a = tile.alloc {alignment = 12 : i64} : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @local_view() {
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{expected memref<8xf32>: a thread holds 8 registers of this tile}}
  %m = tile.local_view %r : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<16xf32>
  return
}

// -----

func.func @bounds(%A: memref<8x8xf32>) {
  // expected-note @below {{the buffer is !tile.buffer<8x8xf32, global>}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{source region is out of bounds: got [4, 12) in dimension 1, expected within [0, 8)}}
  tile.copy %a[0, 4] [8, 8] to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @extents(%A: memref<8x8xf32>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{regions differ in extents other than 1: got [4, 8] from the source, [8, 4] in the destination}}
  tile.copy %a[0, 0] [4, 8] to %s[0, 0] [8, 4] scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @elements(%A: memref<8x8xf32>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xi8, shared>
  // expected-error @below {{converts f32 to i8 without the signedness of the integers, expected convert(signed) or convert(unsigned)}}
  tile.copy %a to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xi8, shared>
  return
}

// -----

func.func @no_conversion(%A: memref<8x8xf64>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xf64> to !tile.buffer<8x8xf64, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xf8E4M3FN, shared>
  // expected-error @below {{cannot convert f64 to f8E4M3FN; what f8E4M3FN converts to and from: f32, f16, bf16, f8E5M2}}
  tile.copy %a to %s scope(warp) : !tile.buffer<8x8xf64, global> to !tile.buffer<8x8xf8E4M3FN, shared>
  return
}

// -----

func.func @type(%A: memref<8x8xi4>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xi4> to !tile.buffer<8x8xi4, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xf16, shared>
  // expected-error @below {{got elements of type i4 in a copy that converts, expected one of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8}}
  tile.copy %a to %s scope(warp) convert(signed) : !tile.buffer<8x8xi4, global> to !tile.buffer<8x8xf16, shared>
  return
}

// -----

func.func @word(%a: !tile.buffer<8x8xi8, global>, %s: !tile.buffer<8x8xf16, shared>) {
  // expected-error @below {{got convert(round), expected one of signed, unsigned, tf32}}
  tile.copy %a to %s scope(warp) convert(round) : !tile.buffer<8x8xi8, global> to !tile.buffer<8x8xf16, shared>
  return
}

// -----

func.func @nothing(%a: !tile.buffer<8x8xi8, global>, %s: !tile.buffer<8x8xi8, shared>) {
  // expected-error @below {{got convert(signed) in a copy of i8 to i8, which converts nothing}}
  tile.copy %a to %s scope(warp) convert(signed) : !tile.buffer<8x8xi8, global> to !tile.buffer<8x8xi8, shared>
  return
}

// -----

func.func @sign(%a: !tile.buffer<8x8xf16, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got convert(signed) in a copy of f16 to f32, expected none: floats have their sign}}
  tile.copy_async %a to %s scope(warp) convert(signed) : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @tf32(%a: !tile.buffer<8x8xf16, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got convert(tf32) in a copy of f16 to f32, expected f32 to f32}}
  tile.copy %a to %s scope(warp) convert(tf32) : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @clause(%a: !tile.buffer<8x8xi8, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{expected valid keyword}}
  tile.copy %a to %s scope(warp) convert("signed") : !tile.buffer<8x8xi8, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @accesses(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got accesses [2, 1] of a copy that neither converts nor reduces, expected none}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 8, accesses = (2, 1), bits = 32,
         src = {layout = (1, 8, 8) : (64, 8, 1), space = global, align = 16},
         dst = {layout = (1, 8, 8) : (64, 8, 1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @no_accesses(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf16, shared>) {
  // expected-error @below {{got accesses [0, 1], expected a number of loads and one of stores}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 8, accesses = (0, 1), bits = 32, convert = "f32 to f16",
         src = {layout = (1, 8, 8) : (64, 8, 1), space = global, align = 16},
         dst = {layout = (1, 8, 8) : (64, 8, 1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf16, shared>
  return
}

// -----

func.func @option(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got unknown option 'nonsense', expected one of variant, cache, l1_evict, l2_evict, prefetch_size}}
  tile.copy %a to %s scope(warp) {nonsense = 3 : i64} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @region(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got 1 offset and 1 size of the source region, expected 2 of each, one for each dimension of the buffer}}
  tile.copy %a[0] [8] to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @rounds(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got rounds x threads x vector = [3, 32, 1], expected 64 elements in all}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 3, threads = 32, vector = 1, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @last_round(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got last_threads = 33, expected 1 to 32}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 1, last_threads = 33, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @rounds_and_last(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got rounds x threads x vector = [2, 32, 1] with 31 threads in the last round, expected 64 elements in all}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 1, last_threads = 31, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @lanes(%A: memref<32x8xf32>) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between 3 lanes, expected 2, 4 or 8}}
  tile.planned_copy %a to %r scope(warp)
    plan<vectors "reg", rounds = 2, threads = 32, vector = 4, bits = 32, thread_iters = 1, exchange = 3,
         src = {layout = (2, 32, 4) : (4, 8, 1), space = global, align = 16},
         dst = {layout = (2, 32, 4) : (4, 1@laneid, 1), space = local, align = 16}>
    : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}

// -----

func.func @lanes_left_out(%A: memref<32x8xf32>, %p: i1) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between lanes and a predicate or a mask, expected one of them}}
  tile.planned_copy %a to %r scope(warp) predicate(%p)
    plan<vectors "reg", rounds = 2, threads = 32, vector = 4, bits = 32, thread_iters = 1, exchange = 2,
         src = {layout = (2, 32, 4) : (4, 8, 1), space = global, align = 16},
         dst = {layout = (2, 32, 4) : (4, 1@laneid, 1), space = local, align = 16}>
    : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}
