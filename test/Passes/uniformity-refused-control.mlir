// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s

// Loops and branches at which the threads of a scope may diverge, and values that such control flow produces.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @loop_of_own_length(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %thread step %c1 {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: a loop bound around the copy, 'gpu.thread_id', differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @affine_loop_of_own_length(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    affine.for %i = 0 to %thread {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: a loop bound around the copy, 'gpu.thread_id', differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @affine_condition(%A: memref<32x32xf32>, %numbers: memref<128xindex>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %number = memref.load %numbers[%thread] : memref<128xindex>
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%number) {
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
  gpu.func @switch(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    scf.index_switch %thread
    case 2 {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: a switch around the copy, 'gpu.thread_id', differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
      scf.yield
    }
    default {
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @while(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.while (%x = %thread) : (index) -> index {
      %more = arith.cmpi sgt, %x, %c0 : index
      scf.condition(%more) %x : index
    } do {
  ^bb0(%x: index):
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition of an scf.while around the copy differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
      %next = arith.subi %x, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// After two iterations, the carried value differs between threads.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_value_after_one_turn(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c0) -> (index, index) {
      %v = arith.cmpi eq, %x, %n : index
      scf.if %v {
        // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'arith.cmpi' differs {{.*}} warp}}
        tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
      }
      scf.yield %y, %thread : index, index
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chosen_by_a_thread(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %is_n = arith.cmpi eq, %thread, %n : index
    %chosen = scf.if %is_n -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    scf.if %chosen {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the condition 'scf.if' differs {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @branch(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %is_n = arith.cmpi eq, %thread, %n : index
    cf.cond_br %is_n, ^copy, ^end
  ^copy:
    // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: the branch 'cf.cond_br' before the copy may diverge within the scope; {{.*}} warp}}
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Block arguments are analysed one value at a time.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @value_of_a_block(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    cf.br ^next(%n, %thread : index, index)
  ^next(%x: index, %y: index):
    %v = arith.cmpi eq, %x, %n : index
    scf.if %v {
      tile.copy %a to %s scope(warp) {variant = "gmem_smem"} : !global to !shared
    }
    %w = arith.cmpi eq, %y, %n : index
    scf.if %w {
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
  gpu.func @parallel_loop(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      // expected-error-re @below {{cannot be done by 'fallback': {{.*}} not known: 'scf.parallel' around the copy is not understood; {{.*}} warp}}
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    }
    gpu.return
  }
}
