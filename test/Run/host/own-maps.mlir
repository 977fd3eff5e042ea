// A group of matrices, each in memory of its own: the kernel loads the address and the number of rows of each from tables, copies name
// the variant alone, and the host encodes one map, of memory that the kernel has for its maps.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// Of 3 matrices of 40 rows the rows behind the first 37, 1 and 5 are left as they were.
// CHECK: {{^}}4928{{$}}

// HOST-COUNT-1: llvm.call @tileEncodeTensorMap
// HOST-NOT: llvm.call @tileEncodeTensorMap
// HOST: gpu.launch_func {{.*}}@kernels::@move

!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (64, 1)>>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @move(%pointers: memref<2x3xi64>, %counts: memref<3xi64>, %W: memref<?x128xi8> {tile.map_workspace})
        workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %true = arith.constant true
      %first_phase = arith.constant 0 : i32
      %zero = arith.constant 0.0 : f16
      %s = tile.alloc : !shared
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

      %block = gpu.block_id x
      %from = memref.load %pointers[%c0, %block] : memref<2x3xi64>
      %to = memref.load %pointers[%c1, %block] : memref<2x3xi64>
      %count = memref.load %counts[%block] : memref<3xi64>
      %count_index = arith.index_cast %count : i64 to index
      %A_word = tile.assume %from uniform(cta) : i64
      %B_word = tile.assume %to uniform(cta) : i64
      %rows = tile.assume %count_index uniform(cta) : index
      %A_pointer = llvm.inttoptr %A_word : i64 to !llvm.ptr<1>
      %B_pointer = llvm.inttoptr %B_word : i64 to !llvm.ptr<1>
      %A = tile.assume %A_pointer aligned 16 : !llvm.ptr<1>
      %B = tile.assume %B_pointer aligned 16 : !llvm.ptr<1>
      %a = tile.view %A extents(%rows) : !llvm.ptr<1> to !matrix
      %b = tile.view %B extents(%rows) : !llvm.ptr<1> to !matrix
      scf.for %row = %c0 to %rows step %c32 iter_args(%phase = %first_phase) -> i32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
          {variant = "tma"} : !matrix to !shared
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy_async %s to %b[%row, 0] [32, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
        nvvm.cp.async.bulk.wait_group 0
        gpu.barrier
        %next = arith.xori %phase, %one : i32
        scf.yield %next : i32
      }
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c128 = arith.constant 128 : index
    %count = arith.constant 2560 : index
    %none = arith.constant 0 : i32
    %nothing = arith.constant 0.0 : f16
    %host = memref.alloc() : memref<2560xf16>
    %zeros = memref.alloc() : memref<2560xf16>
    scf.for %i = %c0 to %count step %c1 {
      %number = arith.addi %i, %c1 : index
      %word = arith.index_cast %number : index to i32
      %value = arith.sitofp %word : i32 to f16
      memref.store %value, %host[%i] : memref<2560xf16>
      memref.store %nothing, %zeros[%i] : memref<2560xf16>
    }
    %a0 = gpu.alloc () : memref<2560xf16>
    %b0 = gpu.alloc () : memref<2560xf16>
    %a1 = gpu.alloc () : memref<2560xf16>
    %b1 = gpu.alloc () : memref<2560xf16>
    %a2 = gpu.alloc () : memref<2560xf16>
    %b2 = gpu.alloc () : memref<2560xf16>
    gpu.memcpy %a0, %host : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %a1, %host : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %a2, %host : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %b0, %zeros : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %b1, %zeros : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %b2, %zeros : memref<2560xf16>, memref<2560xf16>
    %pointers = memref.alloc() : memref<2x3xi64>
    %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<2560xf16> -> index
    %p1 = memref.extract_aligned_pointer_as_index %a1 : memref<2560xf16> -> index
    %p2 = memref.extract_aligned_pointer_as_index %a2 : memref<2560xf16> -> index
    %q0 = memref.extract_aligned_pointer_as_index %b0 : memref<2560xf16> -> index
    %q1 = memref.extract_aligned_pointer_as_index %b1 : memref<2560xf16> -> index
    %q2 = memref.extract_aligned_pointer_as_index %b2 : memref<2560xf16> -> index
    %w0 = arith.index_cast %p0 : index to i64
    %w1 = arith.index_cast %p1 : index to i64
    %w2 = arith.index_cast %p2 : index to i64
    %v0 = arith.index_cast %q0 : index to i64
    %v1 = arith.index_cast %q1 : index to i64
    %v2 = arith.index_cast %q2 : index to i64
    memref.store %w0, %pointers[%c0, %c0] : memref<2x3xi64>
    memref.store %w1, %pointers[%c0, %c1] : memref<2x3xi64>
    memref.store %w2, %pointers[%c0, %c2] : memref<2x3xi64>
    memref.store %v0, %pointers[%c1, %c0] : memref<2x3xi64>
    memref.store %v1, %pointers[%c1, %c1] : memref<2x3xi64>
    memref.store %v2, %pointers[%c1, %c2] : memref<2x3xi64>
    %counts = memref.alloc() : memref<3xi64>
    %n0 = arith.constant 37 : i64
    %n1 = arith.constant 1 : i64
    %n2 = arith.constant 5 : i64
    memref.store %n0, %counts[%c0] : memref<3xi64>
    memref.store %n1, %counts[%c1] : memref<3xi64>
    memref.store %n2, %counts[%c2] : memref<3xi64>
    %table = gpu.alloc () : memref<2x3xi64>
    %rows = gpu.alloc () : memref<3xi64>
    %w = gpu.alloc (%c6) : memref<?x128xi8>
    gpu.memcpy %table, %pointers : memref<2x3xi64>, memref<2x3xi64>
    gpu.memcpy %rows, %counts : memref<3xi64>, memref<3xi64>
    gpu.launch_func @kernels::@move blocks in (%c3, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%table : memref<2x3xi64>, %rows : memref<3xi64>, %w : memref<?x128xi8>)
    %got0 = memref.alloc() : memref<2560xf16>
    %got1 = memref.alloc() : memref<2560xf16>
    %got2 = memref.alloc() : memref<2560xf16>
    gpu.memcpy %got0, %b0 : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %got1, %b1 : memref<2560xf16>, memref<2560xf16>
    gpu.memcpy %got2, %b2 : memref<2560xf16>, memref<2560xf16>
    %wrong = scf.for %i = %c0 to %count step %c1 iter_args(%found = %none) -> (i32) {
      %x = memref.load %host[%i] : memref<2560xf16>
      %y0 = memref.load %got0[%i] : memref<2560xf16>
      %y1 = memref.load %got1[%i] : memref<2560xf16>
      %y2 = memref.load %got2[%i] : memref<2560xf16>
      %d0 = arith.cmpf une, %x, %y0 : f16
      %d1 = arith.cmpf une, %x, %y1 : f16
      %d2 = arith.cmpf une, %x, %y2 : f16
      %m0 = arith.extui %d0 : i1 to i32
      %m1 = arith.extui %d1 : i1 to i32
      %m2 = arith.extui %d2 : i1 to i32
      %s0 = arith.addi %found, %m0 : i32
      %s1 = arith.addi %s0, %m1 : i32
      %s2 = arith.addi %s1, %m2 : i32
      scf.yield %s2 : i32
    }
    return %wrong : i32
  }
}
