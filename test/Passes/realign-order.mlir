// Which thread writes a byte of realigned rows depends on addresses of run time, so whoever reads it, in whatever partition, needs an order.
// RUN: tile-opt --tile-check-sync --verify-diagnostics %s
// RUN: tile-opt --tile-insert-sync %s | FileCheck %s
!odd = !tile.buffer<64x1024xf16, global, #tile.layout<(64, 1024) : (1031, 1)>>
!rest = !tile.buffer<64x1024xf16, global, #tile.layout<(64, 1024) : (1029, 1)>>
!held = !tile.buffer<1x1024xf16, local, #tile.layout<(128, 8) : (1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: @read
  // CHECK: tile.copy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.copy
  gpu.func @read(%a: !odd {llvm.noalias}, %b: !rest {llvm.noalias}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %h = tile.alloc : !held
    // expected-note @below {{writes it here}}
    tile.copy %a[3, 0] [1, 1024] to %b[3, 0] [1, 1024] scope(cta) : !odd to !rest
    // expected-error @below {{reads global memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{this orders them: gpu.barrier}}
    tile.copy %b[3, 0] [1, 1024] to %h scope(cta) : !rest to !held
    tile.copy %h to %b[5, 0] [1, 1024] scope(cta) : !held to !rest
    gpu.return
  }
  // CHECK-LABEL: @twice
  // CHECK: tile.copy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.copy
  gpu.func @twice(%a: !odd {llvm.noalias}, %b: !rest {llvm.noalias}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @below {{writes it here}}
    tile.copy %a[3, 0] [1, 1024] to %b[3, 0] [1, 1024] scope(cta) : !odd to !rest
    // expected-error @below {{writes global memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{this orders them: gpu.barrier}}
    tile.copy %a[4, 0] [1, 1024] to %b[3, 0] [1, 1024] scope(cta) : !odd to !rest
    gpu.return
  }
  // CHECK-LABEL: @apart
  // CHECK-NOT: gpu.barrier
  gpu.func @apart(%a: !odd {llvm.noalias}, %b: !rest {llvm.noalias}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    tile.copy %a[3, 0] [1, 1024] to %b[3, 0] [1, 1024] scope(cta) : !odd to !rest
    tile.copy %a[4, 0] [1, 1024] to %b[4, 0] [1, 1024] scope(cta) : !odd to !rest
    gpu.return
  }
}
