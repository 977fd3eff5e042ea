// The diagnostics of --tile-check-bounds, executed: with the block, thread and argument values that it names, the kernel traps;
// with the code that it proposes, the copy is proved. No trap is inserted for a copy that is proved.
// RUN: split-file %s %t
// RUN: not tile-opt %t/block.mlir --tile-check-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: error: 'tile.copy' op leaves its buffer in dimension 0: the source begins at 96, expected 0 to 84:
// BLOCK-SAME: element [4, 0] of the region is outside of the extent 100, with block x = 6
// RUN: not tile-opt %t/block.mlir --tile-insert-bounds-traps -o /dev/null

// The same kernel without its grid size: six blocks are correct, the seventh traps.
// RUN: sed 's/, known_grid_size = array<i32: 7, 1, 1>//' %t/block.mlir > %t/grid.mlir
// RUN: tile-opt %t/grid.mlir --tile-check-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: warning: is not proved to stay inside its buffer
// GRID: note: for example the source begins at 96, {{.*}} with block x = 6
// GRID: note: on the gpu.func, this proves it: known_grid_size = array<i32: 6, 1, 1>
// RUN: tile-opt %t/grid.mlir --tile-insert-bounds-traps -o %t/trapped.mlir
// RUN: tile-run %t/trapped.mlir --grid 6 --arg f32[100x64]=random --arg f32[112x64]=poison
// RUN: not tile-run %t/trapped.mlir --grid 7 --arg f32[100x64]=random --arg f32[112x64]=poison 2>&1 | FileCheck %s --check-prefix=TRAP
// TRAP: block (6,0,0) thread ({{[0-9]+}},0,0): trap: {{.*}}tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84

// With the proposed attribute, the copy is proved, and nothing is asserted.
// RUN: sed 's/array<i32: 7, 1, 1>/array<i32: 6, 1, 1>/' %t/block.mlir > %t/six.mlir
// RUN: tile-opt %t/six.mlir --tile-check-bounds=strict=true --tile-insert-bounds-traps | FileCheck %s --check-prefix=PROVED
// PROVED-NOT: cf.assert

// RUN: tile-opt %t/rows.mlir --tile-check-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: note: for example the source begins at 0, expected an extent of at least 16: {{.*}} with %arg2 = 1, %arg3 = 0
// ROWS: note: in place of %arg2, this proves it: %multiple = tile.assume %arg2 divisible_by 16 : index
// RUN: tile-opt %t/rows.mlir --tile-insert-bounds-traps -o %t/rows-trapped.mlir
// RUN: tile-run %t/rows-trapped.mlir --arg f32[64x64]=random --arg u64=4096 --arg f32[16x64]=poison --arg u64=48
// RUN: not tile-run %t/rows-trapped.mlir --arg f32[64x64]=random --arg u64=4096 --arg f32[16x64]=poison --arg u64=1 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: trap: {{.*}}tile.copy: the source begins out of bounds in dimension 0, expected 0 to its extent less 16
// RUN: sed 's/%%n = arith.addi %%rows, %%c0 : index/%%n = tile.assume %%rows divisible_by 16 : index/' %t/rows.mlir > %t/multiple.mlir
// RUN: tile-opt %t/multiple.mlir --tile-check-bounds=strict=true --tile-insert-bounds-traps | FileCheck %s --check-prefix=PROVED

// RUN: tile-opt %t/row.mlir --tile-check-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROW
// ROW: note: for example the source begins at -1, expected 0 to 84: element [0, 0] of the region is outside of the extent 100, with %arg2 = -1
// ROW: note: around the copy, this proves it: %most = arith.constant 84 : index; %inside = arith.cmpi ule, %arg2, %most : index; scf.if %inside
// RUN: tile-opt %t/row.mlir --tile-insert-bounds-traps -o %t/row-trapped.mlir
// RUN: not tile-run %t/row-trapped.mlir --arg f32[100x64]=random --arg f32[16x64]=poison --arg i64=-1 2>&1 | FileCheck %s --check-prefix=TRAP-ROW
// TRAP-ROW: trap: {{.*}}tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84
// RUN: sed -e 's/tile.copy %%a/%%most = arith.constant 84 : index\n%%inside = arith.cmpi ule, %%row, %%most : index\nscf.if %%inside {\ntile.copy %%a/' \
// RUN:   -e 's/: !matrix to !tile$/: !matrix to !tile\n}/' %t/row.mlir > %t/guarded.mlir
// RUN: tile-opt %t/guarded.mlir --tile-check-bounds=strict=true --tile-insert-bounds-traps | FileCheck %s --check-prefix=PROVED

//--- block.mlir
!matrix = !tile.buffer<100x64xf32, global>
!result = !tile.buffer<112x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @blocks(%A: memref<100x64xf32>, %B: memref<112x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 7, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %b = tile.view %B : memref<112x64xf32> to !result
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    tile.copy %a[%row, 0] [16, 64] to %b[%row, 0] [16, 64] scope(warp) : !matrix to !result
    gpu.return
  }
}

//--- rows.mlir
!open = !tile.buffer<?x64xf32, global>
!tile = !tile.buffer<16x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<?xf32>, %B: memref<16x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %n = arith.addi %rows, %c0 : index
    %a = tile.view %A extents(%n) : memref<?xf32> to !open
    %b = tile.view %B : memref<16x64xf32> to !tile
    scf.for %i = %c0 to %n step %c16 {
      tile.copy %a[%i, 0] [16, 64] to %b scope(warp) : !open to !tile
    }
    gpu.return
  }
}

//--- row.mlir
!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row(%A: memref<100x64xf32>, %B: memref<16x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %b = tile.view %B : memref<16x64xf32> to !tile
    tile.copy %a[%row, 0] [16, 64] to %b scope(warp) : !matrix to !tile
    gpu.return
  }
}
