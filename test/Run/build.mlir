// RUN: split-file %s %t
// One step from a file to a run: functions, loops with stages, shared memory that must be dynamic, no barrier, upstream's copies.
// RUN: tile-run %t/kernels.mlir --entry turn --schedule=all --arg f32[128x128]=random --arg f32[128x128]=poison --arg f32[128x128]=poison --expect-equal 0,2 | FileCheck %s --check-prefix=TWO
// RUN: tile-run %t/kernels.mlir --entry stages --schedule=all --arg f32[1024x64]=random --arg f32[1024x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %t/kernels.mlir --entry upstream --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// TWO: argument 2 holds what argument 0 holds
// ONE: argument 1 holds what argument 0 holds

// Without a step, the same kernels go wrong.
// RUN: not tile-run %t/kernels.mlir --passes='tile-build{memory=false}' --entry stages --arg f32[1024x64]=random --arg f32[1024x64]=poison 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: 'tile.alloc' op brings the kernel's static shared memory to
// RUN: not tile-run %t/bare.mlir --passes='tile-build{order=false}' --arg f32[32x32]=random --arg f32[32x32]=poison 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %t/bare.mlir --passes='builtin.module(lower-tile-copy,tile-to-nvvm)' --arg f32[32x32]=random --arg f32[32x32]=poison 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: schedule fair: kernel `bare`, line {{[0-9]+}} {{.*}}bare.mlir:{{[0-9]+}}:5{{.*}}: race
// RUN: tile-run %t/bare.mlir --chip=sm_80 --passes=tile-build --arg f32[32x32]=random --arg f32[32x32]=poison | FileCheck %s --check-prefix=CHIP
// CHIP: bare: 1x1x1 blocks of 64x1x1 threads, sm_80, simulated

//--- bare.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!turned = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @bare(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    %t = tile.permute %s [1, 0] : !shared to !turned
    tile.copy %t to %b scope(cta) : !turned to !global
    gpu.return
  }
}

//--- kernels.mlir
!matrix = !tile.buffer<128x128xf32, global>
!tile = !tile.buffer<128x128xf32, shared>
!turned = !tile.buffer<128x128xf32, shared, #tile.layout<(128, 128) : (1, 128)>>
!rows = !tile.buffer<1024x64xf32, global>
!stage = !tile.buffer<32x64xf32, shared>
!large = !tile.buffer<128x64xf32, shared>
!workgroup = memref<32x32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @transpose(%a: !matrix, %b: !matrix) {
    %s = tile.alloc : !tile
    tile.copy %a to %s scope(cta) : !matrix to !tile
    %t = tile.permute %s [1, 0] : !tile to !turned
    tile.copy %t to %b scope(cta) : !turned to !matrix
    return
  }

  // 64 KiB, twice, in the same bytes.
  gpu.func @turn(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !matrix
    %b = tile.view %B : memref<128x128xf32> to !matrix
    %c = tile.view %C : memref<128x128xf32> to !matrix
    func.call @transpose(%a, %b) : (!matrix, !matrix) -> ()
    func.call @transpose(%b, %c) : (!matrix, !matrix) -> ()
    gpu.return
  }

  gpu.func @stages(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !rows
    %b = tile.view %B : memref<1024x64xf32> to !rows
    %c128 = arith.constant 128 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %l = tile.alloc : !large
    tile.copy %a[0, 0] [128, 64] to %l scope(cta) : !rows to !large
    %s = tile.alloc : !stage
    scf.for %row = %c128 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !rows to !stage
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !stage to !rows
    } {tile.stages = 3 : i64}
    tile.copy %l to %b[0, 0] [128, 64] scope(cta) : !large to !rows
    gpu.return
  }

  gpu.func @upstream(%A: memref<32x32xf32>, %B: memref<32x32xf32>) workgroup(%V: !workgroup, %W: !workgroup) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    memref.copy %A, %V : memref<32x32xf32> to !workgroup
    linalg.transpose ins(%V : !workgroup) outs(%W : !workgroup) permutation = [1, 0]
    linalg.transpose ins(%W : !workgroup) outs(%B : memref<32x32xf32>) permutation = [1, 0]
    gpu.return
  }
}
