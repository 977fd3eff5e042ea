// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s

// Conditions that threads load from memory: all see the same value at one address, unless the memory is private.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Uniform within each warp, but the copy has block scope.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @uniform_over_less(%A: memref<32x32xf32>, %flags: memref<4xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %v = memref.load %flags[%warp] : memref<4xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} cta}}
      tile.copy %a to %s scope(cta) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_address(%A: memref<32x32xf32>, %flags: memref<128xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %v = memref.load %flags[%thread] : memref<128xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Private memory has the same address but different content in each thread.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_memory(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloca() : memref<4xi1>
    %c0 = arith.constant 0 : index
    %v = memref.load %own[%c0] : memref<4xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_memory_by_another_name(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloca() : memref<4xi1>
    %c0 = arith.constant 0 : index
    %part = memref.subview %own[1] [2] [1] : memref<4xi1> to memref<2xi1, strided<[1], offset: 1>>
    %cast = memref.cast %part : memref<2xi1, strided<[1], offset: 1>> to memref<?xi1, strided<[1], offset: 1>>
    %v = memref.load %cast[%c0] : memref<?xi1, strided<[1], offset: 1>>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_memory_chosen(%A: memref<32x32xf32>, %flags: memref<4xi1>, %b: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloca() : memref<4xi1>
    %c0 = arith.constant 0 : index
    %memory = scf.if %b -> memref<4xi1> {
      scf.yield %own : memref<4xi1>
    } else {
      scf.yield %flags : memref<4xi1>
    }
    %v = memref.load %memory[%c0] : memref<4xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_memory_of_the_function(%A: memref<32x32xf32>) private(%own: memref<4xi1, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %generic = memref.memory_space_cast %own : memref<4xi1, #gpu.address_space<private>> to memref<4xi1>
    %v = memref.load %generic[%c0] : memref<4xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_heap(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloc() : memref<4xi1>
    %c0 = arith.constant 0 : index
    %v = memref.load %own[%c0] : memref<4xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @vectors_of_own_memory(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloca() : memref<4xi32>
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %read = vector.transfer_read %own[%c0], %c0_i32 : memref<4xi32>, vector<2xi32>
    %element = vector.extract %read[0] : i32 from vector<2xi32>
    %v = arith.cmpi eq, %element, %c0_i32 : i32
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
  gpu.func @registers_of_a_tile(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !tile.buffer<32x8xi1, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    %own = tile.local_view %r : !tile.buffer<32x8xi1, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<8xi1>
    %c0 = arith.constant 0 : index
    %v = memref.load %own[%c0] : memref<8xi1>
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'memref.load' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Each thread receives a different number from the same address.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @atomics(%A: memref<32x32xf32>, %counter: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %c1, %counter[%c0] : (i32, memref<1xi32>) -> i32
    %v = arith.cmpi eq, %old, %c1 : i32
    scf.if %v {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'arith.cmpi' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}
