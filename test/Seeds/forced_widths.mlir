// Each thread copies exactly one vector, of the requested width. There is no narrower substitute: a width that
// cannot be proven is an error with the reason.

!row = !tile.buffer<32x4xf32, global>
!shared = !tile.buffer<32x4xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x4xf32>, %B: memref<32x4xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x4xf32> to !row
    %b = tile.view %B : memref<32x4xf32> to !row
    %s = tile.alloc : !shared
    %i = gpu.thread_id x
    tile.copy %a[%i, 0] [1, 4] to %s[%i, 0] [1, 4] scope(thread)
      {variant = "vec_128b", cache = "nc", l1_evict = "L1::no_allocate", prefetch_size = "L2::128B"} : !row to !shared
    gpu.barrier
    tile.copy %s[%i, 0] [1, 4] to %b[%i, 0] [1, 4] scope(thread) {variant = "vec_128b"} : !shared to !row
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN: tile.planned_copy %{{.*}}[%[[ROW:.*]]] to %{{.*}}[%[[ROW]]] scope(thread) plan<matched "vec_128b", threads = 1, {{.*}}forced_bits = 128, {{.*}}cache = {nc, l1_evict = "L1::no_allocate", prefetch_size = "L2::128B"}{{.*}}src = {layout = (4) : (1), space{{.*}}dst = {layout = (4) : (1), space

// EXPAND: llvm.inline_asm "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
// EXPAND: vector.store %{{.*}} {alignment = 16 : i64}

// REMARK: :14:5: remark: [Passed] vec_128b | {{.*}}Instructions="1 load and 1 store of 128 bits", {{.*}}Rounds=1, Variant=vec_128b, VectorBits=128
// REMARK: :17:5: remark: [Passed] vec_128b | {{.*}}Rounds=1, Variant=vec_128b, VectorBits=128

// PTX: ld.global.nc.L1::no_allocate.L2::128B.v4.u32
// PTX: st.shared.v4.b32
// PTX: bar.sync
// PTX: ld.shared.v4.b32
// PTX: st.global.v4.b32

// SASS: stack bytes: 0
// SASS: LDG.E.128: 1
// SASS: STG.E.128: 1
// SASS: STS.128: 1
// SASS: LDL: 0
// SASS: STL: 0
