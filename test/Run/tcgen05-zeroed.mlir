// Sums in tensor memory that are zeroed before their first product: that replaces them, and nothing is zeroed unless there is no product.
// Tensor memory that nothing has written is an error when it is read, so that a product which added to it would be found.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); f = lambda *s: r.integers(-3, 4, s).astype("f2"); \
// RUN:   a, b = f(128, 320), f(320, 64); s = numpy.save; s("a", a); s("b", b); w = lambda x: x.astype("f4"); s("all", w(a) @ w(b)); \
// RUN:   s("one", w(a[:, :64]) @ w(b[:64])); s("none", numpy.zeros((128, 64), "f4")); s("twice", 2 * (w(a) @ w(b)))'
// RUN: cd %t && tile-run %s --entry alone --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --expect 2=one.npy
// RUN: cd %t && tile-run %s --entry known --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --expect 2=all.npy
// RUN: cd %t && tile-run %s --entry any --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --arg index=320 --expect 2=all.npy
// RUN: cd %t && tile-run %s --entry any --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --arg index=64 --expect 2=one.npy
// RUN: cd %t && tile-run %s --entry any --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --arg index=0 --expect 2=none.npy
// RUN: cd %t && tile-run %s --entry two --schedule=all --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --arg f32[128x64]=poison --expect 2=all.npy --expect 3=twice.npy
// RUN: cd %t && tile-run %s --entry alone --delete-sync --arg f16[128x320]=a.npy --arg f16[320x64]=b.npy --arg f32[128x64]=poison --expect 2=one.npy | FileCheck %s --check-prefix=DELETE
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// DELETE: {{[1-9][0-9]*}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, {{[0-9]+}} not modelled, 0 missed

// CHECK-LABEL: .entry alone(
// CHECK-NOT: tcgen05.st
// CHECK: mov.pred [[NOT:%p[0-9]+]], 0;
// CHECK: tcgen05.mma{{.*}}, [[NOT]];
// CHECK-COUNT-3: tcgen05.mma{{.*}}, [[ADDS:%p[0-9]+]];
// CHECK-LABEL: .entry known(
// CHECK-NOT: tcgen05.st
// CHECK: tcgen05.mma
// CHECK-NOT: tcgen05.st
// Behind the loop, where it had no iteration.
// CHECK-LABEL: .entry any(
// CHECK-NOT: tcgen05.st
// CHECK: tcgen05.mma
// CHECK: tcgen05.st
// CHECK-LABEL: .entry two(
// CHECK-NOT: tcgen05.st

!rows = !tile.buffer<128x320xf16, global>
!columns = !tile.buffer<320x64xf16, global>
!sa = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sb = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @alone(%A: memref<128x320xf16>, %B: memref<320x64xf16>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    tile.copy %a[0, 0] [128, 64] to %sa scope(cta) : !rows to !sa
    tile.copy %b[0, 0] [64, 64] to %sb scope(cta) : !columns to !sb
    tile.mma %sa, %sb, %sums scope(cta) : !sa, !sb, !sums
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }

  gpu.func @known(%A: memref<128x320xf16>, %B: memref<320x64xf16>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    scf.for %k = %c0 to %c320 step %c64 {
      tile.copy_async %a[0, %k] [128, 64] to %sa scope(cta) group : !rows to !sa
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) group : !columns to !sb
      tile.mma %sa, %sb, %sums scope(cta) group : !sa, !sb, !sums
    } {tile.stages = 3 : i64}
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }

  gpu.func @any(%A: memref<128x320xf16>, %B: memref<320x64xf16>, %C: memref<128x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %depth = tile.assume %n divisible_by 64 : index
    %a = tile.view %A : memref<128x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    scf.for %k = %c0 to %depth step %c64 {
      tile.copy_async %a[0, %k] [128, 64] to %sa scope(cta) group : !rows to !sa
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) group : !columns to !sb
      tile.mma %sa, %sb, %sums scope(cta) group : !sa, !sb, !sums
    } {tile.stages = 3 : i64}
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }

  // Two tiles of sums of one allocation; the second one gets two products in each iteration.
  gpu.func @two(%A: memref<128x320xf16>, %B: memref<320x64xf16>, %C: memref<128x64xf32>, %D: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %d = tile.view %D : memref<128x64xf32>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %sums = tile.alloc : !sums
    %more = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    tile.copy %row to %more scope(cta) : !row to !sums
    scf.for %k = %c0 to %c320 step %c64 {
      tile.copy_async %a[0, %k] [128, 64] to %sa scope(cta) group : !rows to !sa
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) group : !columns to !sb
      tile.mma %sa, %sb, %sums scope(cta) group : !sa, !sb, !sums
      tile.mma %sa, %sb, %more scope(cta) group : !sa, !sb, !sums
      tile.mma %sa, %sb, %more scope(cta) group : !sa, !sb, !sums
    } {tile.stages = 3 : i64}
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    tile.copy %more to %row scope(cta) : !sums to !row
    tile.copy %row to %d scope(cta) : !row to !all
    gpu.return
  }
}
