// Every op that programs are written in, with each of its attributes; ../../bytecode-versions.test reads it as bytecode.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!bytes = !tile.buffer<32x16xi8, shared>
!open = !tile.buffer<?x?xf16, global>
!images = !tile.buffer<2x9x7x32xf32, global>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!swizzled = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3, outer>>>
!map = !tile.tensor_map<element = float32, dims = [{extent = const(32), stride = bytes(4), box = 32}, {extent = of(0), stride = bytes(128), box = 32}]>
!barriers = memref<4xi64, #gpu.address_space<workgroup>>

func.func private @types(!swizzled, !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>,
                         !tile.buffer<64x64xbf16, local, #tile.fragment<mma.m16n8k8.b over (2, 4) warps>>, !tile.buffer<64x64xf16, shared, auto>)

func.func @copies(%a: !global, %s: !shared, %one: f32, %row: index) {
  tile.copy %a[%row, 4] [16, 8] to %s[0, %row] [16, 8] scope(cta) masked fill(%one : f32) : !global to !shared
  tile.copy %a to %s scope(thread) convert(tf32)
    {variant = "vec_128b", cache = "nc", l1_evict = "L1::evict_last", l2_evict = "L2::evict_last", prefetch_size = "L2::128B"} : !global to !shared
  tile.copy %s to %a scope(warp) reduce(max) : !shared to !global
  tile.fill %one to %a[%row, 0] [4, 8] scope(warp) masked {variant = "fill"} : f32 to !global
  tile.fill 0.0 to %s scope(cta) : !shared
  tile.copy %a[%row, 4] [16, 8] to %s[0, %row] [16, 8] scope(cta) masked fill(0.5) : !global to !shared
  return
}

func.func @asynchronous(%a: !global, %s: !shared, %b: !bytes, %pointer: !llvm.ptr<3>, %bars: !barriers, %rank: i32, %mask: i16, %p: i1,
                        %i: index, %address: i32, %images: !images, %zero: f32, %map: !map) {
  tile.copy_async %a[%i, 0] [8, 32] to %s[0, 0] [8, 32] scope(warp) group convert(tf32) : !global to !shared
  tile.copy_async %a to %s scope(cta) mbarrier(%bars : !barriers) : !global to !shared
  tile.copy_async %a[%i, 0] [32, 32] to %s scope(cta) group masked fill(-inf) : !global to !shared
  tile.copy_async %a to %s scope(cta) predicate(%p) {variant = "ldgsts", fill = "zero", prefetch_size = "L2::128B"} : !global to !shared
  tile.copy_async %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {direct} : !global to !shared
  tile.copy_async %s to %s scope(thread) mbarrier(%pointer : !llvm.ptr<3>) remote_cta(%rank) : !shared to !shared
  tile.copy_async %s to %a scope(cta) bulk_group reduce(add) {l2_evict = "L2::evict_first"} : !shared to !global
  tile.copy_async %s to %a[%i, 0] [32, 32] scope(cta) bulk_group masked until(%i) : !shared to !global
  tile.copy_async %a to %s scope(cta) mbarrier(%pointer : !llvm.ptr<3>) cta_mask(%mask) through(%map : !map) : !global to !shared
  tile.copy_async %a[0, 0] [2, 32] to %s[0, 0] [2, 32] scope(cta) mbarrier(%pointer : !llvm.ptr<3>) rows(%i, %i) : !global to !shared
  tile.copy_async %images[%i, -1, %i, 0] [1, 1, 32, 32] to %s scope(cta) mbarrier(%pointer : !llvm.ptr<3>)
    im2col [-1, -1] to [-1, 0] steps [2, 1] filter(%i, %i) masked fill(%zero : f32) : !images to !shared
  %t = tile.tmem %address : !tensor
  tile.copy_async %b to %t scope(thread) {shape = "32x128b", multicast = "warpx4", cta_group = 2 : i64} : !bytes to !tensor
  return
}

func.func @views(%A: memref<32x32xf32>, %M: memref<?x?xf16>, %P: !llvm.ptr<1>, %n: index, %k: index) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %promised = tile.view %M divisible_by 8 aligned 32 : memref<?x?xf16>
  %multiple = tile.assume %n divisible_by 8 uniform(warp) distinct(cta) : index
  %aligned = tile.assume %M divisible_by 8 aligned 32 uniform(cta) : memref<?x?xf16>
  %o = tile.view %P extents(%n, %n) strides(%multiple) : !llvm.ptr<1> to !open
  %s = tile.alloc {alignment = 128 : i64} : !shared
  %part = tile.subview %s[8, %k] [16, 32] : !shared to !tile.buffer<16x32xf32, shared>
  %turned = tile.permute %a [1, 0] : !global to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
  %split = tile.reshape %a : !global to !tile.buffer<32x4x8xf32, global>
  %any = tile.cast %a : !global to !tile.buffer<?x32xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  %registers = tile.local_view %r : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<8xf32>
  %begin = tile.parts %s : !shared to !llvm.ptr<3>
  return
}

