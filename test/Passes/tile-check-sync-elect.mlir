// One thread of each warp is elected: always the same one, but it is not known which.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Two elections elect the same thread.
  gpu.func @twice(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %value = arith.constant 1.0 : f32
    %s = memref.alloc() : memref<2xf32, 3>
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %warp = arith.divui %t, %c32 : index
    %first = nvvm.elect.sync -> i1
    scf.if %first {
      memref.store %value, %s[%warp] : memref<2xf32, 3>
    }
    %second = nvvm.elect.sync -> i1
    scf.if %second {
      %x = memref.load %s[%warp] : memref<2xf32, 3>
      memref.store %x, %A[%warp] : memref<64xf32>
    }
    gpu.return
  }

  // Lane 0 may be another thread than the one that is elected.
  gpu.func @not_lane_0(%A: memref<64xf32>) workgroup(%s: memref<1xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %is_lane_0 = arith.cmpi eq, %t, %c0 : index
    scf.if %is_lane_0 {
      // expected-note @below {{'memref.store' writes it here}}
      memref.store %value, %s[%c0] : memref<1xf32, 3>
    }
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 31, byte 0}}
      // expected-note @below {{this orders them: nvvm.bar.warp.sync}}
      %x = memref.load %s[%c0] : memref<1xf32, 3>
      memref.store %x, %A[%c0] : memref<64xf32>
    }
    gpu.return
  }

  // Nor is it known to be the last one.
  gpu.func @not_lane_31(%A: memref<64xf32>) workgroup(%s: memref<1xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %is_lane_31 = arith.cmpi eq, %t, %c31 : index
    scf.if %is_lane_31 {
      // expected-note @below {{'memref.store' writes it here}}
      memref.store %value, %s[%c0] : memref<1xf32, 3>
    }
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-error @below {{for example thread 31 and thread 0, byte 0}}
      // expected-note @below {{this orders them: nvvm.bar.warp.sync}}
      %x = memref.load %s[%c0] : memref<1xf32, 3>
      memref.store %x, %A[%c0] : memref<64xf32>
    }
    gpu.return
  }

  // The leader writes at an address that depends on its lane: only lane 5 races with the reader.
  gpu.func @own_lane(%A: memref<64xf32>) workgroup(%s: memref<32xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      // expected-note @below {{'memref.store' writes it here}}
      memref.store %value, %s[%t] : memref<32xf32, 3>
    }
    %reads = arith.cmpi eq, %t, %c4 : index
    scf.if %reads {
      // expected-error @below {{for example thread 5 and thread 4, byte 20}}
      // expected-note @below {{this orders them: nvvm.bar.warp.sync}}
      %x = memref.load %s[%c5] : memref<32xf32, 3>
      memref.store %x, %A[%t] : memref<64xf32>
    }
    gpu.return
  }

  // Threads 0 and 31 both write byte 0, unless one of them leads.
  gpu.func @others(%A: memref<64xf32>) workgroup(%s: memref<32xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c31 = arith.constant 31 : index
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %place = arith.remui %t, %c31 : index
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
    } else {
      // expected-error @below {{for example thread 31 and thread 0, byte 0}}
      // expected-note @below {{no barrier comes between them}}
      memref.store %value, %s[%place] : memref<32xf32, 3>
    }
    gpu.return
  }

  // Lanes that are elsewhere are waited for.
  gpu.func @some_lanes(%A: memref<64xi32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %low = arith.constant 0xffff : i32
    %xor = arith.constant 1 : i32
    %clamp = arith.constant 31 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %own = arith.index_cast %t : index to i32
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %odd = arith.remui %t, %c2 : index
    gpu.barrier
    // expected-note @below {{threads diverge at 'scf.for'}}
    scf.for %i = %c0 to %odd step %c1 {
      // expected-error @below {{waits for the lanes 0xffffffff of its warp, but other lanes may reach it, expected the same}}
      %elected = nvvm.elect.sync -> i1
      // expected-error @below {{waits for the lanes 0xffffffff}}
      %other = nvvm.shfl.sync bfly %all, %own, %xor, %clamp : i32 -> i32
      // expected-error @below {{waits for the lanes 0xffffffff}}
      %another, %valid = gpu.shuffle xor %own, %xor, %width : i32
    }
    %first = arith.cmpi ult, %lane, %c16 : index
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %first {
      %other = nvvm.shfl.sync bfly %low, %own, %xor, %clamp : i32 -> i32
      // expected-error @below {{waits for the lanes 0xffffffff}}
      %sum = nvvm.redux.sync add %own, %all : i32 -> i32
      // expected-error @below {{waits for the lanes 0xffffffff}}
      %any = nvvm.vote.sync any %all, %first -> i1
    }
    // Whole warps.
    scf.for %i = %warp to %n step %c2 {
      %elected = nvvm.elect.sync -> i1
      %other = nvvm.shfl.sync bfly %all, %own, %xor, %clamp : i32 -> i32
    }
    gpu.return
  }
}
