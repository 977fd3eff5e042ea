// The PTX version and the optimization level in #nvvm.target.

// RUN: split-file %s %t

// RUN: tile-translate --tile-to-ptx %t/round-trip.mlir | FileCheck %s --check-prefix=ASKED
// RUN: sed 's/, features = "+ptx86"//' %t/round-trip.mlir | tile-translate --tile-to-ptx | FileCheck %s --check-prefix=USUAL
// ASKED: .version 8.6
// ASKED: .target sm_90a
// USUAL: .version 8.3

// A feature that is no PTX version of the chip is an error at the module, in every tool that reads it.
// RUN: sed 's/ptx86/ptx78/' %t/round-trip.mlir | not tile-translate --tile-to-ptx 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: sed 's/+ptx86/+fast/' %t/round-trip.mlir | not tile-opt --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=NONSENSE
// OLD:      error: {{.*}}got feature '+ptx78' for sm_90a, expected one of +ptx80, +ptx81,
// NONSENSE: error: {{.*}}got feature '+fast' for sm_90a, expected one of +ptx80,

// Instructions that the PTX version lacks are not used: 256-bit accesses need PTX 8.8, ldmatrix 6.5, hints 7.4.
// RUN: sed 's/sm_90a/sm_100a/' %t/round-trip.mlir | tile-opt --lower-tile-copy=max-vector-bits=256 | FileCheck %s --check-prefix=HALF
// RUN: sed 's/sm_90a", features = "+ptx86"/sm_100a"/' %t/round-trip.mlir | tile-opt --lower-tile-copy=max-vector-bits=256 \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// HALF:  vector.load {{.*}} vector<4xf32>
// WHOLE: vector.load {{.*}} vector<8xf32>
// RUN: not tile-opt --lower-tile-copy %t/matrix.mlir --remarks-filter-missed=.* --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MATRIX
// MATRIX: [Missed] chip-lacks-ldmatrix | {{.*}}got sm_75 with PTX 6.4
// RUN: tile-opt --lower-tile-copy %t/hint.mlir --remarks-filter-missed=.* --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HINT
// HINT: [Missed] ptx-lacks-cache-policies | {{.*}}cache hints other than nc need PTX 7.4 or later; got sm_80 with PTX 7.0

// A pass with another chip in its options changes the module's target, so that no later pass compiles for the old chip.
// RUN: tile-opt --lower-tile-copy=chip=sm_80 %t/round-trip.mlir -o %t.sm_80.mlir
// RUN: FileCheck %s --check-prefix=RETARGETED --input-file=%t.sm_80.mlir
// RUN: tile-translate --tile-to-ptx %t.sm_80.mlir | FileCheck %s --check-prefix=RETARGETED-PTX
// RUN: sed 's/ \[#nvvm.*>\]//' %t/round-trip.mlir | tile-opt --lower-tile-copy=chip=sm_80 | FileCheck %s --check-prefix=RETARGETED
// RETARGETED: gpu.module @kernels [#nvvm.target<chip = "sm_80">]
// RETARGETED-PTX: .target sm_80

// A pass on a function cannot do that, and says so.
// RUN: not tile-opt --pass-pipeline='builtin.module(gpu.module(gpu.func(lower-tile-copy{chip=sm_80})))' %t/round-trip.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INSIDE
// INSIDE: error: {{.*}}got sm_80 for option 'chip', but the gpu.module around it names sm_90a

// A module for two chips is an error: instructions for one may not exist on the other.
// RUN: sed 's/">\]/">, #nvvm.target<chip = "sm_80">]/' %t/round-trip.mlir | not tile-translate --tile-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: {{.*}}is in a gpu.module for sm_90a and sm_80, expected one chip

// Without optimization, the program is longer and has the same result.
// RUN: sed 's/target<chip/target<O = 0, chip/' %t/round-trip.mlir > %t.slow.mlir
// RUN: tile-run %t.slow.mlir --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1
// RUN: tile-translate --tile-to-ptx %t.slow.mlir | FileCheck %s --check-prefix=SLOW
// SLOW: .local

//--- round-trip.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx86">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %r = tile.alloc : !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp) : !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}

//--- matrix.mlir
!shared = !tile.buffer<16x16xf16, shared>
!fragment = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_75", features = "+ptx64">] {
  gpu.func @load() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !fragment
    tile.copy %s to %r scope(warp) {variant = "ldstmatrix"} : !shared to !fragment
    gpu.return
  }
}

//--- hint.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx70">] {
  gpu.func @load(%A: memref<32x4xf32>, %B: memref<32x4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x4xf32> to !tile.buffer<32x4xf32, global>
    %s = tile.alloc : !tile.buffer<32x4xf32, shared>
    tile.copy %a to %s scope(warp) {l1_evict = "L1::evict_first"} : !tile.buffer<32x4xf32, global> to !tile.buffer<32x4xf32, shared>
    gpu.return
  }
}
