// The largest of the 384 bytes of each thread, which is then added to each: LLVM's back end would take the maximum apart again for each pair
// of sums, 46 s on an idle machine. `timeout` is generous: it takes about one.
// RUN: timeout 300 tile-translate %s --tile-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: sed 's/umax/add/' %s | timeout 300 tile-translate --tile-to-ptx -o %t.ptx
// RUN: sed 's/umax/mul/' %s | timeout 300 tile-translate --tile-to-ptx -o %t.ptx
// RUN: sed 's/umax/min/;s/i8/i32/g' %s | timeout 300 tile-translate --tile-to-ptx -o %t.ptx
// CHECK-COUNT-300: max.u{{16|32}}

!s = !tile.buffer<96x128xi8, shared, auto>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<96x128xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<96x128xi8>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !tile.buffer<96x128xi8, global> to !s
    %t = tile.total umax %s scope(cta) : !s to i8
    tile.map %s to %s scope(cta) : !s to !s {
    ^bb0(%e: i8):
      %y = arith.addi %e, %t : i8
      tile.yield %y : i8
    }
    tile.copy %s to %a scope(cta) : !s to !tile.buffer<96x128xi8, global>
    gpu.return
  }
}
