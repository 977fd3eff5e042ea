// Maps and reductions count where layouts are chosen. A tile that a copy writes by rows and a reduction reads by columns has no conflict,
// and the simulator counts the wavefronts that the certificate promises: 64 rows of 64 f32 are 16384 bytes, 128 a wavefront, written and
// read once.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/computed_layouts.py
// RUN: tile-opt %s --tile-choose-layouts -o %t/chosen.mlir --remarks-filter=tile-copy --remark-format=emitRemark 2> %t/remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// RUN: cd %t && tile-run chosen.mlir --entry row_sums --schedule=all --arg f32[64x64]=x.npy --arg f32[64x1]=poison --expect 1=row_sums.npy \
// RUN:   | FileCheck %s --check-prefix=SUMS
// RUN: cd %t && tile-run chosen.mlir --entry loop --schedule=all --arg f32[64x64]=x.npy --arg f32[64x1]=poison --expect 1=looped.npy \
// RUN:   | FileCheck %s --check-prefix=LOOP
// RUN: cd %t && tile-run chosen.mlir --entry turned --schedule=all --arg f32[64x64]=x.npy --arg f32[64x64]=poison --expect 1=turned.npy \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: cd %t && tile-run chosen.mlir --entry fragment --schedule=all --arg f16[64x64]=half.npy --arg f32[64x64]=poison --expect 1=wide.npy \
// RUN:   | FileCheck %s --check-prefix=FRAGMENT

!g = !tile.buffer<64x64xf32, global>
!s = !tile.buffer<64x64xf32, shared, auto>
!h = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x1xf32, local, #tile.layout<(64, 1) : (1@tx, 1)>>
!column = !tile.buffer<64x1xf32, global>
!own = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Thread t has the sum of row t: a warp reads 32 rows at once.
  // REMARK: layout-chosen | {{.*}}Function=row_sums | Accesses="0: tile.reduce at {{[^;]*}}; 1: tile.copy at {{[^;"]*}}", IdealWavefronts=256, {{.*}}Remark="0 conflicts", Wavefronts=256
  // SUMS-LABEL: schedule starve
  // SUMS: all instructions {{ *[0-9]+ +[0-9]+ +[0-9]+ +}}256{{ +}}0
  gpu.func @row_sums(%A: memref<64x64xf32>, %B: memref<64x1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x1xf32>
    %s = tile.alloc : !s
    %sums = tile.alloc : !sums
    tile.copy %a to %s scope(cta) : !g to !s
    tile.reduce add %s to %sums dim(1) scope(cta) : !s to !sums
    tile.copy %sums to %b scope(cta) : !sums to !column
    gpu.return
  }

  // A loop that goes round four times counts four times.
  // REMARK: layout-chosen | {{.*}}Function=loop | Accesses="0: tile.reduce at {{[^;]*}}; 1: tile.copy at {{[^;"]*}}", IdealWavefronts=1024, {{.*}}Remark="0 conflicts", Wavefronts=1024
  // LOOP-LABEL: schedule starve
  // LOOP: all instructions {{ *[0-9]+ +[0-9]+ +[0-9]+ +}}1024{{ +}}0
  gpu.func @loop(%A: memref<64x64xf32>, %B: memref<64x1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x1xf32>
    %s = tile.alloc : !s
    %sums = tile.alloc : !sums
    %all = tile.alloc : !sums
    tile.fill %zero to %all scope(cta) : f32 to !sums
    scf.for %i = %c0 to %c4 step %c1 {
      tile.copy %a to %s scope(cta) : !g to !s
      tile.reduce add %s to %sums dim(1) scope(cta) : !s to !sums
      tile.map %all, %sums to %all scope(cta) : !sums, !sums to !sums {
      ^bb0(%x: f32, %y: f32):
        %r = arith.addf %x, %y : f32
        tile.yield %r : f32
      }
    }
    tile.copy %all to %b scope(cta) : !sums to !column
    gpu.return
  }

  // Two tiles of one map, of which one is seen the other way round: each is written by one copy and read by another.
  // REMARK: layout-chosen | {{.*}}Function=turned | Accesses="0: tile.map at {{[^;]*}}; 1: tile.copy at {{[^;"]*}}", {{.*}}Remark="0 conflicts", Wavefronts=256
  // REMARK: layout-chosen | {{.*}}Function=turned | Accesses="0: tile.copy at {{[^;]*}}; 1: tile.map at {{[^;"]*}}", {{.*}}Remark="0 conflicts", Wavefronts=256
  // TURNED-LABEL: schedule starve
  // TURNED: all instructions {{ *[0-9]+ +[0-9]+ +[0-9]+ +}}512{{ +}}0
  gpu.func @turned(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !s
    %t = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    %v = tile.permute %s [1, 0] : !s
    gpu.barrier
    tile.map %v to %t scope(cta) : !s to !s {
    ^bb0(%x: f32):
      %r = arith.addf %x, %x : f32
      tile.yield %r : f32
    }
    // Without it LLVM forwards what a thread has stored to its own loads.
    gpu.barrier
    tile.copy %t to %b scope(cta) : !s to !g
    gpu.return
  }

  // A tile in registers says which thread reads what: the copy is one by ldmatrix.
  // REMARK: layout-chosen | {{.*}}Function=fragment | Accesses="0: tile.map at {{[^;]*}}; 1: tile.copy at {{[^;"]*}}", {{.*}}Remark="0 conflicts", Wavefronts=128
  // FRAGMENT-LABEL: schedule starve
  // FRAGMENT: ldmatrix
  // FRAGMENT: all instructions {{ *[0-9]+ +[0-9]+ +[0-9]+ +}}128{{ +}}0
  gpu.func @fragment(%A: memref<64x64xf16>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !h
    %own = tile.alloc : !own
    tile.fill %zero to %own scope(cta) : f32 to !own
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !h
    tile.map %own, %s to %own scope(cta) : !own, !h to !own {
    ^bb0(%x: f32, %y: f16):
      %wide = arith.extf %y : f16 to f32
      %r = arith.addf %x, %wide : f32
      tile.yield %r : f32
    }
    tile.copy %own to %b scope(cta) : !own to !g
    gpu.return
  }
}
