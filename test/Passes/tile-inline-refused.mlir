// Calls that cannot be inlined: an error that names the callee, or, where it may stay a call, a remark.
// RUN: split-file %s %t
// RUN: tile-opt %t/refused.mlir --tile-inline --split-input-file --verify-diagnostics -o /dev/null
// RUN: not tile-opt %t/anchor.mlir --pass-pipeline='builtin.module(gpu.module(gpu.func(tile-inline)))' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: 'gpu.func' op is no module, expected builtin.module or gpu.module
// RUN: tile-opt %t/kept.mlir --tile-inline=keep-calls --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not tile-opt %t/registers.mlir --tile-inline=keep-calls 2>&1 | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: error: 'func.call' op calls '@again' from itself, expected functions without recursion; a call passes no tile of registers or tensor memory

//--- refused.mlir
gpu.module @recursion {
  func.func private @a() {
    func.call @b() : () -> ()
    return
  }
  // expected-note@below {{'@b' is here}}
  func.func private @b() {
    // expected-note@below {{it calls '@c' here}}
    func.call @c() : () -> ()
    return
  }
  func.func private @c() {
    // expected-error@below {{calls '@b' from itself, expected functions without recursion}}
    func.call @b() : () -> ()
    return
  }
  gpu.func @kernel() kernel {
    func.call @a() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @external {
  // expected-note@below {{'@external' is declared here}}
  func.func private @external()
  gpu.func @kernel() kernel {
    // expected-error@below {{calls '@external', which has no body, expected a function that the module defines}}
    func.call @external() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @indirect {
  gpu.func @kernel(%f: () -> ()) kernel {
    // expected-error@below {{calls a function that is known only at run time, expected func.call of a function by name}}
    func.call_indirect %f() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @blocks {
  // expected-note@below {{'@blocks' is here}}
  func.func private @blocks() {
    cf.br ^end
  ^end:
    return
  }
  gpu.func @kernel(%c: i1) kernel {
    scf.if %c {
      // expected-error@below {{calls '@blocks', which has several blocks, in a region of one}}
      func.call @blocks() : () -> ()
    }
    gpu.return
  }
}

// -----

// The size of blocks is the kernel's, whoever calls.
gpu.module @sizes {
  func.func private @inner() attributes {known_block_size = array<i32: 128, 1, 1>} {
    return
  }
  // expected-note@below {{'@outer' is here}}
  func.func private @outer() {
    func.call @inner() : () -> ()
    return
  }
  gpu.func @other() kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    // expected-error@below {{calls '@outer', which is for blocks of a size: got 256x1x1 of the caller, expected 128x1x1}}
    func.call @outer() : () -> ()
    gpu.return
  }
  gpu.func @unknown() kernel {
    // expected-error@below {{calls '@outer', which is for blocks of a size: got ?x?x? of the caller, expected 128x1x1}}
    func.call @outer() : () -> ()
    gpu.return
  }
}

// -----

gpu.module @alignment {
  // expected-note@below {{'@take' is here}}
  func.func private @take(%p: !llvm.ptr {llvm.align = 16 : i64}) {
    return
  }
  gpu.func @kernel(%p: !llvm.ptr) kernel {
    // expected-error@below {{passes argument 0, of which the callee is promised llvm.align = 16: got 1 bytes proved}}
    func.call @take(%p) : (!llvm.ptr) -> ()
    gpu.return
  }
  gpu.func @promised(%p: !llvm.ptr {llvm.align = 32 : i64}) kernel {
    func.call @take(%p) : (!llvm.ptr) -> ()
    gpu.return
  }
}

//--- anchor.mlir
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

//--- kept.mlir
// KEPT: kept.mlir:9:{{.*}}: remark: [Missed] call-stays | {{.*}}Function=ping | Reason="calls '@first' from itself,
// KEPT: kept.mlir:12:{{.*}}: remark: [Missed] call-stays | {{.*}}Function=again | Reason="calls '@again' from itself,
// KEPT: kept.mlir:17:{{.*}}: remark: [Missed] call-stays | {{.*}}Function=kernel | Reason="calls '@again', which calls itself"
// KEPT: kept.mlir:18:{{.*}}: remark: [Missed] call-stays | {{.*}}Function=kernel | Reason="calls '@external', which has no body,
gpu.module @kernels {
  // The second call is inlined once, though the function is met again in itself.
  func.func @first() { func.call @ping() : () -> () func.call @leaf() : () -> () return }
  func.func private @ping() {
    func.call @first() : () -> ()
    return
  }
  func.func private @again() { func.call @again() : () -> () return }
  func.func private @external()
  func.func private @asked() attributes {no_inline} { return }
  func.func private @leaf() { return }
  gpu.func @kernel() kernel {
    func.call @again() : () -> ()
    func.call @external() : () -> ()
    // KEPT: call-stays | {{.*}}Function=kernel | Reason="calls '@asked' with no_inline"
    func.call @asked() : () -> ()
    // KEPT: func.call @again
    // KEPT: func.call @external
    // KEPT: func.call @asked
    gpu.return
  }
}

//--- registers.mlir
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
gpu.module @kernels {
  func.func private @again(%r: !rows) {
    func.call @again(%r) : (!rows) -> ()
    return
  }
  gpu.func @kernel() kernel {
    %r = tile.alloc : !rows
    func.call @again(%r) : (!rows) -> ()
    gpu.return
  }
}
