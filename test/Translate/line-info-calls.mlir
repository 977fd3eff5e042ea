// Of code that was a function's, PTX states the line in that function, its name, and the call, which states its own call before.
// RUN: tile-translate --tile-to-ptx --line-info %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -lineinfo %t.ptx -o %t.cubin %}
// RUN: %if ptxas %{ nvdisasm -gi %t.cubin | FileCheck %s --check-prefix=SASS %}

// In a race both lines are told, with the calls around them.
// RUN: not tile-run %s --entry twice --grid 1 --schedule all --arg f32[32x32]=ones --arg f32[32x32]=poison 2>&1 | FileCheck %s --check-prefix=RACE

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @inner(%a: !global, %s: !shared) {
    tile.copy %a to %s scope(cta) : !global to !shared
    return
  }
  func.func private @load(%A: memref<32x32xf32>, %s: !shared) {
    %a = tile.view %A : memref<32x32xf32> to !global
    func.call @inner(%a, %s) : (!global, !shared) -> ()
    return
  }

  // CHECK-LABEL: .entry once(
  // CHECK:      .loc [[$FILE:[0-9]+]] [[#@LINE+11]] 5{{$}}
  // CHECK-NEXT: .loc [[$FILE]] [[#@LINE-6]] 5, function_name $L__info_string[[$LOAD:[0-9]+]], inlined_at [[$FILE]] [[#@LINE+10]] 5{{$}}
  // CHECK-NEXT: .loc [[$FILE]] [[#@LINE-12]] 5, function_name $L__info_string[[$INNER:[0-9]+]], inlined_at [[$FILE]] [[#@LINE-7]] 5{{$}}
  // CHECK:      ld.global
  // CHECK:      .loc [[$FILE]] [[#@LINE+8]] 5{{$}}
  // CHECK:      st.global
  // SASS-DAG: line [[#@LINE-16]] inlined at "{{.*}}line-info-calls.mlir", line [[#@LINE-11]]{{$}}
  // SASS-DAG: line [[#@LINE-12]] inlined at "{{.*}}line-info-calls.mlir", line [[#@LINE+4]]{{$}}
  gpu.func @once(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    func.call @load(%A, %s) : (memref<32x32xf32>, !shared) -> ()
    tile.copy %s to %b scope(cta) : !shared to !global
    gpu.return
  }

  // Another call of the same line is stated again.
  // CHECK-LABEL: .entry twice(
  // CHECK:      .loc [[$FILE]] [[#@LINE-23]] 5, function_name $L__info_string[[$LOAD]], inlined_at [[$FILE]] [[#@LINE+9]] 5{{$}}
  // CHECK-NEXT: .loc [[$FILE]] [[#@LINE-29]] 5, function_name $L__info_string[[$INNER]], inlined_at [[$FILE]] [[#@LINE-24]] 5{{$}}
  // CHECK:      .loc [[$FILE]] [[#@LINE-25]] 5, function_name $L__info_string[[$LOAD]], inlined_at [[$FILE]] [[#@LINE+10]] 5{{$}}
  // CHECK-NEXT: .loc [[$FILE]] [[#@LINE-31]] 5, function_name $L__info_string[[$INNER]], inlined_at [[$FILE]] [[#@LINE-26]] 5{{$}}
  // RACE: {{.*}}line-info-calls.mlir:[[#@LINE+7]]:5, {{.*}}: race: {{.*}}line-info-calls.mlir:[[#@LINE-32]]:5 inlined at {{.*}}line-info-calls.mlir:[[#@LINE-27]]:5 inlined at {{.*}}line-info-calls.mlir:[[#@LINE+8]]:5), without a barrier
  gpu.func @twice(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, tile.order = "by_hand"} {
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    func.call @load(%A, %s) : (memref<32x32xf32>, !shared) -> ()
    gpu.barrier
    tile.copy %s[4, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !shared to !global
    func.call @load(%A, %s) : (memref<32x32xf32>, !shared) -> ()
    gpu.return
  }

  // Calls that another inliner replaced have no name; the kernel's is stated.
  // CHECK-LABEL: .entry elsewhere(
  // CHECK:      .loc [[$MAIN:[0-9]+]] 2 1{{$}}
  // CHECK-NEXT: .loc [[$MIDDLE:[0-9]+]] 4 3, function_name $L__info_string[[$ELSEWHERE:[0-9]+]], inlined_at [[$MAIN]] 2 1{{$}}
  // CHECK-NEXT: .loc [[$LIBRARY:[0-9]+]] 8 5, function_name $L__info_string[[$ELSEWHERE]], inlined_at [[$MIDDLE]] 4 3{{$}}
  gpu.func @elsewhere(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    tile.copy %a to %b scope(cta) : !global to !global loc(callsite("library.py":8:5 at callsite("middle.py":4:3 at "main.py":2:1)))
    gpu.return
  }
}

// Files and names that LLVM did not print follow.
// CHECK-DAG: .file [[$FILE]] "{{.*}}line-info-calls.mlir"
// CHECK-DAG: .file [[$LIBRARY]] "library.py"
// CHECK-DAG: .file [[$MIDDLE]] "middle.py"
// CHECK-DAG: .file [[$MAIN]] "main.py"
// CHECK:      .section .debug_str
// CHECK:      $L__info_string[[$LOAD]]:
// CHECK-NEXT: .b8 108
// CHECK-NEXT: .b8 111
// CHECK-NEXT: .b8 97
// CHECK-NEXT: .b8 100
// CHECK-NEXT: .b8 0
// CHECK:      $L__info_string[[$INNER]]:
