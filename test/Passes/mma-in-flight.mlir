// Products in flight: what reads their sums or overwrites their factors needs a wait; further products that add to the sums need none.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-check-sync
// RUN: tile-opt %s --split-input-file --tile-insert-sync | FileCheck %s
// RUN: tile-opt %s --split-input-file --tile-insert-sync | tile-opt --split-input-file --tile-check-sync -o /dev/null
// RUN: tile-opt %s --split-input-file | FileCheck %s --check-prefix=FORM

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// CHECK-LABEL: gpu.func @sums_are_read
// CHECK-COUNT-2: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: nvvm.wgmma.wait
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: tile.copy
// FORM: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(cta) group :
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums_are_read(%C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !s
    %sums = tile.alloc : !c
    %c = tile.view %C : memref<64x64xf32>
    // expected-note @below {{'nvvm.wgmma.mma_async' writes it here}}
    tile.mma %s, %s, %sums scope(cta) group : !s, !s, !c
    // expected-note @below {{'nvvm.wgmma.mma_async' writes it here}}
    tile.mma %s, %s, %sums scope(cta) group : !s, !s, !c
    // expected-error @below {{reads registers that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 1}}
    // expected-note @below {{between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 0}}
    tile.copy %sums to %c scope(cta) : !c to !tile.buffer<64x64xf32, global>
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.return
  }
}

// -----

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// CHECK-LABEL: gpu.func @factors_are_overwritten
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: gpu.barrier
// CHECK: tile.copy
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @factors_are_overwritten(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !s
    %sums = tile.alloc : !c
    // expected-note @below {{'nvvm.wgmma.mma_async' reads it here}}
    tile.mma %s, %s, %sums scope(cta) group : !s, !s, !c
    // expected-error @below {{writes shared memory that an earlier operation reads}}
    // expected-note @below {{between the two, this orders them}}
    tile.copy %a to %s scope(cta) : !g to !s
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.return
  }
}

// -----

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// The first of two tiles of sums is written again: the second product stays in flight.
// CHECK-LABEL: gpu.func @sums_are_written
// CHECK-COUNT-2: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT: tile.fill
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums_are_written() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %s = tile.alloc : !s
    %one = tile.alloc : !c
    %two = tile.alloc : !c
    // expected-note @below {{'nvvm.wgmma.mma_async' writes it here}}
    tile.mma %s, %s, %one scope(cta) group : !s, !s, !c
    tile.mma %s, %s, %two scope(cta) group : !s, !s, !c
    // expected-error @below {{writes registers that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 1}}
    tile.fill %zero to %one scope(cta) : f32 to !c
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.return
  }
}

// -----

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!a = !tile.buffer<64x64xf16, local, #tile.fragment<wgmma.a>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// A left factor in registers is the product's until that has been waited for.
// CHECK-LABEL: gpu.func @left_factor_is_overwritten
// CHECK-COUNT-4: tile.warpgroup_mma {{.*}} elements("f16", "f16") transposed
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: tile.fill
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @left_factor_is_overwritten() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !s
    %a = tile.alloc : !a
    %c = tile.alloc : !c
    // expected-note @below {{'tile.warpgroup_mma' writes it here}}
    tile.mma %a, %s, %c scope(cta) group : !a, !s, !c
    // expected-error @below {{writes registers that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 0}}
    tile.fill %zero to %a scope(cta) : f16 to !a
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.return
  }
}
