// Loops that cannot have a producer: an error at the loop, and a note at the operation that stops it.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @nested(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %tiles: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    // expected-note@below {{'scf.for' is here}}
    scf.for %tile = %c0 to %tiles step %c1 {
      // expected-error@below {{has tile.producer, but is in another operation; expected the loop in the body of a kernel}}
      scf.for %row = %c0 to %c1024 step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      } {tile.stages = 3 : i64, tile.producer}
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @two(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but another loop of the kernel has tile.stages too; expected one}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    // expected-note@below {{'scf.for' is here}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %t scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %t to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @size(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    // expected-note@below {{'gpu.block_dim' is here}}
    %threads = gpu.block_dim x
    %s = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but the kernel reads the size of its blocks, which grows; expected a constant}}
    scf.for %row = %c0 to %threads step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wide(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<1xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but all threads of the block execute an operation together; expected none but gpu.barrier}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    // expected-note@below {{'gpu.all_reduce' is here}}
    %sum = gpu.all_reduce add %one uniform {} : (f32) -> f32
    memref.store %sum, %C[%c0] : memref<1xf32>
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-note@below {{'gpu.func' is here}}
  gpu.func @warps(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but 64 threads come to it; expected all of a block of 1 to 3 warpgroups along x}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @groups(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but a copy is by cp.async, whose threads wait for it; expected copies that an mbarrier completes}}
    scf.for %row = %c0 to %c1024 step %c32 {
      // expected-note@below {{'tile.copy_async' is here}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scope(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %warp = arith.divui %t, %c32 : index
    %begin = arith.muli %warp, %c8 : index
    %s = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but a copy is not of scope cta; expected copies of the whole block}}
    scf.for %row = %c0 to %c1024 step %c32 {
      %at = arith.addi %row, %begin : index
      // expected-note@below {{'tile.copy_async' is here}}
      tile.copy_async %a[%at, 0] [8, 64] to %s[%begin, 0] [8, 64] scope(warp) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unread(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    // expected-error@below {{has tile.producer, but a tile is copied to, but not read in the loop; expected a reader}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      // expected-note@below {{'tile.copy_async' is here}}
      tile.copy_async %a[%row, 0] [32, 64] to %t scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

// The trip count is computed by threads that the producer does not wait for.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @needs(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %takes: i1, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<1024x64xf32>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-note@below {{'scf.if' is here}}
    %rows = scf.if %takes -> (index) {
      scf.yield %n : index
    } else {
      scf.yield %c32 : index
    }
    // expected-error@below {{has tile.producer, but the producer would need what the consumers compute; expected a function of arguments}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64, tile.producer}
    gpu.return
  }
}

// -----

// 256 registers of a consumer, which has 208 beside its addresses.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
!kept = !tile.buffer<256x256xf32, local, #tile.layout<(256, 256) : (1, 1@tx)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers(%A: memref<1024x64xf32>, %B: memref<256x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32>
    %b = tile.view %B : memref<256x256xf32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : !shared
    %kept = tile.alloc : !kept
    tile.fill %one to %kept scope(cta) : f32 to !kept
    // expected-error@below {{has tile.producer, but tiles that are kept through the loop take 256 registers of a thread; expected at most 208}}
    // expected-note@below {{'scf.for' is here}}
    scf.for %row = %c0 to %c1024 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %kept to %b scope(cta) : !kept to !tile.buffer<256x256xf32, global>
      tile.copy %s to %b[0, 0] [64, 64] scope(cta) : !shared to !tile.buffer<256x256xf32, global>
    } {tile.stages = 2 : i64, tile.producer}
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alone(%n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@below {{has tile.producer, expected it without a value, beside tile.stages of 2 or more}}
    scf.for %i = %c0 to %n step %c1 {
    } {tile.producer}
    gpu.return
  }
}
