// C = A B by wgmma: 128x256x64 tiles, 2 warpgroups, 4 stages, one group of products in flight; blocks in groups of 16 rows of tiles.
!g = !tile.buffer<?x?xf16, global>
!sa = !tile.buffer<128x64xf16, shared, auto>
!sb = !tile.buffer<64x256xf16, shared, auto>
!sc = !tile.buffer<128x256xf16, shared, auto>
!fc = !tile.buffer<128x256xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!fh = !tile.buffer<128x256xf16, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @hgemm(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ck = arith.constant 64 : index
    %cm = arith.constant 128 : index
    %cn = arith.constant 256 : index
    %h0 = arith.constant 0.0 : f16
    %f0 = arith.constant 0.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %k0 = memref.dim %A, %c1 : memref<?x?xf16>
    %n0 = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %k0 divisible_by 8 : index
    %n = tile.assume %n0 divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !g
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !g
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf16> to !g
    %rows = arith.ceildivui %m, %cm : index
    %columns = arith.ceildivui %n, %cn : index
    %block = gpu.block_id x
    %y, %x = tile.block_order %block of (%rows, %columns) grouped(16)
    %row = arith.muli %y, %cm : index
    %col = arith.muli %x, %cn : index
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %sc = tile.alloc : !sc
    %fc = tile.alloc : !fc
    %fh = tile.alloc : !fh
    tile.fill %f0 to %fc scope(cta) : f32 to !fc
    scf.for %kk = %c0 to %k step %ck {
      tile.copy_async %a[%row, %kk] [128, 64] to %sa scope(cta) masked fill(%h0 : f16) : !g to !sa
      tile.copy_async %b[%kk, %col] [64, 256] to %sb scope(cta) masked fill(%h0 : f16) : !g to !sb
      tile.mma %sa, %sb, %fc scope(cta) group : !sa, !sb, !fc
    } {tile.stages = 4 : i64}
    tile.copy %fc to %fh scope(cta) : !fc to !fh
    tile.copy %fh to %sc scope(cta) : !fh to !sc
    tile.copy %sc to %c[%row, %col] [128, 256] scope(cta) masked : !sc to !g
    gpu.return
  }
}
