// States what the caller of a kernel promises about its memref arguments, which become plain pointers: that they are
// aligned, as far as that divides their size, and do not overlap. Translate/arguments.mlir has arguments that cannot be pointers.
// RUN: tile-opt %s --tile-prepare-kernels | FileCheck %s

// Options: the alignment, and whether they may overlap.
// RUN: tile-opt %s '--tile-prepare-kernels=argument-alignment=32 noalias=false' | FileCheck %s --check-prefix=LESS --implicit-check-not=llvm.noalias
// RUN: not tile-opt %s --tile-prepare-kernels=argument-alignment=0 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}got argument-alignment = 0, expected a power of two

gpu.module @kernels {
  // CHECK: gpu.func @kernel(%{{.*}}: memref<64xf32> {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<64xf32> {llvm.align = 128 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<6xf16> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: index)
  // LESS:  gpu.func @kernel(%{{.*}}: memref<64xf32> {llvm.align = 32 : i64}, %{{.*}}: memref<64xf32> {llvm.align = 128 : i64}, %{{.*}}: memref<6xf16> {llvm.align = 4 : i64}, %{{.*}}: index)
  gpu.func @kernel(%a: memref<64xf32>, %b: memref<64xf32> {llvm.align = 128 : i64}, %c: memref<6xf16>, %n: index) kernel {
    gpu.return
  }
  // Workgroup memory receives the alignment that the body assumes, if that is larger.
  // CHECK: gpu.func @attributions() workgroup(%{{.*}} : memref<64xf32, 3> {llvm.align = 1024 : i64}, %{{.*}} : memref<64xf32, 3> {llvm.align = 64 : i64}, %{{.*}} : memref<64xf32, 3>) private(%{{.*}} : memref<4xf32, 5>) kernel
  gpu.func @attributions()
      workgroup(%s : memref<64xf32, 3>, %t : memref<64xf32, 3> {llvm.align = 64 : i64}, %u : memref<64xf32, 3>)
      private(%p : memref<4xf32, 5>) kernel {
    %0 = memref.assume_alignment %s, 1024 : memref<64xf32, 3>
    %1 = memref.assume_alignment %t, 16 : memref<64xf32, 3>
    %2 = memref.assume_alignment %p, 16 : memref<4xf32, 5>
    gpu.return
  }
  // What a volatile or atomic load reads, something else writes.
  // CHECK: gpu.func @polls(%{{[^:]*}}: memref<i32> {llvm.align = 4 : i64}, %{{[^:]*}}: memref<i32> {llvm.align = 4 : i64},
  // CHECK-SAME: %{{[^:]*}}: memref<i32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly})
  // LESS: gpu.func @polls(
  gpu.func @polls(%a: memref<i32>, %b: memref<i32>, %c: memref<i32>) kernel {
    %0 = memref.extract_aligned_pointer_as_index %a : memref<i32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    %3 = llvm.load volatile %2 : !llvm.ptr<1> -> i32
    %4 = memref.extract_aligned_pointer_as_index %b : memref<i32> -> index
    %5 = arith.index_cast %4 : index to i64
    %6 = llvm.inttoptr %5 : i64 to !llvm.ptr<1>
    %7 = llvm.load %6 atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %8 = memref.load %c[] : memref<i32>
    gpu.return
  }
  // For a function that the kernel calls, nothing is promised.
  // CHECK: gpu.func @helper(%{{.*}}: memref<64xf32>)
  gpu.func @helper(%a: memref<64xf32>) {
    gpu.return
  }
}
