// What a product reads from shared memory has to be ordered before it, for the async proxy, too; what overwrites it, after it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-check-sync
// RUN: tile-opt %s --split-input-file --tile-insert-sync | FileCheck %s
// RUN: tile-opt %s --split-input-file --tile-insert-sync | tile-opt --split-input-file --tile-check-sync -o /dev/null

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

// CHECK-LABEL: gpu.func @nothing
// CHECK: gpu.barrier
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.wgmma.mma_async
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @nothing(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !s
    %c = tile.alloc : !c
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s scope(cta) : !g to !s
    // expected-error @below {{reads shared memory that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them}}
    tile.mma %s, %s, %c scope(cta) : !s, !s, !c
    gpu.return
  }
}

// -----

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

// CHECK-LABEL: gpu.func @barrier_alone
// CHECK: nvvm.fence.proxy
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @barrier_alone(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !s
    %c = tile.alloc : !c
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.barrier
    // expected-error @below {{reads shared memory that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: nvvm.fence.proxy}}
    tile.mma %s, %s, %c scope(cta) : !s, !s, !c
    gpu.return
  }
}

// -----

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<128x64xf32, local, #tile.layout<(2, 4, 2, 8, 8, 4, 2) : (1@wgid, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
!t = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

// Each warpgroup has waited for its own product only.
// CHECK-LABEL: gpu.func @overwritten
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: gpu.barrier
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @overwritten(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !s
    %t = tile.alloc : !t
    %c = tile.alloc : !c
    // expected-note @below {{'nvvm.wgmma.mma_async' reads it here}}
    tile.mma %t, %s, %c scope(cta) : !t, !s, !c
    // expected-error @below {{writes shared memory that an earlier operation reads}}
    // expected-note @below {{between the two, this orders them: gpu.barrier}}
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.return
  }
}

// -----

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, tmem, #tile.fragment<tcgen05.c>>
!r = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// Of the barriers only the last but one is inherent in the product; after it neither the sums nor the factors need another one.
// CHECK-LABEL: gpu.func @into_tensor_memory
// CHECK: nvvm.tcgen05.alloc
// CHECK: gpu.barrier {tile.inherent}
// CHECK: nvvm.tcgen05.wait <store> {tile.inherent}
// CHECK: nvvm.tcgen05.fence <before>
// CHECK-NEXT: gpu.barrier{{$}}
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.tcgen05.fence <after>
// CHECK: nvvm.tcgen05.mma
// CHECK: nvvm.tcgen05.commit
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.mbarrier.arrive
// CHECK: gpu.barrier {tile.inherent}
// CHECK-NOT: gpu.barrier
// CHECK: tile.copy_async
// CHECK-NOT: gpu.barrier
// CHECK: gpu.barrier {tile.inherent}
// CHECK: nvvm.tcgen05.dealloc
// Other blocks have the columns while the sums are stored.
// CHECK: tile.copy {{.*}} local
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @into_tensor_memory(%A: memref<64x64xf16>, %O: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !s
    %c = tile.alloc : !c
    %r = tile.alloc : !r
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a to %s scope(cta) : !g to !s
    tile.fill %one to %r scope(cta) : f32 to !r
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy %r to %c scope(cta) : !r to !c
    // expected-error @below {{reads shared memory that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: gpu.barrier}}
    // expected-error @below {{writes tensor memory that an earlier operation writes}}
    // expected-note @below {{between the two, this orders them: nvvm.tcgen05.fence <before>, gpu.barrier, nvvm.tcgen05.fence <after>}}
    tile.mma %s, %s, %c scope(cta) : !s, !s, !c
    tile.copy %c to %r scope(cta) : !c to !r
    %o = tile.view %O : memref<64x64xf32>
    tile.copy %r to %o scope(cta) : !r to !tile.buffer<64x64xf32, global>
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.return
  }
}

// -----

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, tmem, #tile.fragment<tcgen05.c>>
!r = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

// The fifth warp multiplies: the others do not meet at its barrier.
// CHECK-LABEL: gpu.func @by_another_warp
// CHECK: nvvm.tcgen05.mma
// CHECK: nvvm.bar.warp.sync
// CHECK: gpu.barrier{{$}}
// CHECK: nvvm.tcgen05.fence <after>
// CHECK: tile.copy_async
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @by_another_warp() kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %s = tile.alloc : !s
    %c = tile.alloc : !c
    %r = tile.alloc : !r
    %thread = gpu.thread_id x
    %c128 = arith.constant 128 : index
    %multiplies = arith.cmpi uge, %thread, %c128 : index
    scf.if %multiplies {
      // expected-note @below {{'nvvm.tcgen05.mma' writes it here}}
      tile.mma %s, %s, %c scope(warp) : !s, !s, !c
    }
    %reads = arith.cmpi ult, %thread, %c128 : index
    scf.if %reads {
      // expected-error @below {{reads tensor memory that an earlier operation writes}}
      // expected-note @below {{between the two, this orders them}}
      tile.copy %c to %r scope(warpgroup) : !c to !r
    }
    gpu.return
  }
}
