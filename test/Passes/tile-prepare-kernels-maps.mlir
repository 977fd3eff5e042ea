// A map among a kernel's parameters is used where it is.
// RUN: tile-opt %s --tile-prepare-kernels --verify-diagnostics

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64}]>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-error @below {{passes tensor map 1 to scf.yield, expected copies and tile.update_map}}
  gpu.func @either(%which: i1, %m: !map, %n: !map) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %map = scf.if %which -> !map {
      scf.yield %m : !map
    } else {
      scf.yield %n : !map
    }
    %used = builtin.unrealized_conversion_cast %map : !map to !llvm.ptr
    nvvm.prefetch tensormap, %used : !llvm.ptr
    gpu.return
  }
}
