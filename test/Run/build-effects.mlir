// Ops without a table of their own are followed by what MLIR knows of them: the barriers of these kernels are inserted.
// RUN: tile-run %s --entry masked --schedule=all --arg f32[32x32]=iota --arg f32[32x32]=poison
// RUN: tile-run %s --entry product --schedule=all --arg f64[32x8]=ones --arg f64[8x8]=ones --arg f64[32x8]=zeros
// RUN: tile-run %s --entry total --schedule=all --arg i8[96x128]=iota --arg i8[1x128]=poison
!t = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
!b = !tile.buffer<8x8xf64, local, auto>
!c = !tile.buffer<32x8xf64, local, auto>
!sa = !tile.buffer<32x8xf64, shared>
!fa = !tile.buffer<32x8xf64, local, auto>
!sb = !tile.buffer<8x8xf64, shared>
!bytes = !tile.buffer<96x128xi8, shared, auto>
!row = !tile.buffer<1x128xi8, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @masked(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %mask = arith.constant dense<true> : vector<4xi1>
    %pass = arith.constant dense<0.0> : vector<4xf32>
    %a = tile.view %A : memref<32x32xf32> to !t
    %b = tile.view %B : memref<32x32xf32> to !t
    %s = tile.alloc : !s
    %turned = tile.permute %s [1, 0] : !s
    tile.copy %a to %s scope(cta) : !t to !s
    %v = vector.maskedload %A[%c0, %c0], %mask, %pass : memref<32x32xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    tile.copy %turned to %b scope(cta) : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>> to !t
    gpu.return
  }

  // Products of f64 are assembly.
  gpu.func @product(%A: memref<32x8xf64>, %B: memref<8x8xf64>, %C: memref<32x8xf64>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %z = arith.constant 0.0 : f64
    %a = tile.view %A : memref<32x8xf64>
    %b = tile.view %B : memref<8x8xf64>
    %c = tile.view %C : memref<32x8xf64>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %fa = tile.alloc : !fa
    %fb = tile.alloc : !b
    %fc = tile.alloc : !c
    tile.fill %z to %fc scope(cta) : f64 to !c
    tile.copy %a to %sa scope(cta) : !tile.buffer<32x8xf64, global> to !sa
    tile.copy %b to %sb scope(cta) : !tile.buffer<8x8xf64, global> to !sb
    tile.copy %sa to %fa scope(cta) : !sa to !fa
    tile.copy %sb to %fb scope(cta) : !sb to !b
    tile.mma %fa, %fb, %fc scope(cta) : !fa, !b, !c
    tile.copy %fc to %c scope(cta) : !c to !tile.buffer<32x8xf64, global>
    gpu.return
  }

  // All threads get the same total.
  gpu.func @total(%A: memref<96x128xi8>, %B: memref<1x128xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<96x128xi8>
    %b = tile.view %B : memref<1x128xi8>
    %s = tile.alloc : !bytes
    %r = tile.alloc : !row
    tile.copy %a to %s scope(cta) : !tile.buffer<96x128xi8, global> to !bytes
    %total = tile.total umax %s scope(cta) : !bytes to i8
    tile.fill %total to %r scope(cta) : i8 to !row
    tile.copy %r to %b scope(cta) : !row to !tile.buffer<1x128xi8, global>
    gpu.return
  }
}
