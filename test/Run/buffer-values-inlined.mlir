// Tiles that functions take and return, also in registers, in a gpu.launch: they lower once the functions are inlined.
// RUN: tile-opt %s --inline --symbol-dce --gpu-launch-sink-index-computations --gpu-kernel-outlining \
// RUN:   --nvvm-attach-target=chip=sm_90a -o %t.mlir
// RUN: tile-run %t.mlir --schedule=all --arg f32[32x8]=random --arg f32[32x8]=poison --expect-equal 0,1 | FileCheck %s
// CHECK: argument 1 holds what argument 0 holds

// Without inlining, it is not known which tile.alloc's registers are passed.
// RUN: not tile-opt %s --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'func.func' op forwards a local tile that is known only at run time, expected the same one always: copy in each branch, unroll the loop, or inline the function

!tile = !tile.buffer<32x8xf32, global>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

func.func private @whole(%A: memref<32x8xf32>) -> !tile {
  %a = tile.view %A : memref<32x8xf32> to !tile
  return %a : !tile
}

func.func private @through(%a: !tile, %r: !rows) -> !rows {
  tile.copy %a to %r scope(warp) : !tile to !rows
  return %r : !rows
}

func.func @host(%A: memref<32x8xf32>, %B: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    // MLIR's inliner handles calls in regions nested in a gpu.launch, but not directly in its body.
    scf.for %i = %c0 to %c32 step %c16 {
      %a = func.call @whole(%A) : (memref<32x8xf32>) -> !tile
      %r = tile.alloc : !rows
      %s = func.call @through(%a, %r) : (!tile, !rows) -> !rows
      %b = func.call @whole(%B) : (memref<32x8xf32>) -> !tile
      tile.copy %s to %b scope(warp) : !rows to !tile
    }
    gpu.terminator
  }
  return
}
