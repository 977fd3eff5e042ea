// Pixels of images, as the filters of convolutions visit them: through maps of im2col mode, each offset of a filter is one
// instruction. What is outside of an image is zeros.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/im2col.py
// RUN: tile-opt %s --tile-build=lower=false | FileCheck %s --check-prefix=MAPS
// RUN: tile-run %s --entry padded --schedule=all --grid 3 --arg f16[3x6x5x64]=%t/images.npy --arg f16[9x90x64]=poison \
// RUN:   --expect 1=%t/padded.npy | FileCheck %s --check-prefix=PADDED
// RUN: tile-run %s --entry padded --delete-sync --grid 3 --arg f16[3x6x5x64]=%t/images.npy --arg f16[9x90x64]=poison \
// RUN:   --expect 1=%t/padded.npy | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry strided --schedule=all --grid 1,6 --arg f16[2x9x8x128]=%t/wide.npy --arg f16[6x30x128]=poison \
// RUN:   --expect 1=%t/strided.npy | FileCheck %s --check-prefix=STRIDED
// RUN: tile-run %s --entry scatter --schedule=all --grid 3 --arg f16[3x6x5x64]=%t/images.npy --arg f16[3x6x5x64]=zeros \
// RUN:   --expect 1=%t/scattered.npy | FileCheck %s --check-prefix=SCATTERED
// RUN: tile-run %s --entry halves --schedule=all --grid 2 --arg f16[3x6x5x64]=%t/images.npy --arg f16[2x64x64]=poison \
// RUN:   --expect 1=%t/halves.npy | FileCheck %s --check-prefix=HALVES
// RUN: cd %t && %python %S/Inputs/im2col.py random 24
// RUN: cd %t && %python %S/Inputs/im2col.py write 2 && sh run.sh --schedule=all
// MAPS:       gpu.func @padded(
// MAPS-SAME:    dims = [{extent = const(64), stride = bytes(2), box = 64}, {extent = of(2), stride = bytes(128), box = 1, lower = -1, upper = -1}, {extent = of(1), stride = times{stride = 1, bytes = 2}, box = 1, lower = -1, upper = -1}, {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 1}], pixels = 32, swizzle = b128
// MAPS:         tile.copy_async {{.*}} through({{.*}}) im2col [-1, -1] to [-1, -1] filter(%{{.*}}, %{{.*}}) masked fill(
// PADDED-COUNT-5: argument 1 holds what
// PADDED-DAG:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes 27
// DELETED:      {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// STRIDED-COUNT-5: argument 1 holds what
// STRIDED-DAG:  cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes 12
// HALVES-COUNT-5: argument 1 holds what
// HALVES-DAG:   cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster 2
// SCATTERED-COUNT-5: argument 1 holds what
// SCATTERED-DAG: cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group 3

!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!wide = !tile.buffer<2x9x8x128xf16, global>
!panels = !tile.buffer<32x128xf16, shared, #tile.layout<(32, 2, 64) : (64, 2048, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A filter of 3x3 and padding of one pixel, in a ring; the host knows the number and the size of images.
  gpu.func @padded(%A: memref<?x?x?x64xf16>, %B: memref<9x90x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x?x?x64xf16>
    %b = tile.view %B : memref<9x90x64xf16>
    %height = memref.dim %A, %c1 : memref<?x?x?x64xf16>
    %width = memref.dim %A, %c2 : memref<?x?x?x64xf16>
    %block = gpu.block_id x
    %first = arith.muli %block, %c32 : index
    %row = arith.divui %first, %width : index
    %x = arith.remui %first, %width : index
    %n = arith.divui %row, %height : index
    %y = arith.remui %row, %height : index
    %w = arith.subi %x, %c1 : index
    %h = arith.subi %y, %c1 : index
    scf.for %tap = %c0 to %c9 step %c1 {
      %s = tile.alloc : !shared
      %r = arith.divui %tap, %c3 : index
      %q = arith.remui %tap, %c3 : index
      tile.copy_async %a[%n, %h, %w, 0] [1, 1, 32, 64] to %s scope(cta) im2col [-1, -1] to [-1, -1] filter(%r, %q)
        masked fill(%zero : f16) : !tile.buffer<?x?x?x64xf16, global> to !shared
      tile.copy %s to %b[%tap, %first, 0] [1, 32, 64] scope(cta) masked : !shared to !tile.buffer<9x90x64xf16, global>
    } {tile.stages = 2 : i64}
    gpu.return
  }

  // A filter of 3x2 with holes, which steps two by three; two panels of channels.
  gpu.func @strided(%A: memref<2x9x8x128xf16>, %B: memref<6x30x128xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<2x9x8x128xf16>
    %b = tile.view %B : memref<6x30x128xf16>
    %s = tile.alloc : !panels
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %tap = gpu.block_id y
    %row = arith.divui %tap, %c2 : index
    %column = arith.remui %tap, %c2 : index
    %r = arith.muli %row, %c2 : index
    %q = arith.muli %column, %c2 : index
    tile.copy_async %a[0, -2, -1, 0] [1, 1, 32, 128] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>)
      im2col [-2, -1] to [-2, -1] steps [2, 3] filter(%r, %q) masked fill(%zero : f16) : !wide to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b[%tap, 0, 0] [1, 32, 128] scope(cta) masked : !panels to !tile.buffer<6x30x128xf16, global>
    gpu.return
  }

  // The pixels of each image but those of its last column, from the image and to another one.
  gpu.func @scatter(%A: memref<?x?x?x64xf16>, %B: memref<?x?x?x64xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x?x?x64xf16>
    %b = tile.view %B : memref<?x?x?x64xf16>
    %s = tile.alloc : !tile.buffer<24x64xf16, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %n = gpu.block_id x
    tile.copy_async %a[%n, 0, 0, 0] [1, 1, 24, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>)
      im2col [0, 0] to [0, -1] filter(%c0, %c0) masked fill(%zero : f16)
      : !tile.buffer<?x?x?x64xf16, global> to !tile.buffer<24x64xf16, shared>
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%n, 0, 0, 0] [1, 1, 24, 64] scope(cta) bulk_group im2col [0, 0] to [0, -1] masked
      : !tile.buffer<24x64xf16, shared> to !tile.buffer<?x?x?x64xf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
  // Each of two blocks copies one half of the pixels to both.
  gpu.func @halves(%A: memref<3x6x5x64xf16>, %B: memref<2x64x64xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %both = arith.constant 3 : i16
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<3x6x5x64xf16>
    %b = tile.view %B : memref<2x64x64xf16>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %number = arith.index_cast %rank : i32 to index
    %first = arith.muli %number, %c32 : index
    %row = arith.divui %first, %c5 : index
    %x = arith.remui %first, %c5 : index
    %n = arith.divui %row, %c6 : index
    %y = arith.remui %row, %c6 : index
    %w = arith.subi %x, %c1 : index
    %h = arith.subi %y, %c1 : index
    tile.copy_async %a[%n, %h, %w, 0] [1, 1, 32, 64] to %s[%first, 0] [32, 64] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
      im2col [-1, -1] to [-1, -1] filter(%c0, %c1) masked fill(%zero : f16)
      : !tile.buffer<3x6x5x64xf16, global> to !tile.buffer<64x64xf16, shared>
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %block = gpu.block_id x
    tile.copy %s to %b[%block, 0, 0] [1, 64, 64] scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<2x64x64xf16, global>
    gpu.return
  }
}
