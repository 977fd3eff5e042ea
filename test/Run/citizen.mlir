// Tile ops under passes that do not know them: inlining, interprocedural constant propagation, code motion, CSE, DCE,
// outlining, and lowering of loops to branches, before copies are lowered or after. Either way, the kernel copies correctly.

// RUN: tile-opt %s --inline --sccp --canonicalize --cse --loop-invariant-code-motion --symbol-dce -o %t.clean.mlir
// RUN: FileCheck %s --check-prefix=CLEAN --input-file=%t.clean.mlir
// RUN: tile-opt %t.clean.mlir --lower-affine --convert-scf-to-cf --gpu-launch-sink-index-computations \
// RUN:   --gpu-kernel-outlining --nvvm-attach-target=chip=sm_90a -o %t.before.mlir
// RUN: FileCheck %s --check-prefix=BEFORE --input-file=%t.before.mlir
// The order of accesses is not followed through branches of the cf dialect, so the kernel keeps its own.
// RUN: tile-run %t.before.mlir --passes='tile-build{allow-unordered=true}' --grid 2 --schedule=all --arg f32[64x96]=random --arg f32[64x96]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=RUNS

// RUN: tile-opt %s --inline --symbol-dce --lower-tile-copy=chip=sm_90a --sccp --canonicalize --cse \
// RUN:   --loop-invariant-code-motion --lower-affine --convert-scf-to-cf --gpu-launch-sink-index-computations --gpu-kernel-outlining \
// RUN:   --nvvm-attach-target=chip=sm_90a -o %t.after.mlir
// RUN: FileCheck %s --check-prefix=AFTER --input-file=%t.after.mlir
// RUN: tile-run %t.after.mlir --passes='tile-build{allow-unordered=true}' --grid 2 --schedule=all --arg f32[64x96]=random --arg f32[64x96]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=RAN

// One function is left. Views and promises are hoisted out of the loops that they do not depend on. The buffer that nothing
// reads is erased with its copy; so are the casts and the promise about a constant.
// CLEAN-NOT:   @bring
// CLEAN-NOT:   @unused
// CLEAN-LABEL: func.func @host(
// CLEAN:         gpu.launch
// CLEAN-DAG:       %[[A:.*]] = tile.view %arg0 : memref<64x96xf32> to
// CLEAN-DAG:       %[[B:.*]] = tile.view %arg1 : memref<64x96xf32> to
// CLEAN:           affine.for
// CLEAN-NEXT:        %[[J:.*]] = tile.assume %{{.*}} divisible_by 32
// CLEAN-NEXT:        scf.for
// CLEAN-NEXT:          arith.addi
// CLEAN-NEXT:          %[[S:.*]] = tile.alloc
// CLEAN-NEXT:          tile.copy %[[A]][%{{.*}}, %[[J]]] [16, 32] to %[[S]] scope(cta)
// CLEAN-NEXT:          gpu.barrier
// CLEAN-NEXT:          tile.copy %[[S]] to %[[B]][%{{.*}}, %[[J]]] [16, 32] scope(cta)
// CLEAN-NOT:         tile.copy

// BEFORE-NOT: {{affine\.for|scf\.for}}
// BEFORE:     gpu.func @host_kernel
// BEFORE:     cf.cond_br
// BEFORE:     tile.copy

// AFTER-NOT: {{tile\.|affine\.for|scf\.for}}
// AFTER:     gpu.func @host_kernel
// AFTER:     cf.cond_br
// AFTER:     vector.load

// RAN:  host_kernel: 2x1x1 blocks of 64x1x1 threads, sm_90a, simulated
// RUNS:      host_kernel: 2x1x1 blocks of 64x1x1 threads, sm_90a, simulated
// RUNS:      ld.global{{(.nc)?}}.v4.b32 {{[0-9]+}} 24576
// RUNS-NEXT: ld.shared.v4.b32
// RUNS-NEXT: st.global.v4.b32 {{[0-9]+}} 24576

!global = !tile.buffer<64x96xf32, global>
!shared = !tile.buffer<16x32xf32, shared>
!any = memref<64x96xf32, strided<[96, 1], offset: ?>>

func.func private @bring(%A: !any, %B: !any, %i: index, %j: index, %begin: index) {
  %a = tile.view %A : !any to !global
  %b = tile.view %B : !any to !global
  %s = tile.alloc : !shared
  %unread = tile.alloc : !shared
  %column = tile.assume %j divisible_by 32 : index
  %first = tile.assume %begin divisible_by 8 uniform(cta) : index
  tile.copy %a[%i, %column] [16, 32] to %s[%first, 0] [16, 32] scope(cta) : !global to !shared
  tile.copy %a[%i, %column] [16, 32] to %unread scope(cta) : !global to !shared
  gpu.barrier
  tile.copy %s[0, 0] [16, 32] to %b[%i, %column] [16, 32] scope(cta) : !shared to !global
  gpu.barrier
  return
}

func.func private @unused(%A: !any, %B: !any) {
  %c0 = arith.constant 0 : index
  func.call @bring(%A, %B, %c0, %c0, %c0) : (!any, !any, index, index, index) -> ()
  return
}

func.func @host(%A: memref<64x96xf32>, %B: memref<64x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
    %a = memref.cast %A : memref<64x96xf32> to !any
    %b = memref.cast %B : memref<64x96xf32> to !any
    %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%x)
    affine.for %j = 0 to 96 step 32 {
      scf.for %half = %c0 to %c32 step %c16 {
        %i = arith.addi %row, %half : index
        func.call @bring(%a, %b, %i, %j, %c0) : (!any, !any, index, index, index) -> ()
      }
    }
    gpu.terminator
  }
  return
}
