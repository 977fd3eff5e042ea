// A product by mma.sync of fragments that tile copies load, whose registers are in the instruction's order. The simulator adds the products
// in the order of k, as the reference does, so that the results are alike bit for bit.
// RUN: tile-run %s --entry reference --arg 'f16[16x16]=uniform(-2,2):1' --arg 'f16[16x8]=uniform(-2,2):2' --arg f32[16x8]=zeros --write 2=%t.npy
// RUN: tile-run %s --entry product --schedule=all --arg 'f16[16x16]=uniform(-2,2):1' --arg 'f16[16x8]=uniform(-2,2):2' --arg f32[16x8]=poison --expect 2=%t.npy

!a = !tile.buffer<16x16xf16, global>
!b = !tile.buffer<16x8xf16, global>
!c = !tile.buffer<16x8xf32, global>
!af = !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>
!bf = !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b>>
!cf = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reference(%A: memref<16x16xf16>, %B: memref<16x8xf16>, %C: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %row = arith.divui %t, %c8 : index
    %column = arith.remui %t, %c8 : index
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
      %x = memref.load %A[%row, %k] : memref<16x16xf16>
      %y = memref.load %B[%k, %column] : memref<16x8xf16>
      %xw = arith.extf %x : f16 to f32
      %yw = arith.extf %y : f16 to f32
      %p = arith.mulf %xw, %yw : f32
      %next = arith.addf %s, %p : f32
      scf.yield %next : f32
    }
    memref.store %sum, %C[%row, %column] : memref<16x8xf32>
    gpu.return
  }

  gpu.func @product(%A: memref<16x16xf16>, %B: memref<16x8xf16>, %C: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x16xf16> to !a
    %b = tile.view %B : memref<16x8xf16> to !b
    %c = tile.view %C : memref<16x8xf32> to !c
    %af = tile.alloc : !af
    %bf = tile.alloc : !bf
    %cf = tile.alloc : !cf
    tile.copy %a to %af scope(warp) : !a to !af
    tile.copy %b to %bf scope(warp) : !b to !bf
    %am = tile.local_view %af : !af to memref<8xf16>
    %bm = tile.local_view %bf : !bf to memref<4xf16>
    %cm = tile.local_view %cf : !cf to memref<4xf32>
    %a0 = vector.load %am[%c0] : memref<8xf16>, vector<2xf16>
    %a1 = vector.load %am[%c2] : memref<8xf16>, vector<2xf16>
    %a2 = vector.load %am[%c4] : memref<8xf16>, vector<2xf16>
    %a3 = vector.load %am[%c6] : memref<8xf16>, vector<2xf16>
    %b0 = vector.load %bm[%c0] : memref<4xf16>, vector<2xf16>
    %b1 = vector.load %bm[%c2] : memref<4xf16>, vector<2xf16>
    %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
      : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %d0, %cm[%c0] : memref<4xf32>
    memref.store %d1, %cm[%c1] : memref<4xf32>
    memref.store %d2, %cm[%c2] : memref<4xf32>
    memref.store %d3, %cm[%c3] : memref<4xf32>
    tile.copy %cf to %c scope(warp) : !cf to !c
    gpu.return
  }
}