func.func @blocks(%b: index, %m: index, %n: index, %k: i32, %p: !llvm.ptr<1>, %c: !open) -> f32 {
  %i, %j = tile.block_order %b of (%m, %n) rows
  %o, %q = tile.block_order %b of (%m, %n) grouped(8)
  %first, %column = tile.block_order %b of %c [16, 32] grouped(8) : !open
  %r = tile.version %k divisible_by 12, %p aligned 128 : i32, !llvm.ptr<1> -> f32 {
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  return %r : f32
}

func.func @maps(%a: !global, %tile: !tile.buffer<?x32xf32, global>, %map: !map, %slot: !tile.buffer<128xi8, global>, %bytes: !tile.buffer<128xi8, shared>) {
  %made = tile.tensor_map %a : !global to !tile.tensor_map<element = float32,
    dims = [{extent = const(32), stride = bytes(4), box = 32}, {extent = const(32), stride = bytes(128), box = 32}]>
  %changed = tile.update_map %map to %tile in(%slot : !tile.buffer<128xi8, global>) scratch(%bytes : !tile.buffer<128xi8, shared>)
    scope(warp) : !map to !tile.buffer<?x32xf32, global>
  return
}

!a = !tile.buffer<16x16xi8, local>
!b = !tile.buffer<16x8xi8, local>
!c = !tile.buffer<16x8xi32, local>

func.func @products(%a: !a, %b: !b, %c: !c) {
  tile.mma %a, %b, %c scope(warp) group convert(signed) {convert_b = "unsigned", variant = "mma_sync"} : !a, !b, !c
  return
}

!x = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!m = !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!i = !tile.buffer<16x1xi32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!j = !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>

func.func @elementwise(%x: !x, %j: !j, %m: !m, %i: !i, %scale: f32, %init: i32) {
  tile.map %x, %m to %x scope(warp) : !x, !m to !x {
  ^bb0(%e: f32, %most: f32, %row: index, %column: index):
    %r = arith.mulf %e, %scale : f32
    tile.yield %r : f32
  }
  tile.reduce argmax %x to %m, %i dim(1) scope(warp) {note = "kept"} : !x to !m, !i
  %total = tile.total umax %j scope(warp) per_warp : !j to i32
  tile.block_scan exclusive add %j to %j init(%init : i32) dim(0) scope(warp) : !j to !j
  tile.block_scan inclusive custom %j to %j dim(0) scope(warp) : !j to !j combine {
  ^bb0(%a: i32, %b: i32):
    tile.yield %b : i32
  }
  return
}

func.func @scans(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32, %init: f32) {
  tile.scan @kernels::@all inclusive mul %x to %y workspace(%w) epoch(%e)
    {strategy = "decoupled_fallback", shape = "register", threads = 64, items = 4, order = "ticket", poll_cap = 4, max_spin = 8, deterministic,
     skip_post = 3, hold = 7, reverse, counters}
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  tile.scan @kernels::@ring inclusive add %x to %y workspace(%w) epoch(%e) {shape = "ring", stages = 3}
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  tile.scan @kernels::@from exclusive custom %x to %y workspace(%w) epoch(%e) init(%init : f32) identity(0.0 : f32)
    : memref<?xf32> to memref<?xf32>, memref<?xi8> combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }
  return
}

func.func @chained(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @kernels::@sums ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e)
    {halo, scattered, strategy = "decoupled_fallback", shape = "register", threads = 64, items = 4, order = "ticket", poll_cap = 4, max_spin = 8,
     deterministic, skip_post = 3, hold = 7, reverse, counters}
  summary {
  ^bb0(%i: i64, %v: f32, %left: f32, %right: f32, %first: i1, %last: i1):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %before: f32, %after: f32, %v: f32, %left: f32, %right: f32, %first: i1, %last: i1):
    %kept = arith.constant true
    tile.yield %kept, %i, %after : i1, i64, f32
  }
  return
}

func.func @ring(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @kernels::@ring ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e)
    {shape = "ring", stages = 3}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %before: f32, %after: f32, %v: f32):
    %kept = arith.constant true
    tile.yield %kept, %i, %after : i1, i64, f32
  }
  return
}

func.func @sorts(%x: memref<?xi32>, %y: memref<?xi32>, %v: memref<?xf64>, %u: memref<?xf64>, %w: memref<?xi8>, %e: i32) {
  tile.sort @kernels::@pairs ins(%x, %v : memref<?xi32>, memref<?xf64>) outs(%y, %u : memref<?xi32>, memref<?xf64>)
    workspace(%w : memref<?xi8>) epoch(%e)
    {descending, unsigned_keys, strategy = "decoupled_lookback", items = 8, poll_cap = 4, max_spin = 8, skip_post = 3, hold = 7, reverse, counters}
  return
}

func.func @several(%a: !open) {
  %s, %b = tile.allocs : !shared, !bytes
  %m, %n = tile.extents %a : !open
  return
}

gpu.module @kernels {
  gpu.func @part(%is_beyond: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    tile.return_if %is_beyond
    gpu.return
  }
}
