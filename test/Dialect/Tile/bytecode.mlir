// Bytecode stores the dialect's types as text. They round-trip unchanged, and a size altered in the bytecode is refused.
// RUN: tile-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tile-opt %t.mlirbc | FileCheck %s
// RUN: %python -c "import sys; data = open(sys.argv[1], 'rb').read(); old = b'1000000000x1000000000'; assert old in data; open(sys.argv[2], 'wb').write(data.replace(old, b'9000000000x9000000000'))" %t.mlirbc %t.altered.mlirbc
// RUN: not tile-opt %t.altered.mlirbc 2>&1 | FileCheck %s --check-prefix=ALTERED

// CHECK: func.func private @big(!tile.buffer<1000000000x1000000000xf16, global>)
// ALTERED: error: got size 9000000000 * 9000000000, expected less than 2^62 = 4611686018427387904
func.func private @big(!tile.buffer<1000000000x1000000000xf16, global>)
// CHECK: func.func private @padded(!tile.buffer<4x8xf16, shared, #tile.layout<(4, 8) : (16, 1) + 4, swizzle<base = 1, bits = 1, shift = 1>>>)
func.func private @padded(!tile.buffer<4x8xf16, shared, #tile.layout<(4, 8) : (16, 1) + 4, swizzle<base = 1, bits = 1, shift = 1>>>)
