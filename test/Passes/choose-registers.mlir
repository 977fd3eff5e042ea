// The layouts of registers that are auto: what products need on each chip, and what maps, reductions and copies make of it.
// RUN: tile-opt %s --tile-choose-layouts=chip=sm_80 --remarks-filter=tile-copy --remark-format=emitRemark 2>%t.80 | FileCheck %s --check-prefix=WARPS
// RUN: tile-opt %s --tile-choose-layouts=chip=sm_90a --remarks-filter=tile-copy --remark-format=emitRemark 2>%t.90 | FileCheck %s --check-prefix=GROUPS
// RUN: tile-opt %s --tile-choose-layouts=chip=sm_100a | FileCheck %s --check-prefix=TENSOR
// RUN: FileCheck %s --check-prefix=REMARK < %t.90

!half = !tile.buffer<64x64xf16, global>
!factor = !tile.buffer<64x64xf16, shared, auto>
!held = !tile.buffer<64x64xf16, local, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
!row = !tile.buffer<64x1xf32, local, auto>
!column = !tile.buffer<1x64xf32, local, auto>

gpu.module @kernels {
  // Factors that the program copies: kept where mma.sync needs them, dropped where wgmma reads the shared tiles.
  // WARPS-LABEL: gpu.func @copied
  // WARPS: tile.copy %{{.*}} to %[[A:.*]] scope(cta) {{.*}} #tile.fragment<mma.m16n8k16.a over (2, 2) warps>>
  // WARPS: tile.copy %{{.*}} to %[[B:.*]] scope(cta) {{.*}} #tile.fragment<mma.m16n8k16.b over (2, 2) warps>>
  // WARPS: tile.mma %[[A]], %[[B]], %{{.*}} scope(cta) {{.*}} #tile.fragment<mma.m16n8k16.c over (2, 2) warps>>
  // WARPS: tile.reduce max {{.*}} #tile.fragment<mma.m16n8k16.rows over (2, 2) warps>>
  // WARPS: tile.reduce add {{.*}} #tile.fragment<mma.m16n8k16.columns over (2, 2) warps>>
  // GROUPS-LABEL: gpu.func @copied
  // GROUPS-NOT: wgmma.a
  // GROUPS: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scope(cta) : !tile.buffer<64x64xf16, shared, {{.*}} #tile.fragment<wgmma.c>>
  // GROUPS: #tile.fragment<wgmma.rows>>
  // GROUPS: #tile.fragment<wgmma.columns>>
  // REMARK: registers-chosen | {{.*}}Layout=wgmma.c
  // REMARK: factor-read-in-place
  // REMARK: factor-read-in-place
  gpu.func @copied(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !factor
    %sb = tile.alloc : !factor
    %fa = tile.alloc : !held
    %fb = tile.alloc : !held
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    %column = tile.alloc : !column
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.copy %b to %sb scope(cta) : !half to !factor
    tile.copy %sa to %fa scope(cta) : !factor to !held
    tile.copy %sb to %fb scope(cta) : !factor to !held
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    tile.mma %fa, %fb, %sums scope(cta) : !held, !held, !sums
    tile.reduce max %sums to %row dim(1) scope(cta) : !sums to !row
    tile.reduce add %sums to %column dim(0) scope(cta) : !sums to !column
    tile.map %sums, %row, %column to %sums scope(cta) : !sums, !row, !column to !sums {
    ^bb0(%s: f32, %r: f32, %t: f32):
      %less = arith.subf %s, %r : f32
      %all = arith.addf %less, %t : f32
      tile.yield %all : f32
    }
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  // The sums of one product are the left factor of the next: warps have whole rows, and wgmma takes them from registers. Two sums of one
  // loop are added to in tensor memory where that is.
  // WARPS-LABEL: gpu.func @chain
  // WARPS: tile.copy %{{.*}} to %{{.*}} scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (4, 1) warps>> to !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a over (4, 1) warps>>
  // GROUPS-LABEL: gpu.func @chain
  // GROUPS: tile.copy %{{.*}} to %{{.*}} scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf16, local, #tile.fragment<wgmma.a>>
  // TENSOR-LABEL: gpu.func @chain
  // TENSOR: #tile.fragment<mma.m16n8k16.a over (4, 1) warps>
  gpu.func @chain(%A: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !factor
    %at = tile.permute %sa [1, 0] : !factor
    %sums = tile.alloc : !sums
    %p = tile.alloc : !held
    %o = tile.alloc : !sums
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    tile.fill %zero to %o scope(cta) : f32 to !sums
    tile.mma %sa, %at, %sums scope(cta) : !factor, !factor, !sums
    tile.copy %sums to %p scope(cta) : !sums to !held
    tile.mma %p, %sa, %o scope(cta) : !held, !factor, !sums
    tile.copy %o to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  // A factor of two products is copied to registers once.
  // WARPS-LABEL: gpu.func @two
  // WARPS: scf.for
  // WARPS-COUNT-2: tile.copy
  // WARPS-NOT: tile.copy
  // WARPS: tile.map
  // TENSOR-LABEL: gpu.func @two
  // TENSOR-DAG: %[[ONE:.*]] = tile.alloc : !tile.buffer<64x64xf32, tmem, #tile.fragment<tcgen05.c>>
  // TENSOR-DAG: %[[OTHER:.*]] = tile.alloc : !tile.buffer<64x64xf32, tmem, #tile.fragment<tcgen05.c>>
  // TENSOR-COUNT-2: tile.copy {{.*}}local{{.*}} to !tile.buffer<64x64xf32, tmem
  // TENSOR: scf.for
  // TENSOR-NOT: tile.copy %
  // TENSOR-COUNT-2: tile.mma
  // TENSOR: }
  // TENSOR-COUNT-2: tile.copy {{.*}}tmem{{.*}} to !tile.buffer<64x64xf32, local
  gpu.func @two(%A: memref<64x64xf16>, %C: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !factor
    %up = tile.alloc : !sums
    %gate = tile.alloc : !sums
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.fill %zero to %up scope(cta) : f32 to !sums
    tile.fill %zero to %gate scope(cta) : f32 to !sums
    scf.for %i = %c0 to %n step %c1 {
      tile.mma %sa, %sa, %up scope(cta) : !factor, !factor, !sums
      tile.mma %sa, %sa, %gate scope(cta) : !factor, !factor, !sums
    }
    tile.map %up, %gate to %up scope(cta) : !sums, !sums to !sums {
    ^bb0(%u: f32, %g: f32):
      %p = arith.mulf %u, %g : f32
      tile.yield %p : f32
    }
    tile.copy %up to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  // A factor that is written again between its copy and the product is not read in place: it is multiplied from registers.
  // GROUPS-LABEL: gpu.func @rewritten
  // GROUPS: #tile.fragment<wgmma.a>
  // A layout that is written decides, and so does a schedule.
  // GROUPS-LABEL: gpu.func @stated
  // GROUPS: tile.mma {{.*}} #tile.fragment<mma.m16n8k16.c over (1, 4) warps>>
  // GROUPS-NOT: tile.schedule
  // GROUPS: tile.map {{.*}} to !tile.buffer<64x64xf32, local, #tile.layout<
  gpu.func @rewritten(%A: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !factor
    %sb = tile.alloc : !factor
    %fa = tile.alloc : !held
    %sums = tile.alloc : !sums
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.copy %a to %sb scope(cta) : !half to !factor
    tile.copy %sa to %fa scope(cta) : !factor to !held
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    tile.mma %fa, %sb, %sums scope(cta) : !held, !factor, !sums
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @stated(%A: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !factor
    %sums = tile.alloc : !sums
    %x = tile.alloc : !tile.buffer<64x64xf32, local, #tile.layout<(128, 32) : (1@tx, 1)>>
    %y = tile.alloc : !sums
    tile.copy %a to %sa scope(cta) : !half to !factor
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    tile.mma %sa, %sa, %sums scope(cta) {tile.schedule = #tile.schedule<instruction = mma_sync, over = [1, 4]>} : !factor, !factor, !sums
    tile.copy %c to %x scope(cta) : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, local, #tile.layout<(128, 32) : (1@tx, 1)>>
    tile.map %x to %y scope(cta) : !tile.buffer<64x64xf32, local, #tile.layout<(128, 32) : (1@tx, 1)>> to !sums {
    ^bb0(%e: f32):
      %p = arith.mulf %e, %e : f32
      tile.yield %p : f32
    }
    tile.copy %y to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}
