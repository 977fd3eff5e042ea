// Functions in the generic form, in which attributes that the custom form always writes may be missing or of another type:
// for example, the number of workgroup attributions is an ordinary attribute there.
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx --gpu-module=missing -o %t.missing.ptx
// RUN: tile-run %t.missing.ptx --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1
// RUN: tile-translate %s --tile-to-ptx --gpu-module=text -o %t.text.ptx
// RUN: tile-run %t.text.ptx --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// CHECK-LABEL: gpu.module @missing
// CHECK:       gpu.func @round_trip(%{{.*}}: memref<32x32xf32> {llvm.align = 256 : i64}, %{{.*}}: memref<32x32xf32> {llvm.align = 256 : i64}) workgroup(%{{.*}}: memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
"gpu.module"() <{sym_name = "missing", targets = [#nvvm.target<chip = "sm_90a">]}> ({
  "gpu.func"() <{function_type = (memref<32x32xf32>, memref<32x32xf32>) -> (), known_block_size = array<i32: 32, 1, 1>}> ({
  ^bb0(%A: memref<32x32xf32>, %B: memref<32x32xf32>):
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !global
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "round_trip"} : () -> ()
}) : () -> ()

// CHECK-LABEL: gpu.module @text
// CHECK:       gpu.func @round_trip(%{{.*}}: memref<32x32xf32> {llvm.align = 256 : i64}, %{{.*}}: memref<32x32xf32> {llvm.align = 256 : i64}) workgroup(%{{.*}}: memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
"gpu.module"() <{sym_name = "text", targets = [#nvvm.target<chip = "sm_90a">]}> ({
  "gpu.func"() <{function_type = (memref<32x32xf32>, memref<32x32xf32>) -> (), known_block_size = array<i32: 32, 1, 1>}> ({
  ^bb0(%A: memref<32x32xf32>, %B: memref<32x32xf32>):
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !global
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "round_trip", workgroup_attributions = "some"} : () -> ()
}) : () -> ()
