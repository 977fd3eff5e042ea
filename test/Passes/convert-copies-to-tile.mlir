// Each kind of upstream copy as a tile.copy; the converted kernels are also executed.
// RUN: tile-opt --convert-copies-to-tile --canonicalize %s | FileCheck %s
// RUN: tile-opt --convert-copies-to-tile=scope=warp --canonicalize %s | FileCheck %s --check-prefix=WARP
// WARP-LABEL: gpu.func @copies
// WARP: tile.copy {{.*}} scope(warp)
// WARP: tile.copy {{.*}} scope(warp)
// WARP: tile.copy {{.*}} scope(thread)
// RUN: tile-opt --convert-copies-to-tile %s -o %t.mlir
// RUN: tile-run %t.mlir --schedule=all --entry padded --arg f32[30x50]=ones --arg f32[32x64]=poison --print 1 --print-all \
// RUN:   | FileCheck %s --check-prefix=PADDED
// RUN: tile-run %t.mlir --schedule=all --entry turned --arg f16[8x4]=iota --arg f16[4x8]=poison --print 1 \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: tile-run %t.mlir --schedule=all --entry limited --arg f32[32x32]=iota --arg f32[32x32]=zeros --arg u64=3 --arg u64=2 \
// RUN:   --print 1 --print-all | FileCheck %s --check-prefix=LIMITED
// RUN: tile-run %t.mlir --schedule=all --entry offsets --arg f32[64x64]=iota --arg f32[1x8]=poison --arg u64=5 --print 1 \
// RUN:   | FileCheck %s --check-prefix=OFFSETS
// RUN: tile-run %t.mlir --schedule=all --entry strides --arg 'f32[12x10:16x1]=iota' --arg 'f32[12x10:20x1]=poison' \
// RUN:   --expect-equal 0,1

!wg = memref<16x64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @copies(
  // CHECK-SAME: workgroup(%[[W:.*]] : memref<16x64xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // The last copy is one of each thread, of the same elements to the same memory, which is a race.
  gpu.func @copies(%A: memref<16x64xf32>, %B: memref<16x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tile.order = "by_hand"} {
    %w = memref.alloc() : !wg
    // CHECK: %[[A:.*]] = tile.view %{{.*}} : memref<16x64xf32> to !tile.buffer<16x64xf32, global>
    // CHECK: %[[S:.*]] = tile.view %[[W]] : {{.*}} to !tile.buffer<16x64xf32, shared>
    // CHECK: tile.copy %[[A]] to %[[S]] scope(cta) :
    memref.copy %A, %w : memref<16x64xf32> to !wg
    gpu.barrier
    // Floats are converted.
    // CHECK: tile.copy %{{.*}} to %{{.*}} scope(cta) : !tile.buffer<16x64xf32, shared> to !tile.buffer<16x64xf16, global>
    linalg.copy ins(%w : !wg) outs(%B : memref<16x64xf16>)
    // CHECK: tile.copy {{.*}} scope(thread)
    memref.copy %A, %w {tile.scope = "thread"} : memref<16x64xf32> to !wg
    memref.dealloc %w : !wg
    gpu.return
  }

  // Reads beyond the end give the padding.
  // CHECK-LABEL: gpu.func @padded(
  // CHECK: tile.copy %{{.*}}[0, 0] [32, 64] to %{{.*}} scope(cta) masked fill(%{{.*}} : f32)
  // CHECK-SAME: !tile.buffer<30x50xf32, global> to !tile.buffer<32x64xf32, global>
  // PADDED-COUNT-30: {{^(1\.0 )+(7\.0 )+7\.0$}}
  // PADDED-COUNT-2: {{^(7\.0 )+7\.0$}}
  gpu.func @padded(%A: memref<30x50xf32>, %B: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7.0 : f32
    %v = vector.transfer_read %A[%c0, %c0], %seven : memref<30x50xf32>, vector<32x64xf32>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
    gpu.return
  }

  // A permutation map transposes one side.
  // CHECK-LABEL: gpu.func @turned(
  // CHECK: tile.permute %{{.*}} [1, 0]
  // CHECK: tile.copy
  // TURNED: {{^}}0.0 4.0 8.0 12.0 16.0 20.0 24.0 28.0{{$}}
  // TURNED-NEXT: {{^}}1.0 5.0 9.0 13.0 17.0 21.0 25.0 29.0{{$}}
  gpu.func @turned(%A: memref<8x4xf16>, %B: memref<4x8xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %v = vector.transfer_read %A[%c0, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}
      : memref<8x4xf16>, vector<4x8xf16>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf16>, memref<4x8xf16>
    gpu.return
  }

  // A mask with run-time extents limits how far is read and written.
  // CHECK-LABEL: gpu.func @limited(
  // CHECK: tile.view %{{.*}} extents(%{{.*}}, %{{.*}}) : memref<32x32xf32> to !tile.buffer<?x?xf32, global
  // CHECK: tile.copy {{.*}} masked :
  // LIMITED: {{^}}33.0 34.0 {{0.0( 0.0)+$}}
  // LIMITED-NEXT: {{^}}65.0 66.0 {{0.0( 0.0)+$}}
  // LIMITED-NEXT: {{^}}97.0 98.0 {{0.0( 0.0)+$}}
  // LIMITED-NEXT: {{^}}0.0{{( 0.0)+$}}
  gpu.func @limited(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %mask = vector.create_mask %m, %n : vector<8x4xi1>
    %v = vector.transfer_read %A[%c1, %c1], %zero {in_bounds = [true, true]} : memref<32x32xf32>, vector<8x4xf32>
    vector.transfer_write %v, %B[%c0, %c0], %mask {in_bounds = [true, true]} : vector<8x4xf32>, memref<32x32xf32>
    gpu.return
  }

  // Subviews become regions, also of fewer dimensions.
  // CHECK-LABEL: gpu.func @offsets(
  // CHECK: tile.copy %{{.*}}[%{{.*}}, 8] [1, 8] to %{{.*}}
  // OFFSETS: {{^}}392.0 393.0 394.0 395.0 396.0 397.0 398.0 399.0{{$}}
  gpu.func @offsets(%A: memref<64x64xf32>, %B: memref<1x8xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %rows = memref.subview %A[%c1, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %row = memref.subview %rows[%i, 8] [1, 8] [1, 1]
      : memref<32x64xf32, strided<[64, 1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
    %b = memref.subview %B[0, 0] [1, 8] [1, 1] : memref<1x8xf32> to memref<8xf32, strided<[1]>>
    memref.copy %row, %b : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1]>>
    gpu.return
  }

  // Run-time strides, and extents with an upper bound.
  // CHECK-LABEL: gpu.func @strides(
  // CHECK: tile.copy {{.*}} [16, 16] to {{.*}} masked : !tile.buffer<?x?xf32, global> to !tile.buffer<?x?xf32, global>
  gpu.func @strides(%A: memref<?x?xf32, strided<[?, 1]>>, %B: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %A, %c0 : memref<?x?xf32, strided<[?, 1]>>
    %n = memref.dim %A, %c1 : memref<?x?xf32, strided<[?, 1]>>
    %rows = affine.min affine_map<()[m] -> (m, 16)>()[%m]
    %columns = affine.min affine_map<()[m] -> (m, 16)>()[%n]
    %a = memref.subview %A[0, 0] [%rows, %columns] [1, 1]
      : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1]>>
    %b = memref.subview %B[0, 0] [%rows, %columns] [1, 1]
      : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1]>>
    memref.copy %a, %b : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

// Copies outside kernels are ignored.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: memref.copy
func.func @host(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
