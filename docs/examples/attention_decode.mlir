// O = softmax(Q K^T / sqrt(128)) V where each key-value head has up to 16 queries: decoding of one token, or of a few, with grouped heads. Arrays
// are key-value heads x rows x 128 of f16, row by row. Blocks x of `decode` divide the keys of head y. Each of its 4 warps has 16 of the 64 keys
// of a step, with sums of its own: a part. `merge` adds the parts of one query.
!heads = !tile.buffer<?x?x128xf16, global>
!parts = !tile.buffer<?x?x?x128xf32, global>
!logs = !tile.buffer<?x?x?x1xf32, global>
!queries = !tile.buffer<16x128xf16, shared, auto>
!stage = !tile.buffer<64x128xf16, shared, auto>
!rows = !tile.buffer<16x128xf16, shared, auto>
!columns = !tile.buffer<128x16xf16, shared, auto>
!q = !tile.buffer<16x128xf16, local, auto>
!k = !tile.buffer<128x16xf16, local, auto>
!v = !tile.buffer<16x128xf16, local, auto>
!s = !tile.buffer<16x16xf32, local, auto>
!p = !tile.buffer<16x16xf16, local, auto>
!o = !tile.buffer<16x128xf32, local, auto>
!row = !tile.buffer<16x1xf32, local, auto>
// In `merge`, a thread has a column of 32 parts.
!some = !tile.buffer<32x128xf32, local, #tile.layout<(32, 128) : (1, 1@tx)>>
!weights = !tile.buffer<32x1xf32, local, #tile.layout<(32, 1) : (1, 1) + R(128 : 1@tx)>>
!one = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>
!sums = !tile.buffer<1x128xf32, local, #tile.layout<(1, 128) : (1, 1@tx)>>
!result = !tile.buffer<1x128xf16, local, #tile.layout<(1, 128) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @decode(%Q: memref<?x?x128xf16>, %K: memref<?x?x128xf16>, %V: memref<?x?x128xf16>, %Parts: memref<?x?x?x128xf32>,
                   %Logs: memref<?x?x?x1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %nothing = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.12751743 : f32          // log2(e) / sqrt(128)
    %least = arith.constant 1.0e-30 : f32
    %queries = tile.view %Q : memref<?x?x128xf16>
    %keys = tile.view %K : memref<?x?x128xf16>
    %values = tile.view %V : memref<?x?x128xf16>
    %parts = tile.view %Parts : memref<?x?x?x128xf32>
    %logs = tile.view %Logs : memref<?x?x?x1xf32>
    %n = memref.dim %K, %c1 : memref<?x?x128xf16>
    %head = gpu.block_id y
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %mine = arith.muli %warp, %c16 : index
    %steps = arith.ceildivui %n, %c64 : index
    %share = arith.ceildivui %steps, %blocks : index
    %keys_each = arith.muli %share, %c64 : index
    %begin = arith.muli %block, %keys_each : index
    %behind = arith.addi %begin, %keys_each : index
    %end = arith.minui %behind, %n : index
    %sq, %sk, %sv, %q, %k, %v, %s, %p, %o = tile.allocs : !queries, !stage, !stage, !q, !k, !v, !s, !p, !o
    %max, %sum, %new = tile.allocs : !row, !row, !row
    tile.copy %queries[%head, 0, 0] [1, 16, 128] to %sq scope(cta) masked fill(0.0) : !heads to !queries
    tile.copy %sq to %q scope(warp) : !queries to !q
    tile.fill 0.0 to %o scope(warp) : !o
    tile.fill 0.0 to %sum scope(warp) : !row
    tile.fill -1.0e30 to %max scope(warp) : !row
    scf.for %key = %begin to %end step %c64 {
      tile.copy_async %keys[%head, %key, 0] [1, 64, 128] to %sk scope(cta) masked fill(0.0) : !heads to !stage
      tile.copy_async %values[%head, %key, 0] [1, 64, 128] to %sv scope(cta) masked fill(0.0) : !heads to !stage
      %own_keys = tile.subview %sk[%mine, 0] [16, 128] : !stage to !rows
      %own_values = tile.subview %sv[%mine, 0] [16, 128] : !stage to !rows
      %turned = tile.permute %own_keys [1, 0] : !rows
      tile.copy %turned to %k scope(warp) : !columns to !k
      tile.fill 0.0 to %s scope(warp) : !s
      tile.mma %q, %k, %s scope(warp) : !q, !k, !s
      %first = arith.addi %key, %mine : index
      %last = arith.addi %first, %c16 : index
      %masks = arith.cmpi ugt, %last, %end : index
      scf.if %masks {
        tile.map %s to %s scope(warp) : !s to !s {
        ^bb0(%e: f32, %i: index, %j: index):
          %column = arith.addi %first, %j : index
          %beyond = arith.cmpi uge, %column, %end : index
          %r = arith.select %beyond, %nothing, %e : f32
          tile.yield %r : f32
        }
      }
      tile.reduce max %s to %new dim(1) scope(warp) : !s to !row
      tile.map %new, %max, %sum to %new, %max, %sum scope(warp) : !row, !row, !row to !row, !row, !row {
      ^bb0(%largest: f32, %before: f32, %l: f32):
        %scaled = arith.mulf %largest, %scale : f32
        %m = arith.maximumf %scaled, %before : f32
        %less = arith.subf %before, %m : f32
        %factor = math.exp2 %less fastmath<fast> : f32
        %kept = arith.mulf %l, %factor : f32
        tile.yield %factor, %m, %kept : f32, f32, f32
      }
      tile.map %s, %max to %s scope(warp) : !s, !row to !s {
      ^bb0(%e: f32, %m: f32):
        %minus = arith.negf %m : f32
        %less = math.fma %e, %scale, %minus : f32
        %r = math.exp2 %less fastmath<fast> : f32
        tile.yield %r : f32
      }
      tile.map { arith.mulf } %o, %new to %o scope(warp) : !o, !row to !o
      tile.reduce add %s to %new dim(1) scope(warp) : !s to !row
      tile.map { arith.addf } %sum, %new to %sum scope(warp) : !row, !row to !row
      tile.copy %s to %p scope(warp) : !s to !p
      tile.copy %own_values to %v scope(warp) : !rows to !v
      tile.mma %p, %v, %o scope(warp) : !p, !v, !o
    } {tile.stages = 3 : i64}
    // The part's own average, and the logarithm of its sum.
    tile.map %o, %sum to %o scope(warp) : !o, !row to !o {
    ^bb0(%e: f32, %l: f32):
      %some = arith.maximumf %l, %least : f32
      %r = arith.divf %e, %some fastmath<arcp> : f32
      tile.yield %r : f32
    }
    tile.map %sum, %max to %sum scope(warp) : !row, !row to !row {
    ^bb0(%l: f32, %m: f32):
      %some = arith.maximumf %l, %least : f32
      %log = math.log2 %some fastmath<fast> : f32
      %r = arith.addf %log, %m : f32
      tile.yield %r : f32
    }
    %first_part = arith.muli %block, %c4 : index
    %part = arith.addi %first_part, %warp : index
    tile.copy %o to %parts[%head, %part, 0, 0] [1, 1, 16, 128] scope(warp) masked : !o to !parts
    tile.copy %sum to %logs[%head, %part, 0, 0] [1, 1, 16, 1] scope(warp) masked : !row to !logs
    gpu.return
  }

  gpu.func @merge(%Parts: memref<?x?x?x128xf32>, %Logs: memref<?x?x?x1xf32>, %O: memref<?x?x128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %parts = tile.view %Parts : memref<?x?x?x128xf32>
    %logs = tile.view %Logs : memref<?x?x?x1xf32>
    %results = tile.view %O : memref<?x?x128xf16>
    %n = memref.dim %Parts, %c1 : memref<?x?x?x128xf32>
    %query = gpu.block_id x
    %head = gpu.block_id y
    %some, %weights, %max, %sum, %new, %o = tile.allocs : !some, !weights, !one, !one, !one, !sums
    %more, %half = tile.allocs : !sums, !result
    tile.fill 0.0 to %o scope(cta) : !sums
    tile.fill 0.0 to %sum scope(cta) : !one
    tile.fill -1.0e30 to %max scope(cta) : !one
    affine.for %part = 0 to %n step 32 {
      tile.copy %logs[%head, %part, %query, 0] [1, 32, 1, 1] to %weights scope(cta) masked fill(-1.0e30) : !logs to !weights
      tile.copy %parts[%head, %part, %query, 0] [1, 32, 1, 128] to %some scope(cta) masked fill(0.0) : !parts to !some
      tile.reduce max %weights to %new dim(0) scope(cta) : !weights to !one
      tile.map %new, %max, %sum to %new, %max, %sum scope(cta) : !one, !one, !one to !one, !one, !one {
      ^bb0(%largest: f32, %before: f32, %l: f32):
        %m = arith.maximumf %largest, %before : f32
        %less = arith.subf %before, %m : f32
        %factor = math.exp2 %less fastmath<fast> : f32
        %kept = arith.mulf %l, %factor : f32
        tile.yield %factor, %m, %kept : f32, f32, f32
      }
      tile.map %weights, %max to %weights scope(cta) : !weights, !one to !weights {
      ^bb0(%log: f32, %m: f32):
        %less = arith.subf %log, %m : f32
        %r = math.exp2 %less fastmath<fast> : f32
        tile.yield %r : f32
      }
      tile.map { arith.mulf } %some, %weights to %some scope(cta) : !some, !weights to !some
      tile.reduce add %some to %more dim(0) scope(cta) : !some to !sums
      tile.map { math.fma } %o, %new, %more to %o scope(cta) : !sums, !one, !sums to !sums
      tile.reduce add %weights to %new dim(0) scope(cta) : !weights to !one
      tile.map { arith.addf } %sum, %new to %sum scope(cta) : !one, !one to !one
    }
    tile.map %o, %sum to %half scope(cta) : !sums, !one to !result {
    ^bb0(%e: f32, %l: f32):
      %r = arith.divf %e, %l : f32
      %h = arith.truncf %r : f32 to f16
      tile.yield %h : f16
    }
    tile.copy %half to %results[%head, %query, 0] [1, 1, 128] scope(cta) masked : !result to !heads
    gpu.return
  }
}
