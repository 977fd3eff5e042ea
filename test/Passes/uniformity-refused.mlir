// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s

// A copy of a warp or a block under a condition at which its threads may diverge in an unknown way is refused:
// electing a thread that does not reach the copy would copy nothing. Conditions that can be decided are in
// uniformity.mlir and uniformity-unknown.mlir; loaded values (uniformity-refused-memory.mlir), and loops and
// branches (uniformity-refused-control.mlir) are refused, too.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// One thread of the warp, but not always the same.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @an_own_register(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %v = nvvm.elect.sync -> i1
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'nvvm.elect.sync' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @thread_in_a_block_of_unknown_size(%A: memref<32x32xf32>, %n: index) kernel {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %v = arith.cmpi eq, %thread, %n : index
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'arith.cmpi' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @compared_with_a_run_time_value(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %lane = gpu.lane_id
    %v = arith.cmpi ult, %lane, %n : index
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'arith.cmpi' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shuffles(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %other, %valid = gpu.shuffle xor %lane, %c1, %c32 : i32
    scf.if %valid {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'gpu.shuffle' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// The callers and the arguments that they pass are not known.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @device_function(%A: memref<32x32xf32>, %b: i1)
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    scf.if %b {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition an argument of a function that is not a kernel differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func @other_function(%A: memref<32x32xf32>, %b: i1)
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    scf.if %b {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition an argument of a function that is not a kernel differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @wanted() -> i1
  gpu.func @result_of_a_call(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %v = func.call @wanted() : () -> i1
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'func.call' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Values that do not fit 64 bits are not evaluated.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wide_integers(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %wide = arith.index_cast %thread : index to i128
    %big = arith.constant 18446744073709551616 : i128
    %sum = arith.addi %wide, %big : i128
    %v = arith.cmpi eq, %sum, %wide : i128
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'arith.cmpi' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}
