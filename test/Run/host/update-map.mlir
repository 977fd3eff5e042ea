// A launch of a kernel that changes its tensor maps: the host encodes one map, of a tile of which it knows all numbers, and the kernel
// makes it describe matrices that the host does not know.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// Of the 2792 elements the 8 behind each of 5 rows are of no matrix.
// CHECK: {{^}}40{{$}}

// HOST-COUNT-1: llvm.call @tileEncodeTensorMap
// HOST-NOT: llvm.call @tileEncodeTensorMap
// HOST: gpu.launch_func {{.*}}@kernels::@move

!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 32}], swizzle = b128, promotion = b256>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @move(%A: memref<?xf16>, %B: memref<?xf16>, %W: memref<6x128xi8>)
        workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1 : i32
      %true = arith.constant true
      %first_phase = arith.constant 0 : i32
      %zero = arith.constant 0.0 : f16
      %s = tile.alloc : !shared
      %scratch = tile.alloc : !scratch
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

      // The matrix of the block.
      %block = gpu.block_id x
      %offsets = arith.constant dense<[0, 2368, 2432]> : vector<3xi64>
      %counts = arith.constant dense<[37, 1, 5]> : vector<3xindex>
      %strides = arith.constant dense<[64, 64, 72]> : vector<3xindex>
      %offset = vector.extract %offsets[%block] : i64 from vector<3xi64>
      %rows = vector.extract %counts[%block] : index from vector<3xindex>
      %ld = vector.extract %strides[%block] : index from vector<3xindex>
      %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
      %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
      %A_start = arith.index_cast %A_index : index to i64
      %B_start = arith.index_cast %B_index : index to i64
      %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
      %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
      %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
      %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
      %a = tile.view %A_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
      %b = tile.view %B_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix

      // The host makes one map, of any tile of this form.
      %any = tile.view %A extents(%c1) strides(%c64) : memref<?xf16> to !matrix
      %map = tile.tensor_map %any : !matrix to !map
      %workspace = tile.view %W : memref<6x128xi8>
      %slot_a = arith.muli %block, %c2 : index
      %slot_b = arith.addi %slot_a, %c1 : index
      %at_a = tile.subview %workspace[%slot_a, 0] [1, 128] : !tile.buffer<6x128xi8, global> to !bytes
      %at_b = tile.subview %workspace[%slot_b, 0] [1, 128] : !tile.buffer<6x128xi8, global> to !bytes
      %map_a = tile.update_map %map to %a in(%at_a : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
      %map_b = tile.update_map %map to %b in(%at_b : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix

      scf.for %row = %c0 to %rows step %c32 iter_args(%phase = %first_phase) -> i32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) through(%map_a : !map)
          masked fill(%zero : f16) : !matrix to !shared
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy_async %s to %b[%row, 0] [32, 64] scope(cta) bulk_group through(%map_b : !map) masked : !shared to !matrix
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
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %count = arith.constant 2792 : index
    %none = arith.constant 0 : i32
    %nothing = arith.constant 0.0 : f16
    %A = memref.alloc(%count) : memref<?xf16>
    %B = memref.alloc(%count) : memref<?xf16>
    scf.for %i = %c0 to %count step %c1 {
      %number = arith.addi %i, %c1 : index
      %word = arith.index_cast %number : index to i32
      %value = arith.sitofp %word : i32 to f16
      memref.store %value, %A[%i] : memref<?xf16>
      memref.store %nothing, %B[%i] : memref<?xf16>
    }
    %a = gpu.alloc (%count) : memref<?xf16>
    %b = gpu.alloc (%count) : memref<?xf16>
    %w = gpu.alloc () : memref<6x128xi8>
    gpu.memcpy %a, %A : memref<?xf16>, memref<?xf16>
    gpu.memcpy %b, %B : memref<?xf16>, memref<?xf16>
    gpu.launch_func @kernels::@move blocks in (%c3, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%a : memref<?xf16>, %b : memref<?xf16>, %w : memref<6x128xi8>)
    gpu.memcpy %B, %b : memref<?xf16>, memref<?xf16>
    %wrong = scf.for %i = %c0 to %count step %c1 iter_args(%found = %none) -> (i32) {
      %x = memref.load %A[%i] : memref<?xf16>
      %y = memref.load %B[%i] : memref<?xf16>
      %differs = arith.cmpf une, %x, %y : f16
      %more = arith.extui %differs : i1 to i32
      %sum = arith.addi %found, %more : i32
      scf.yield %sum : i32
    }
    return %wrong : i32
  }
}
