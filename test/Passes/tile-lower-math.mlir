// Elementary functions are expanded: nothing calls libdevice. tile-plan and tile-conformance execute the expansions and check
// their results; this test checks which expansion is chosen.
// RUN: split-file %s %t
// RUN: tile-opt %t/functions.mlir --tile-lower-math | FileCheck %s --implicit-check-not=math.
// RUN: tile-translate --tile-to-ptx %t/functions.mlir | FileCheck %s --check-prefix=PTX --implicit-check-not=__nv --implicit-check-not=.extern
// RUN: not tile-opt %t/refused.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/functions.mlir | %sass_count - | FileCheck %s --check-prefix=SASS %}
// SASS: kernel fast

// REFUSED-DAG: refused.mlir:3:10: error: 'math.erf' op has no expansion on f64; compute it in f32, or call a function that you link, as libdevice's
// REFUSED-DAG: refused.mlir:4:10: error: 'math.powf' op has no expansion on f64
// REFUSED-DAG: refused.mlir:6:10: error: 'math.exp' op is on f128, expected f16, bf16, f32, f64, f8E4M3FN or f8E5M2

// PTX-LABEL: .entry fast(
// PTX-DAG:   ex2.approx.f32
// PTX-DAG:   lg2.approx.ftz.f32
// PTX-DAG:   sin.approx.f32
// PTX-DAG:   cos.approx.f32
// PTX-DAG:   tanh.approx.f32
// PTX-DAG:   rsqrt.approx.f32
// PTX-DAG:   sqrt.approx.f32

//--- functions.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @fast
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
  gpu.func @fast(%A: memref<8xf32>, %B: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %A[%i] : memref<8xf32>
    %a = math.exp %x fastmath<afn> : f32
    %b = math.log %a fastmath<fast> : f32
    %c, %d = math.sincos %b fastmath<afn> : f32
    %e = arith.addf %c, %d : f32
    %f = math.tanh %e fastmath<afn> : f32
    %g = math.rsqrt %f fastmath<nnan,afn> : f32
    %h = math.sqrt %g fastmath<afn> : f32
    memref.store %h, %B[%i] : memref<8xf32>
    gpu.return
  }
  // Other flags allow no approximation; half precision is computed in single, vectors element by element.
  // CHECK-LABEL: gpu.func @exact
  // CHECK-COUNT-4: arith.extf %{{.*}} : f16 to f32
  // CHECK-NOT: approx
  gpu.func @exact(%A: memref<4x4xf16>, %B: memref<8xf32>, %n: i32) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %v = vector.load %A[%i, %c0] : memref<4x4xf16>, vector<4xf16>
    %a = math.exp %v fastmath<nnan> : vector<4xf16>
    vector.store %a, %A[%i, %c0] : memref<4x4xf16>, vector<4xf16>
    %x = memref.load %B[%i] : memref<8xf32>
    %b = math.powf %x, %x : f32
    %c = math.fpowi %b, %n : f32, i32
    %d = arith.remf %c, %x : f32
    %e = arith.maxnumf %d, %x : f32
    %f = math.roundeven %e : f32
    %g = math.clampf %f to [%x, %b] : f32
    %h = math.isfinite %g : f32
    %m = math.absi %n : i32
    %z = arith.sitofp %m : i32 to f32
    %k = arith.select %h, %g, %z : f32
    memref.store %k, %B[%i] : memref<8xf32>
    gpu.return
  }
}

//--- refused.mlir
gpu.module @kernels {
  gpu.func @double(%x: f64, %B: memref<8xf64>, %q: f128, %C: memref<1xf128>) kernel {
    %a = math.erf %x : f64
    %b = math.powf %a, %x : f64
    %c0 = arith.constant 0 : index
    %y = math.exp %q : f128
    memref.store %b, %B[%c0] : memref<8xf64>
    memref.store %y, %C[%c0] : memref<1xf128>
    gpu.return
  }
}
