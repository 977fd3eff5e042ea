// A product has an mbarrier, and the tile of its results shares storage with the factors: not with the mbarrier, which lives until
// the kernel ends.

// RUN: tile-run %s --grid 2,2 --arg i8[7x232]=ones --arg i8[7x128]=ones --arg i32[232x128]=zeros | FileCheck %s
// CHECK: k: 2x2x1 blocks of 128x1x1 threads, sm_100a, simulated

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @k(%A: memref<7x232xi8>, %B: memref<7x128xi8>, %C: memref<232x128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %z = arith.constant 0 : i8
    %zs = arith.constant 0 : i32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c64 : index
    %ga0 = tile.view %A : memref<7x232xi8>
    %ga = tile.permute %ga0 [1, 0] : !tile.buffer<7x232xi8, global>
    %gb0 = tile.view %B : memref<7x128xi8>
    %gc = tile.view %C : memref<232x128xi32>
    %sa0 = tile.alloc : !tile.buffer<128x128xi8, shared, auto>
    %sb0 = tile.alloc : !tile.buffer<64x128xi8, shared, auto>
    %sb = tile.permute %sb0 [1, 0] : !tile.buffer<64x128xi8, shared, auto> to !tile.buffer<128x64xi8, shared, auto>
    %fc = tile.alloc : !tile.buffer<128x64xi32, tmem, #tile.fragment<tcgen05.c>>
    %fr = tile.alloc : !tile.buffer<128x64xi32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.fill %zs to %fr scope(cta) : i32 to !tile.buffer<128x64xi32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %fr to %fc scope(cta) : !tile.buffer<128x64xi32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xi32, tmem, #tile.fragment<tcgen05.c>>
    scf.for %i = %c0 to %c7 step %c128 {
      tile.copy %ga[%row, %i] [128, 128] to %sa0 masked fill(%z : i8) scope(cta) : !tile.buffer<232x7xi8, global, #tile.layout<(232, 7) : (1, 232)>> to !tile.buffer<128x128xi8, shared, auto>
      tile.copy %gb0[%i, %col] [128, 64] to %sb fill(%z : i8) masked scope(cta) : !tile.buffer<7x128xi8, global> to !tile.buffer<128x64xi8, shared, auto>
      tile.mma %sa0, %sb, %fc group scope(cta) convert(signed) : !tile.buffer<128x128xi8, shared, auto>, !tile.buffer<128x64xi8, shared, auto>, !tile.buffer<128x64xi32, tmem, #tile.fragment<tcgen05.c>>
    }
    tile.copy %fc to %fr scope(cta) : !tile.buffer<128x64xi32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x64xi32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    %sc = tile.alloc : !tile.buffer<128x64xi32, shared, auto>
    tile.copy %fr to %sc scope(cta) : !tile.buffer<128x64xi32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xi32, shared, auto>
    tile.copy %sc to %gc[%row, %col] [128, 64] scope(cta) masked : !tile.buffer<128x64xi32, shared, auto> to !tile.buffer<232x128xi32, global>
    gpu.return
  }
}
