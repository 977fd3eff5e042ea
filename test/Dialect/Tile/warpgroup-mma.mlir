// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-expand-copy

func.func @registers(%sums: !llvm.struct<(f32, f32, f32, f32)>, %a: i32, %b: i64) {
  // expected-error @below {{got 3 registers of a, expected 4}}
  %after = tile.warpgroup_mma %sums, [%a, %a, %a], %b elements("f16", "f16") : !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @elements(%sums: !llvm.struct<(f32, f32, f32, f32)>, %a: i32, %b: i64) {
  // expected-error @below {{got elements f64, expected one of f16, bf16, tf32, e4m3, e5m2, s8, u8}}
  %after = tile.warpgroup_mma %sums, [%a, %a, %a, %a], %b elements("f16", "f64") : !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

// The sums are a struct where the op is expanded.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%sums: f32, %a: i32, %b: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @below {{has sums of type f32, expected an LLVM struct of 4 fields for every 8 columns}}
    %after = tile.warpgroup_mma %sums, [%a, %a, %a, %a], %b elements("f16", "f16") : f32
    gpu.return
  }
}
