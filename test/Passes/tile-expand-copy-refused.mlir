// Stage ops that were written by hand: those whose instructions would copy the wrong elements are refused.
// RUN: tile-opt %s --split-input-file --tile-expand-copy --verify-diagnostics

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @stride {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{iter 32:5 needs a stride that is a multiple of 4, not 5; element 4 at (1, 0) is at address 5}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (32, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (32, 4) : (5, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @offset {
  gpu.func @kernel(%A: memref<256xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the source: }}
    tile.planned_copy %a[%i] to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (32, 4) : (4, 1), space = global, align = 16, terms = [{value = 0, stride = 1}]},
           dst = {layout = (32, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @threads {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{is planned for 32 threads, but scope cta has 64}}
    tile.planned_copy %a to %s scope(cta)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (32, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (32, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<8x16xf16, shared>
!local = !tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)>>

gpu.module @rows {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !local
    // expected-error @below {{dimension 1 of the source is (8) : (12); needed 8:16}}
    tile.planned_copy %s to %r scope(warp)
      plan<matrix "ldstmatrix", load, num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2), row_stride = 16,
           shared = {layout = (1, 8, 4, 1, 2, 2) : (8, 12, 2, 1, 8, 1), space = shared, align = 16},
           registers = {layout = (1, 8, 4, 1, 2, 2) : (32@laneid, 4@laneid, 1@laneid, 4, 2, 1), space = local, align = 16}>
      : !shared to !local
    gpu.return
  }
}

// -----

!shared = !tile.buffer<8x16xf16, shared>
!local = !tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)>>

gpu.module @lanes {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !local
    // expected-error @below {{dimension 1 of the destination is}}
    tile.planned_copy %s to %r scope(warp)
      plan<matrix "ldstmatrix", load, num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2), row_stride = 16,
           shared = {layout = (1, 8, 4, 1, 2, 2) : (8, 16, 2, 1, 8, 1), space = shared, align = 16},
           registers = {layout = (1, 8, 4, 1, 2, 2) : (32@laneid, 1@laneid, 8@laneid, 4, 2, 1), space = local, align = 16}>
      : !shared to !local
    gpu.return
  }
}

// -----

!shared = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @descriptor [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.tmem %address : !tensor
    // expected-error @below {{the rest of the source is not where the descriptor has it}}
    tile.planned_copy %s to %t scope(thread)
      plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 16, swizzle = 0}, bits = 8,
           src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
           dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
      : !shared to !tensor
    gpu.return
  }
}

// -----

!tensor = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!local = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

gpu.module @registers [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !tensor
    %r = tile.alloc : !local
    // expected-error @below {{the rest has 512 elements; one instruction moves 256}}
    tile.planned_copy %t to %r scope(warpgroup)
      plan<tmem_access "tcgen05_ldst", load, shape = "16x64b", num = 2, bits = 32,
           tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
           registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
      : !tensor to !local
    gpu.return
  }
}

// -----

!global = !tile.buffer<128xf32, global>
!shared = !tile.buffer<128xf32, shared>

gpu.module @variant {
  gpu.func @kernel(%A: memref<128xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<128xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @+2 {{got variant = "nosuch", expected one of}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "nosuch", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (32, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (32, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @shares {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // Some threads take no part in the last round, although the layout must count all of them.
    // expected-error @below {{the source's thread part of 1 digit does not count 32 threads}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, last_threads = 24, bits = 32, thread_iters = 1,
           src = {layout = (24, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (24, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @shares {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the ranks begin at thread 28 and leave the scope}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 4, bits = 32, ranks = {first = 28, digits = [(8, 1)]},
           src = {layout = (8, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @shares {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the ranks do not count 8 threads}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 4, bits = 32, ranks = {first = 0, digits = [(4, 1)]},
           src = {layout = (8, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @shares {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @+2 {{got -5, expected a number of at least 0}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 4, bits = 32, mask = {digits = [{extent = 8, dimension = 0, step = 1}, {extent = 4, dimension = 1, step = 1}], limits = [{of = src, dimension = -5, begin = const(0), extent = const(0)}]},
           src = {layout = (8, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (8, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

// What a plan relies on must be proven.
gpu.module @relies {
  gpu.func @kernel(%A: memref<256xf32> {llvm.align = 8 : i64}, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{relies on an alignment of 16 bytes of the source, which is aligned to 8 as far as is known}}
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (32, 4) : (4, 1), space = global, align = 16},
           dst = {layout = (32, 4) : (4, 1), space = shared, align = 16}>
      : !global to !shared
    // expected-error @below {{relies on value 0 of the source being 0 modulo 2, which is not known}}
    tile.planned_copy %a[%i] to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 2, bits = 32,
           src = {layout = (32, 2) : (2, 1), space = global, align = 8, terms = [{value = 0, stride = 1, divisor = 2}]},
           dst = {layout = (32, 2) : (2, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}
