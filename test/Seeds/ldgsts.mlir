// A block copies a 64x32 tile of f32 from global to shared memory without registers, in two halves: the second is in
// flight while the first is written out. Each half is a cp.async group.

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<64x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy_async %a[0, 0] [32, 32] to %s[0, 0] [32, 32] scope(cta) group : !global to !shared
    tile.copy_async %a[32, 0] [32, 32] to %s[32, 0] [32, 32] scope(cta) group : !global to !shared
    nvvm.cp.async.wait.group 1
    gpu.barrier
    tile.copy %s[0, 0] [32, 32] to %b[0, 0] [32, 32] scope(cta) : !shared to !global
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s[32, 0] [32, 32] to %b[32, 0] [32, 32] scope(cta) : !shared to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN:      tile.planned_copy %{{.*}} to %{{.*}} scope(cta) plan<matched "ldgsts", threads = 128,{{.*}}src = {layout = (1024) : (1), space{{.*}}dst = {layout = (1024) : (1), space
// ALIGN-NEXT: nvvm.cp.async.commit.group
// ALIGN-NEXT: tile.planned_copy %{{.*}} to %{{.*}} plan<matched "ldgsts"{{.*}}src = {layout = (1024) : (1) + 1024, space{{.*}}dst = {layout = (1024) : (1) + 1024, space
// ALIGN-NEXT: nvvm.cp.async.commit.group
// ALIGN-NEXT: nvvm.cp.async.wait.group 1

// EXPAND-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// EXPAND:         nvvm.cp.async.commit.group
// EXPAND-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// EXPAND:         nvvm.cp.async.commit.group
// EXPAND:         nvvm.cp.async.wait.group 1

// REMARK-DAG: :13:5: remark: [Passed] ldgsts | {{.*}} | BytesPerThread=32, Instructions="2 cp.async of 128 bits", {{.*}}Rounds=2, Variant=ldgsts, VectorBits=128
// REMARK-DAG: :14:5: remark: [Passed] ldgsts | {{.*}} | BytesPerThread=32, Instructions="2 cp.async of 128 bits", {{.*}}Rounds=2, Variant=ldgsts, VectorBits=128

// The four addresses differ by constants.
// PTX:      cp.async.cg.shared.global [[[S:%rd[0-9]+]]], [[[G:%rd[0-9]+]]], 16;
// PTX-NEXT: cp.async.cg.shared.global [[[S]]+2048], [[[G]]+2048], 16;
// PTX-NEXT: cp.async.commit_group;
// PTX-NEXT: cp.async.cg.shared.global [[[S]]+4096], [[[G]]+4096], 16;
// PTX-NEXT: cp.async.cg.shared.global [[[S]]+6144], [[[G]]+6144], 16;
// PTX-NEXT: cp.async.commit_group;
// PTX-NEXT: cp.async.wait_group 1;
// PTX-NEXT: bar.sync 0;

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      LDG: 0
// SASS:      STS: 0
// SASS:      LDGSTS: 4
// SASS:      LDL: 0
// SASS-NEXT: STL: 0
