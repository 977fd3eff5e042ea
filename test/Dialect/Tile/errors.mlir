// Malformed input gets an error at its place that says got and expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

// expected-error @below {{got axis 'lane', expected one of m, bx, by, bz, cbx, cby, cbz, tx, warpid, wgid, wid_in_wg, tid_in_wg, laneid, TLane, TCol}}
func.func private @axis(!tile.buffer<8xf32, local, #tile.layout<(8) : (1@lane)>>)

// -----

// expected-error @below {{got 1 strides, expected 2, one for each extent}}
func.func private @ranks(!tile.buffer<8xf32, global, #tile.layout<(4, 2) : (1)>>)

// -----

// expected-error @below {{got strides nested as (x, x, x), expected ((x, x), x), as the extents are}}
func.func private @nesting(!tile.buffer<8x2xf32, global, #tile.layout<((4, 2), 2) : (1, 4, 8)>>)

// -----

// expected-error @below {{iter 0 has extent 0; extents are at least 1}}
func.func private @extent(!tile.buffer<8xf32, global, #tile.layout<(0) : (1)>>)

// -----

// expected-error @below {{got size 9223372036854775807 * 8, expected less than 2^62 = 4611686018427387904}}
func.func private @huge(!tile.buffer<8xf32, global, #tile.layout<(9223372036854775807, 8) : (1, 1)>>)

// -----

// expected-error @below {{got a second offset, 2, on axis 'm', expected one for each axis}}
func.func private @offsets(!tile.buffer<8xf32, global, #tile.layout<(8) : (1) + 1 + 2>>)

// -----

// expected-error @below {{swizzle<3, 4, 3> is malformed}}
func.func private @swizzle(!tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<3, 4, 3>>>)

// -----

// expected-error @below {{disconnected scope chain}}
func.func private @disconnected(!tile.buffer<64xf32, local, #tile.layout<(2, 32) : (1@wgid, 1@laneid)>>)

// -----

// expected-error @below {{conflicting scopes}}
func.func private @conflicting(!tile.buffer<64xf32, local, #tile.layout<(2, 32) : (1@tx, 1@laneid)>>)

// -----

// expected-error @below {{got a layout of 32 elements, expected 64 for shape 8x8}}
func.func private @size(!tile.buffer<8x8xf32, global, #tile.layout<(8, 4) : (4, 1)>>)

// -----

// expected-error @below {{got axis 'laneid' in a shared tile's layout, expected memory only}}
func.func private @space(!tile.buffer<8xf32, shared, #tile.layout<(8) : (1@laneid)>>)

// -----

// expected-error @below {{got space 'constant', expected global, shared, local or tmem}}
func.func private @unknown_space(!tile.buffer<8xf32, constant>)

// -----

// expected-error @below {{got '?' in a shared tile, expected it in a global one only}}
func.func private @dynamic(!tile.buffer<?x8xf32, shared>)

// -----

// expected-error @below {{got a layout that does not fit shape ?x8: got 0 as the number of open iters; expected 1; each '?' is an iter of its own}}
func.func private @open_shape(!tile.buffer<?x8xf32, global, #tile.layout<(8, 8) : (8, 1)>>)

// -----

// expected-error @below {{got a layout that does not fit shape ?x8: got a shape of 8 elements; expected the layout's 4; each '?' is an iter of its own}}
func.func private @open_rest(!tile.buffer<?x8xf32, global, #tile.layout<(?, 4) : (8, 1)>>)

// -----

// expected-error @below {{got stride -8 for an extent '?', expected at least 0}}
func.func private @open_downwards(!tile.buffer<?x8xf32, global, #tile.layout<(?, 8) : (-8, 1)>>)

// -----

// expected-error @below {{got axis 's0' in a shared tile's layout, expected memory only}}
func.func private @stride_in_shared(!tile.buffer<8x8xf32, shared, #tile.layout<(8, 8) : (?, 1)>>)

// -----

// expected-error @below {{got axis 's1' without 's0', expected the run-time strides from s0 on}}
func.func private @stride_without_another(!tile.buffer<8x8xf32, global, #tile.layout<(8, 8) : (1@s1, 1)>>)

// -----

// expected-error @below {{got 9 strides '?', expected at most 8}}
func.func private @strides(!tile.buffer<1x1x1x1x1x1x1x1x1xf32, global, #tile.layout<(1, 1, 1, 1, 1, 1, 1, 1, 1) : (?, ?, ?, ?, ?, ?, ?, ?, ?)>>)

// -----

// expected-error @below {{got an offset '?', expected a number; where a copy begins says what only the run knows}}
func.func private @offset(!tile.buffer<8xf32, global, #tile.layout<(8) : (1) + ?>>)

// -----

func.func @view_strides(%A: memref<8x8xf32, strided<[?, 1]>>) {
  // expected-error @below {{got a dynamic stride in dimension 0 of memref<8x8xf32, strided<[?, 1]>>, expected '?' for it in the tile's layout}}
  %a = tile.view %A : memref<8x8xf32, strided<[?, 1]>> to !tile.buffer<8x8xf32, global>
  return
}

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
  // expected-error @below {{got no source region of a buffer whose extent in dimension 0 only the run knows, expected one: [offsets] [sizes]}}
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

// expected-error @below {{got extent 0 in dimension 1, expected at least 1}}
func.func private @empty(!tile.buffer<8x0xf32, global>)

// -----

// expected-error @below {{the layout reaches position 63 on axis 'laneid', expected below 32}}
func.func private @lanes(!tile.buffer<64xf32, local, #tile.layout<(64) : (1@laneid)>>)

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

// 320 is where the blocks of the swizzle end; no address reaches 304.
!swizzled = !tile.buffer<10x16xf32, shared, #tile.layout<(10, 16) : (32, 1), swizzle<3, 2, 3>>>
func.func @reached(%A: memref<304xf32, #gpu.address_space<workgroup>>, %B: memref<303xf32, #gpu.address_space<workgroup>>) {
  %a = tile.view %A : memref<304xf32, #gpu.address_space<workgroup>> to !swizzled
  // expected-error @below {{got a memref of 303 elements, expected at least the layout's 304}}
  %b = tile.view %B : memref<303xf32, #gpu.address_space<workgroup>> to !swizzled
  return
}

// -----

func.func @alloc_space() {
  // expected-error @below {{got space global, expected shared or local}}
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
  // expected-error @below {{converts f32 to i8 without a word on the sign of the integers, expected convert(signed) or convert(unsigned)}}
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
  tile.vector_copy "gmem_smem" %a as #tile.layout<(1, 8, 8) : (64, 8, 1)> to %s as #tile.layout<(1, 8, 8) : (64, 8, 1)>
    scope(warp) rounds(1) threads(8) vector(8) {accesses = array<i64: 2, 1>}
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @no_accesses(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf16, shared>) {
  // expected-error @below {{got accesses [0, 1], expected a number of loads and one of stores}}
  tile.vector_copy "gmem_smem" %a as #tile.layout<(1, 8, 8) : (64, 8, 1)> to %s as #tile.layout<(1, 8, 8) : (64, 8, 1)>
    scope(warp) rounds(1) threads(8) vector(8) {accesses = array<i64: 0, 1>}
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
  tile.vector_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) rounds(3) threads(32) vector(1) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @last_round(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got last_threads = 33, expected 1 to 32}}
  tile.vector_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) rounds(2) threads(32) vector(1) {last_threads = 33 : i64}
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @rounds_and_last(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got rounds x threads x vector = [2, 32, 1] with 31 threads in the last round, expected 64 elements in all}}
  tile.vector_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) rounds(2) threads(32) vector(1) {last_threads = 31 : i64}
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @lanes(%A: memref<32x8xf32>) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between 3 lanes, expected 2, 4 or 8}}
  tile.vector_copy "reg" %a as #tile.layout<(2, 32, 4) : (4, 8, 1)>
    to %r as #tile.layout<(2, 32, 4) : (4, 1@laneid, 1)> scope(warp) rounds(2) threads(32) vector(4)
    {exchange = 3 : i64, thread_iters = 1 : i64} : !tile.buffer<32x8xf32, global>
    to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}

// -----

func.func @lanes_left_out(%A: memref<32x8xf32>, %p: i1) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between lanes and a predicate or a mask, expected one of them}}
  tile.vector_copy "reg" %a as #tile.layout<(2, 32, 4) : (4, 8, 1)>
    to %r as #tile.layout<(2, 32, 4) : (4, 1@laneid, 1)> scope(warp) rounds(2) threads(32) vector(4)
    predicate(%p) {exchange = 2 : i64, thread_iters = 1 : i64} : !tile.buffer<32x8xf32, global>
    to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}

// -----

// Sizes are multiplied with a check before a layout is made of them.
// expected-error @below {{got size 4611686018427387904 * 2, expected less than 2^62 = 4611686018427387904}}
func.func private @product(!tile.buffer<4611686018427387904x2xf16, global>)

// -----

// expected-error @below {{got size 3000000000 * 3000000000, expected less than 2^62}}
func.func private @square(!tile.buffer<3000000000x3000000000xf16, shared>)

// -----

// expected-error @below {{got size 9223372036854775807, expected less than 2^62}}
func.func private @one(!tile.buffer<9223372036854775807xf16, global>)

// -----

// expected-error @below {{got size 3000000000 * 3000000000, expected less than 2^62}}
func.func private @stated(!tile.buffer<3000000000x3000000000xf16, global, #tile.layout<(3000000000, 3000000000) : (0, 1)>>)

// -----

// expected-error @below {{got address 27670116110564327421, expected less than 2^62}}
func.func private @stride(!tile.buffer<4xf16, global, #tile.layout<(4) : (9223372036854775807)>>)

// -----

// expected-error @below {{got address -27670116110564327424, expected less than 2^62}}
func.func private @negative(!tile.buffer<4xf16, global, #tile.layout<(4) : (-9223372036854775808)>>)

// -----

// expected-error @below {{got address 9223372036854775810, expected less than 2^62}}
func.func private @offset(!tile.buffer<4xf16, global, #tile.layout<(4) : (1) + 9223372036854775807>>)

// -----

// expected-error @below {{got number of copies 9223372036854775807, expected less than 2^62}}
func.func private @copies(!tile.buffer<4xf16, local, #tile.layout<(4) : (1) + R(9223372036854775807 : 1@laneid)>>)

// -----

// expected-error @below {{got swizzle parameter -1, expected a number of bits from 0 to 61}}
func.func private @bits(!tile.buffer<4xf16, shared, #tile.layout<(4) : (1), swizzle<-1, 3, 3>>>)

// -----

// expected-error @below {{got swizzle parameter 4294967299, expected a number of bits from 0 to 61}}
func.func private @many_bits(!tile.buffer<4xf16, shared, #tile.layout<(4) : (1), swizzle<3, 4294967299, 3>>>)

// -----

// expected-error @below {{got element type 'index', expected an integer or a float}}
func.func private @element(!tile.buffer<4xindex, shared>)

// -----

// expected-error @below {{got a second replica, expected one; several digits go into one, as in R((2, 2) : (4, 16))}}
func.func private @replicas(!tile.buffer<2xf16, local, #tile.layout<(2) : (1) + R(2 : 4@laneid) + R(2 : 16@laneid)>>)

// -----

func.func @alloc_size() {
  // expected-error @below {{needs 18446744073709551612 bytes of shared memory, expected at most the 232448 of a block}}
  %a = tile.alloc : !tile.buffer<4611686018427387903xf32, shared>
  return
}

// -----

func.func @view_space(%A: memref<8x8xf32, 7>) {
  // expected-error @below {{got a memref in memory space 7 : i64, expected none, #gpu.address_space<global> or 1,}}
  %a = tile.view %A : memref<8x8xf32, 7> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @cache(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got cache = "bogus", expected "nc"}}
  tile.copy %a to %s scope(warp) {cache = "bogus"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @l1(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got l1_evict = "never", expected one of L1::evict_normal, L1::evict_unchanged, L1::evict_first, L1::evict_last, L1::no_allocate}}
  tile.copy %a to %s scope(warp) {l1_evict = "never"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @l2(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got l2_evict = "L2::no_allocate", expected one of L2::evict_normal, L2::evict_first, L2::evict_last}}
  tile.aligned_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) threads(32) {l2_evict = "L2::no_allocate"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @width(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got forced_bits = 96 for elements of 32 bits, expected one of 32, 64, 128, 256}}
  tile.aligned_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) threads(32) {forced_bits = 96 : i64} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @threads(%a: !tile.buffer<64x64xf32, global>, %s: !tile.buffer<64x64xf32, shared>) {
  // expected-error @below {{got 4096 threads, expected 1 to 1024}}
  tile.aligned_copy "gmem_smem" %a as #tile.layout<(4096) : (1)> to %s as #tile.layout<(4096) : (1)>
    scope(cta) threads(4096) : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, shared>
  return
}

// -----

func.func @nothing_to_fill(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got zero_fill without a predicate that says where to fill}}
  tile.aligned_copy "ldgsts" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) threads(32) {zero_fill} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @by(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got by = "nobody", expected one of everyone, elected, elected_in_block, owners}}
  tile.scalar_copy %a to %s scope(warp) by "nobody" : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @by_two(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got threads [0, 1] by "elected", expected 1 to 1 of them, each from 0 to 1023}}
  tile.scalar_copy %a to %s scope(warp) by "elected" {threads = array<i64: 0, 1>} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @divisor(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got divisor 0 in the source's terms, expected at least 1}}
  tile.aligned_copy "gmem_smem" %a[%i floordiv 0 * 8] as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) threads(32) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

// The generic form, in which sizes of operand groups and lists may say anything.
func.func @groups(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{operand count (2) does not match with the total size (3)}}
  "tile.copy"(%a, %s) <{srcStatic = array<i64>, srcSizes = array<i64>, dstStatic = array<i64>, dstSizes = array<i64>, scope = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 2, 0, 0>}> : (!tile.buffer<8x8xf32, global>, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @values(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time offsets of the source region, expected 2, one for each that has no number}}
  "tile.copy"(%a, %i, %s) <{srcStatic = array<i64: -9223372036854775808, -9223372036854775808>, srcSizes = array<i64: 8, 8>, dstStatic = array<i64>, dstSizes = array<i64>, scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!tile.buffer<8x8xf32, global>, index, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @terms(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time offset of the source and 5 numbers of terms, expected a divisor and a stride for each offset, and last the run-time strides}}
  "tile.aligned_copy"(%a, %i, %s) <{variant = "gmem_smem", srcTerms = array<i64: 1, 8, 9, 1, 8>, dstTerms = array<i64>, srcLayout = #tile.layout<(64) : (1)>, dstLayout = #tile.layout<(64) : (1)>, scope = 1 : i32, threads = 32 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}> : (!tile.buffer<8x8xf32, global>, index, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @term_axis(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got axis 'wid_in_wg' in the source's terms, expected memory or a run-time stride}}
  "tile.aligned_copy"(%a, %i, %s) <{variant = "gmem_smem", srcTerms = array<i64: 1, 8, 10>, dstTerms = array<i64>, srcLayout = #tile.layout<(64) : (1)>, dstLayout = #tile.layout<(64) : (1)>, scope = 1 : i32, threads = 32 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}> : (!tile.buffer<8x8xf32, global>, index, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @term_stride(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time stride of the source and a layout of 0, expected the buffer's 0}}
  tile.aligned_copy "gmem_smem" %a[s0 = %i] as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) threads(32) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @no_promise(%i: index) {
  // expected-error @below {{promises nothing, expected divisible_by, uniform or both}}
  %o = tile.assume %i : index
  return
}

// -----

func.func @divisible_memref(%A: memref<8x8xf32>) {
  // expected-error @below {{got divisible_by for memref<8x8xf32>, expected a signless integer or index}}
  %o = tile.assume %A divisible_by 8 : memref<8x8xf32>
  return
}

// -----

func.func @uniform_thread(%i: index) {
  // expected-error @below {{got uniform(thread), expected warp, warpgroup or cta}}
  %o = tile.assume %i uniform(thread) : index
  return
}

// -----

func.func @uniform_buffer(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-error @below {{got !tile.buffer<8x8xf32, global>, expected the memref or the address that the tile is made of}}
  %o = tile.assume %a uniform(cta) : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @fill_of_all(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %v: f32) {
  // expected-error @below {{got fill of a copy that is not masked, expected masked fill}}
  tile.copy %a to %s scope(warp) fill(%v : f32) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @fill_of_another_type(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf16, shared>, %v: f32) {
  // expected-error @below {{got fill of type f32, expected f16, the destination's elements}}
  tile.copy %a to %s scope(warp) masked fill(%v : f32) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf16, shared>
  return
}

// -----

func.func @beyond_numbers(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{source region begins at 9223372036854775807 in dimension 0, and ends at no number}}
  tile.copy %a[9223372036854775807, 0] [8, 8] to %s scope(warp) masked : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @masked_elsewhere(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got a masked copy with bulk_group, expected one without; masked copies fill with fill(%value : type)}}
  tile.copy_async %s to %a scope(warp) bulk_group masked : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @limits(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 2 values, 2 numbers of limits and 3 of digits, expected 2 and 3 for each limit, and 3 for each digit}}
  tile.aligned_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)> scope(warp) threads(32)
    masked(%i, %i) {limited = array<i64: 0, 0>, coordinates = array<i64: 64, 0, 0>}
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}
