// RUN: tile-opt --tile-align-layouts --split-input-file --verify-diagnostics %s

// Run-time operands of a copy that may differ between the threads of its scope are refused. The error names two
// threads that differ if they are known, and otherwise the origin of the value. Accepted operands are in
// uniformity-offsets.mlir.

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @lane(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{defined here}}
    %lane = gpu.lane_id
    // expected-error @below {{got an offset of the source in dimension 0 that differs between threads of the warp: 'gpu.lane_id' is 0 for thread 0 and 1 for thread 1; expected one value for all of them}}
    tile.copy %a[%lane, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

// Uniform within each warp, but the copy has block scope.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warps_of_a_block(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    // expected-note @below {{defined here}}
    %warp = arith.divui %thread, %c32 : index
    tile.copy %a[%warp, 0] [4, 32] to %s scope(warp) : !global to !shared
    // expected-error @below {{got an offset of the destination in dimension 0 that differs between threads of the cta: 'arith.divui' is 0 for thread 0 and 1 for thread 32; expected one value for all of them}}
    tile.copy %s to %a[%warp, 0] [4, 32] scope(cta) : !shared to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @of_those_that_get_there(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    %warp = gpu.subgroup_id : index
    %c1 = arith.constant 1 : index
    %from_1 = arith.cmpi uge, %warp, %c1 : index
    scf.if %from_1 {
      // expected-note @below {{defined here}}
      %row = arith.addi %warp, %c1 : index
      // expected-error @below {{'arith.addi' is 2 for thread 32 and 3 for thread 64; expected one value}}
      tile.copy %a[%row, 0] [4, 32] to %s scope(cta) : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @loaded(%A: memref<64x32xf32>, %N: memref<128xindex>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %thread = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %own = memref.load %N[%thread] : memref<128xindex>
    %row = arith.addi %own, %c1 : index
    // expected-error @below {{got an offset of the source in dimension 0, 'arith.addi', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_a_loop(%A: memref<64x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %row = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      %next = arith.addi %x, %lane : index
      scf.yield %next : index
    }
    // expected-error @below {{got an offset of the source in dimension 0, 'scf.for', that is not known to be the same for all threads of the cta; expected one value for all of them, proved or promised by tile.assume … uniform(cta)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chosen(%A: memref<64x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %more = arith.cmpi eq, %thread, %n : index
    %row = scf.if %more -> (index) {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    // expected-error @below {{got an offset of the source in dimension 0, 'scf.if', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @handed_on(%A: memref<64x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %thread = gpu.thread_id x
    cf.br ^next(%n, %thread : index, index)
  ^next(%same: index, %own: index):
    tile.copy %a[%same, 0] [4, 32] to %s scope(warp) : !global to !shared
    // expected-error @below {{got an offset of the source in dimension 0, an argument, that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%own, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @called(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'func.call', which may differ between threads}}
    %row = func.call @own() : () -> index
    // expected-error @below {{got an offset of the source in dimension 0, 'func.call', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
  func.func private @own() -> index
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @no_kernel(%A: memref<64x32xf32>,
                     // expected-note @below {{it follows from an argument of a function that is not a kernel, which may differ between threads}}
                     %n: index) attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-error @below {{got an offset of the source in dimension 0, an argument of a function that is not a kernel, that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%n, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown_block(%A: memref<64x32xf32>) kernel {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.thread_id' in blocks of a size that is not known; known_block_size states it}}
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    // expected-error @below {{got an offset of the source in dimension 0, 'arith.divui', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%warp, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffled(%A: memref<64x32xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %from = arith.index_cast %lane : index to i32
    %c32 = arith.constant 32 : i32
    %v, %valid = gpu.shuffle idx %n, %from, %c32 : i32
    %x, %also = gpu.shuffle xor %from, %n, %c32 : i32
    %row = arith.index_cast %x : i32 to index
    // expected-error @below {{got an offset of the source in dimension 0, 'arith.index_cast', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

// A promise that contradicts an exactly known value is not believed.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @false_promise(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    %lane = gpu.lane_id
    // expected-note @below {{defined here}}
    %row = tile.assume %lane uniform(warp) : index
    // expected-error @below {{'tile.assume' is 0 for thread 0 and 1 for thread 1; expected one value}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @promised_for_less(%A: memref<64x32xf32>, %N: memref<128xindex>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %thread = gpu.thread_id x
    %own = memref.load %N[%thread] : memref<128xindex>
    %row = tile.assume %own uniform(warp) : index
    tile.copy %a[%row, 0] [4, 32] to %s scope(warp) : !global to !shared
    // expected-error @below {{got an offset of the source in dimension 0, 'tile.assume', that is not known to be the same for all threads of the cta; expected one value for all of them, proved or promised by tile.assume … uniform(cta)}}
    tile.copy %a[%row, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @subviews(%A: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %mine = memref.subview %A[%lane, 0] [4, 32] [1, 1] : memref<64x64xf32> to memref<4x32xf32, strided<[64, 1], offset: ?>>
    %a = tile.view %mine : memref<4x32xf32, strided<[64, 1], offset: ?>> to !tile.buffer<4x32xf32, global, #tile.layout<(4, 32) : (64, 1)>>
    // expected-error @below {{got a memref behind the source, 'memref.subview', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %a to %s scope(warp) : !tile.buffer<4x32xf32, global, #tile.layout<(4, 32) : (64, 1)>> to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @selected(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %c3 = arith.constant 3 : index
    %chooses = arith.cmpi eq, %lane, %c3 : index
    %M = arith.select %chooses, %A, %B : memref<64x32xf32>
    %a = tile.view %M : memref<64x32xf32> to !global
    // expected-error @below {{got a memref behind the destination, 'arith.select', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy %s to %a[0, 0] [4, 32] scope(warp) : !shared to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @mbarriers(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %bytes = arith.index_cast %lane : index to i32
    %barrier = llvm.inttoptr %bytes : i32 to !llvm.ptr<3>
    // expected-error @below {{got an mbarrier, 'llvm.inttoptr', that is not known to be the same for all threads of the warp; expected one value for all of them, proved or promised by tile.assume … uniform(warp)}}
    tile.copy_async %a[0, 0] [4, 32] to %s scope(warp) mbarrier(%barrier : !llvm.ptr<3>) : !global to !shared
    gpu.return
  }
}

// -----

!tensor = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @addresses() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tile.alloc : !rows
    // expected-note @below {{defined here}}
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %t = tile.tmem %lane : !tensor
    // expected-error @below {{got an address of the source that differs between threads of the warpgroup: 'nvvm.read.ptx.sreg.laneid' is 0 for thread 0 and 1 for thread 1}}
    tile.copy_async %t to %r scope(warpgroup) : !tensor to !rows
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

// An op that says nothing of itself may give each thread something else.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @not_known(%A: memref<64x32xf32>, %n: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<64x32xf32> to !global
    // expected-note @below {{it follows from 'llvm.call_intrinsic', which may differ between threads}}
    %any = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    %first = arith.index_cast %any : i64 to index
    // expected-error @below {{'arith.index_cast', that is not known to be the same for all threads of the cta}}
    tile.copy %a[%first, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }
}
