// What keeps a loop from being pipelined, at the operation, with a note at the other one.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// A begin that the loop carries.
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
    // expected-error@below {{requests stages, but where a copy begins is not known 2 iterations earlier}}
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

// A begin that memory holds.
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
    // expected-error@below {{requests stages, but where a copy begins is not known}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{this 'memref.load' is not known to make the same of the same operands}}
      %at = memref.load %C[%c0] : memref<64xindex>
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
        // expected-error@below {{is not issued once in each iteration of the loop that requests stages}}
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      }
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A copy in a loop inside.
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
        // expected-error@below {{is not issued once in each iteration of the loop that requests stages}}
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      }
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// What an iteration before has left.
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
      // expected-error@below {{reads a tile that has stages before the copy of its iteration}}
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      // expected-note@below {{this copy brings it}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// More is read than copied.
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
      // expected-note@below {{this copy brings some of it}}
      tile.copy_async %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) group : !matrix to !shared
      // expected-error@below {{reads more of a tile that has stages than the copies of its iteration are known to bring}}
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// Elements that are left out.
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
    // expected-error@below {{requests stages, which a copy of it cannot have}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' leaves elements as an iteration before has left them, masked; expected fill(…) beside it}}
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
      // expected-note@below {{this copy brings it}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      // expected-error@below {{touches a tile that has stages, or may, and writes it}}
      tile.fill %zero to %s[0, 0] [1, 64] scope(cta) : f32 to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// The tile is read behind the loop.
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
      // expected-error@below {{brings a tile that lives longer than an iteration}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    // expected-note@below {{it is used here}}
    tile.copy %s to %b[%c0, 0] [32, 64] scope(cta) : !shared to !matrix
    gpu.return
  }
}

// -----

// The source is written by the iteration before.
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
      // expected-error@below {{reads what an iteration before may write, and would be issued 2 iterations earlier}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      %next = arith.addi %row, %c32 : index
      // expected-note@below {{it is written here}}
      tile.copy %s to %a[%next, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A wait by hand.
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
