// Loops that request a pipeline that cannot be built: unsuitable tiles, unsuitable copies, too many stages. Loops whose
// operations prevent it are in tile-pipeline-refused.mlir.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// Nothing is copied asynchronously.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @nothing(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    // expected-error@below {{requests stages, but copies nothing asynchronously from global to shared memory}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy %a[%row, 0] [32, 64] to %b[%row, 0] [32, 64] scope(cta) : !matrix to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// An invalid number of stages.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @number(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy %a[%row, 0] [32, 64] to %b[%row, 0] [32, 64] scope(cta) : !matrix to !matrix
    } {tile.stages = 9 : i64}
    gpu.return
  }
}

// -----

// The attribute is on an op that is not a loop.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elsewhere(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %some = arith.cmpi slt, %rows, %c64 : index
    // expected-error@below {{has tile.stages, expected it on an scf.for over index values}}
    scf.if %some {
      tile.copy %a[%c0, 0] [32, 64] to %b[%c0, 0] [32, 64] scope(cta) : !matrix to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// More stages than fit in shared memory.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @too_much(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    // expected-note@below {{65536 bytes of each}}
    %s = tile.alloc : !tile.buffer<256x64xf32, shared>
    // expected-error@below {{needs 4 stages of 65536 bytes, and 8192 other bytes, of shared memory, of which sm_90a has 232448; expected at most 3 stages}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [256, 64] to %s scope(cta) group : !matrix to !tile.buffer<256x64xf32, shared>
      %t = tile.alloc : !shared
      tile.copy %s[0, 0] [32, 64] to %t scope(cta) : !tile.buffer<256x64xf32, shared> to !shared
      tile.copy %t to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 4 : i64}
    gpu.return
  }
}

// -----

// A tile whose memory does not come from a tile.alloc.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  memref.global "private" @w : memref<32x64xf32, #gpu.address_space<workgroup>>
  gpu.func @not_ours(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %C: memref<64xindex>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %w = memref.get_global @w : memref<32x64xf32, #gpu.address_space<workgroup>>
    %s = tile.view %w : memref<32x64xf32, #gpu.address_space<workgroup>> to !shared
    // expected-error@below {{requests stages, but one of its copies cannot have them}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' writes a tile of tile.view, expected one of tile.alloc}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// A copy that cp.async cannot perform would be synchronous: only 2 bytes are contiguous.
!matrix = !tile.buffer<64x32xf16, global>
!turned = !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (1, 64)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @narrow(%A: memref<64x32xf16>, %B: memref<64x32xf16>, %trips: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf16> to !matrix
    %b = tile.view %B : memref<64x32xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc : !turned
    // expected-note@below {{this loop requests stages}}
    scf.for %i = %c0 to %trips step %c1 {
      // expected-error@below {{is done synchronously, so nothing is in flight while an iteration computes}}
      // expected-note@below {{ldgsts declined: cp.async moves 4, 8 or 16 bytes}}
      // expected-note@below {{bulk declined: the copy requests group}}
      tile.copy_async %a to %s scope(cta) group : !matrix to !turned
      tile.copy %s to %b scope(cta) : !turned to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
