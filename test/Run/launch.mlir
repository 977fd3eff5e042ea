// Copies in gpu.launch, lowered before or after MLIR's outlining: either way, the kernel copies correctly.
// Outlining passes memrefs in the order in which the body uses them; --canonicalize makes the view of %B first.

// RUN: split-file %s %t
// RUN: tile-opt %t/outside.mlir --lower-tile-copy=chip=sm_90a --gpu-launch-sink-index-computations \
// RUN:   --gpu-kernel-outlining --nvvm-attach-target=chip=sm_90a -o %t/outside-lowered.mlir
// RUN: tile-run %t/outside-lowered.mlir --grid 2,2 --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=WIDE
// RUN: tile-opt %t/outside.mlir --canonicalize --gpu-launch-sink-index-computations --gpu-kernel-outlining \
// RUN:   --nvvm-attach-target=chip=sm_90a -o %t/outside-outlined.mlir
// RUN: tile-run %t/outside-outlined.mlir --grid 2,2 --schedule=all --arg f32[64x64]=poison --arg f32[64x64]=random \
// RUN:   --expect-equal 0,1 --expect-unchanged 1 | FileCheck %s --check-prefix=WIDE

// WIDE:      outside_kernel: 2x2x1 blocks of 32x1x1 threads, sm_90a, simulated
// WIDE:      ld.global{{(.nc)?}}.v4.b32 32 16384
// WIDE-NEXT: ld.shared.v4.b32 32
// WIDE-NEXT: st.global.v4.b32 32 16384
// WIDE-NEXT: st.shared.v4.b32 32

// The attribution of a launch has no alignment; that of the kernel has the alignment that the copies and their swizzle need.
// RUN: tile-opt %t/inside.mlir --lower-tile-copy=chip=sm_90a --gpu-launch-sink-index-computations \
// RUN:   --gpu-kernel-outlining --nvvm-attach-target=chip=sm_90a -o %t/inside-lowered.mlir
// RUN: tile-translate --tile-to-ptx %t/inside-lowered.mlir | FileCheck %s --check-prefix=ALIGN
// RUN: tile-run %t/inside-lowered.mlir --schedule=all --arg f16[4x32x64]=random --arg f16[4x32x64]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefix=LOOP
// RUN: tile-opt %t/inside.mlir --gpu-launch-sink-index-computations --gpu-kernel-outlining \
// RUN:   --nvvm-attach-target=chip=sm_90a -o %t/inside-outlined.mlir
// RUN: tile-translate --tile-to-ptx %t/inside-outlined.mlir | FileCheck %s --check-prefix=ALIGN
// RUN: tile-run %t/inside-outlined.mlir --schedule=all --arg f16[4x32x64]=random --arg f16[4x32x64]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefix=LOOP

// ALIGN: .shared .align 1024 .b8
// LOOP:  inside_kernel: 1x1x1 blocks of 64x1x1 threads, sm_90a, simulated
// LOOP:  ld.global{{(.nc)?}}.v4.b32 32 16384
// LOOP:  ld.shared.v4.b32 32 16384 128 0
// LOOP:  st.shared.v4.b32 32 16384 128 0

// Registers, and conditions on the block arguments of the launch body.
// RUN: tile-opt %t/registers.mlir --lower-tile-copy=chip=sm_90a --gpu-launch-sink-index-computations \
// RUN:   --gpu-kernel-outlining --nvvm-attach-target=chip=sm_90a -o %t/registers-lowered.mlir
// RUN: tile-run %t/registers-lowered.mlir --grid 2 --arg f32[2x32x4]=random --arg f32[2x32x4]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefix=OWN
// RUN: tile-opt %t/registers.mlir --canonicalize --gpu-launch-sink-index-computations --gpu-kernel-outlining \
// RUN:   --nvvm-attach-target=chip=sm_90a -o %t/registers-outlined.mlir
// RUN: tile-run %t/registers-outlined.mlir --grid 2 --arg f32[2x32x4]=poison --arg f32[2x32x4]=random \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefix=OWN

// OWN:      registers_kernel: 2x1x1 blocks of 96x1x1 threads, sm_90a, simulated
// OWN:      ld.global{{(.nc)?}}.v4.b32 2 1024
// OWN-NEXT: st.global.v4.b32 2 1024
// OWN-NOT:  local

//--- outside.mlir
!global = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

func.func @outside(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<64x64xf32> to !global
  %b = tile.view %B : memref<64x64xf32> to !global
  gpu.launch blocks(%x, %y, %z) in (%gx = %c2, %gy = %c2, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    %i = arith.muli %x, %bx : index
    %j = arith.muli %y, %c32 : index
    %s = tile.alloc : !shared
    tile.copy %a[%i, %j] [32, 32] to %s[0, 0] [32, 32] scope(cta) : !global to !shared
    gpu.barrier
    tile.copy %s[0, 0] [32, 32] to %b[%i, %j] [32, 32] scope(cta) : !shared to !global
    gpu.terminator
  }
  return
}

//--- inside.mlir
!global = !tile.buffer<4x32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

func.func @inside(%A: memref<4x32x64xf16>, %B: memref<4x32x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
    %a = tile.view %A : memref<4x32x64xf16> to !global
    %b = tile.view %B : memref<4x32x64xf16> to !global
    %s = tile.alloc : !shared
    scf.for %k = %c0 to %c4 step %c1 {
      tile.copy %a[%k, 0, 0] [1, 32, 64] to %s[0, 0] [32, 64] scope(cta) : !global to !shared
      gpu.barrier
      tile.copy %s[0, 0] [32, 64] to %b[%k, 0, 0] [1, 32, 64] scope(cta) : !shared to !global
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

//--- registers.mlir
!global = !tile.buffer<2x32x4xf32, global>
!rows = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>

func.func @registers(%A: memref<2x32x4xf32>, %B: memref<2x32x4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %a = tile.view %A : memref<2x32x4xf32> to !global
  %b = tile.view %B : memref<2x32x4xf32> to !global
  gpu.launch blocks(%x, %y, %z) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c96, %by = %c1, %bz = %c1) {
    %r = tile.alloc : !rows
    %last = arith.cmpi uge, %tx, %c64 : index
    scf.if %last {
      tile.copy %a[%x, 0, 0] [1, 32, 4] to %r[0, 0] [32, 4] scope(warp) : !global to !rows
      tile.copy %r[0, 0] [32, 4] to %b[%x, 0, 0] [1, 32, 4] scope(warp) : !rows to !global
    }
    gpu.terminator
  }
  return
}
