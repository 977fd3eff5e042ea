// The same PTX, whichever stage the file is in: tile-translate runs the rest of the pipeline.

// RUN: tile-translate --tile-to-ptx %S/../Seeds/gmem_smem.mlir -o %t.gmem_smem.ptx
// RUN: tile-opt --tile-align-layouts %S/../Seeds/gmem_smem.mlir -o %t.1.mlir
// RUN: tile-opt --tile-vectorize-copy %t.1.mlir -o %t.2.mlir
// RUN: tile-opt --tile-expand-copy %t.2.mlir -o %t.3.mlir
// RUN: tile-opt --tile-to-nvvm %t.3.mlir -o %t.4.mlir
// RUN: tile-translate --tile-to-ptx %t.1.mlir | diff %t.gmem_smem.ptx -
// RUN: tile-translate --tile-to-ptx %t.2.mlir | diff %t.gmem_smem.ptx -
// RUN: tile-translate --tile-to-ptx %t.3.mlir | diff %t.gmem_smem.ptx -
// RUN: tile-translate --tile-to-ptx %t.4.mlir | diff %t.gmem_smem.ptx -
// RUN: FileCheck %s --input-file=%t.4.mlir --check-prefix=NVVM

// The other stage ops.
// RUN: tile-translate --tile-to-ptx %S/../Seeds/ldstmatrix.mlir -o %t.ldstmatrix.ptx
// RUN: tile-opt --tile-align-layouts %S/../Seeds/ldstmatrix.mlir | tile-opt --tile-vectorize-copy \
// RUN:   | tile-opt --tile-expand-copy | tile-opt --tile-to-nvvm | tile-translate --tile-to-ptx | diff %t.ldstmatrix.ptx -
// RUN: tile-translate --tile-to-ptx %S/../Seeds/fallback.mlir -o %t.fallback.ptx 2>/dev/null
// RUN: tile-opt --tile-align-layouts %S/../Seeds/fallback.mlir 2>/dev/null | tile-opt --tile-vectorize-copy \
// RUN:   | tile-opt --tile-expand-copy | tile-opt --tile-to-nvvm | tile-translate --tile-to-ptx | diff %t.fallback.ptx -

// A single pass for the three stages, bytecode between tools, and CSE and canonicalization between stages change nothing.
// RUN: tile-opt --lower-tile-copy %S/../Seeds/gmem_smem.mlir --emit-bytecode | tile-translate --tile-to-ptx | diff %t.gmem_smem.ptx -
// RUN: tile-opt --tile-align-layouts --canonicalize --cse --tile-vectorize-copy --canonicalize --cse --tile-expand-copy \
// RUN:   --canonicalize --cse %S/../Seeds/gmem_smem.mlir | tile-translate --tile-to-ptx | diff %t.gmem_smem.ptx -

// NVVM: llvm.func @round_trip(%{{.*}}: !llvm.ptr {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.align = 256 : i64}) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}
