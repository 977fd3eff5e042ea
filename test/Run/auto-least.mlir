// A chosen layout takes no more wavefronts than rows do, though the accesses by narrow vectors suggest columns, and the remark counts what
// is executed.
// RUN: tile-opt --tile-choose-layouts %s -o %t.mlir --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: remark: [Passed] layout-chosen {{.*}}Wavefronts=
// RUN: tile-run %t.mlir --arg f16[8x16]=iota --arg f16[16x8]=poison --arg f16[8x16]=poison --arg f16[16x8]=poison | FileCheck %s
// CHECK: all instructions {{.*}} 16

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<8x16xf16>, %AT: memref<16x8xf16>, %B: memref<8x16xf16>, %BT: memref<16x8xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x16xf16>
    %at = tile.view %AT : memref<16x8xf16>
    %b = tile.view %B : memref<8x16xf16>
    %bt = tile.view %BT : memref<16x8xf16>
    %s = tile.alloc : !tile.buffer<8x16xf16, shared, auto>
    %t = tile.permute %s [1, 0] : !tile.buffer<8x16xf16, shared, auto> to !tile.buffer<16x8xf16, shared, auto>
    gpu.barrier
    %r3 = tile.alloc : !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 8, 2) : (8@tx, 16@tx, 1@tx, 1)>>
    tile.copy %a to %r3 scope(cta) : !tile.buffer<8x16xf16, global> to !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 8, 2) : (8@tx, 16@tx, 1@tx, 1)>>
    tile.copy %r3 to %s scope(cta) : !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 8, 2) : (8@tx, 16@tx, 1@tx, 1)>> to !tile.buffer<8x16xf16, shared, auto>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<8x16xf16, shared, auto> to !tile.buffer<8x16xf16, global>
    gpu.barrier
    %r8 = tile.alloc : !tile.buffer<16x8xf16, local, #tile.layout<(16, 4, 2) : (2@tx, 32@tx, 1@tx)>>
    tile.copy %t to %r8 scope(cta) : !tile.buffer<16x8xf16, shared, auto> to !tile.buffer<16x8xf16, local, #tile.layout<(16, 4, 2) : (2@tx, 32@tx, 1@tx)>>
    tile.copy %r8 to %bt scope(cta) : !tile.buffer<16x8xf16, local, #tile.layout<(16, 4, 2) : (2@tx, 32@tx, 1@tx)>> to !tile.buffer<16x8xf16, global>
    gpu.barrier
    %r11 = tile.alloc : !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 2, 8) : (4@tx, 1@tx, 8, 1)>>
    tile.copy %s to %r11 scope(cta) : !tile.buffer<8x16xf16, shared, auto> to !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 2, 8) : (4@tx, 1@tx, 8, 1)>>
    tile.copy %r11 to %b scope(cta) : !tile.buffer<8x16xf16, local, #tile.layout<(2, 4, 2, 8) : (4@tx, 1@tx, 8, 1)>> to !tile.buffer<8x16xf16, global>
    gpu.return
  }
}
