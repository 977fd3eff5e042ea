// O = softmax(Q K^T / sqrt(128)) V for each head, by wgmma: f16, any number of queries and keys; causal, or each query sees all keys.
// Arrays are heads x rows x 128, row by row. A block has 128 queries of a head, 64 in each of 2 warpgroups, and takes 128 keys at a time.
!heads = !tile.buffer<?x?x128xf16, global>
!tile = !tile.buffer<128x128xf16, shared, auto>
// A warpgroup has all columns of its rows. The weights are its left factor, which it takes from registers.
!s = !tile.buffer<128x128xf32, local, auto>
!p = !tile.buffer<128x128xf16, local, auto>
!half = !tile.buffer<128x128xf16, local, auto>
!row = !tile.buffer<128x1xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @attention(%Q: memref<?x?x128xf16>, %K: memref<?x?x128xf16>, %V: memref<?x?x128xf16>, %O: memref<?x?x128xf16>,
                       %is_causal: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %nothing = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.12751743 : f32          // log2(e) / sqrt(128)
    %queries = tile.view %Q : memref<?x?x128xf16>
    %keys = tile.view %K : memref<?x?x128xf16>
    %values = tile.view %V : memref<?x?x128xf16>
    %results = tile.view %O : memref<?x?x128xf16>
    %n = memref.dim %K, %c1 : memref<?x?x128xf16>
    %head = gpu.block_id y
    %block = gpu.block_id x
    %first = arith.muli %block, %c128 : index
    %q, %k, %v = tile.allocs : !tile, !tile, !tile
    %kt = tile.permute %k [1, 0] : !tile
    %s, %p, %o, %half, %max, %new, %sum = tile.allocs : !s, !p, !s, !half, !row, !row, !row
    tile.copy %queries[%head, %first, 0] [1, 128, 128] to %q scope(cta) masked fill(0.0) : !heads to !tile
    tile.fill 0.0 to %o scope(cta) : !s
    tile.fill 0.0 to %sum scope(cta) : !row
    tile.fill -1.0e30 to %max scope(cta) : !row
    %no = arith.constant 0 : i32
    %causal = arith.cmpi ne, %is_causal, %no : i32
    // Up to where keys are seen by any query of the block, and by all.
    %behind = arith.addi %first, %c128 : index
    %some = arith.select %causal, %behind, %n : index
    %end = arith.minui %some, %n : index
    %every = arith.select %causal, %first, %n : index
    %whole = arith.minui %every, %n : index
    affine.for %key = 0 to %end step 128 {
      tile.copy_async %keys[%head, %key, 0] [1, 128, 128] to %k scope(cta) masked fill(0.0) : !heads to !tile
      tile.copy_async %values[%head, %key, 0] [1, 128, 128] to %v scope(cta) masked fill(0.0) : !heads to !tile
      tile.fill 0.0 to %s scope(cta) : !s
      tile.mma %q, %kt, %s scope(cta) : !tile, !tile, !s
      %next = arith.addi %key, %c128 : index
      %masks = arith.cmpi ugt, %next, %whole : index
      scf.if %masks {
        tile.map %s to %s scope(cta) : !s to !s {
        ^bb0(%e: f32, %i: index, %j: index):
          %column = arith.addi %key, %j : index
          %row = arith.addi %first, %i : index
          %later = arith.cmpi ugt, %column, %row : index
          %unseen = arith.andi %later, %causal : i1
          %beyond = arith.cmpi uge, %column, %n : index
          %hidden = arith.ori %unseen, %beyond : i1
          %r = arith.select %hidden, %nothing, %e : f32
          tile.yield %r : f32
        }
      }
      tile.reduce max %s to %new dim(1) scope(cta) : !s to !row
      tile.map %new, %max, %sum to %new, %max, %sum scope(cta) : !row, !row, !row to !row, !row, !row {
      ^bb0(%largest: f32, %before: f32, %l: f32):
        %scaled = arith.mulf %largest, %scale : f32
        %m = arith.maximumf %scaled, %before : f32
        %less = arith.subf %before, %m : f32
        %factor = math.exp2 %less fastmath<fast> : f32
        %kept = arith.mulf %l, %factor : f32
        tile.yield %factor, %m, %kept : f32, f32, f32
      }
      tile.map %s, %max to %s scope(cta) : !s, !row to !s {
      ^bb0(%e: f32, %m: f32):
        %minus = arith.negf %m : f32
        %less = math.fma %e, %scale, %minus : f32
        %r = math.exp2 %less fastmath<fast> : f32
        tile.yield %r : f32
      }
      tile.map { arith.mulf } %o, %new to %o scope(cta) : !s, !row to !s
      tile.reduce add %s to %new dim(1) scope(cta) : !s to !row
      tile.map { arith.addf } %sum, %new to %sum scope(cta) : !row, !row to !row
      tile.copy %s to %p scope(cta) : !s to !p
      tile.mma %p, %v, %o scope(cta) group : !p, !tile, !s
    } {tile.stages = 2 : i64, tile.producer}
    tile.map %o, %sum to %half scope(cta) : !s, !row to !half {
    ^bb0(%e: f32, %l: f32):
      %r = arith.divf %e, %l fastmath<arcp> : f32
      %h = arith.truncf %r : f32 to f16
      tile.yield %h : f16
    }
    tile.copy %half to %q scope(cta) : !half to !tile
    tile.copy %q to %results[%head, %first, 0] [1, 128, 128] scope(cta) masked : !tile to !heads
    gpu.return
  }
}
