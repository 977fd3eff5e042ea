// Tiles of several panels of 64 columns are one box where the number of columns is known to be a multiple of 64, which the host
// divides it by; else each panel is a box of its own. Blocks pass the end of the matrix in both dimensions, and end between panels.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); \
// RUN:   [numpy.save(f"in{n}", r.integers(-9, 9, (100, n)).astype("f2")) for n in (64, 192, 320, 328)]; \
// RUN:   [numpy.save(f"sum{n}", numpy.load(f"in{n}.npy") + numpy.load(f"in{n}.npy")) for n in (192,)]; \
// RUN:   numpy.save("padded", numpy.pad(numpy.load("in192.npy"), ((0, 28), (0, 320))))'
// RUN: tile-translate %s --tile-to-ptx --declarations | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --tile-build -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-run %s --entry move --schedule=all --grid 2,1 --arg f16[100x192]=%t/in192.npy --arg f16[100x192]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry move --schedule=all --grid 2,2 --arg f16[100x320]=%t/in320.npy --arg f16[100x320]=poison --expect-equal 0,1
// RUN: tile-run %s --entry move --grid 2,2 --arg f16[100x64]=%t/in64.npy --arg f16[100x64]=poison --expect-equal 0,1
// RUN: tile-run %s --entry move --delete-sync --grid 2,1 --arg f16[100x192]=%t/in192.npy --arg f16[100x192]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry any --schedule=all --grid 2,2 --arg f16[100x328]=%t/in328.npy --arg f16[100x328]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %s --entry pad --schedule=all --grid 2,2 --arg f16[100x192]=%t/in192.npy --arg f16[128x512]=poison --expect 1=%t/padded.npy
// RUN: tile-run %s --entry add --schedule=all --grid 2,1 --arg f16[100x192]=%t/in192.npy --arg f16[100x192]=%t/in192.npy \
// RUN:   --expect 1=%t/sum192.npy | FileCheck %s --check-prefix=ADD
// RUN: %python -c 'import numpy; r = numpy.random.default_rng(0); a = r.integers(-3, 4, (50, 192)).astype("f2"); numpy.save("%t/part", a); \
// RUN:   numpy.save("%t/twice", numpy.tile(numpy.pad(a, ((0, 14), (0, 0))), (2, 1)))'
// RUN: tile-run %s --entry both --schedule=all --grid 2 --arg f16[50x192]=%t/part.npy --arg f16[128x192]=poison --expect 1=%t/twice.npy \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: %python -c 'import numpy; r = numpy.random.default_rng(0); a, b = (r.integers(-3, 4, s).astype("f2") for s in ((200, 136), (136, 320))); \
// RUN:   numpy.save("%t/a", a); numpy.save("%t/b", b); numpy.save("%t/c", (a.astype("f4") @ b.astype("f4")).astype("f2"))'
// RUN: tile-run %tile_source/tools/tile-bench/programs/gemm_wgmma.mlir --schedule=all --grid 4 --arg f16[200x136]=%t/a.npy \
// RUN:   --arg f16[136x320]=%t/b.npy --arg f16[200x320]=poison --expect 2=%t/c.npy | FileCheck %s --check-prefix=RING
// RUN: %python -c 'import numpy; numpy.save("%t/n", numpy.array([192], "i8"))'
// RUN: tile-run %s --entry own --schedule=all --grid 2,1 --arg f16[100x192]=%t/in192.npy --arg f16[100x192]=poison --arg i64[1]=%t/n.npy \
// RUN:   --arg i8[4x128]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE

// PTX: // tensor map of move, parameter {{[0-9]+}}: base=p0,type=f16,dims=64xp1xceildiv(p2;64),strides=2*p2x128,box=64x64x4,swizzle=128
// PTX: // tensor map of any, parameter {{[0-9]+}}: base=p0,type=f16,dims=p2xp1,strides=2*p2,box=64x64,swizzle=128

