// With --line-info, PTX refers to the lines of the MLIR that it comes from; nothing else changes.
// RUN: tile-translate --tile-to-ptx --line-info %s -o %t.lines.ptx
// RUN: FileCheck %s --input-file=%t.lines.ptx
// RUN: grep -v -e '\.loc' -e '\.file' -e '\.section' -e '^\$L__' %t.lines.ptx > %t.stripped.ptx
// RUN: tile-translate --tile-to-ptx %s -o %t.plain.ptx
// RUN: grep . %t.stripped.ptx > %t.code.ptx
// RUN: grep . %t.plain.ptx | diff %t.code.ptx -
// RUN: FileCheck %s --check-prefix=PLAIN --implicit-check-not=.loc --implicit-check-not=.file --input-file=%t.plain.ptx
// PLAIN: .entry round_trip
// RUN: %if ptxas %{ %sass_count %t.lines.ptx | FileCheck %s --check-prefix=SASS %}
// SASS: LDG.E.128: 8

// As an option of the pipeline, for output by upstream's passes.
// RUN: tile-opt --lower-tile-copy --tile-to-nvvm=line-info --mlir-print-debuginfo %s | FileCheck %s --check-prefix=SCOPE
// SCOPE: emissionKind = DebugDirectivesOnly

// Each copy's accesses have the copy's line.
// CHECK: .target sm_90a{{$}}
// CHECK: .loc [[FILE:[0-9]+]] [[#@LINE+13]] 5
// CHECK: ld.global.nc.v4.b32
// CHECK: .loc [[FILE]] [[#@LINE+12]] 5
// CHECK: bar{{.*}}.sync
// CHECK: .loc [[FILE]] [[#@LINE+11]] 5
// CHECK: st.global.v4.b32
// CHECK: .file [[FILE]] "{{.*}}line-info.mlir"
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}
