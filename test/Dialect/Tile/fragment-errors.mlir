// Names of no fragment, and tiles that have none, are errors at their location that say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

// expected-error @below {{got instruction 'mma.m16n8k17', expected one of mma.m16n8k32, mma.m16n8k16, mma.m16n8k8, mma.m16n8k4, mma.m8n8k4, wgmma, tcgen05}}
func.func private @instruction(!tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k17.a>>)

// -----

// expected-error @below {{got 'mma.m16n8k16.d', expected one of mma.m16n8k16.a, mma.m16n8k16.b, mma.m16n8k16.c}}
func.func private @operand(!tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.d>>)

// -----

// expected-error @below {{got 'wgmma' without an operand, expected one of wgmma.a, wgmma.c, wgmma.rows, wgmma.columns}}
func.func private @no_operand(!tile.buffer<64x16xf16, local, #tile.fragment<wgmma>>)

// -----

// expected-error @below {{got 'wgmma.b', expected one of wgmma.a, wgmma.c, wgmma.rows, wgmma.columns}}
func.func private @in_shared_memory(!tile.buffer<64x16xf16, local, #tile.fragment<wgmma.b>>)

// -----

func.func private @warps(!tile.buffer<64x16xf16, local,
  // expected-error @below {{got (8, 8) warps, expected at least (1, 1), and at most 32 of them}}
  #tile.fragment<mma.m16n8k16.a over (8, 8) warps>>)

// -----

// expected-error @below {{got 'warps', expected 'warpgroups'}}
func.func private @warpgroups(!tile.buffer<64x16xf16, local, #tile.fragment<wgmma.a over (1, 1) warps>>)

// -----

// expected-error @below {{got the end, expected 'warps'}}
func.func private @unfinished(!tile.buffer<64x16xf16, local, #tile.fragment<mma.m16n8k16.a over (2, 4)>>)

// -----

// expected-error @below {{got ':', expected 'over' or the end}}
func.func private @layout(!tile.buffer<64x16xf16, local, #tile.fragment<wgmma.a : (1)>>)

// -----

func.func private @rows(!tile.buffer<24x16xf16, local,
  // expected-error @below {{got 24 rows, expected a multiple of 16 for mma.m16n8k16.a}}
  #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got 16 columns, expected a multiple of 32 for mma.m16n8k16.b over (2, 4) warps}}
func.func private @columns(!tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.b over (2, 4) warps>>)

// -----

// expected-error @below {{got '?' rows, expected a multiple of 64 for wgmma.c}}
func.func private @open(!tile.buffer<?x16xf32, local, #tile.fragment<wgmma.c>>)

// -----

// expected-error @below {{got elements of 32 bits, expected 8, 16 or 64 for mma.m16n8k16.a}}
func.func private @width(!tile.buffer<16x16xf32, local, #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got element type 'index', expected an integer or a float}}
func.func private @element(!tile.buffer<16x16xindex, local, #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got a fragment of 3 dimensions, expected 2: rows and columns}}
func.func private @rank(!tile.buffer<2x16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got fragment mma.m16n8k16.a in shared memory, expected it in local memory, which registers are}}
func.func private @space(!tile.buffer<16x16xf16, shared, #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got size 288230376151711744 * 2 * 8 * 576460752303423488 * 4 * 2, expected less than 2^62 = 4611686018427387904}}
func.func private @huge(!tile.buffer<4611686018427387904x4611686018427387904xf16, local, #tile.fragment<mma.m16n8k16.a>>)

// -----

// expected-error @below {{got 16 : i32, expected a #tile.layout, a #tile.fragment or auto}}
func.func private @no_layout(!tile.buffer<16x16xf16, local, 16 : i32>)

// -----

!named = !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>>
!wrong = !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.a>>
func.func @cast(%sums: !named) -> !wrong {
  // expected-error @below {{got !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.a>>, expected a type that gives each element the same location as !tile.buffer<32x32xf32, local, #tile.fragment<mma.m16n8k8.c>>}}
  %0 = tile.cast %sums : !named to !wrong
  return %0 : !wrong
}
