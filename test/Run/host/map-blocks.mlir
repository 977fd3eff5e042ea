// The host divides a run-time number of columns, a known multiple of 64, by the columns of a panel: two panels of 64 columns are one box,
// and the last box has one panel in the matrix.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// CHECK: {{^}}0{{$}}

// HOST: llvm.func @tileEncodeTensorMap(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// HOST: llvm.udiv
// HOST: llvm.call @tileEncodeTensorMap
// HOST: llvm.udiv
// HOST: llvm.call @tileEncodeTensorMap
// HOST-NOT: llvm.call @tileEncodeTensorMap
// HOST: gpu.launch_func {{.*}}@kernels::@copy

!shared = !tile.buffer<64x128xf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!global = !tile.buffer<?x?xf16, global>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1 : i32
      %phase = arith.constant 0 : i32
      %zero = arith.constant 0.0 : f16
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %m = memref.dim %A, %c0 : memref<?x?xf16>
      %columns = memref.dim %A, %c1 : memref<?x?xf16>
      %n = tile.assume %columns divisible_by 64 : index
      %a = tile.view %A extents(%m, %n) strides(%n) : memref<?x?xf16> to !global
      %b = tile.view %B extents(%m, %n) strides(%n) : memref<?x?xf16> to !global
      %s = tile.alloc : !shared
      %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
      %address = arith.index_cast %index : index to i64
      %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %thread = gpu.thread_id x
      %first = arith.cmpi eq, %thread, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      %x = gpu.block_id x
      %y = gpu.block_id y
      %row = arith.muli %x, %c64 : index
      %column = arith.muli %y, %c128 : index
      tile.copy_async %a[%row, %column] [64, 128] to %s[0, 0] [64, 128] scope(cta) mbarrier(%barrier : !llvm.ptr<3>)
        masked fill(%zero : f16) {variant = "tma"} : !global to !shared
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s[0, 0] [64, 128] to %b[%row, %column] [64, 128] scope(cta) bulk_group masked {variant = "tma"}
        : !shared to !global
      nvvm.cp.async.bulk.wait_group 0
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %none = arith.constant 0 : i32
    %A = memref.alloc(%c100, %c192) : memref<?x?xf16>
    %B = memref.alloc(%c100, %c192) : memref<?x?xf16>
    scf.for %i = %c0 to %c100 step %c1 {
      scf.for %j = %c0 to %c192 step %c1 {
        %number = arith.addi %i, %j : index
        %word = arith.index_cast %number : index to i32
        %value = arith.sitofp %word : i32 to f16
        memref.store %value, %A[%i, %j] : memref<?x?xf16>
      }
    }
    %a = gpu.alloc (%c100, %c192) : memref<?x?xf16>
    %b = gpu.alloc (%c100, %c192) : memref<?x?xf16>
    gpu.memcpy %a, %A : memref<?x?xf16>, memref<?x?xf16>
    gpu.launch_func @kernels::@copy blocks in (%c2, %c2, %c1) threads in (%c128, %c1, %c1)
      args(%a : memref<?x?xf16>, %b : memref<?x?xf16>)
    gpu.memcpy %B, %b : memref<?x?xf16>, memref<?x?xf16>
    %wrong = scf.for %i = %c0 to %c100 step %c1 iter_args(%rows = %none) -> (i32) {
      %found = scf.for %j = %c0 to %c192 step %c1 iter_args(%before = %rows) -> (i32) {
        %x = memref.load %A[%i, %j] : memref<?x?xf16>
        %y = memref.load %B[%i, %j] : memref<?x?xf16>
        %differs = arith.cmpf une, %x, %y : f16
        %more = arith.extui %differs : i1 to i32
        %sum = arith.addi %before, %more : i32
        scf.yield %sum : i32
      }
      scf.yield %found : i32
    }
    return %wrong : i32
  }
}
