// A loop that requests stages has one on a chip without asynchronous copies: the same source is for other chips, too. A remark says so. An
// op that is no such loop may not request any, whichever passes come next.
// RUN: tile-opt %s --tile-build=chip=sm_75 -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-run %s --entry rows --chip sm_75 --schedule=all --arg f16[128x64]=random --arg f16[128x64]=poison --expect-equal 0,1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: tile-run %s --entry rows --schedule=all --arg f16[128x64]=random --arg f16[128x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=NEW
// RUN: sed 's/constant \([0-9]*\) : index/constant \1 : i32/;s/step %%c32/step %%c32 : i32/;s/%%row, 0/0, 0/' %s > %t.mlir
// RUN: not tile-opt %t.mlir --tile-build -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACE

// CHECK: [Missed] ring-without-async {{.*}}Function=rows{{.*}}Reason="ldgsts declined: cp.async needs sm_80 or later; got sm_75{{.*}}Remark="the loop has one stage: the chip has no asynchronous copies"
// CHECK-NOT: warning
// OLD-NOT: warning
// OLD: argument 1 holds what argument 0 holds
// OLD-NOT: cp.async
// NEW: cp.async.c
// PLACE: error: 'scf.for' op has tile.stages, expected it on an scf.for over index values

!m = !tile.buffer<128x64xf16, global>
!s = !tile.buffer<32x64xf16, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @rows(%A: memref<128x64xf16>, %B: memref<128x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<128x64xf16>
    %b = tile.view %B : memref<128x64xf16>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    scf.for %row = %c0 to %c128 step %c32 {
      %s = tile.alloc : !s
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) : !m to !s
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !s to !m
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
