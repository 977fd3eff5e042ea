// Malformed asynchronous copies and tensor-memory ops are errors at their location that say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

func.func @both(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %b: !llvm.ptr<3>) {
  // expected-error @below {{got both group and mbarrier, expected one of them to complete the copy}}
  tile.copy_async %a to %s scope(cta) group mbarrier(%b : !llvm.ptr<3>) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @barrier_type(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %b: i64) {
  // expected-error @below {{got an mbarrier of type i64, expected !llvm.ptr<3> or a memref of i64 in workgroup memory}}
  tile.copy_async %a to %s scope(cta) mbarrier(%b : i64) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @barrier_memory(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %b: memref<1xi64>) {
  // expected-error @below {{got an mbarrier of type memref<1xi64>, expected !llvm.ptr<3> or a memref of i64 in workgroup memory}}
  tile.copy_async %a to %s scope(cta) mbarrier(%b : memref<1xi64>) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @barrier_words(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %b: memref<1xi32, 3>) {
  // expected-error @below {{got an mbarrier of type memref<1xi32, 3>, expected}}
  tile.copy_async %a to %s scope(cta) mbarrier(%b : memref<1xi32, 3>) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @fill(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %p: i1) {
  // expected-error @below {{got fill = "ones", expected "zero"}}
  tile.copy_async %a to %s scope(cta) predicate(%p) {fill = "ones"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @fill_what(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got fill = "zero" without a predicate that says where to fill}}
  tile.copy_async %a to %s scope(cta) {fill = "zero"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @group_size(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got cta_group = 4, expected 1 or 2}}
  tile.copy_async %a to %s scope(cta) {cta_group = 4 : i64} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @async_option(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got unknown option 'cache', expected one of variant, prefetch_size, l2_evict, reduce, fill, direct, shape, multicast, cta_group}}
  tile.copy_async %a to %s scope(cta) {cache = "nc"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @async_bounds(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{source region is out of bounds: got [4, 12) in dimension 0, expected within [0, 8)}}
  tile.copy_async %a[4, 0] [8, 8] to %s scope(cta) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @tmem_space(%x: i32) {
  // expected-error @below {{got space shared, expected tmem}}
  %t = tile.tmem %x : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @tmem_columns(%x: i32) {
  // expected-error @below {{the layout reaches 513 columns of 32 bits, expected at most 512}}
  %t = tile.tmem %x : !tile.buffer<128x1026xf16, tmem, #tile.layout<(128, 1026) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @tmem_element(%x: i32) {
  // expected-error @below {{got elements of type f64, expected 8, 16 or 32 bits}}
  %t = tile.tmem %x : !tile.buffer<128x2xf64, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>
  return
}

// -----

// expected-error @below {{the layout reaches position 159 on axis 'TLane', expected below 128}}
func.func private @tmem_lanes(!tile.buffer<64x8xf32, tmem, #tile.layout<(64, 8) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>)

// -----

func.func @cp_shape(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @+2 {{got shape = "96x128b", expected one of 128x256b, 4x256b, 128x128b, 64x128b, 32x128b}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "96x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_multicast(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @+2 {{got multicast = "warpx8", expected one of warpx2::02_13, warpx2::01_23, warpx4}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx8", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_descriptor(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got descriptor [0, 16384, 0], expected two offsets below 16384 and a swizzle mode from 0 to 3}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 16384, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_group(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got cta_group = 3, expected 1 or 2}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 3, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_tiles(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got tile_iters 3, expected at most 2}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8, tile_iters = 3,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_unlike(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got leading extents [2] and [32], expected the same}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8, tile_iters = 1,
         src = {layout = (2, 16, 16) : (256, 16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_spaces(%s: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{a side is in tmem memory; needed shared}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_lanes(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{the destination's layout reaches position 'TLane' 62 of a buffer that spans 32}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (2@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @access_shape(%t: !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>, %r: !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>) {
  // expected-error @+2 {{got shape = "32x64b", expected one of 32x32b, 16x64b, 16x128b, 16x256b}}
  tile.planned_copy %t to %r scope(warpgroup)
    plan<tmem_access "tcgen05_ldst", load, shape = "32x64b", num = 4, bits = 32,
         tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
         registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
    : !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>> to !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
  return
}

// -----

func.func @access_num(%t: !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>, %r: !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>) {
  // expected-error @below {{got num 3, expected a power of two from 1 to 128}}
  tile.planned_copy %t to %r scope(warpgroup)
    plan<tmem_access "tcgen05_ldst", load, shape = "32x32b", num = 3, bits = 32,
         tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
         registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
    : !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>> to !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
  return
}

// -----

func.func @bulk_spaces(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>, %b: !llvm.ptr<3>, %r: i32) {
  // expected-error @below {{got a remote_cta, expected none}}
  tile.planned_copy %a to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) remote_cta(%r)
    plan<bulk "bulk", bits = 32, chunk = 64,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @bulk_chunk(%s: !tile.buffer<8x8xf32, shared>, %b: !llvm.ptr<3>, %r: i32) {
  // expected-error @below {{got chunks [8, 8] in the source and [64] in the destination, expected the same}}
  tile.planned_copy %s to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) remote_cta(%r)
    plan<bulk "dsmem", bits = 32, chunk = 8,
         src = {layout = (8, 8) : (8, 1), space = shared, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @cp_many(%s: !tile.buffer<4096x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got leading extents [4096], expected at most 2048 instructions}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8, tile_iters = 1,
         src = {layout = (4096, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (4096, 16) : (0@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<4096x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @cp_form(%s: !tile.buffer<32x16xi8, shared>, %t: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>) {
  // expected-error @+2 {{got shape 32x128b with no multicast, expected one of 128x256b, 4x256b, 128x128b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4}}
  tile.planned_copy %s to %t scope(thread)
    plan<tmem_copy "tcgen05_cp", form = "32x128b", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
         src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
         dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
    : !tile.buffer<32x16xi8, shared> to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @access_many(%t: !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>, %r: !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>) {
  // expected-error @below {{got num 64, expected a power of two from 1 to 32 for 16x256b}}
  tile.planned_copy %t to %r scope(warpgroup)
    plan<tmem_access "tcgen05_ldst", load, shape = "16x256b", num = 64, bits = 32,
         tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
         registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
    : !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>> to !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
  return
}

// -----

func.func @bulk_bytes(%s: !tile.buffer<8x3xf32, shared>, %b: !llvm.ptr<3>, %r: i32) {
  // expected-error @below {{got chunks of 3 elements of 32 bits, 12 bytes, expected a multiple of 16}}
  tile.planned_copy %s to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) remote_cta(%r)
    plan<bulk "dsmem", bits = 32, chunk = 3,
         src = {layout = (8, 3) : (3, 1), space = shared, align = 16},
         dst = {layout = (8, 3) : (3, 1), space = shared, align = 16}>
    : !tile.buffer<8x3xf32, shared> to !tile.buffer<8x3xf32, shared>
  return
}

// -----

func.func @bulk_swizzle(%s: !tile.buffer<64xf32, shared, #tile.layout<(64) : (1), swizzle<base = 2, bits = 1, shift = 1>>>, %b: !llvm.ptr<3>, %r: i32) {
  // expected-error @below {{got chunks of 8 elements in the source, expected no more than the 4 that its swizzle keeps together}}
  tile.planned_copy %s to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) remote_cta(%r)
    plan<bulk "dsmem", bits = 32, chunk = 8,
         src = {layout = (8, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 1>, space = shared, align = 16},
         dst = {layout = (8, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 1>, space = shared, align = 16}>
    : !tile.buffer<64xf32, shared, #tile.layout<(64) : (1), swizzle<base = 2, bits = 1, shift = 1>>> to !tile.buffer<64xf32, shared, #tile.layout<(64) : (1), swizzle<base = 2, bits = 1, shift = 1>>>
  return
}

// -----

func.func @async_shape(%s: !tile.buffer<8x8xf32, shared>, %g: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got shape = "16x128b", expected one of 128x256b, 4x256b, 128x128b, 64x128b, 32x128b}}
  tile.copy_async %g to %s scope(cta) {shape = "16x128b"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @async_form(%s: !tile.buffer<8x8xf32, shared>, %g: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got shape 64x128b with warpx4, expected one of 128x256b, 4x256b, 128x128b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4}}
  tile.copy_async %g to %s scope(cta) {shape = "64x128b", multicast = "warpx4"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @async_prefetch(%s: !tile.buffer<8x8xf32, shared>, %g: !tile.buffer<8x8xf32, global>) {
  // expected-error @below {{got prefetch_size = "L2::32B", expected one of L2::64B, L2::128B, L2::256B}}
  tile.copy_async %g to %s scope(cta) {prefetch_size = "L2::32B"} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @bulk_memories(%s: !tile.buffer<8x8xf32, shared>, %r: !tile.buffer<8x8xf32, local>) {
  // expected-error @below {{got shared to local, expected global to shared, shared to global, or shared to shared}}
  tile.planned_copy %s to %r scope(thread)
    plan<bulk "bulk", bits = 32, chunk = 64,
         src = {layout = (64) : (1), space = shared, align = 16},
         dst = {layout = (64) : (1), space = local, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, local>
  return
}

// -----

func.func @bulk_without_barrier(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got no mbarrier, expected one}}
  tile.planned_copy %a to %s scope(thread)
    plan<bulk "bulk", bits = 32, chunk = 64,
         src = {layout = (64) : (1), space = global, align = 16},
         dst = {layout = (64) : (1), space = shared, align = 16}>
    : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @bulk_reduction(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got a plan that reduces by min.s32, expected one that reduces f32}}
  tile.planned_copy %s to %a scope(thread)
    plan<bulk "bulk", bits = 32, chunk = 64, reduction = "min.s32",
         src = {layout = (64) : (1), space = shared, align = 16},
         dst = {layout = (64) : (1), space = global, align = 16}>
    : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @reduction(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got reduce = "mul", expected one of add, min, max, umin, umax, and, or, xor, inc, dec}}
  tile.copy_async %s to %a scope(cta) bulk_group {reduce = "mul"} : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @two_groups(%a: !tile.buffer<8x8xf32, global>, %s: !tile.buffer<8x8xf32, shared>) {
  // expected-error @below {{got both group and bulk_group, expected one of them to complete the copy}}
  tile.copy_async %s to %a scope(cta) group bulk_group : !tile.buffer<8x8xf32, shared> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @mask_of_bulk(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<32x32xf32, shared>, %b: !llvm.ptr<3>, %m: i16) {
  // expected-error @below {{got a cta_mask, expected none}}
  tile.planned_copy %a to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) cta_mask(%m)
    plan<bulk "bulk", chunk = 4096, bits = 32,
         src = {layout = (1024) : (1), space = global, align = 16},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  return
}

// -----

func.func @rows_and_region(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<4x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got 3 row numbers for a region of 4 rows, expected one for each}}
  tile.copy_async %a[0, 0] [4, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) rows(%i, %i, %i)
    : !tile.buffer<32x32xf32, global> to !tile.buffer<4x32xf32, shared>
  return
}

// -----

func.func @rows_from_another(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<2x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got rows and a region that starts at another row, expected 0}}
  tile.copy_async %a[%i, 0] [2, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) rows(%i, %i)
    : !tile.buffer<32x32xf32, global> to !tile.buffer<2x32xf32, shared>
  return
}

// -----

func.func @rows_of_a_cube(%a: !tile.buffer<2x4x32xf32, global>, %s: !tile.buffer<2x4x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got rows of a tile of rank 3, expected a matrix}}
  tile.copy_async %a to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) rows(%i, %i)
    : !tile.buffer<2x4x32xf32, global> to !tile.buffer<2x4x32xf32, shared>
  return
}

// -----

func.func @rows_of_none(%s: !tile.buffer<2x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got rows of 0 tiles in global memory, expected one}}
  tile.copy_async %s to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) rows(%i, %i)
    : !tile.buffer<2x32xf32, shared> to !tile.buffer<2x32xf32, shared>
  return
}

// -----

func.func @rows_of_a_bulk_plan(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<32x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got 1 row number, expected the plan's 0}}
  tile.planned_copy %a to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) rows(%i)
    plan<bulk "bulk", chunk = 4096, bits = 32,
         src = {layout = (1024) : (1), space = global, align = 16},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  return
}

// -----

func.func @until_inside(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<4x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got until of a copy that is not masked, expected masked until(…)}}
  tile.copy_async %a[%i, 0] [4, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) until(%i)
    : !tile.buffer<32x32xf32, global> to !tile.buffer<4x32xf32, shared>
  return
}

// -----

func.func @until_and_rows(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<2x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got both rows and until, expected one of them}}
  tile.copy_async %a[0, 0] [2, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) rows(%i, %i) masked until(%i)
    : !tile.buffer<32x32xf32, global> to !tile.buffer<2x32xf32, shared>
  return
}

// -----

func.func @until_of_a_bulk_plan(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<32x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got until, expected the plan's no until}}
  tile.planned_copy %a to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) until(%i)
    plan<bulk "bulk", chunk = 4096, bits = 32,
         src = {layout = (1024) : (1), space = global, align = 16},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  return
}
