// Operations that prevent pipelining: an error at the operation, and a note at the conflicting one.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// A copy offset that the loop carries.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @carried(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    // expected-error@below {{requests stages, but the offsets of a copy are not known 2 iterations earlier}}
    // expected-note@below {{this is carried from iteration to iteration}}
    %end = scf.for %row = %c0 to %rows step %c32 iter_args(%at = %c0) -> (index) {
      tile.copy_async %a[%at, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      %next = arith.addi %at, %c64 : index
      scf.yield %next : index
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A copy offset that is loaded from memory which the kernel writes.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @loaded(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    // expected-error@below {{requests stages, but the offsets of a copy are not known}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{this 'memref.load' is not known to give the same result for the same operands}}
      %at = memref.load %C[%c0] : memref<64xindex>
      memref.store %row, %C[%c0] : memref<64xindex>
      tile.copy_async %a[%at, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A copy under a condition.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @conditional(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      %some = arith.cmpi slt, %row, %c64 : index
      // expected-note@below {{it is inside of this 'scf.if'}}
      scf.if %some {
        // expected-error@below {{is not issued exactly once in each iteration of the loop that requests stages}}
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      }
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A copy in a nested loop.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @inner(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %i = %c0 to %rows step %c64 {
      // expected-note@below {{it is inside of this 'scf.for'}}
      scf.for %row = %c0 to %rows step %c32 {
        // expected-error@below {{is not issued exactly once in each iteration of the loop that requests stages}}
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      }
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A read of what the previous iteration left in the tile.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @read_first(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error@below {{reads a tile that has stages before the copy of its iteration writes it}}
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      // expected-note@below {{this copy writes it}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// More of the tile is read than copied.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @half(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{this copy writes some of it}}
      tile.copy_async %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) group : !matrix to !shared
      // expected-error@below {{reads more of a tile that has stages than the copies of its iteration are known to write}}
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A masked copy leaves out elements.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @left_out(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    // expected-error@below {{requests stages, but one of its copies cannot have them}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' keeps elements of an earlier iteration (masked); expected fill(…) beside it}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group masked : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// Something else writes the tile.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @filled(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{this copy writes it}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      // expected-error@below {{writes a tile that has stages, or touches memory that may be such a tile}}
      tile.fill %zero to %s[0, 0] [1, 64] scope(cta) : f32 to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// The tile is read after the loop.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @outlives(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error@below {{writes a tile that lives longer than an iteration}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    // expected-note@below {{it is used here}}
    tile.copy %s to %b[%c0, 0] [32, 64] scope(cta) : !shared to !matrix
    gpu.return
  }
}

// -----

// The previous iteration writes the source.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rewritten(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error@below {{reads what an earlier iteration may write, and would be issued 2 iterations earlier}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      %next = arith.addi %row, %c32 : index
      // expected-note@below {{it is written here}}
      tile.copy %s to %a[%next, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A counter says whether another block has written the source.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @polled(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xi32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0 : i32
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error@below {{would be issued 2 iterations earlier, before what other blocks have published until then}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      // expected-note@below {{this may observe what another block has published}}
      %seen = memref.atomic_rmw addi %none, %C[%c0] : (i32, memref<64xi32>) -> i32
      memref.store %seen, %C[%c1] : memref<64xi32>
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A hand-written wait.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @by_hand(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    // expected-note@below {{this loop requests stages}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      // expected-error@below {{completes, closes or awaits copies in a loop that requests stages}}
      nvvm.cp.async.wait.group 0
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
