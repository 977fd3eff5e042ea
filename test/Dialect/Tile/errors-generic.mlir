// Invalid numbers and strings in attributes, and the generic form, in which operand groups and lists may have any size.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

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
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32, cache = {l2_evict = "L2::no_allocate"},
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @width(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got forced_bits = 96 for elements of 32 bits, expected one of 32, 64, 128, 256}}
  tile.planned_copy %a to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32, forced_bits = 96,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @threads(%a: !tile.buffer<64x64xf32, global>, %s: !tile.buffer<64x64xf32, shared>) {
  // expected-error @below {{got 4096 threads, expected 1 to 1024}}
  tile.planned_copy %a to %s scope(cta)
    plan<matched "gmem_smem", threads = 4096, bits = 32,
         src = {layout = (4096) : (1), space = global, align = 16},
         dst = {layout = (4096) : (1), space = shared, align = 16}>
    : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, shared>
  return
}

// -----

func.func @nothing_to_fill(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got zero_fill without a predicate that says where to fill}}
  tile.planned_copy %a to %s scope(warp) zero_fill
    plan<matched "ldgsts", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @by(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @+2 {{got 'nobody', expected one of everyone, scope_thread, block_threads, distributed}}
  tile.planned_copy %a to %s scope(warp)
    plan<scalar "fallback", owner = nobody, extents = [8, 8], bits = 32,
         src = {layout = (8, 8) : (8, 1), space = global, shape = [8, 8], begin = [const(0), const(0)], walked = [0, 1], align = 16},
         dst = {layout = (8, 8) : (8, 1), space = shared, shape = [8, 8], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @by_two(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got threads [] by "elected_in_block", expected 1 to 1024 of them, each from 0 to 1023}}
  tile.planned_copy %a to %s scope(warp)
    plan<scalar "fallback", owner = block_threads([]), extents = [8, 8], bits = 32,
         src = {layout = (8, 8) : (8, 1), space = global, shape = [8, 8], begin = [const(0), const(0)], walked = [0, 1], align = 16},
         dst = {layout = (8, 8) : (8, 1), space = shared, shape = [8, 8], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @divisor(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got divisor 0 in the source's terms, expected at least 1}}
  tile.planned_copy %a[%i] to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16, terms = [{value = 0, div = 0, stride = 8}]},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

// The generic form, in which the stated sizes of operand groups and lists may be wrong.
func.func @groups(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{operand count (2) does not match with the total size (3)}}
  "tile.copy"(%a, %s) <{srcStatic = array<i64>, srcSizes = array<i64>, dstStatic = array<i64>, dstSizes = array<i64>, scope = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 2, 0, 0>}> : (!tile.buffer<8x8xf32, global>, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @values(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time offsets of the source region, expected 2, one for each dynamic offset}}
  "tile.copy"(%a, %i, %s) <{srcStatic = array<i64: -9223372036854775808, -9223372036854775808>, srcSizes = array<i64: 8, 8>, dstStatic = array<i64>, dstSizes = array<i64>, scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!tile.buffer<8x8xf32, global>, index, !tile.buffer<8x8xf32, shared>) -> ()
  return
}

// -----

func.func @terms(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time value of the source, expected a value 1, which the plan uses}}
  tile.planned_copy %a[%i] to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16, terms = [{value = 0, stride = 8}, {value = 1, stride = 8}]},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @term_axis(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got axis 'wid_in_wg' in the source's terms, expected memory or a run-time stride}}
  tile.planned_copy %a[%i] to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16, terms = [{value = 0, stride = 8, axis = "wid_in_wg"}]},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @term_stride(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %i: index) {
  // expected-error @below {{got 1 run-time stride of the source and a layout of 0, expected the buffer's 0}}
  tile.planned_copy %a[%i] to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16, strides = [{value = 0}]},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @no_promise(%i: index) {
  // expected-error @below {{promises nothing, expected divisible_by, aligned, uniform or distinct}}
  %o = tile.assume %i : index
  return
}

// -----

func.func @divisible_rows(%A: memref<?x?x12xf32>) {
  // expected-error @below {{got divisible_by 8 for memref<?x?x12xf32>, whose stride in dimension 1 is 12, expected a divisor of 12}}
  %o = tile.assume %A divisible_by 8 : memref<?x?x12xf32>
  return
}

// -----

func.func @divisible_columns(%A: memref<?x?xf32, strided<[?, ?]>>) {
  // expected-error @below {{got divisible_by for memref<?x?xf32, strided<[?, ?]>>, expected a signless integer, index, or a memref with a dimension of stride 1}}
  %o = tile.assume %A divisible_by 8 : memref<?x?xf32, strided<[?, ?]>>
  return
}

// -----

func.func @aligned_odd(%A: memref<8xf32>) {
  // expected-error @below {{got aligned 12, expected a power of two}}
  %o = tile.assume %A aligned 12 : memref<8xf32>
  return
}

// -----

func.func @aligned_number(%i: index) {
  // expected-error @below {{got aligned for index, expected a memref with strides, or a pointer}}
  %o = tile.assume %i aligned 16 : index
  return
}

// -----

func.func @uniform_thread(%i: index) {
  // expected-error @below {{got uniform(thread), expected warp, warpgroup or cta}}
  %o = tile.assume %i uniform(thread) : index
  return
}

// -----

func.func @distinct_in_a_warp(%i: index) {
  // expected-error @below {{got distinct(warp), expected distinct(cta)}}
  %o = tile.assume %i distinct(warp) : index
  return
}

// -----

func.func @distinct_memory(%m: memref<8xf32>) {
  // expected-error @below {{got distinct for memref<8xf32>, expected a signless integer or index}}
  %o = tile.assume %m distinct(cta) : memref<8xf32>
  return
}

// -----

func.func @uniform_buffer(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-error @below {{got !tile.buffer<8x8xf32, global>, expected the memref or the address that the tile views}}
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
  // expected-error @below {{source region begins at 9223372036854775807 in dimension 0, and its end does not fit 64 bits}}
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
  // expected-error @below {{got value 0 of the mask, which the plan does not use}}
  tile.planned_copy %a to %s scope(warp) masked(%i)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}