// REMARK-NOT: map-block
// REMARK:     remark: [Passed] tma | {{.*}}Function=move | Box=64x64x4, BytesPerThread=32768, Instructions="1 cp.async.bulk.tensor.3d.shared{{.*}}", Maps=1
// REMARK-NOT: map-block
// REMARK:     remark: [Passed] tma | {{.*}}Function=any | Box=64x64, BytesPerThread=32768, Instructions="4 cp.async.bulk.tensor.2d.shared{{.*}}", Maps=1
// REMARK:     remark: [Missed] map-block | {{.*}}Function=any | Boxes=4, Operand=source, Reason="shared memory takes dimension 1 of the tensor in blocks of 64 elements; the tensor has a run-time number of them, known to be a multiple of 8; needed a multiple of 64 for one box of several blocks", Remark="takes 4 boxes, not one", Variant=tma

// ONE-COUNT-5: argument 1 holds what argument 0 holds
// ONE-DAG: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group 2
// ONE-DAG: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 2
// DELETED: {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// FOUR-COUNT-5: argument 1 holds what argument 0 holds
// FOUR-DAG: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group 16
// FOUR-DAG: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 16
// BOTH-COUNT-5: argument 1 holds what
// BOTH-DAG: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster 2
// RING-COUNT-5: argument 2 holds what
// RING-DAG: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 12
// RING-DAG: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 12
// ADD-COUNT-5: argument 1 holds what
// ADD-DAG: cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group 2

!matrix = !tile.buffer<?x?xf16, global>
!panels = !tile.buffer<64x256xf16, shared, #tile.layout<(64, 4, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @move(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 64 : index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
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
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c256 : index
    tile.copy_async %a[%row, %column] [64, 256] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, %column] [64, 256] scope(cta) bulk_group masked {variant = "tma"} : !panels to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  gpu.func @any(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 8 : index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
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
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c256 : index
    tile.copy_async %a[%row, %column] [64, 256] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, %column] [64, 256] scope(cta) bulk_group masked {variant = "tma"} : !panels to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // What is outside of the matrix is filled with zeros, between panels, too.
  gpu.func @pad(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 64 : index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %whole = memref.cast %B : memref<?x?xf16> to memref<128x512xf16>
    %b = tile.view %whole : memref<128x512xf16> to !tile.buffer<128x512xf16, global>
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
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c256 : index
    tile.copy_async %a[%row, %column] [64, 256] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b[%row, %column] [64, 256] scope(cta) : !panels to !tile.buffer<128x512xf16, global>
    gpu.return
  }

  gpu.func @add(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 64 : index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
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
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c256 : index
    tile.copy_async %a[%row, %column] [64, 256] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, %column] [64, 256] scope(cta) bulk_group reduce(add) masked {variant = "tma"} : !panels to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Each of two blocks loads two panels for both.
  gpu.func @both(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %half = arith.constant 128 : i32
    %bytes = arith.constant 32768 : i32
    %all = arith.constant 3 : i16
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 64 : index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %m2 = memref.dim %B, %c0 : memref<?x?xf16>
    %b = tile.view %B extents(%m2, %n) strides(%n) : memref<?x?xf16> to !matrix
    %s = tile.alloc : !panels
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
    %first = arith.muli %rank, %half : i32
    %column = arith.index_cast %first : i32 to index
    tile.copy_async %a[0, %column] [64, 128] to %s[0, %column] [64, 128] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%all)
      masked fill(%zero : f16) {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %x = gpu.block_id x
    %row = arith.muli %x, %c64 : index
    tile.copy_async %s to %b[%row, 0] [64, 256] scope(cta) bulk_group masked {variant = "tma"} : !panels to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Maps that the kernel makes for itself: it divides the number of columns.
  gpu.func @own(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %N: memref<1xi64>,
                %W: memref<?x128xi8> {tile.map_workspace})
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.load %N[%c0] : memref<1xi64>
    %word = tile.assume %columns divisible_by 64 uniform(cta) : i64
    %n = arith.index_cast %word : i64 to index
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
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
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c256 : index
    tile.copy_async %a[%row, %column] [64, 256] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !panels
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, %column] [64, 256] scope(cta) bulk_group masked {variant = "tma"} : !panels to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}
